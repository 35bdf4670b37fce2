"""Scoring the answers of a run again: from its folder alone, without model and data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.config import Recipe, load_recipe
from chef.config.document import read_document
from chef.config.metric import AT, PROTOCOLS, metric_spec, named_metric
from chef.config.spec import Spec
from chef.errors import ChefError, ConfigError, DataError
from chef.evaluator import draw_indices
from chef.metric import METRICS, BaseMetric, Report
from chef.run_store import CONFIG, JOURNAL, RunFolder, read_config
from chef.scenario import Scenario
from chef.scoring import RESULTS, SCORES, Scoring


@dataclass(frozen=True, slots=True)
class Wish:
    """How answers are to be scored, as far as the command line says so.

    Attributes:
        metric: the name of another metric than the recipe's, with its own defaults.
        options: ``key=value`` of the metric's section.
        recipe: the recipe whose metric it is.
    """

    metric: str | None = None
    options: Sequence[str] = ()
    recipe: Recipe | None = None

    def section(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The metric's section of a recipe, with the changes that are wanted."""
        changes = changed_options(self.options)
        if self.metric is None or self.metric == given.get("metric_type", "basic"):
            return {"metric_type": "basic", **given, **changes}
        return {"metric_type": self.metric, **changes}


@dataclass(frozen=True, slots=True)
class Rescored:
    """New scores of old answers.

    Attributes:
        scoring: how they were made.
        of: whose answers they are.
        report: the scores.
        file: where they were written; the entries of the samples are beside it.
        notices: what else there is to say.
    """

    scoring: Scoring
    of: str
    report: Report
    file: Path
    notices: Sequence[str] = ()


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
        facts = _facts(path, folder.read_json(RESULTS))
        own = _own_metric(path, facts)
        spec = _wanted_metric(path, wish, facts)
        # What guessing scores is known of the run's own metric.
        chance = facts.random_accuracy if spec.name == facts.metric else None
        scoring = Scoring(facts.recipe, facts.scenario, spec, chance)
        report = scoring.score(folder.finished.values(), facts.total, path)
        suffix = "" if own is not None and _same(own, spec) else f"_{spec.name}"
        file = path / RESULTS.replace(".", f"{suffix}.")
        folder.write_lines(SCORES.replace(".", f"{suffix}."), report.samples)
        folder.write_json(file.name, scoring.results(report, JOURNAL))
        notices = [*folder.notices, *facts.notices]
    return Rescored(scoring, f"model: {path.resolve().parents[1].name}", report, file, notices)


def changed_options(options: Sequence[str]) -> dict[str, Any]:
    """Options of a metric as the command line gives them, their values read as YAML.

    >>> changed_options(["threshold=0.7", "eval_cfg.metric_cfg.strategy=acc"])
    {'threshold': 0.7, 'strategy': 'acc'}

    Raises:
        ConfigError: of another section, or no ``key=value``.
    """
    from omegaconf import OmegaConf

    changes: dict[str, Any] = {}
    for item in options:
        name, equals, value = item.partition("=")
        key = name.removeprefix("eval_cfg.").removeprefix("metric_cfg.")
        if not equals or not key or "." in key:
            raise ConfigError(
                "only options of the metric can be changed when scoring",
                where=f"override '{name}=...'",
                mend="give them as key=value",
            )
        try:
            changes[key] = OmegaConf.to_container(OmegaConf.from_dotlist([f"{key}={value}"]))[key]  # type: ignore[index,call-overload]
        except Exception as error:
            message = str(error).splitlines()[0]
            raise ConfigError(message, where=f"override '{name}=...'") from None
    return changes


@dataclass(frozen=True, slots=True)
class _Facts:
    """What scoring needs to know of a run beside its answers."""

    recipe: str
    scenario: str
    metric: str | None
    random_accuracy: float | None
    total: int | None
    notices: Sequence[str] = ()


def _facts(path: Path, results: Mapping[str, Any]) -> _Facts:
    """From results.json; a run that never got there is asked for its scenario."""
    if "metric_type" in results:
        return _Facts(
            results["recipe"],
            results["scenario"],
            results["metric_type"],
            results["random_accuracy"],
            results["coverage"]["total"],
        )
    chance = None
    name, notices = path.resolve().parent.name, []
    config = read_config(path)
    drawn, seed = config["run"]["sample_len"], config["run"]["seed"]
    given = config["recipe_cfg"]["eval_cfg"]["metric_cfg"]["metric_type"]
    metric, total = given if given in METRICS else None, drawn
    try:
        recipe = load_recipe(path / CONFIG, within=["recipe_cfg"])
        scenario = recipe.scenario.build()
        metric = recipe.metric_spec(scenario).name
        name, chance = scenario.name, scenario.random_accuracy
        total = len(draw_indices(len(scenario), drawn, seed, scenario.group))
    except ChefError as error:  # the data is elsewhere, or the scenario is a plugin's
        notices.append(f"{path}: of how many samples these are is not known ({error.what})")
    of = path.name.rpartition("-")[0] or path.name  # the folder is <recipe>-<time>
    return _Facts(of, name, metric, chance, total, notices)


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
    return (one.name, one.options) == (other.name, other.options)
