"""What a sweep found, in sentences; the table and the page say the same."""

from __future__ import annotations

from collections.abc import Mapping

from chef.document.numbers import interval, number, p_value
from chef.stats.estimate import Estimate
from chef.suite.sweep.components import OTHER
from chef.suite.sweep.result import PositionBias, Share, SweepResult

_LEVEL = 0.05
#: So many factors and interactions are told.
_TOLD = 3


def sentences(found: SweepResult) -> list[str]:
    """The answers to what readers ask first, the most important first."""
    return [*_decides(found), *_stable(found), *_letters(found), *_moved(found)]


def named(values: Mapping[str, str]) -> str:
    """The values of factors on one line.

    >>> named({"inferencer": "ppl", "ices": "2"})
    'inferencer ppl, ices 2'
    """
    return ", ".join(f"{name} {value}" for name, value in values.items())


def told(item: Estimate | None) -> str:
    """An estimate with its interval.

    >>> told(Estimate(41.2, 9, low=30.0, high=52.0, unit="%"))
    '41.2% [30.0, 52.0]'
    """
    if item is None or item.value is None:
        return "-"
    return f"{number(item.value, item.unit)} {interval(item)}".strip()


def chance(bias: PositionBias) -> str:
    """How far letters differ, and how far they would by chance."""
    p = "p < 0.001" if bias.p_value < 0.001 else f"p = {bias.p_value:.3f}"
    return (
        f"Letters chosen and letters right differ by {bias.distance:.1f} points (total variation "
        f"distance), and by {bias.by_chance:.1f} on average by chance; {p}."
    )


def falls(found: SweepResult) -> str:
    """How far the recipe that was chosen falls on the other half; empty where none was."""
    if found.fall is None:
        return ""
    if found.fall < 0.05:
        return "The chosen recipe does not fall on the half that did not choose it."
    return (
        f"The chosen recipe falls by {found.fall:.1f} points on the half that did not choose it, "
        "against the mean of all recipes."
    )


def real(found: SweepResult) -> list[Share]:
    """The terms that change the score by more than chance would."""
    return [item for item in found.shares if item.p_value is not None and item.p_value < _LEVEL]


def _decides(found: SweepResult) -> list[str]:
    between = [item for item in found.shares if item.deviation is not None]
    lines = [
        f"{_subject(item.term)} decides {told(item.share)} of the variance between runs: "
        f"{_range(found, item.term)}a standard deviation of {told(item.deviation)} points."
        for item in real(found)[:_TOLD]
        if item.share.value is not None
    ]
    if between and not lines:
        lines.append("No factor changes the score by more than chance would.")
    samples = next((item for item in found.shares if item.term == "samples"), None)
    if samples is not None and samples.of_answers is not None and samples.of_answers.value:
        lines.append(
            f"Of the variance of single answers, {told(samples.of_answers)} is between samples: "
            "some are easy and others hard in all runs."
        )
    return lines


def _range(found: SweepResult, term: str) -> str:
    """The lowest and the highest score of a factor's values; empty for an interaction."""
    scores = {
        level.value: level.score
        for level in found.levels
        if level.factor == term and level.score.value is not None
    }
    if len(scores) < 2:
        return ""
    ordered = sorted(scores, key=lambda value: scores[value].value or 0.0)
    low, high = (
        f"{number(scores[one].value, scores[one].unit)} ({one})"
        for one in (ordered[0], ordered[-1])
    )
    return f"from {low} to {high}, "


def _subject(term: str) -> str:
    if term == OTHER:
        return "What no line above explains"
    return f"The interaction of {term.replace(' × ', ' and ')}" if " × " in term else term


def _stable(found: SweepResult) -> list[str]:
    best = next((item for item in found.stable if item.chosen), None)
    if best is None:
        return []
    spread = f", spread {told(best.interval)} points" if best.interval is not None else ""
    line = (
        f"Most stable recipe: {named(best.values)}; on the samples that did not choose it, "
        f"accuracy {told(best.accuracy)}{spread}."
    )
    lead = best.lead
    if lead is None or lead.low is None:
        return [line]
    if lead.low > 0:
        return [line, f"It is better than the next one, by {told(lead)} points of accuracy."]
    return [
        line,
        f"Whether it is better than the next one is not clear: {told(lead)} points of accuracy "
        "lie between them.",
    ]


def _letters(found: SweepResult) -> list[str]:
    if not found.biases:
        return []
    bias = found.biases[0]
    if bias.p_value < _LEVEL:
        return [f"Position bias: {_moves(bias)}"]
    lines = [
        f"No position bias is seen over all runs: letters chosen and letters right differ by "
        f"{bias.distance:.1f} points, and by {bias.by_chance:.1f} by chance alone "
        f"(p {bias.p_value:.2f})."
    ]
    others = found.biases[1:]
    if not others:
        return lines
    worst = min(others, key=lambda item: (item.p_value, -item.distance))
    if worst.p_value * len(others) < _LEVEL:  # Bonferroni's correction
        lines.append(f"Position bias with {worst.factor} {worst.value}: {_moves(worst)}")
    return lines


def _moves(bias: PositionBias) -> str:
    return (
        f"{strongest(bias)} is chosen most above how often it is right. {bias.distance:.1f}% of "
        f"the answers would have to move to other letters (by chance {bias.by_chance:.1f}%)."
    )


def strongest(bias: PositionBias) -> str:
    """The letter that is chosen too often by most."""
    return max(bias.letters, key=lambda item: item.bias.value or 0.0).letter


def bias_rows(found: SweepResult) -> list[list[str]]:
    """The position bias of the runs of each value of a factor; for `BIAS_HEADERS`."""
    return [
        [
            f"{bias.factor} {bias.value}", f"{bias.distance:.1f}", f"{bias.by_chance:.1f}",
            p_value(bias.p_value), strongest(bias),
        ]
        for bias in found.biases
        if bias.factor
    ]  # fmt: skip


#: The columns of `bias_rows`.
BIAS_HEADERS = ("runs", "distance (points)", "by chance", "p", "too often")


def _moved(found: SweepResult) -> list[str]:
    if found.rotation is None or found.rotation.value is None:
        return []
    return [
        f"Moving the options to other letters changes the score by {told(found.rotation)} points."
    ]
