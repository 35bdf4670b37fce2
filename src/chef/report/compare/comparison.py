"""A comparison of runs: what was found, as a table and as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from msgspec import field

from chef.common.jsonable import to_jsonable
from chef.document.numbers import clusters, interval, interval_cell, p_value, quantity
from chef.document.outline import as_text, shorten, shown_in_notebook
from chef.document.sections import Cell, Section, Table, Words
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.report.compare.verdict import (
    Best,
    Difference,
    McNemar,
    Pair,
    RectifiedPair,
    RunScore,
    amount,
    bare,
    is_decided,
    signed,
    span_of,
    tone,
    verdict,
)
from chef.report.groups import group_filter
from chef.scoring.figures import without_empty
from chef.stats.estimate import PERCENT, Estimate

__all__ = ["Comparison", "Difference", "McNemar", "Pair", "RunScore"]


_IDS = 10
_WIDEST = 60
_COLUMNS = ("difference", "95% interval", "p", "detectable")


class Comparison(Frozen):
    """A comparison of two or more runs.

    Attributes:
        runs: labels of the runs, in the order given.
        primary: the main figure.
        pairs: every pair of runs, in order.
        allowed: what the runs differ in that was allowed to differ.
        notes: what a reader has to know, such as samples that only some runs have.
        scores: every run as a whole, in the order given.
        differs: the keys of config.yaml in which the runs differ, with the value of each run.
        ranks: of three runs or more, the best and the worst place that each may have, 1 for the
            first, all of them together in 95% of the comparisons (`chef.stats.paired`).
        best: of three runs or more; None where no direction is better.
        rectified: the difference by labels, of pairs of runs that people have labelled.
    """

    runs: Sequence[str]
    primary: str
    pairs: Sequence[Pair]
    allowed: Sequence[str] = ()
    notes: Sequence[str] = ()
    scores: Sequence[RunScore] = ()
    differs: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    best: Best | None = None
    rectified: Sequence[RectifiedPair] = ()

    @property
    def main(self) -> Pair:
        """The first two runs."""
        return self.pairs[0]

    def to_json(self) -> dict[str, Any]:
        """Plain data: the fields of this class, and a sentence for each pair (``verdict``)."""
        data: dict[str, Any] = to_jsonable(asdict(self))
        for pair, item in zip(self.pairs, data["pairs"], strict=True):
            item["verdict"] = verdict(pair, self.primary)
        return data

    def table(self, width: int | None = None, by: Sequence[str] = ()) -> str:
        """The comparison as text.

        Args:
            width: the columns of the terminal; None for any number.
            by: the groupings whose tables are shown, such as ``category``.
        """
        return as_text(self.sections(by), width)

    def sections(self, by: Sequence[str] = ()) -> list[Section]:
        """The comparison as sections; ``by``: the groupings whose tables are shown."""
        parts: list[Section] = [scores_table(self)]
        if self.differs:
            lines = [
                f"  {key.removeprefix('recipe_cfg.')}: {' | '.join(map(_shown, values))}"
                for key, values in self.differs.items()
            ]
            parts.append(Words("the runs differ in:", lines))
        if self.allowed:
            parts.append(Words("allowed to differ:", [f"  {item}" for item in self.allowed]))
        if len(self.pairs) > 1:
            parts.append(_matrix(self))
        for pair in self.pairs:
            lines = [verdict(pair, self.primary), *_changes(pair)]
            lines += [f"note: {note}" for note in pair.notes]
            parts.append(pair_table(pair, lines))
            parts += group_tables(self, pair, by)
        parts += people_tables(self)
        groupings = dict.fromkeys(name for pair in self.pairs for name in pair.by)
        if groupings and not by:
            parts.append(Words("", [f"by group: --by {' or '.join(groupings)}"]))
        return [*parts, *(Words("", [f"note: {note}"]) for note in self.notes)]

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"Comparison({', '.join(self.runs)}: {verdict(self.main, self.primary)})"

    _repr_html_ = shown_in_notebook


def people_tables(comparison: Comparison) -> list[Table]:
    """The differences by labels of people: sentences with their numbers; none without labels."""
    rows = [
        (
            f"{item.second} minus {item.first}, by {item.labels[1]} and {item.labels[0]} labels, "
            f"{item.both} of them on the same questions",
            signed(item.difference.value, item.difference.unit),
            span_of(item.difference),
            p_value(item.p_value),
        )
        for item in comparison.rectified
    ]
    headers = (f"rectified {comparison.primary}", "difference", "95% interval", "p")
    note = (
        "The rectified difference is right whatever the scores of both runs are worth, where the "
        "answers were drawn at random and the same people labelled both."
    )
    return [Table("Labels of people", headers, rows, note)] if rows else []


def scores_table(comparison: Comparison) -> Table:
    """Every run as a whole."""
    figures = [run.figures[comparison.primary] for run in comparison.scores]
    rows = [
        (run.label, quantity(item), interval_cell(item), _places(comparison.ranks.get(run.label)),
         str(item.n), clusters(item), f"{100 * run.coverage.coverage:.1f}%")
        for run, item in zip(comparison.scores, figures, strict=True)
    ]  # fmt: skip
    headers = ("run", comparison.primary, "95% interval", "place", "n", "clusters", "coverage")
    note = ""
    if (best := comparison.best) is not None:
        note = (
            f"{best.run} has the best score of {len(comparison.runs)}; that it was chosen for it "
            f"makes its interval {interval(best.score)}"
        )
    return Table("", *without_empty(headers, rows, ("place", "clusters")), note)


def _places(places: tuple[int, int] | None) -> str:
    """The best and the worst place that a run may have.

    >>> _places((2, 4)), _places((1, 1)), _places(None)
    ('2 to 4', '1', '')
    """
    if places is None:
        return ""
    first, last = places
    return str(first) if first == last else f"{first} to {last}"


def _shown(value: Any) -> str:
    return shorten(" ".join(str(value).split()), _WIDEST)


def _matrix(comparison: Comparison) -> Table:
    """The differences of the main figure of all pairs: the run of the line minus the column's."""
    known = {(pair.first, pair.second): pair for pair in comparison.pairs}

    def cell(line: str, column: str) -> str:
        pair = known.get((column, line))
        if pair is None:
            return ""
        item = pair.deciding(comparison.primary)
        mark = "*" if is_decided(item) else ""
        return f"{signed(item.difference.value, item.difference.unit)}{mark}"

    runs = comparison.runs
    lines = [(line, *(cell(line, column) for column in runs[:-1])) for line in runs[1:]]
    title = (
        f"{comparison.primary}: the run of a line minus the run of a column (* is decided, jointly "
        f"with all {len(comparison.pairs)} pairs)"
    )
    return Table(title, ("run", *runs[:-1]), lines)


