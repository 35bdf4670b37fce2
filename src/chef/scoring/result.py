"""The result of a run: what results.json holds, and how it is read and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from chef.common.writing import write_json
from chef.document.numbers import with_interval
from chef.document.outline import as_text, shown_in_notebook
from chef.document.sections import Table, Words
from chef.errors import ConfigError, DataError, DependencyError
from chef.metric import Estimate, Report
from chef.metric.groups import Group
from chef.metric.verdicts import JudgeSummary
from chef.run.reading import is_there, read_json
from chef.scoring.errors import ErrorGroup, error_file, group_errors
from chef.scoring.figures import FigureLine, agreement_table, run_table, titled_values
from chef.scoring.sample_line import score_lines

if TYPE_CHECKING:
    from pandas import DataFrame

RESULTS = "results.json"


class RunResult(Report, frozen=True, kw_only=True):
    """The scores of one run by one metric; its fields are the keys of results.json.

    A field with a title, ``Annotated[float | None, msgspec.Meta(title="seconds")]``, is a column of
    every table of figures.

    Attributes:
        recipe: the name of the recipe.
        scenario: the name of the scenario.
        metric_type: the name of the metric; empty where it is not known.
        random_accuracy: the score of random guessing, in 0..1; None if it is unknown.
        answer_path: the file of the answers, relative to that of the results.
        worded_by: the digests of the wordings by which the answers were asked.
        further_results: the names of the files of the recipe's other metrics.
        model: the name of the model; for a file of answers the name of the file.
        file: the JSON file that holds these scores.
        samples: one entry per sample, sorted by id: status, score, and extracted answer.
        further: the scores of the same answers by the recipe's other metrics.
        unreadable: where answers are missing, how many lines of the journal cannot be read.

    >>> from chef.metric import Coverage
    >>> result = RunResult(recipe="ppl", scenario="Shapes", model="tiny",
    ...                    file=Path("results/run/results.json"), primary="ACC",
    ...                    metrics={"ACC": Estimate(96.4, 500, 0.8, 94.4, 97.7, "%")},
    ...                    coverage=Coverage(total=500, scored=500))
    >>> result
    RunResult(Shapes/ppl, tiny: ACC 96.4% [94.4, 97.7], n=500, coverage 100.0%)
    >>> result.metrics["ACC"].low
    94.4
    """

    recipe: str
    scenario: str
    metric_type: str = ""
    random_accuracy: float | None = None
    answer_path: str = ""
    worded_by: tuple[str, ...] = ()
    further_results: tuple[str, ...] = ()
    # What follows stands in no results.json.
    model: str = ""
    file: Path = Path(RESULTS)
    samples: Sequence[Mapping[str, Any]] = ()
    further: tuple[RunResult, ...] = ()
    unreadable: int = 0

    elsewhere: ClassVar[frozenset[str]] = frozenset(
        {"model", "file", "samples", "further", "unreadable"}
    )
    always: ClassVar[frozenset[str]] = Report.always | {"metric_type", "random_accuracy"}

    @classmethod
    def of(cls, report: Report, **names: Any) -> Self:
        """The result of a run from what its metric gave, and the fields that name the run."""
        known = {name: getattr(report, name) for name in Report.__struct_fields__}
        return cls(**{**known, **names})

    def of_model(self, model: str) -> Self:
        """The same with the name of the model, or of the file of answers."""
        further = tuple(item.of_model(model) for item in self.further)
        return msgspec.structs.replace(self, model=model, further=further)

    def with_further(self, others: Sequence[RunResult], files: Iterable[Path] = ()) -> Self:
        """The same with the scores by other metrics, and the files that results.json names."""
        names = tuple(file.name for file in files)
        return msgspec.structs.replace(self, further=tuple(others), further_results=names)

    @property
    def folder(self) -> Path:
        """The run folder; for a file of answers the folder that contains it."""
        return self.file.parent

    @property
    def label(self) -> str:
        """``scenario/recipe``."""
        return f"{self.scenario}/{self.recipe}"

    @property
    def title(self) -> str:
        """The title of the table: the model, or the file of answers."""
        return f"model: {self.model}" if self.of_run else f"answers: {self.model}"

    @property
    def of_run(self) -> bool:
        """Whether a run folder holds the answers; False: a file from elsewhere does."""
        return self.file.name.startswith("results")

    @property
    def figure(self) -> Estimate | None:
        """The main figure; None where the metric gives none."""
        return self.metrics.get(self.primary)

    @property
    def value(self) -> float | None:
        """The value of the main figure, in its unit; None when it is undefined."""
        return None if self.figure is None else self.figure.value

    @property
    def chance(self) -> dict[str, float]:
        """What guessing scores, in 0..1, by the keys of the metrics that it belongs to."""
        chance = self.random_accuracy
        return {} if chance is None else dict.fromkeys(self.chance_for, chance)

    @property
    def warning(self) -> str:
        """What stands before the figures; empty but where many answers were cut, or options tie."""
        from chef.scoring.remarks import tied_warning

        cut = "" if self.cut is None else self.cut.warning(of_run=self.of_run)
        return "; ".join(filter(None, (cut, tied_warning(self.details))))

    @property
    def errors(self) -> list[ErrorGroup]:
        """The failed samples by cause, the most frequent first."""
        if not self.coverage.errors:
            return []
        return group_errors(self.samples, of_run=self.of_run)

    @property
    def all_metrics(self) -> list[RunResult]:
        """The result by the main metric, then those by the other metrics of the recipe."""
        return [self, *self.further]

    @property
    def has_failures(self) -> bool:
        """Whether samples failed, or requests to a judge, by any of the metrics."""
        return any(
            item.coverage.errors or (item.judge and any(one.error for one in item.judge.judges))
            for item in self.all_metrics
        )

    @property
    def error_file(self) -> Path:
        """The text file that lists every failed sample with its traceback, where there are any."""
        return error_file(self.file)

    def to_json(self, *, samples: bool = False) -> dict[str, Any]:
        """The content of results.json: the fields, the bare values, and what failed."""
        errors = [group.to_json() for group in self.errors]
        return {
            **super().to_json(samples=samples),
            "result": {key: item.value for key, item in self.metrics.items()},
            **({"errors": errors} if errors else {}),
        }

    def main(self) -> dict[str, Any]:
        """Plain data of the main figure, the folder, and the fields with a title."""
        return {
            "folder": str(self.folder),
            "metric": self.primary,
            "figure": None if self.figure is None else self.figure.to_json(),
            "coverage": self.coverage.coverage,
            **titled_values(self),
        }

    def to_frame(self) -> DataFrame:
        """Return the metrics as a pandas data frame with one row per metric.

        Raises:
            DependencyError: pandas is not installed.
        """
        judged = {"judge": self.judge.label} if self.judge and self.judge.had_part else {}
        names = {"model": self.model, "scenario": self.scenario, "recipe": self.recipe}
        share = {"coverage": self.coverage.coverage}
        return frame(
            [
                {**names, "metric": key, **item.to_json(), **share, **judged}
                for key, item in self.metrics.items()
            ]
        )

    def samples_frame(self) -> DataFrame:
        """Return the samples as a pandas data frame with one row per sample.

        Raises:
            DependencyError: pandas is not installed.
        """
        return frame(self.samples)

    def lines(self) -> list[FigureLine]:
        """The lines of the table of figures: by the main metric, then by the others."""
        return [
            FigureLine(item, self.label if item is self else f"by {item.metric_type}", item.chance,
                 _place(item))
            for item in self.all_metrics
        ]  # fmt: skip

    def __str__(self) -> str:
        errors = [f"{len(one.ids)} x {one.message}\n  -> {one.hint}" for one in self.errors[:1]]
        return "\n".join([table([self]), *errors])

    _repr_html_ = shown_in_notebook

    def __repr__(self) -> str:
        text = f"RunResult({self.label}, {self.model}: "
        if (item := self.figure) is not None:
            shown = with_interval(item)
            text += f"{self.primary} {shown}, n={item.n}, "
        text += f"{self.stopped.asked} of {self.stopped.total} asked, " if self.stopped else ""
        text += f"judged by {self.judge.label}, " if self.judge and self.judge.had_part else ""
        return f"{text}coverage {100 * self.coverage.coverage:.1f}%)"


def _place(item: RunResult) -> str:
    """Where the scores are."""
    return f"Run folder: {item.folder}" if item.file.name == RESULTS else f"Scores: {item.file}"


def result_tables(results: Sequence[RunResult]) -> list[Table]:
    """The figures of runs: a table for each model or file of answers, and judges' agreement."""
    tables = []
    for title in dict.fromkeys(item.title for item in results):
        lines = [line for item in results if item.title == title for line in item.lines()]
        tables.append(run_table(title, lines))
        for line in lines:
            of = line.label if len(lines) > 1 else ""
            if line.report.judge and (agreed := agreement_table(line.report.judge, of)):
                tables.append(agreed)
    return tables


