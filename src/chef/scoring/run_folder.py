"""Score the answers of a run again: from its folder, without the model and mostly without data."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from chef.config.metric import check_early, metric_spec, named_metric
from chef.config.spec import Spec
from chef.errors import ChefError, ConfigError, similar
from chef.metric import METRICS, Metric
from chef.run.folder import JOURNAL, RunFolder
from chef.run.rows import without_removed
from chef.run.subset import draw_indices
from chef.scoring.errors import error_file, write_errors
from chef.scoring.override import MetricOverride
from chef.scoring.record import RunRecord
from chef.scoring.scoring import RESULTS, SCORES, MetricRun, Rescored

_log = logging.getLogger(__name__)


def rescore_run(path: Path, override: MetricOverride) -> Rescored:
    """Score every answer in the journal of a run folder again.

    results.json and scores.jsonl stay what config.yaml says: another metric, or other options,
    write ``results_<metric>.json`` and ``scores_<metric>.jsonl`` next to them.

    Raises:
        DataError: there is no run.
        ConfigError: an unknown metric or option, or the run's own metric cannot be told.
        RunError: a process is writing there now, or the metric failed.
    """
    record = RunRecord.load(path)
    with RunFolder(path, record.config) as folder:
        finished = without_removed(path, folder.finished)
        facts = _facts(record, len(finished))
        own = _own_metric(record, facts)
        spec = _wanted_metric(record, override, facts)
        # What guessing scores is known of the run's own metric only.
        chance = facts.random_accuracy if spec.name == facts.metric else None
        metric_run = MetricRun(facts.recipe, facts.scenario, spec, chance)
        answers = [
            answer for name, answer in finished.items() if facts.ids is None or name in facts.ids
        ]
        report = metric_run.score(answers, facts.total, path)
        suffix = "" if own is not None and _same(own, spec) else f"_{spec.name}"
        file = path / RESULTS.replace(".", f"{suffix}.")
        folder.write_lines(SCORES.replace(".", f"{suffix}."), report.samples)
        write_errors(error_file(file), report.samples)
        folder.write_json(file.name, metric_run.results(report, JOURNAL))
    return Rescored(metric_run, f"model: {record.model_name}", report, file)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What scoring needs to know of a run besides its answers.

    Attributes:
        recipe, scenario, metric: names; the metric is None where it cannot be told.
        random_accuracy: what guessing scores.
        total: how many answers there should be; None: as many as there are.
        ids: of the run's samples; None: all that were answered.
    """

    recipe: str
    scenario: str
    metric: str | None
    random_accuracy: float | None
    total: int | None
    ids: Collection[str] | None = None


def _facts(record: RunRecord, answered: int) -> _Facts:
    """From results.json; where that tells too little, from the scenario of the run."""
    known, results = None, record.results
    if "metric_type" in results:
        known = _Facts(
            results["recipe"],
            results["scenario"],
            results["metric_type"],
            results["random_accuracy"],
            results["coverage"]["total"],
        )
        if answered <= results["coverage"]["total"]:
            return known
    run = record.config["run"]
    try:
        scenario = record.scenario
        metric = record.recipe.metric_spec(scenario).name
        indices = draw_indices(len(scenario), run["sample_len"], run["seed"], scenario.group)
    except ChefError as error:  # the data is elsewhere, or the scenario is a plugin's
        _log.warning(
            "%s: which samples the run has is not known (%s); all are scored",
            record.path, error.what,
        )  # fmt: skip
        if known is not None:
            return replace(known, total=None)
        own = record.metric_type if record.metric_type in METRICS else None
        total = run["sample_len"]
        return _Facts(record.recipe_name, record.scenario_name, own, None, total)
    ids = {scenario.sample_id(index) for index in indices}
    name = known.recipe if known else record.recipe_name
    return _Facts(name, scenario.name, metric, scenario.random_accuracy, len(ids), ids)


def _own_metric(record: RunRecord, facts: _Facts) -> Spec[Metric] | None:
    """The metric that config.yaml means; None when that cannot be told, or is a plugin's."""
    if facts.metric is None or facts.metric not in METRICS:
        return None
    section = {**record.metric.values, "metric_type": facts.metric}
    return named_metric(section, record.metric, record.handed)


def _wanted_metric(record: RunRecord, override: MetricOverride, facts: _Facts) -> Spec[Metric]:
    document, handed = record.metric, record.handed
    section = override.section(document.values)
    if override.recipe is not None:
        document, section = override.recipe.document, override.section(override.recipe.metric_cfg)
        handed = {"compat": override.recipe.compat}
    name = section["metric_type"]
    if facts.metric is not None and name == record.metric_type:
        if facts.metric not in METRICS:
            raise ConfigError(
                f"the metric '{facts.metric}' of this run is not known here",
                where=str(record.path),
                hint="give the recipe that names its plugin with --recipe_cfg",
            )
        return named_metric({**section, "metric_type": facts.metric}, document, handed)
    if name in METRICS:
        return named_metric(section, document, handed)
    try:
        recipe = override.recipe or record.recipe
    except ConfigError as error:
        raise _unresolved(record, name, error) from None
    check_early(section, document, recipe.scenario.kind, handed)
    try:
        scenario = record.scenario if override.recipe is None else recipe.scenario.build()
    except ChefError as error:
        raise _unresolved(record, name, error) from None
    return metric_spec(section, document, scenario, handed)


def _unresolved(record: RunRecord, name: str, error: ChefError) -> ConfigError:
    near = similar(name, METRICS)
    meant = f"did you mean '{near}'?" if near else "`chef list metrics` shows them"
    return ConfigError(
        f"'{name}' is no metric, and whether the scenario has a protocol of that name cannot be "
        f"told: {error.what}",
        where=str(record.path),
        hint=f"name the recipe with --recipe_cfg, or a metric with --metric ({meant})",
    )


def _same(one: Spec[Metric], other: Spec[Metric]) -> bool:
    return (one.name, one.effective()) == (other.name, other.effective())
