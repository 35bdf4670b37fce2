"""What people are asked about an answer, and which scores their replies are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chef.errors import ConfigError
from chef.report.compare.side import Side


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """A reply that a person can give: a key, what it means, and the score that it is."""

    key: str
    text: str
    value: float


@dataclass(frozen=True, slots=True)
class LabelScale:
    """A question to people about an answer.

    ``unit`` is that of the replies' mean; ``compares`` says whether two answers are shown, of
    which the first is the model's.
    """

    name: str
    question: str
    choices: Sequence[LabelChoice]
    unit: str = "0-1"
    compares: bool = False

    @property
    def least(self) -> float:
        """The lowest score."""
        return min(choice.value for choice in self.choices)

    @property
    def most(self) -> float:
        """The highest score."""
        return max(choice.value for choice in self.choices)

    def swapped(self) -> tuple[LabelChoice, ...]:
        """The replies where the model's answer is shown second."""
        other = {1.0: 0.0, 0.0: 1.0}
        return tuple(
            LabelChoice(item.key, item.text, other.get(item.value, item.value))
            for item in self.choices
        )


RIGHT = LabelScale(
    "right",
    "Is this answer right?",
    (LabelChoice("r", "right", 1.0), LabelChoice("w", "wrong", 0.0)),
)
GRADE = LabelScale(
    "grade",
    "How much of the reference does this answer get right?",
    (LabelChoice("0", "nothing", 0.0), LabelChoice("1", "a quarter", 0.25),
     LabelChoice("2", "half", 0.5), LabelChoice("3", "three quarters", 0.75),
     LabelChoice("4", "all of it", 1.0)),
)  # fmt: skip
RATING = LabelScale(
    "rating",
    "How good is this answer, from 1 to 10?",
    tuple(LabelChoice(str(value % 10), str(value), float(value)) for value in range(1, 11)),
    unit="points",
)
PREFERENCE = LabelScale(
    "preference",
    "Which answer is better?",
    (LabelChoice("1", "the first", 1.0), LabelChoice("2", "the second", 0.0),
     LabelChoice("0", "both alike", 0.5)),
    compares=True,
)  # fmt: skip
SCALES = {scale.name: scale for scale in (RIGHT, GRADE, RATING, PREFERENCE)}


def scale_of(side: Side) -> LabelScale:
    """What people are asked about the answers of a run: what its judge is, else by its scores.

    Scores of 0 and 1, by a rule or a judge, say whether an answer is right; ConfigError where
    scores say nothing that people are asked about.
    """
    figure = side.report.metrics[side.report.primary]
    if figure.higher_is_better is not True:
        raise _unasked(side, "is not better when it is higher")
    metric = side.metric
    if metric is not None and metric.needs_judge:
        for scale in (GRADE, RATING, PREFERENCE):
            if scale.name in metric.judge_kinds:
                return scale
    values = set(side.scores.values())
    if not values or min(values) < 0 or max(values) > 1:
        raise _unasked(side, "scores answers on another scale than 0 to 1")
    return RIGHT if values <= {0.0, 1.0} else GRADE


def _unasked(side: Side, why: str) -> ConfigError:
    return ConfigError(
        f"people cannot be asked what {side.report.primary} scores: it {why}",
        where=str(side.place),
        hint="--metric NAME scores by another metric, such as Accuracy; or write a sheet with "
        "--draw 100 --labels FILE, and numbers on the scale of the scores into it",
    )
