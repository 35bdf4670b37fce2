"""Scoring the answers of a run again: from its folder alone, without model and data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chef.config import load_recipe
from chef.config.document import read_document
from chef.config.metric import AT, PROTOCOLS, metric_spec, named_metric
from chef.config.spec import Spec
from chef.errors import ChefError, ConfigError, DataError
from chef.metric import METRICS, BaseMetric
from chef.run.folder import CONFIG, JOURNAL, RunFolder, read_config
from chef.run.subset import draw_indices
from chef.scenario import Scenario
from chef.scoring.override import Wish
from chef.scoring.scoring import RESULTS, SCORES, Rescored, Scoring


def rescore_run(path: Path, wish: Wish) -> Rescored:
    """Score every answer in the journal of a run folder again.

    results.json and scores.jsonl stay what config.yaml says: another metric, or other options,
    write ``results_<metric>.json`` and ``scores_<metric>.jsonl`` beside them.

    Raises:
        DataError: there is no run.
        ConfigError: an unknown metric or option, or nothing tells the run's own metric.
        RunError: a process is writing there now, or the metric failed.
    """
    for name in (CONFIG, JOURNAL):
        if not (path / name).is_file():
            raise DataError(
                f"is no run folder: it has no {name}",
                where=str(path),
                mend="give the folder that the run named; answers of other origin are given by "
                "their file",
            )
    with RunFolder(path, read_config(path)) as folder:
        facts = _facts(path, folder.read_json(RESULTS), len(folder.finished))
        own = _own_metric(path, facts)
        spec = _wanted_metric(path, wish, facts)
        # What guessing scores is known of the run's own metric.
        chance = facts.random_accuracy if spec.name == facts.metric else None
        scoring = Scoring(facts.recipe, facts.scenario, spec, chance)
        answers = [
            answer
            for name, answer in folder.finished.items()
            if facts.ids is None or name in facts.ids
        ]
        report = scoring.score(answers, facts.total, path)
        suffix = "" if own is not None and _same(own, spec) else f"_{spec.name}"
        file = path / RESULTS.replace(".", f"{suffix}.")
        folder.write_lines(SCORES.replace(".", f"{suffix}."), report.samples)
        folder.write_json(file.name, scoring.results(report, JOURNAL))
        notices = list(facts.notices)
    return Rescored(scoring, f"model: {path.resolve().parents[1].name}", report, file, notices)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What scoring needs to know of a run beside its answers.

    ``ids`` are those of its samples; None: all that were answered.
    """

    recipe: str
    scenario: str
    metric: str | None
    random_accuracy: float | None
    total: int | None
    ids: Collection[str] | None = None
    notices: Sequence[str] = ()


def _facts(path: Path, results: Mapping[str, Any], answered: int) -> _Facts:
    """From results.json; where that tells too little, the run's scenario is asked."""
    known = None
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
    config = read_config(path)
    drawn, seed = config["run"]["sample_len"], config["run"]["seed"]
    try:
        recipe = load_recipe(path / CONFIG, within=["recipe_cfg"])
        scenario = recipe.scenario.build()
        metric = recipe.metric_spec(scenario).name
        indices = draw_indices(len(scenario), drawn, seed, scenario.group)
    except ChefError as error:  # the data is elsewhere, or the scenario is a plugin's
        notice = f"{path}: which samples the run has is not known ({error.what}); all are scored"
        if known is not None:
            return replace(known, total=None, notices=[notice])
        given = config["recipe_cfg"]["eval_cfg"]["metric_cfg"]["metric_type"]
        own = given if given in METRICS else None
        name = path.resolve().parent.name
        return _Facts(_recipe_name(path), name, own, None, drawn, None, [notice])
    ids = {scenario.sample_id(index) for index in indices}
    name = known.recipe if known else _recipe_name(path)
    return _Facts(name, scenario.name, metric, scenario.random_accuracy, len(ids), ids)


def _recipe_name(path: Path) -> str:
    """The folder of a run is ``<recipe>-<time>``."""
    return path.name.rpartition("-")[0] or path.name


def _own_metric(path: Path, facts: _Facts) -> Spec[BaseMetric] | None:
    """The metric that config.yaml means; None when that cannot be told, or is a plugin's."""
    if facts.metric is None or facts.metric not in METRICS:
        return None
    document = read_document(path / CONFIG, within=["recipe_cfg", *AT])
    section = {**document.values, "metric_type": facts.metric}
    return named_metric(section, document, _handed(path))


def _wanted_metric(path: Path, wish: Wish, facts: _Facts) -> Spec[BaseMetric]:
    own = read_document(path / CONFIG, within=["recipe_cfg", *AT])
    document, section, handed = own, wish.section(own.values), _handed(path)
    if wish.recipe is not None:
        document, section = wish.recipe.document, wish.section(wish.recipe.metric_cfg)
        handed = {"compat": wish.recipe.compat}
    name = section["metric_type"]
    if facts.metric is not None and name == own.values.get("metric_type", "basic"):
        if facts.metric not in METRICS:
            raise ConfigError(
                f"the metric '{facts.metric}' of this run is not known here",
                where=str(path),
                mend="give the recipe that names its plugin with --recipe_cfg",
            )
        return named_metric({**section, "metric_type": facts.metric}, document, handed)
    if name not in PROTOCOLS:
        return named_metric(section, document, handed)
    return metric_spec(section, document, _scenario(path, wish), handed)


def _handed(path: Path) -> dict[str, Any]:
    return {"compat": read_config(path)["recipe_cfg"].get("compat", "corrected")}


def _scenario(path: Path, wish: Wish) -> Scenario:
    """The run's scenario, which says what a protocol stands for."""
    try:
        recipe = wish.recipe or load_recipe(path / CONFIG, within=["recipe_cfg"])
        return recipe.scenario.build()
    except ChefError as error:
        raise ConfigError(
            f"what the protocol stands for cannot be told: {error.what}",
            where=str(path),
            mend="name a metric with --metric, or the recipe with --recipe_cfg",
        ) from None


def _same(one: Spec[BaseMetric], other: Spec[BaseMetric]) -> bool:
    return (one.name, one.effective()) == (other.name, other.effective())
