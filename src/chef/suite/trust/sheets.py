"""The score sheets of the models whose logs are in some folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.document.outline import as_text
from chef.document.sections import Section
from chef.errors import DataError, nearest
from chef.suite.formula import figures
from chef.suite.trust.logs import Log, find_logs
from chef.suite.trust.scores import SheetScore, score_model, sheet
from chef.suite.trust.table import sheet_csv, sheet_sections


@dataclass(frozen=True)
class TrustSheet:
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
                if (known := _known(logs, {item.dataset for item in figures(task.formula)}))
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
    wanted = {
        item.dataset for sub in sheet() for _, task in sub.tasks for item in figures(task.formula)
    }
    for log in find_logs([Path(path) for path in paths], wanted):
        found.setdefault(log.model, {})[log.dataset] = log
    if not found:
        raise DataError(
            "there is no run of a task of MMTrustEval, and no log of one",
            where=", ".join(map(str, paths)),
            hint="`chef eval CONFIG` makes them; `chef list tasks` shows the tasks",
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


def _known(logs: Mapping[str, Log], datasets: set[str]) -> list[float]:
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
