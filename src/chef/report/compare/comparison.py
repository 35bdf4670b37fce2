"""A comparison of runs: what was found, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from msgspec import field

from chef.common.jsonable import to_jsonable
from chef.document.numbers import clusters, interval, interval_cell, p_value, quantity
from chef.document.outline import as_text, shorten, shown_in_notebook
from chef.document.sections import Cell, Section, Table, Words
from chef.frozen import Frozen
from chef.report.compare.verdict import (
    Best,
    Difference,
    McNemar,
    Pair,
    RectifiedPair,
    RunScore,
    bare,
    is_decided,
    signed,
    span_of,
    tone,
    verdict,
)
from chef.report.groups import group_filter
from chef.scoring.figures import without_empty

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
            first, all of them together in 95% of the comparisons (`chef.stats.joint`).
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
