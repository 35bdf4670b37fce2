"""Open what is compared: run folders, runs and reports, and files of answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from chef.common.logs import logger
from chef.config import Recipe
from chef.errors import ChefError, ConfigError, DataError
from chef.metric import Metric
from chef.metric.coverage import is_scored
from chef.metric.groups import with_crossing
from chef.metric.place import PlacedMetric
from chef.report.compare.side import FigureScorer, Side, some_ids
from chef.report.load import Run
from chef.run.configuration import flat, part_of_run
from chef.scoring.answer_file import read_file
from chef.scoring.override import MetricOverride
from chef.scoring.record import RunRecord, judging_of_run, trusted_record
from chef.scoring.result import RESULTS, RunResult
from chef.scoring.run_folder import Prepared, groupings_of
from chef.scoring.sample_line import exchange_of
from chef.scoring.scoring import MetricRun
from chef.types import Prediction

_log = logger(__name__)


def open_sides(
    given: Sequence[Path | Run | RunResult],
    *,
    metric: str | None,
    recipe: Recipe | None,
    trust: bool,
) -> list[Side]:
    """Open everything that is compared: run folders, files of answers, runs or reports.

    ``metric`` scores all of them instead of their own, ``recipe`` (None: that of the first run)
    files of answers; nothing is written. DataError where a run is missing, unfinished or not
    scored, ConfigError for an unknown metric or a file that nothing says how to score.
    """
    opened: dict[int, Side] = {}
    for place, item in enumerate(given):
        if not _is_file(item):
            opened[place] = _run(item, metric, trust=trust)
    for place, item in enumerate(given):
        if place not in opened:
            assert isinstance(item, Path | RunResult)
            path = item if isinstance(item, Path) else Path(item.model)
            opened[place] = _file(path, metric, recipe or _recipe_of(opened.values(), path))
    return [opened[place] for place in range(len(given))]


def _is_file(item: Path | Run | RunResult) -> bool:
    if isinstance(item, RunResult):
        return not item.of_run
    if not isinstance(item, Path) or not item.is_file():
        return False
    if part_of_run(item):
        raise ConfigError(
            "a file of a run folder is given, not the folder",
            where=str(item),
            hint=f"give {item.parent}; --metric NAME compares by another metric",
        )
    return True


def _run(item: Path | Run | RunResult, metric: str | None, *, trust: bool) -> Side:
    """A run folder, by its own metric or another one."""
    given = item if isinstance(item, RunResult) else None
    path = item if isinstance(item, Path) else item.folder
    run = item if isinstance(item, Run) else Run(RunRecord.load(path, trust=trust))
    predictions = {answer.sample_id: answer for answer in run.predictions}
    trust, other = trust or run.record.trust, metric
    if metric is None and given is not None and given.file.stem != Path(RESULTS).stem:
        other = given.metric_type or None  # the report of another metric than the run's own
    report = None if metric is not None else (given or _own_report(run))
    made: MetricRun | None = None
    why, scorer, record = "", None, run.record
    try:
        record = trusted_record(run.record, trust=trust)
        prepared = Prepared.of_answers(record, predictions, MetricOverride(other))
        made = prepared.runs[0]
        if record.is_trusted:
            made.take_readings(prepared.files[0])
        scorer, why = _scorer(made, record, prepared.answers)
    except ChefError as error:
        if report is None:
            raise
        why = error.what
    if report is None and made is not None:
        report = _scored(made, record, prepared)
    assert report is not None  # without a metric the error was raised
    groupings = with_crossing(groupings_of(run.record)) if made is None else made.groupings
    return Side(
        place=path,
        report=_of_those_asked(report, scorer),
        predictions=predictions,
        scenario=report.scenario,
        fingerprint=run.environment.get("scenario_fingerprint"),
        config=_keys(run),
        groupings=groupings,
        metric_keys=None if made is None else made.spec.effective(),
        run=record,
        made=scorer,
        not_made=why,
    )


def _of_those_asked(report: RunResult, scorer: FigureScorer | None) -> RunResult:
    """A report whose figures are of the samples asked, also where ``--items`` drew them."""
    stopped = report.stopped
    if scorer is None or stopped is None or stopped.of_asked is None:
        return report
    ids = [str(entry["id"]) for entry in report.samples if is_scored(entry)]
    plain = scorer.figures(ids).get(report.primary, report.metrics[report.primary])
    return replace(report, metrics={**report.metrics, report.primary: plain})


def _own_report(run: Run) -> RunResult:
    """The stored scores of a run; DataError if there are none, or not of these answers."""
    try:
        report = run.report
    except DataError as error:
        hint = (
            f"finish the run with the same `chef eval` command; or `chef score {run.folder}` "
            "scores the answers that are there"
        )
        raise DataError(error.what, where=error.where, hint=hint) from error
    refuse_other_answers(report, run.predictions)
    return report


def _scorer(
    made: MetricRun, record: RunRecord, answers: Sequence[Prediction]
) -> tuple[FigureScorer | None, str]:
    """What computes figures of a part of the answers, or why nothing can."""
    if why := _whole_only(made):
        return None, why
    return FigureScorer(made.metric, answers, judging_of_run(record, answers, made.metric)), ""


def _whole_only(made: MetricRun) -> str:
    """Why a metric computes nothing of a part of the answers; empty where it does."""
    if isinstance(made.metric, PlacedMetric):
        return f"the metric {made.spec.name} asks models"
    if type(made.metric).evaluate is not Metric.evaluate:
        return f"the metric {made.spec.name} scores a run as a whole"
    return ""


def _scored(made: MetricRun, record: RunRecord, prepared: Prepared) -> RunResult:
    """The scores of a run by another metric; no file is written."""
    judging = judging_of_run(record, prepared.answers, made.metric)
    _keep_answers(made.metric)
    report = made.score(prepared.answers, prepared.total, record.path, judging)
    made.refuse_unscored(report, record.path)
    return made.result(report, model=record.model_name, file=record.path / RESULTS)


def _keep_answers(metric: Metric) -> None:
    """Let a metric keep what it aggregates, so that figures of some answers score none again."""
    if metric.is_own:
        metric.aggregated = {}


def _recipe_of(sides: Iterable[Side], path: Path) -> Recipe | None:
    """The recipe of the first run that is compared with a file."""
    for record in filter(None, (side.run for side in sides)):
        try:
            recipe = record.recipe
        except ChefError:
            continue
        _log.info("%s: references and metric are those of %s", path, record.path)
        return recipe
    return None


def _file(path: Path, metric: str | None, recipe: Recipe | None) -> Side:
    """A file of answers from elsewhere."""
    given = read_file(path, MetricOverride(metric, {}, recipe))
    made = given.runs[0]
    _keep_answers(made.metric)
    # How many samples there should be is told by the runs that the file is compared with.
    report = made.score(given.answers, None, path)
    made.refuse_unscored(report, path)
    if not report.coverage.scored:
        raise DataError(
            "none of its answers can be scored: no record carries its reference",
            where=str(path),
            hint="name the recipe whose scenario knows the references, with --recipe_cfg",
        )
    file = path.with_name(f"{path.stem}_results.json")
    why = _whole_only(made)
    return Side(
        place=path,
        report=made.result(report, model=str(path), file=file),
        predictions={answer.sample_id: answer for answer in given.answers},
        scenario="" if recipe is None else made.scenario,
        groupings=made.groupings,
        metric_keys=made.spec.effective(),
        made=None if why else FigureScorer(made.metric, given.answers),
        not_made=why,
    )


def _keys(run: Run) -> dict[str, Any]:
    """What a run was made with, one value a key: of config.yaml, and the digest of the weights."""
    config = run.config
    kept = {name: config.get(name) for name in ("model_cfg", "recipe_cfg")}
    decided = config.get("decided_by") or {}
    found = flat(kept)
    found["run.seed"] = (config.get("run") or {}).get("seed")
    for name in ("wording", "examples"):
        if name in decided:
            found[f"decided_by.{name}"] = decided[name]
    found["weights"] = run.environment.get("model_fingerprint")
    return found


def refuse_other_answers(report: RunResult, predictions: Iterable[Prediction]) -> None:
    """DataError for scores of answers that were asked again or edited since.

    Scores of versions that did not store answers are taken as they are.
    """
    scored = {str(line["id"]): line["answer"] for line in report.samples if "answer" in line}
    changed = [
        item.sample_id
        for item in predictions
        if item.sample_id in scored
        and exchange_of(item.to_record()).answer != scored[item.sample_id]
    ]
    if changed:
        raise DataError(
            f"{len(changed)} answers are others than those that were scored: {some_ids(changed)}",
            where=str(report.folder),
            hint=f"score them again: chef score {report.folder}",
        )
