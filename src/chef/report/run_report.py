"""The scores of one run as an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.document.numbers import interval, quantity
from chef.errors import DependencyError
from chef.metric import Coverage, Estimate, Report
from chef.metric.groups import Group
from chef.metric.judge_summary import JudgeSummary
from chef.metric.stopped import StoppedEarly
from chef.report.table import Row, format_table
from chef.scoring.errors import ErrorGroup, error_file, group_errors
from chef.scoring.scoring import Rescored

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True, repr=False)
class RunReport:
    """The scores of one run.

    Attributes:
        recipe: the name of the recipe.
        scenario: the name of the scenario.
        model: the name of the model; for a file of answers the name of the file.
        folder: the run folder; for a file of answers the folder that contains it.
        file: the JSON file that holds these scores.
        metrics: every metric by key, with value, n, standard error and 95% interval.
        primary: the key of the main metric.
        coverage: number of samples that were scored, failed, could not be parsed, and so on.
        random_accuracy: the score of random guessing, in 0..1; None if it is unknown.
        samples: one entry per sample, sorted by id: status, score, and extracted answer.
        details: results other than single numbers, such as the version of the parsing rules.
        chance_for: the keys of the metrics that ``random_accuracy`` belongs to.
        by: the scores of groups of samples, by field and value: ``by["category"]["color"]`` has
            ``n``, ``metrics``, ``coverage`` and ``random_accuracy`` (`chef.metric.groups.Group`).
        left_out: for a field with too many values, how many groups are not in ``by``.
        metric_type: the name of the metric; empty where it is not known.
        further: the scores of the same answers by the recipe's other metrics.
        unreadable: where answers are missing, how many lines of the journal cannot be read.
        judge: who judged, how many answers, and how far judges agree; None where no judge had a
            part in the figures.
        stopped: what ended the run before the whole benchmark was asked (``--precision``); None
            where nothing did.

    >>> report = RunReport("ppl", "Shapes", "tiny", Path("results/run"), Path("results/run/r.json"),
    ...                    {"ACC": Estimate(96.4, 500, 0.8, 94.4, 97.7, "%")}, "ACC",
    ...                    Coverage(total=500, scored=500))
    >>> report
    RunReport(Shapes/ppl, tiny: ACC 96.4% [94.4, 97.7], n=500, coverage 100.0%)
    >>> report.metrics["ACC"].low
    94.4
    """

    recipe: str
    scenario: str
    model: str
    folder: Path
    file: Path
    metrics: Mapping[str, Estimate]
    primary: str
    coverage: Coverage
    random_accuracy: float | None = None
    samples: Sequence[Mapping[str, Any]] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    chance_for: Sequence[str] = ()
    by: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    metric_type: str = ""
    further: Sequence[RunReport] = ()
    unreadable: int = 0
    judge: JudgeSummary | None = None
    stopped: StoppedEarly | None = None

    @classmethod
    def of(
        cls,
        report: Report,
        *,
        recipe: str,
        scenario: str,
        model: str,
        file: Path,
        random_accuracy: float | None,
    ) -> RunReport:
        """Create a report from the report of a metric and the names of the run."""
        return cls(
            recipe=recipe,
            scenario=scenario,
            model=model,
            folder=file.parent,
            file=file,
            metrics=report.metrics,
            primary=report.primary,
            coverage=report.coverage,
            random_accuracy=random_accuracy,
            samples=report.samples,
            details=report.details,
            chance_for=report.chance_for,
            by=report.by,
            left_out=report.left_out,
            judge=report.judge,
            stopped=report.stopped,
        )

    @classmethod
    def of_scores(cls, scores: Rescored, model: str) -> RunReport:
        """Create a report from the scores of a run by all metrics of its recipe."""
        main = cls.of(
            scores.report,
            recipe=scores.metric_run.recipe,
            scenario=scores.metric_run.scenario,
            model=model,
            file=scores.file,
            random_accuracy=scores.metric_run.random_accuracy,
        )
        further = [cls.of_scores(item, model) for item in scores.further]
        name, unreadable = scores.metric_run.spec.name, scores.unreadable
        return replace(main, metric_type=name, further=further, unreadable=unreadable)

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
    def value(self) -> float | None:
        """The value of the primary metric, in its unit; None when it is undefined."""
        return self.metrics[self.primary].value if self.primary in self.metrics else None

    @property
    def chance(self) -> dict[str, float]:
        """What guessing scores, in 0..1, by the keys of the metrics that it belongs to."""
        known = self.random_accuracy
        return {} if known is None else dict.fromkeys(self.chance_for, known)

    @property
    def errors(self) -> list[ErrorGroup]:
        """The failed samples by cause, the most frequent first."""
        return group_errors(self.samples)

    @property
    def all_metrics(self) -> list[RunReport]:
        """The report by the main metric, then those by the other metrics of the recipe."""
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

    def to_frame(self) -> DataFrame:
        """Return the metrics as a pandas data frame with one row per metric.

        Raises:
            DependencyError: pandas is not installed.
        """
        rows = [
            {
                "model": self.model,
                "scenario": self.scenario,
                "recipe": self.recipe,
                "metric": key,
                **item.to_json(),
                "coverage": self.coverage.coverage,
                **({"judge": self.judge.label} if self.judge and self.judge.had_part else {}),
            }
            for key, item in self.metrics.items()
        ]
        return frame(rows)

    def samples_frame(self) -> DataFrame:
        """Return the samples as a pandas data frame with one row per sample.

        Raises:
            DependencyError: pandas is not installed.
        """
        return frame(self.samples)

    def __str__(self) -> str:
        return table([self])

    def __repr__(self) -> str:
        text = f"RunReport({self.label}, {self.model}: "
        if (item := self.metrics.get(self.primary)) is not None:
            shown = f"{quantity(item)} {interval(item)}".strip()
            text += f"{self.primary} {shown}, n={item.n}, "
        text += f"{self.stopped.asked} of {self.stopped.total} asked, " if self.stopped else ""
        text += f"judged by {self.judge.label}, " if self.judge and self.judge.had_part else ""
        return f"{text}coverage {100 * self.coverage.coverage:.1f}%)"


def table(reports: Sequence[RunReport], width: int | None = None) -> str:
    """Format the reports as plain text: one table per model or file of answers.

    Args:
        reports: the reports.
        width: the columns of the terminal; None for any number.
    """
    titles = dict.fromkeys(report.title for report in reports)
    return "\n\n".join(
        format_table(
            title, [row for item in reports if item.title == title for row in _rows(item)], width
        )
        for title in titles
    )


def _rows(report: RunReport) -> list[Row]:
    """The rows of a report: those of the main metric, then those of the others."""
    others = [_row(item, f"  by {item.metric_type}") for item in report.further]
    return [_row(report, report.label), *others]


def _row(report: RunReport, label: str) -> Row:
    own = report.file.name == "results.json"
    return Row(
        label=label,
        metrics=report.metrics,
        coverage=report.coverage,
        chance=report.chance,
        place=f"Run folder: {report.folder}" if own else f"Scores: {report.file}",
        open_answers=str(report.details.get("open_answers", "")),
        judge=report.judge,
        stopped=report.stopped,
    )


def frame(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """Return a data frame with these rows.

    Raises:
        DependencyError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise DependencyError("data frames need pandas", hint="pip install pandas") from None
    return pd.DataFrame([dict(row) for row in rows])
