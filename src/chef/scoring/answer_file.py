"""Score a file of answers, by the truth in its own records or that of a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chef.common.logs import logger
from chef.config import Recipe
from chef.config.document import Document
from chef.config.metric import metric_spec, named_metric
from chef.errors import ConfigError, DataError
from chef.frozen import Frozen
from chef.run.configuration import part_of_run
from chef.scenario import Scenario
from chef.scoring.answers.reading import read_answers
from chef.scoring.answers.truth import with_truth
from chef.scoring.override import MetricOverride
from chef.scoring.result import RunResult
from chef.scoring.scoring import MetricRun, Surroundings, free_suffix, metric_runs
from chef.types import Prediction

_log = logger(__name__)


def score_file(path: Path, override: MetricOverride) -> RunResult:
    """Score the answers in a file; writes ``<name>_results_<metric>.json`` and ``_scores_`` there.

    With a recipe, the truth comes from its scenario, by sample id. Without one, or where the data
    of the scenario is missing, the records have to carry it. DataError if the file is unreadable,
    of another scenario, or without truth; ConfigError for no metric or an unknown one.
    """
    file = read_file(path, override)
    if file.expected is not None and (missing := file.expected - len(file.answers)):
        name = file.runs[0].scenario
        _log.warning(
            "%s: %d of %d samples of %s have no answer", path, missing, file.expected, name
        )
    return _score(path, file.answers, file.runs, file.expected)


class AnswerFile(Frozen):
    """A file of answers with references, its metrics, and how many answers there should be."""

    answers: Sequence[Prediction]
    runs: Sequence[MetricRun]
    expected: int | None


def read_file(path: Path, override: MetricOverride) -> AnswerFile:
    """Read a file of answers and make its metrics as `score_file`; nothing is scored or written."""
    answers = read_answers(path)
    if override.recipe is None:
        return AnswerFile(answers, [_without_recipe(path, override)], None)
    scenario, problem = _build(override.recipe)
    sections = override.sections(override.recipe.metrics)
    handed = {"compat": override.recipe.compat}
    kind = scenario or override.recipe.scenario.kind
    specs = [metric_spec(one, override.recipe.document, kind, handed) for one in sections]
    name = (scenario or override.recipe.scenario).name
    chance = scenario.random_accuracy if scenario is not None else None
    built, recipe = scenario, override.recipe
    around = None if built is None else Surroundings(lambda: built, lambda: recipe.judge)
    grouped = kind.grouped_by(override.recipe.scenario.options)
    runs = metric_runs(override.recipe.name, name, specs, chance, grouped, surroundings=around)
    if scenario is None:
        _log.warning(
            "%s: scored by the truth in its records, as the data cannot be read: %s", path, problem
        )
        return AnswerFile(answers, runs, None)
    return AnswerFile(with_truth(answers, scenario, path), runs, len(scenario))


def _score(
    path: Path, answers: Sequence[Prediction], runs: Sequence[MetricRun], expected: int | None
) -> RunResult:
    done: list[tuple[MetricRun, RunResult]] = []
    taken = [""]
    for run in runs:
        report = run.score(answers, expected, path)
        if expected is None and report.coverage.no_truth and not report.coverage.scored:
            raise DataError(
                "no record carries its truth",
                where=str(path),
                hint="name a recipe whose scenario knows it, with --recipe_cfg",
            )
        run.refuse_unscored(report, path)
        taken.append(free_suffix(run.spec.name, taken))
        file = path.with_name(f"{path.stem}_results{taken[-1]}.json")
        result = run.result(report, model=str(path), file=file, answer_path=path.name)
        done.append((run, result))
    others = [result for _, result in done[1:]]
    main = done[0][1].with_further(others, [item.file for item in others])
    for (run, _), result in zip(done, [main, *others], strict=True):
        run.write_files(result)
    return main


def _without_recipe(path: Path, override: MetricOverride) -> MetricRun:
    if override.metric is None:
        known = "or a metric with --metric (`chef list metrics` shows them)"
        raise ConfigError(
            "a file of answers does not say how it is scored",
            where=str(path),
            hint=part_of_run(path) or f"name the recipe with --recipe_cfg, {known}",
        )
    document = Document(path, {}, {}, {(): "command line"})
    (section,) = override.sections(())
    return MetricRun(path.stem, path.stem, named_metric(section, document, {}), None)


def _build(recipe: Recipe) -> tuple[Scenario | None, str]:
    """The scenario of a recipe, or why its data cannot be read."""
    try:
        scenario = recipe.scenario.build()
        len(scenario)
    except DataError as error:
        return None, f"{error.where}: {error.what}"
    return scenario, ""
