"""The base classes of methods."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from chef.common.mmtrusteval import (
    ImageTxtSample,
    TrustSample,
    TxtSample,
    of_sample,
    with_item,
)
from chef.errors import ConfigError, SampleError, nearest
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.scenario.base import Scenario
from chef.types import Sample


class Method(ABC):
    """What is done to a sample: another image, a changed one, another text.

    The annotated keyword arguments of ``__init__`` besides ``method_id`` are its keys in
    ``method_cfg``. A method depends on nothing but its keys, the sample and, where it is told
    (`on`), the scenario, so that runs resume.

    Args:
        method_id: the id under which it was chosen.
    """

    #: Whether it needs a model, which a recipe names as ``model_cfg``.
    needs_model: ClassVar[bool] = False
    #: Whether a recipe may name one, without which it does less.
    takes_model: ClassVar[bool] = False
    #: Whether it uses the gradients of that model, and not its replies.
    needs_gradients: ClassVar[bool] = True
    #: The keys that are paths to read; a relative one is looked for beside the recipe first.
    paths: ClassVar[Sequence[str]] = ()

    def __init__(self, method_id: str = "") -> None:
        self.method_id = method_id

    @abstractmethod
    def transform(self, sample: Sample) -> Sample:
        """The sample as it is asked, with the id, the reference and the fields that it had.

        Raises:
            SampleError: the method cannot be applied to this sample.
        """

    def on(self, scenario: Scenario) -> Method:  # noqa: ARG002
        """The method for the samples of a scenario; the same where it looks at no other sample."""
        return self

    def fingerprint(self) -> str:
        """A digest of the files that it reads; empty where its keys say everything."""
        return ""


class BaseMethod(Method):
    """A method written for MMTrustEval: implement `run` and `hash`, and name its ``method_ids``.

    Args:
        method_id: one of ``method_ids``.
        img_dir: the folder of its images.
        lazy_mode: whether an image that is in the folder is taken as it is.

    Raises:
        ConfigError: the id is not one of the class.
    """

    method_ids: ClassVar[Sequence[str]] = ()

    def __init__(self, method_id: str, img_dir: str, lazy_mode: bool = True) -> None:
        if method_id not in self.method_ids:
            raise ConfigError(
                f"{type(self).__name__} has no method '{method_id}'",
                hint=nearest(method_id, self.method_ids),
            )
        super().__init__(method_id)
        self.img_dir, self.lazy_mode = img_dir, lazy_mode
        Path(img_dir).mkdir(parents=True, exist_ok=True)

    @abstractmethod
    def run(self, data: TrustSample, **kwargs: Any) -> ImageTxtSample:
        """The sample with an image of the method's."""

    def hash(self, to_hash_str: str, **kwargs: Any) -> str:
        """The name of the file for a text: its SHA3-256 digest."""
        del kwargs
        return hashlib.sha3_256(to_hash_str.encode("utf-8", "surrogatepass")).hexdigest()

    def transform(self, sample: Sample) -> Sample:
        """See `Method.transform`; `run` is given the sample in MMTrustEval's form."""
        path = image_path(sample.images[0]) if len(sample.images) == 1 else None
        made = self.run(of_sample(sample, path))
        if not isinstance(made, TxtSample | ImageTxtSample):
            raise SampleError(
                f"{type(self).__name__}.run returned a {type(made).__name__}",
                where=f"sample '{sample.id}'",
                hint="return an ImageTxtSample(image_path, text, target, extra)",
            )
        return with_item(sample, made)
