"""The score sheets of several models side by side: for the terminal, as CSV and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from chef.document.markup import as_csv
from chef.document.sections import Cell, Plot, Section, Table
from chef.report.page.plots import dots, mark_of, radar_or_dots
from chef.stats.estimate import Estimate
from chef.suite.formula import figures
from chef.suite.trust.scores import SheetScore, sheet
from chef.suite.trust.tasks import Task

#: The marks of a score whose tasks are not all there.
WITHHELD, PARTIAL = "-", "*"
_HEADERS = (
    "model", "level", "name", "title", "score", "stderr", "low", "high", "n", "coverage", "missing",
)  # fmt: skip


def rows(score: SheetScore, level: int = 0) -> Iterator[tuple[int, SheetScore]]:
    """A score and its parts, each with its level: 0 total, 1 aspects, 2 sub-aspects, 3 tasks."""
    yield level, score
    for part in score.parts:
        yield from rows(part, level + 1)


def sheet_sections(
    scores: Mapping[str, SheetScore],
    coverage: Mapping[str, Mapping[str, float]],
    notes: Iterable[str] = (),
) -> list[Section]:
    """The totals and the aspects, drawn, and the table of all scores with what is missing.

    ``coverage`` is the share of scored samples of each task, 0 to 1, by model.
    """
    partly = {model for model, of in coverage.items() if any(share < 1 for share in of.values())}
    headers = ["score"]
    for model in scores:
        headers += [model, *(["coverage"] if model in partly else [])]
    lines = []
    for cells in zip(*map(list, map(rows, scores.values())), strict=True):
        level, first = cells[0]
        name = "· " * max(0, level - 1) + first.name
        line: list[str | Cell] = [Cell(f"{name} {first.title}".strip(), short=name)]
        for model, (_, score) in zip(scores, cells, strict=True):
            line.append(_cell(score))
            if model in partly:
                share = coverage[model].get(score.name)
                line.append("" if share is None else f"{100 * share:.1f}%")
        lines.append(line)
    if whole := [model for model, of in coverage.items() if of and model not in partly]:
        notes = [f"All samples of {', '.join(whole)} are scored.", *notes]
    note = "\n".join([*_notes(scores), *notes])
    return [*_drawings(scores), Table("Scores", headers, lines, note, spare=("coverage",))]


def _drawings(scores: Mapping[str, SheetScore]) -> Iterator[Plot]:
    """The totals where there are several, and the aspects, the models on top of each other."""
    totals = {
        model: [mark_of(model, score.value)]
        for model, score in scores.items()
        if score.value is not None
    }
    if len(totals) > 1:
        yield dots("Total", totals, ends=(0.0, 100.0))
    marks = {
        model: {
            part.title or part.name: mark_of(model, part.value)
            for part in score.parts
            if part.value is not None
        }
        for model, score in scores.items()
    }
    axes = [part.title or part.name for part in next(iter(scores.values())).parts]
    if any(marks.values()) and (plot := radar_or_dots("Aspects", axes, marks)) is not None:
        yield plot


def _cell(score: SheetScore) -> str | Cell:
    item = score.value
    if item is None or item.value is None:
        return WITHHELD
    value = f"{item.value:.2f}{PARTIAL if score.missing else ''}"
    return Cell(f"{value} {_interval(item)}".strip(), short=value)


def _interval(item: Estimate) -> str:
    return "" if item.low is None or item.high is None else f"[{item.low:.1f}, {item.high:.1f}]"


def _notes(scores: Mapping[str, SheetScore]) -> Iterator[str]:
    """What is missing, by model and task."""
    for model, score in scores.items():
        if not score.missing:
            continue
        done = sum(1 for task in score.leaves() if not task.missing)
        value = "is that of the others (*)" if score.value else "is withheld"
        yield (
            f"{model}: {len(score.missing)} of {done + len(score.missing)} tasks are not complete; "
            f"the total {value}. Missing:"
        )
        wanted = {task.name: _datasets(task) for sub in sheet() for _, task in sub.tasks}
        nothing = [task for task, items in score.missing.items() if wanted[task] <= set(items)]
        if nothing:
            yield f"  every data set of {', '.join(nothing)}"
        for task, items in score.missing.items():
            if task not in nothing:
                yield f"  {task}: {', '.join(items)}"
    if any(score.missing for score in scores.values()):
        yield "`chef eval TASK --dataset_id all` asks all data sets of a task"


def _datasets(task: Task) -> set[str]:
    return {item.dataset for item in figures(task.formula)}


def sheet_csv(scores: Mapping[str, SheetScore], coverage: Mapping[str, Mapping[str, float]]) -> str:
    """One line for each score of each model."""
    lines = []
    names = ("total", "aspect", "sub-aspect", "task")
    for model, total in scores.items():
        for level, score in rows(total):
            item = score.value or Estimate(None, 0)
            share = coverage.get(model, {}).get(score.name)
            missing = "; ".join(f"{task}: {', '.join(of)}" for task, of in score.missing.items())
            values: Sequence[object] = (item.value, item.stderr, item.low, item.high)
            cells = ["" if value is None else str(value) for value in (*values, item.n, share)]
            lines.append([model, names[level], score.name, score.title, *cells, missing])
    return as_csv([Table("", _HEADERS, lines)])