def pair_table(pair: Pair, lines: Sequence[str]) -> Table:
    """The figures of two runs on the samples that both have; ``lines`` stand below."""
    title = f"{pair.second} minus {pair.first}, on {pair.samples} samples that both have scored"
    return _figures(title, pair.differences, pair, note="\n".join(lines))


def group_tables(comparison: Comparison, pair: Pair, by: Sequence[str]) -> list[Table]:
    """The differences of the main figure of each group, by those of the fields that there are."""
    of = f": {pair.first} → {pair.second}" if len(comparison.pairs) > 1 else ""
    return [
        _figures(f"{comparison.primary} by {field}{of}", pair.by[field], pair, field=field)
        for field in by
        if field in pair.by
    ]


def evidence(pair: Pair) -> list[str]:
    """What holds jointly with all pairs, and right and wrong answers with McNemar's exact test."""
    lines = []
    if (joint := pair.joint) is not None:
        span = span_of(joint.difference) or "no interval"
        lines.append(f"jointly with all pairs: {span}, p {p_value(joint.p_value)}")
    if (known := pair.mcnemar) is not None:
        exact = (
            "" if known.p_value is None else f"; McNemar's exact test: p {p_value(known.p_value)}"
        )
        lines.append(
            f"right in both {known.both}, in {pair.first} alone {known.first_only}, in "
            f"{pair.second} alone {known.second_only}, in neither {known.neither}{exact}"
        )
    return lines


def _changes(pair: Pair) -> list[str]:
    if pair.mcnemar is None:
        return evidence(pair)
    return [*evidence(pair), _flips("gained", pair.gained), _flips("lost", pair.lost)]


def _figures(
    title: str,
    differences: Mapping[str, Difference],
    pair: Pair,
    *,
    field: str = "",
    note: str = "",
) -> Table:
    """A line for each figure, or for each group of a field."""
    rows = [
        (
            Cell(name, group_filter(field, name) if field else None),
            quantity(item.first),
            quantity(item.second),
            Cell(signed(item.difference.value, item.difference.unit), tone=tone(item)),
            span_of(item.difference),
            p_value(item.p_value),
            "" if item.detectable is None else bare(item.detectable, item.difference.unit),
            str(item.difference.n),
        )
        for name, item in differences.items()
    ]
    headers = (field or "figure", pair.first, pair.second, *_COLUMNS, "n")
    return Table(title, headers, rows, note, spare=("n", "detectable"))


