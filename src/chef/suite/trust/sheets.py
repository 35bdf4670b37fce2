"""The score sheets of the models whose logs are in some folders, as sections, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.document.numbers import interval
from chef.document.outline import as_csv, as_text
from chef.document.sections import Cell, Plot, Section, Table
from chef.errors import DataError, nearest
from chef.frozen import Frozen
from chef.report.page.plots import dots, mark_of, radar_or_dots
from chef.stats.estimate import Estimate
from chef.suite.trust.logs import Log, find_logs
from chef.suite.trust.scores import SheetScore, score_model, sheet, sheet_datasets


class TrustSheet(Frozen):
    """The scores of several models.

    Attributes:
        scores: the total of each model, with its parts.
        logs: the logs that they are made of, by model and data set.
    """

    scores: Mapping[str, SheetScore]
    logs: Mapping[str, Mapping[str, Log]]

    @property
    def coverage(self) -> dict[str, dict[str, float]]:
        """The share of scored samples, 0 to 1, by model and task: that of its worst data set."""
        return {
            model: {
                task.name: min(known)
                for sub in sheet()
                for _, task in sub.tasks
                if (known := _known(logs, task.datasets))
            }
            for model, logs in self.logs.items()
        }

    def table(self, width: int | None = None) -> str:
        """A table for a terminal of ``width`` columns (None: any), with what is missing below."""
        return as_text(self.sections(), width)

    def sections(self) -> list[Section]:
        """The totals and the aspects, drawn; the table of all scores, and what is missing."""
        return sheet_sections(self.scores, self.coverage, self._limited())

    def _limited(self) -> Iterator[str]:
        """Which data sets of each model were asked in part."""
        for model, logs in self.logs.items():
            if few := [name for name, log in logs.items() if log.limit is not None]:
                yield (
                    f"{model}: {len(few)} of {len(logs)} data sets were asked in part (--limit): "
                    f"{', '.join(few[:3])}{', ...' * (len(few) > 3)}"
                )

    def as_csv(self) -> str:
        """One line for each score of each model."""
        return sheet_csv(self.scores, self.coverage)

    def to_json(self) -> dict[str, Any]:
        """Plain data: the scores of each model, and the logs that they are made of."""
        return {
            model: {
                **score.to_json(),
                "coverage": self.coverage[model],
                "logs": {name: str(log.source) for name, log in self.logs[model].items()},
            }
            for model, score in self.scores.items()
        }


def trust_sheet(
    folders: str | Path | Sequence[str | Path],
    *,
    models: Sequence[str] | None = None,
    partial: bool = False,
    allow: bool = False,
    rounded: bool = False,
    seed: int = 0,
) -> TrustSheet:
    """The score sheet of MMTrustEval's tasks, with 95 % intervals by bootstrap through all levels.

    Args:
        folders: folders with runs of the tasks, or with logs in MMTrustEval's form.
        models: names of models; None for all that there are.
        partial: whether scores with missing tasks are given, from those that are there.
        allow: whether models are compared whose data or evaluators differ.
        rounded: whether figures are rounded on the way, as in MMTrustEval.
        seed: of the bootstrap.

    Raises:
        DataError: there are no logs, none of a model, one that cannot be read, or the models were
            not asked the same.
    """
    paths = [folders] if isinstance(folders, str | Path) else list(folders)
    found: dict[str, dict[str, Log]] = {}
    for log in find_logs([Path(path) for path in paths], sheet_datasets()):
        found.setdefault(log.model, {})[log.dataset] = log
    if not found:
        raise DataError(
            "there is no run of a task of MMTrustEval, and no log of one",
            where=", ".join(map(str, paths)),
            hint="`chef eval MODEL TASK` makes them; `chef list tasks` shows the tasks",
        )
    for name in models or ():
        if name not in found:
            raise DataError(f"there are no logs of the model '{name}'", hint=nearest(name, found))
    kept = {name: found[name] for name in models or sorted(found)}
    if not allow:
        _check_same(kept)
    scores = {
        name: score_model(
            {dataset: log.columns for dataset, log in logs.items()},
            seed=seed, rounded=rounded, partial=partial,
        )
        for name, logs in kept.items()
    }  # fmt: skip
    return TrustSheet(scores, kept)


def _known(logs: Mapping[str, Log], datasets: Sequence[str]) -> list[float]:
    return [
        log.coverage for name, log in logs.items() if name in datasets and log.coverage is not None
    ]


def _check_same(found: Mapping[str, Mapping[str, Log]]) -> None:
    """DataError for the first model not asked the same questions, or not evaluated alike."""
    first: dict[str, Log] = {}
    for logs in found.values():
        for dataset, log in logs.items():
            other = first.setdefault(dataset, log)
            for what, is_other in (
                ("data or evaluators", bool(other.data and log.data) and other.data != log.data),
                ("rules (compat)", other.columns.is_upstream != log.columns.is_upstream),
            ):
                if is_other:
                    raise DataError(
                        f"{dataset} has other {what} for the model {log.model} than for "
                        f"{other.model}",
                        where=f"{other.source}, {log.source}",
                        hint="run the task for both alike; --allow compares them all the same",
                    )


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
    return Cell(f"{value} {interval(item)}".strip(), short=value)


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
        wanted = {task.name: task.datasets for sub in sheet() for _, task in sub.tasks}
        nothing = [task for task, items in score.missing.items() if {*wanted[task]} <= {*items}]
        if nothing:
            yield f"  every data set of {', '.join(nothing)}"
        for task, items in score.missing.items():
            if task not in nothing:
                yield f"  {task}: {', '.join(items)}"
    if any(score.missing for score in scores.values()):
        yield "`chef eval TASK --dataset_id all` asks all data sets of a task"


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
