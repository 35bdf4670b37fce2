"""The score sheets of several models side by side: for the terminal, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from chef.document.sections import Cell, Table
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


def sheet_table(
    scores: Mapping[str, SheetScore],
    coverage: Mapping[str, Mapping[str, float]],
    notes: Iterable[str],
) -> Table:
    """The table of all scores, with what is missing below it.

    Args:
        scores: the total of each model.
        coverage: the share of scored samples of each task, 0 to 1, by model.
        notes: what else a reader has to know.
    """
    headers = ["score", "task"]
    for model in scores:
        headers += [model, *(["coverage"] if coverage.get(model) else [])]
    lines = []
    for cells in zip(*map(list, map(rows, scores.values())), strict=True):
        level, first = cells[0]
        line: list[str | Cell] = ["· " * max(0, level - 1) + first.name, first.title]
        for model, (_, score) in zip(scores, cells, strict=True):
            line.append(_cell(score))
            if known := coverage.get(model):
                share = known.get(score.name)
                line.append("" if share is None else f"{100 * share:.1f}%")
        lines.append(line)
    note = "\n".join([*_notes(scores), *notes])
    return Table("", headers, lines, note, names=2, spare=("task", "coverage"))


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
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_HEADERS)
    names = ("total", "aspect", "sub-aspect", "task")
    for model, total in scores.items():
        for level, score in rows(total):
            item = score.value or Estimate(None, 0)
            share = coverage.get(model, {}).get(score.name)
            missing = "; ".join(f"{task}: {', '.join(of)}" for task, of in score.missing.items())
            values: Sequence[object] = (item.value, item.stderr, item.low, item.high)
            cells = ["" if value is None else value for value in (*values, item.n, share)]
            table.writerow([model, names[level], score.name, score.title, *cells, missing])
    return text.getvalue()
