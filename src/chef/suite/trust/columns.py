"""The samples of one data set as columns: what each evaluator said, and the references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column: TypeAlias = NDArray[np.float64]

#: A text that more samples share is a prompt of the data set, not a question of its own.
_SHARED = 20


@dataclass(frozen=True)
class LogColumns:
    """What the log of one data set holds: totals (values by ``A->B:metric``) and samples.

    ``is_upstream``: whether MMTrustEval's own rules were used.
    """

    totals: Mapping[str, Any]
    samples: Sequence[Mapping[str, Any]]
    is_upstream: bool = False
    _found: dict[str, Column] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.samples)

    def of(self, evaluator: str) -> Column | None:
        """What an evaluator said of each sample, NaN where nothing; None if it is in no chain."""
        import numpy as np

        if evaluator not in self._found:
            keys = {key for sample in self.samples for key in sample}
            key = next((key for key in sorted(keys) if _is_output(key, evaluator)), None)
            if key is None:
                return None
            said = [as_number(sample.get(key)) for sample in self.samples]
            self._found[evaluator] = np.array(said, dtype=float)
        return self._found[evaluator]

    def texts(self, evaluator: str) -> list[str] | None:
        """What an evaluator made of each answer, as text; None if it is in no chain."""
        keys = {key for sample in self.samples for key in sample}
        key = next((key for key in sorted(keys) if _is_output(key, evaluator)), None)
        return None if key is None else [str(sample.get(key)) for sample in self.samples]

    def total(self, evaluator: str, metric: str, subset: str = "") -> float | None:
        """A value of the log that no sample stands for; None if it has none."""
        end = f"_{subset}" if subset else ""
        for key, value in self.totals.items():
            prefix, _, name = key.rpartition(":")
            if name == f"{metric}{end}" and prefix.split("->")[-1] == evaluator:
                return as_number(value)
        return None

    @cached_property
    def answers(self) -> list[str]:
        """The answers of the tested model."""
        return [str(sample.get("pred") or "") for sample in self.samples]

    @cached_property
    def labels(self) -> Column:
        """The references as numbers; NaN where one is none."""
        import numpy as np

        return np.array([as_number(sample.get("label")) for sample in self.samples], dtype=float)

    @cached_property
    def extras(self) -> list[Mapping[str, Any]]:
        """What each sample says besides: its subset, and others."""
        return [sample.get("extra") or {} for sample in self.samples]

    def clusters(self, is_unrelated: bool) -> Iterator[tuple[str, ...]]:
        """What each sample shares: its text, and its image unless that is unrelated."""
        texts: dict[str, int] = {}
        for sample in self.samples:
            texts[_text(sample)] = texts.get(_text(sample), 0) + 1
        for number, sample in enumerate(self.samples):
            image = _image(sample)
            shared = [f"image {image}"] if image and not is_unrelated else []
            if texts[_text(sample)] <= _SHARED:
                shared.append(f"text {_text(sample)}")
            yield tuple(shared) or (f"sample {number}",)


def as_number(given: Any) -> float:
    """A number that an evaluator gave; NaN for anything else.

    >>> as_number(True), as_number("0.5")
    (1.0, 0.5)
    """
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    try:
        return float(given)
    except (TypeError, ValueError):
        return float("nan")


def _is_output(key: str, evaluator: str) -> bool:
    prefix, _, metric = key.rpartition(":")
    return metric == "pred_no_op" and prefix.split("->")[-1] == evaluator


def _text(sample: Mapping[str, Any]) -> str:
    content = sample.get("content")
    return str(content.get("text") if isinstance(content, Mapping) else content)


def _image(sample: Mapping[str, Any]) -> str:
    content = sample.get("content")
    return str(content.get("image_path") or "") if isinstance(content, Mapping) else ""
