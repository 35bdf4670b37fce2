"""What words and numbers of MMTrustEval's answers stand for: agreement, labels, scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.errors import SampleError

#: How much a phrase agrees.
AGREEMENT: Mapping[str, float] = {
    "strongly disagree": -100,
    "somewhat disagree": -50,
    "neutral": 0,
    "somewhat agree": 50,
    "strongly agree": 100,
    "one hundred": 100,
    "fifty": 50,
    "zero": 0,
    "minus fifty": -50,
    "minus one hundred": -100,
}
AGREEMENT_VALUES: tuple[float, ...] = (-100, -50, 0, 50, 100)
SCORE_VALUES: tuple[float, ...] = (0, 25, 50, 75, 100)
SENTIMENTS: Mapping[str, int] = {"negative": 0, "positive": 1}

_THREE: Mapping[str, int] = {"yes": 0, "maybe": 1, "no": 2}
_TWO: Mapping[str, int] = {"yes": 0, "no": 1}
#: The number of the label that each word stands for, by the category of AdvGLUE.
ADVERSARIAL: Mapping[str, Mapping[str, int]] = {
    "mnli": _THREE,
    "mnli-mm": _THREE,
    "qnli": _TWO,
    "rte": _TWO,
    "qqp": {"yes": 1, "no": 0},
    "sst2": SENTIMENTS,
}


def adversarial_label(label: Any) -> tuple[Mapping[str, int], int]:
    """The words of the category of a label, and the number of the label.

    Args:
        label: ``category->number``.

    Raises:
        SampleError: it has not this form, or no such category.

    >>> adversarial_label("qqp->1")
    ({'yes': 1, 'no': 0}, 1)
    """
    category, _, number = str(label).partition("->")
    try:
        return ADVERSARIAL[category.strip()], int(number)
    except (KeyError, ValueError):
        raise SampleError(
            f"the label is {label!r:.60}",
            hint=f"give category->number, with one of {', '.join(ADVERSARIAL)}",
        ) from None
