"""A comparison of runs: what was found, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.document.numbers import interval, quantity
from chef.document.outline import outline, shorten
from chef.report.compare.found import Difference, Found, McNemar, Pair, RunScore
from chef.report.compare.verdict import bare, is_decided, signed, span_of, verdict

__all__ = ["Comparison", "Difference", "McNemar", "Pair", "RunScore"]


_IDS = 10
_WIDEST = 60
_COLUMNS = ("difference", "95% interval", "p", "detectable")


@dataclass(frozen=True, slots=True)
class Comparison(Found):
    """A comparison of two or more runs; `Found` has its attributes."""

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
        return comparison_table(self, width, by)

    def __str__(self) -> str:
        return self.table()


def comparison_table(comparison: Found, width: int | None, by: Sequence[str]) -> str:
    """The whole comparison.

    Args:
        comparison: what was found.
        width: the columns of the terminal; None for any number.
        by: the groupings whose tables are shown.
    """
    parts = [_scores(comparison, width)]
    if comparison.differs:
        parts.append(_differs(comparison))
    if comparison.allowed:
        parts.append("\n".join(["allowed to differ:", *(f"  {it}" for it in comparison.allowed)]))
    if len(comparison.pairs) > 1:
        parts.append(_matrix(comparison, width))
    parts += [_pair(comparison, pair, width, by) for pair in comparison.pairs]
    if not by and (known := _groupings(comparison)):
        parts.append(f"by group: --by {' or '.join(known)}")
    parts += [f"note: {note}" for note in comparison.notes]
    return "\n\n".join(parts)


def _scores(comparison: Found, width: int | None) -> str:
    """Every run as a whole."""
    lines = [
        (
            run.label,
            quantity(run.figures[comparison.primary]),
            interval(run.figures[comparison.primary]),
            str(run.figures[comparison.primary].n),
            f"{100 * run.coverage.coverage:.1f}%",
        )
        for run in comparison.scores
    ]
    headers = ("run", comparison.primary, "95% interval", "n", "coverage")
    return outline(headers, lines, width, names=1)


def _differs(comparison: Found) -> str:
    lines = ["the runs differ in:"]
    for key, values in comparison.differs.items():
        name = key.removeprefix("recipe_cfg.")
        lines.append(f"  {name}: {' | '.join(_shown(value) for value in values)}")
    return "\n".join(lines)


def _shown(value: Any) -> str:
    return shorten(" ".join(str(value).split()), _WIDEST)


def _matrix(comparison: Found, width: int | None) -> str:
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
    text = outline(("run", *runs[:-1]), lines, width, names=1)
    return (
        f"{comparison.primary}: the run of a line minus the run of a column (* is decided, jointly "
        f"with all {len(comparison.pairs)} pairs)\n{text}"
    )


def _pair(comparison: Found, pair: Pair, width: int | None, by: Sequence[str]) -> str:
    lines = [f"{pair.second} minus {pair.first}, on {pair.samples} samples that both have scored"]
    lines.append(_figures("figure", pair.differences, pair, width))
    lines.append(verdict(pair, comparison.primary))
    if (joint := pair.joint) is not None:
        span = span_of(joint.difference) or "no interval"
        lines.append(f"jointly with all pairs: {span}, p {_p_value(joint.p_value)}")
    if pair.mcnemar is not None:
        found = pair.mcnemar
        lines.append(
            f"right in both {found.both}, in {pair.first} alone {found.first_only}, in "
            f"{pair.second} alone {found.second_only}, in neither {found.neither}{_exact(found)}"
        )
        lines += [_flips("gained", pair.gained), _flips("lost", pair.lost)]
    lines += [f"note: {note}" for note in pair.notes]
    for field in by:
        if field in pair.by:
            lines.append(f"\n{comparison.primary} by {field}")
            lines.append(_figures(field, pair.by[field], pair, width))
    return "\n".join(lines)


def _exact(found: McNemar) -> str:
    """McNemar's test, where it holds."""
    if found.p_value is None:
        return ""
    return f"; McNemar's exact test: p {_p_value(found.p_value)}"


def _figures(
    head: str, differences: Mapping[str, Difference], pair: Pair, width: int | None
) -> str:
    lines = [
        (
            name,
            quantity(item.first),
            quantity(item.second),
            signed(item.difference.value, item.difference.unit),
            span_of(item.difference),
            _p_value(item.p_value),
            "" if item.detectable is None else bare(item.detectable, item.difference.unit),
            str(item.difference.n),
        )
        for name, item in differences.items()
    ]
    return outline((head, pair.first, pair.second, *_COLUMNS, "n"), lines, width, names=1)


def _flips(what: str, ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:_IDS])
    more = f" and {len(ids) - _IDS} more (--flips FILE)" if len(ids) > _IDS else ""
    return f"{what} {len(ids)}: {shown}{more}" if ids else f"{what} 0"


def _p_value(value: float | None) -> str:
    """A p-value; the smallest ones are not written out.

    >>> _p_value(0.0312), _p_value(0.00001), _p_value(1.0), _p_value(None)
    ('0.031', '<0.001', '1.000', '-')
    """
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _groupings(comparison: Found) -> list[str]:
    return list(dict.fromkeys(name for pair in comparison.pairs for name in pair.by))