def _flips(what: str, ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:_IDS])
    more = f" and {len(ids) - _IDS} more (--flips FILE)" if len(ids) > _IDS else ""
    return f"{what} {len(ids)}: {shown}{more}" if ids else f"{what} 0"


FAIL, NOT_WORSE = "--fail-if-worse", "--not-worse-than"


class GateOutcome(Frozen):
    """What ``--fail-if-worse`` or ``--not-worse-than`` decides, in a sentence for each run.

    ``worse`` has the runs that are worse than allowed or not shown not to be, ``open`` those of
    which that cannot be told in full.
    """

    worse: Sequence[str]
    open: Sequence[str]


def fail_if_worse(comparison: Comparison, points: float) -> GateOutcome:
    """Hold every run against the first by the main figure.

    A run is worse if the whole 95% interval of its difference is worse than ``points`` (at least 0;
    percentage points of shares, else in the unit of the figure), or, of a figure without an
    interval, the difference itself. It is open where a run lacks the score of a sample that the
    first run has scored. ConfigError if neither direction of the figure is better.
    """
    check_points(points)
    return _gate(comparison, lambda pair: _worse(pair, comparison.primary, points))


def not_worse_than(comparison: Comparison, points: float) -> GateOutcome:
    """Hold every run against the first: is it shown to be at most so much worse?

    A test of non-inferiority: the whole 95% interval of the difference has to be better than
    ``-points`` (above 0). Few samples show nothing, and fail. ConfigError as `fail_if_worse`.
    """
    check_points(points, NOT_WORSE)
    return _gate(comparison, lambda pair: _not_shown(pair, comparison.primary, points))


def _gate(comparison: Comparison, rule: Callable[[Pair], str]) -> GateOutcome:
    pairs = comparison.pairs[: len(comparison.runs) - 1]
    worse, lacking = map(rule, pairs), (_lacks(comparison, pair) for pair in pairs)
    return GateOutcome([text for text in worse if text], [text for text in lacking if text])


def check_points(points: float, option: str = FAIL) -> None:
    """ConfigError for negative or infinite points, or for 0 where that can never be shown."""
    if not points >= 0 or math.isinf(points) or (option == NOT_WORSE and not points):
        least = "above 0" if option == NOT_WORSE else "0 or more"
        zero = "" if option == NOT_WORSE else "; 0 allows no shown difference"
        raise ConfigError(
            f"{points} is not {least}",
            where=option,
            hint=f"give the points that a run may be worse, such as 1{zero}",
        )


def _worse(pair: Pair, figure: str, points: float) -> str:
    """Why the second run is worse than the first; empty if that is not shown."""
    deciding = pair.deciding(figure)
    item = deciding.difference
    better = _direction(item, figure, FAIL)
    allowed = points / PERCENT.get(item.unit, 1.0)
    if item.value is None:
        return f"{figure} is not defined for {pair.first} or {pair.second}"
    if deciding.p_value is not None and not is_decided(deciding):
        return ""
    best = item.high if better else item.low  # the best that the difference may be
    of = "the whole interval of the difference is"
    if best is None:
        best, of = item.value, "the difference, which has no interval, is"
    loss = -best if better else best
    if not loss > allowed:
        return ""
    limit = amount(allowed, item)
    return f"{pair.second} is worse than {pair.first} in {figure}: {of} beyond {limit}"


def _not_shown(pair: Pair, figure: str, points: float) -> str:
    """Why the second run may be worse than the first by more than ``points``; empty if not."""
    item = pair.deciding(figure).difference
    better = _direction(item, figure, NOT_WORSE)
    allowed = points / PERCENT.get(item.unit, 1.0)
    worst = item.low if better else item.high
    if item.value is None or worst is None:
        return f"{figure}: no interval tells how much worse {pair.second} may be than {pair.first}"
    loss = -worst if better else worst
    if loss < allowed:
        return ""
    return (
        f"{pair.second} is not shown to be at most {amount(allowed, item)} worse than {pair.first} "
        f"in {figure}: it may be worse by {amount(max(0.0, loss), item)}"
    )


def _direction(item: Estimate, figure: str, option: str) -> bool:
    if item.higher_is_better is None:
        raise ConfigError(
            f"neither direction of {figure} is better",
            where=option,
            hint="name a metric of which one is, with --metric",
        )
    return item.higher_is_better


def _lacks(comparison: Comparison, pair: Pair) -> str:
    """What of the first run has no score in the second one; empty if nothing."""
    before = next(run for run in comparison.scores if run.label == pair.first)
    if lacking := before.coverage.scored - pair.samples:
        return (
            f"{lacking} of {before.coverage.scored} samples that {pair.first} has scored have no "
            f"score in {pair.second}"
        )
    return ""
