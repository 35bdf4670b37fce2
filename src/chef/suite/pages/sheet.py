"""The page of a score sheet of MMTrustEval's tasks, as ``chef trust --json`` writes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from chef.errors import DataError
from chef.report.outline import interval, quantity
from chef.report.page.content import PageContent, Plot, Section, Table
from chef.report.page.plots import radar
from chef.run.reading import read_json
from chef.stats.estimate import Estimate


class _Score(msgspec.Struct):
    """A score and its parts, as `chef.suite.trust.scores.Score.to_json` gives them."""

    name: str
    title: str
    score: dict[str, Any] | None
    parts: list[_Score]
    missing: dict[str, list[str]] = {}

    @property
    def estimate(self) -> Estimate | None:
        return None if self.score is None else Estimate.from_json(self.score)


def sheet_of(file: Path) -> dict[str, Any] | None:
    """The content of a JSON file if it holds a score sheet, else None.

    Raises:
        ConfigError: it is no JSON.
    """
    if file.suffix.lower() != ".json" or not file.is_file():
        return None
    data = read_json(file)
    is_sheet = bool(data) and all(
        isinstance(item, Mapping) and {"parts", "score", "title"} <= item.keys()
        for item in data.values()
    )
    return data if is_sheet else None


def sheet_page(data: Mapping[str, Any], made: str, place: str) -> PageContent:
    """The content of the page: a radar of the aspects, and the table of all scores.

    Args:
        data: the scores by model, as `chef.TrustSheet.to_json` gives them.
        made: the date and time of now.
        place: where the sheet comes from, for messages.

    Raises:
        DataError: it is damaged.
    """
    try:
        scores = {model: msgspec.convert(item, _Score) for model, item in data.items()}
        sections = [*_sections(scores)]
    except (msgspec.ValidationError, TypeError) as error:
        raise DataError(
            f"the score sheet is damaged ({error})",
            where=place,
            hint="write it again with chef trust RESULTS_DIR --json FILE",
        ) from error
    return PageContent(
        kind="suite",
        title=f"Trustworthiness of {', '.join(scores)}",
        subtitle="Scores of MMTrustEval's tasks, 0 to 100, with 95% intervals",
        made=made,
        sections=sections,
    )


def _sections(scores: Mapping[str, _Score]) -> Iterator[Section]:
    first = next(iter(scores.values()))
    yield from _radar("Aspects", first.parts, scores)
    headers = ("score", "title", *scores)
    titles = {name: (level, title) for item in scores.values() for name, level, title in _all(item)}
    cells = {model: dict(_cells(item)) for model, item in scores.items()}
    rows = [
        (
            f"{'· ' * max(0, level - 1)}{name}",
            title,
            *(cells[model].get(name, "-") for model in scores),
        )
        for name, (level, title) in titles.items()
    ]
    missing = [
        f"{model} lacks {', '.join(item.missing)}."
        for model, item in scores.items()
        if item.missing
    ]
    yield Table("Scores", headers, rows, " ".join(missing))


def _radar(title: str, parts: Sequence[_Score], scores: Mapping[str, _Score]) -> Iterator[Plot]:
    names = [part.name for part in parts]
    values = {}
    for model, item in scores.items():
        found = {part.name: part.estimate for part in item.parts}
        values[model] = [one.value if (one := found.get(name)) else None for name in names]
    if len(names) > 2 and any(value is not None for found in values.values() for value in found):
        yield radar(title, [part.title or part.name for part in parts], values)


def _all(item: _Score, level: int = 0) -> Iterator[tuple[str, int, str]]:
    yield item.name, level, item.title
    for part in item.parts:
        yield from _all(part, level + 1)


def _cells(item: _Score) -> Iterator[tuple[str, str]]:
    known = item.estimate
    yield item.name, "-" if known is None else f"{quantity(known)} {interval(known)}".strip()
    for part in item.parts:
        yield from _cells(part)