def table(results: Sequence[RunResult], width: int | None = None) -> str:
    """The figures of runs as plain text, after what there is to be warned of."""
    several = len(results) > 1
    warnings = [
        f"{item.label}: {item.warning}" if several else item.warning
        for item in results
        if item.warning
    ]
    first = [Words("", warnings)] if warnings else []
    return as_text([*first, *result_tables(results)], width)


def write_result(result: RunResult) -> None:
    """Write results.json, or the file of another metric or of a file of answers."""
    write_json(result.file, result.to_json())


def read_result(
    file: Path,
    *,
    samples: bool = True,
    further: bool = True,
    kind: type[RunResult] = RunResult,
) -> RunResult | None:
    """Read results.json, also of earlier versions, and the scores of the samples beside it.

    ``further``: also the files of the recipe's other metrics. ``kind`` is a class with more fields.
    None where there is no file, or one without scores; ConfigError if it cannot be read or is no
    JSON, DataError if one of the files is damaged.
    """
    data = read_json(file)
    if "metrics" not in data:
        return None
    try:
        given = {**data, **_parts(data), "samples": (), "further": ()}
        result = msgspec.convert({**given, "file": file, "model": _model(file)}, kind)
        lines = score_lines(score_file_of(file)) if samples else ()
        # Those of a further metric name no others: files that name each other would have no end.
        files = [file.with_name(name) for name in result.further_results if further]
        read = partial(read_result, samples=samples, further=False, kind=kind)
        others = tuple(item for one in files if is_there(one) and (item := read(one)))
        return msgspec.structs.replace(result, samples=lines, further=others)
    except (ConfigError, DataError):
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"the scores are damaged ({type(error).__name__}: {error})",
            where=str(file),
            hint="remove the file; chef score RUN_DIR writes it again",
        ) from error


def _parts(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of results.json that have a form of their own there."""
    judge = data.get("judge")
    return {
        "metrics": {key: Estimate.from_json(item) for key, item in data["metrics"].items()},
        "by": {
            name: {value: Group.from_json(item) for value, item in groups.items()}
            for name, groups in data.get("by", {}).items()
        },
        "judge": JudgeSummary.from_json(judge) if judge else None,
    }


def _model(file: Path) -> str:
    """The folder of a run is <model>/<scenario>/<recipe>-<time>."""
    return file.resolve().parents[2].name


def score_file_of(results: Path) -> Path:
    """The file with the scores of the samples that belongs to a results file.

    >>> str(score_file_of(Path("run/results_Accuracy.json")))
    'run/scores_Accuracy.jsonl'
    """
    head, _, tail = results.stem.rpartition("results")
    return results.with_name(f"{head}scores{tail}.jsonl")


def frame(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """A data frame with these rows; DependencyError without pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise DependencyError("data frames need pandas", hint="pip install pandas") from None
    return pd.DataFrame([dict(row) for row in rows])
