"""Scoring a file of answers, with the truth of its own records or that of a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chef.config import Recipe
from chef.config.document import Document
from chef.config.metric import metric_spec, named_metric
from chef.errors import ConfigError, DataError
from chef.metric import METRICS
from chef.run.folder import write_json, write_lines
from chef.scenario import Scenario
from chef.scoring.answers.reading import read_answers
from chef.scoring.answers.truth import with_truth
from chef.scoring.override import Wish
from chef.scoring.scoring import Rescored, Scoring
from chef.types import Prediction


def score_file(path: Path, wish: Wish) -> Rescored:
    """Score the answers in a file.

    With a recipe its scenario knows the truth, by sample id; without one, or where the scenario's
    data is not there, the records have to carry it. Written beside the file:
    ``<name>_results_<metric>.json`` and ``<name>_scores_<metric>.jsonl``.

    Raises:
        DataError: the file; its ids do not belong to the scenario; nobody knows the truth.
        ConfigError: no metric is named, or it is unknown.
        DependencyError: reading .xlsx needs a package.
    """
    answers = read_answers(path)
    if wish.recipe is None:
        return _score(path, answers, _without_recipe(path, wish), None, [])
    scenario, problem = _build(wish.recipe)
    section = wish.section(wish.recipe.metric_cfg)
    handed = {"compat": wish.recipe.compat}
    kind = scenario or wish.recipe.scenario.kind
    spec = metric_spec(section, wish.recipe.document, kind, handed)
    name = (scenario or wish.recipe.scenario).name
    chance = scenario.random_accuracy if scenario is not None else None
    scoring = Scoring(wish.recipe.name, name, spec, chance)
    if scenario is None:
        notices = [
            f"{path}: scored by the truth in its records, as the data is not there: {problem}"
        ]
        return _score(path, answers, scoring, None, notices)
    joined = with_truth(answers, scenario, path)
    return _score(path, joined.answers, scoring, len(scenario), joined.notices)


def _score(
    path: Path,
    answers: Sequence[Prediction],
    scoring: Scoring,
    expected: int | None,
    notices: Sequence[str],
) -> Rescored:
    report = scoring.score(answers, expected, path)
    if expected is None and report.coverage.no_truth and not report.coverage.scored:
        raise DataError(
            "no record carries its truth",
            where=str(path),
            mend="name a recipe whose scenario knows it, with --recipe_cfg",
        )
    name = scoring.spec.name
    write_lines(path.with_name(f"{path.stem}_scores_{name}.jsonl"), report.samples)
    file = path.with_name(f"{path.stem}_results_{name}.json")
    write_json(file, scoring.results(report, path.name))
    return Rescored(scoring, f"answers: {path}", report, file, notices)


def _without_recipe(path: Path, wish: Wish) -> Scoring:
    if wish.metric is None:
        raise ConfigError(
            "a file of answers does not say how it is scored",
            where=str(path),
            mend=f"name the recipe with --recipe_cfg, or a metric with --metric: "
            f"{', '.join(METRICS)}",
        )
    document = Document(path, {}, {}, {(): "command line"})
    return Scoring(path.stem, path.stem, named_metric(wish.section({}), document, {}), None)


def _build(recipe: Recipe) -> tuple[Scenario | None, str]:
    """The scenario of a recipe, or why its data cannot be read."""
    try:
        scenario = recipe.scenario.build()
        len(scenario)
    except DataError as error:
        return None, f"{error.where}: {error.what}"
    return scenario, ""
