"""MMTrustEval's samples: what its data sets give and its methods take, to chef's and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self, TypeAlias

from chef.common.jsonable import to_jsonable
from chef.errors import SampleError
from chef.image import Image
from chef.types import Sample

#: The field of a sample with its ``extra``, and with the subset that this names.
EXTRA, SUBSET = "extra", "subset"
#: The field of a sample with the names of every option of its question, a list for each. It is no
#: part of ``extra``, which has what MMTrustEval's has.
OPTION_NAMES = "option_names"
#: How the text begins that MMTrustEval's own models answer where they have given up asking.
FAILED = "Error in generation"


@dataclass
class _Fields:
    """Fields that are also items: ``sample["text"]`` is ``sample.text``."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The sample with these fields; others are ignored."""
        return cls(**{item.name: data[item.name] for item in fields(cls) if item.name in data})

    def __getitem__(self, name: str) -> Any:
        return asdict(self)[name]

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass
class TxtSample(_Fields):
    """A question without an image.

    Attributes:
        text: the whole prompt.
        target: the reference, as plain data; None where there is none.
        extra: what evaluators need besides; ``extra["subset"]`` names the subset.

    >>> TxtSample.from_dict({"text": "Is it safe?", "unknown": 1})["text"]
    'Is it safe?'
    """

    text: str
    target: Any = None
    extra: dict[str, Any] | None = None


@dataclass
class ImageTxtSample(_Fields):
    """A question about one image.

    Attributes:
        text: the whole prompt.
        target: the reference, as plain data; None where there is none.
        extra: what evaluators need besides; ``extra["subset"]`` names the subset.
    """

    image_path: str
    text: str
    target: Any = None
    extra: dict[str, Any] | None = None


TrustSample: TypeAlias = TxtSample | ImageTxtSample


def to_sample(name: str, item: TrustSample) -> Sample:
    """A sample of that id: ``answer`` is the target, the fields have ``extra`` and ``subset``.

    Raises:
        SampleError: the text is none.

    >>> to_sample("3", TxtSample("Is it?", 1, {"subset": "Age"})).fields["subset"]
    'Age'
    """
    if not isinstance(item.text, str):
        raise SampleError(
            f"the text is {item.text!r}", where=f"sample '{name}'", hint="give a string"
        )
    extra = None if item.extra is None else to_jsonable(item.extra)
    held: dict[str, Any] = {} if extra is None else {EXTRA: extra}
    if isinstance(extra, dict) and extra.get(SUBSET) is not None:
        held[SUBSET] = extra[SUBSET]
    images = (Image(item.image_path),) if isinstance(item, ImageTxtSample) else ()
    return Sample(
        name, images=images, question=item.text, answer=to_jsonable(item.target), fields=held
    )


def of_sample(sample: Sample, image_path: str | None = None) -> TrustSample:
    """MMTrustEval's sample of one with at most one image, a file; what `to_sample` made comes back.

    SampleError: it has more.
    """
    extra = sample.fields.get(EXTRA)
    if not sample.images:
        return TxtSample(sample.question, sample.answer, extra)
    path = image_path or sample.images[0].where.get("path")
    if len(sample.images) > 1 or path is None:
        raise SampleError(
            f"it has {len(sample.images)} images; MMTrustEval's samples have one, in a file",
            where=f"sample '{sample.id}'",
        )
    return ImageTxtSample(str(path), sample.question, sample.answer, extra)


def content_of(item: TrustSample) -> str | dict[str, str]:
    """The ``content`` of the one user message that MMTrustEval makes of a sample."""
    if isinstance(item, ImageTxtSample):
        return {"image_path": item.image_path, "text": item.text}
    return item.text


def with_item(sample: Sample, item: TrustSample) -> Sample:
    """A sample of any scenario after a method: the image and the text are those of ``item``."""
    images = (Image(item.image_path),) if isinstance(item, ImageTxtSample) else ()
    return replace(sample, images=images, question=item.text, image_marks=())
