"""The kinds of data sets by name, which models written for VLMEvalKit choose their prompts by."""

from __future__ import annotations

from typing import Any

from chef.scenario import SCENARIOS

#: VLMEvalKit's names of the kinds of questions.
_TYPES = {"mcq": "MCQ", "yesno": "Y/N", "vqa": "VQA", "caption": "Caption", "turns": "MT"}


def DATASET_TYPE(dataset: str, *, default: str = "MCQ") -> str:  # noqa: N802 (VLMEvalKit's name)
    """The kind of a data set's questions: ``MCQ``, ``Y/N``, ``VQA``, ``Caption`` or ``MT``.

    >>> DATASET_TYPE("my own questions")
    'MCQ'
    """
    kind = _scenario(dataset)
    given = getattr(getattr(kind, "dataset_class", None), "TYPE", "")
    family = getattr(getattr(kind, "entry", None), "family", None)
    return str(given or _TYPES.get(getattr(family, "kind", ""), default))


def DATASET_MODALITY(dataset: str, *, default: str = "IMAGE") -> str:  # noqa: N802 (as above)
    """What a data set's questions are about: ``IMAGE`` or ``TEXT``.

    >>> DATASET_MODALITY("my own questions")
    'IMAGE'
    """
    given = getattr(getattr(_scenario(dataset), "dataset_class", None), "MODALITY", "")
    return str(given or default)


def _scenario(dataset: str) -> Any:
    """The class of a scenario; None if there is none of that name."""
    names = (f"VLMEvalKit/{dataset}", dataset)  # some names are also those of ChEF's data sets
    return next((SCENARIOS.get(name) for name in names if name in SCENARIOS), None)
