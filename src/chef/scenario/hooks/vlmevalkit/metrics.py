"""Which metric scores a data set: the class's own ``evaluate``, or chef's for its kind."""

from __future__ import annotations

from collections.abc import Mapping

from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset

#: Chef's metric for each kind of question.
_USUAL: Mapping[str, str] = {
    "mcq": "Accuracy",
    "yesno": "YesNo",
    "vqa": "VQAAccuracy",
    "caption": "Caption",
    "mt": "ExactMatch",
}
#: Those of published data sets, by what their name contains.
_NAMED: Mapping[str, Mapping[str, str]] = {
    "yesno": {
        "MME": "MMEVQA", "POPE": "POPE_Metric", "Hallusion": "HallusionBench", "AMBER": "AMBER",
    },
    "vqa": {
        "ChartQA": "RelaxedAccuracy", "OCRVQA": "ExactMatch", "GQA": "ExactMatch",
        "DocVQA": "ANLS", "InfoVQA": "ANLS", "OCRBench": "OCRBench",
    },
    "mcq": {"MMBench": "MMBenchVQA", "CCBench": "MMBenchVQA"},
}  # fmt: skip


def evaluates(kind: type[ImageBaseDataset]) -> bool:
    """Whether a class has an ``evaluate`` of its own."""
    owner = next(base for base in kind.__mro__ if "evaluate" in vars(base))
    return owner is not ImageBaseDataset


def own_metric(kind: type[ImageBaseDataset]) -> str | None:
    """The name of the metric that calls a class's own ``evaluate``; None where it has none."""
    return f"{kind.__name__}.evaluate" if evaluates(kind) else None


def usual_metric(kind: str, dataset: str) -> str:
    """The name of chef's metric for a kind of question.

    >>> usual_metric("vqa", "DocVQA_VAL"), usual_metric("mcq", "Mine")
    ('ANLS', 'Accuracy')
    """
    named = _NAMED.get(kind, {})
    return next((metric for name, metric in named.items() if name in dataset), _USUAL[kind])
