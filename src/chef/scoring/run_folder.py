"""Score the answers of a run again: from its folder, without the model and mostly without data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.config import Recipe
from chef.config.document import Document
from chef.config.judge import JudgeSection, load_judge
from chef.config.metric import BASIC, MetricSection, check_early, metric_spec, named_metric
from chef.config.spec import Spec
from chef.errors import ChefError, ConfigError, DataError, similar
from chef.frozen import Frozen
from chef.guard.folder import may_write
from chef.guard.trust import OPTION, UntrustedError
from chef.metric import METRICS, Metric
from chef.run.asked_data import without_removed
from chef.run.configuration import sample_len
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import is_there
from chef.run.subset import draw_indices, stored_ids
from chef.scenario import SCENARIOS
from chef.scoring.override import MetricOverride
from chef.scoring.record import RunRecord, judging_of_run, refuse_asking, trusted_record
from chef.scoring.result import RESULTS, RunResult
from chef.scoring.scoring import (
    USUAL_GROUPINGS,
    MetricRun,
    Surroundings,
    free_suffix,
    metric_runs,
    suffixes,
)
from chef.types import Prediction

_log = logger(__name__)


def rescore_run(path: Path, override: MetricOverride, *, trust: bool = False) -> RunResult:
    """Score every answer in the journal of a run folder again, by every metric or another one.

    results.json and scores.jsonl stay what config.yaml says: another metric, or other options,
    write ``results_<metric>.json`` and ``scores_<metric>.jsonl`` next to them. ``trust`` uses what
    the folder of somebody else names: servers, variables, models, files, and Python files, also
    those in config.yaml, into which chef writes none. DataError for no run or no answer,
    ConfigError for an unknown metric or untrusted files, RunError if a process writes there now.
    Of a folder that cannot be written the scores are returned alone.
    """
    record = trusted_record(path, trust=trust)
    if not may_write(path):
        prepared = Prepared.of(record, load_predictions(path / JOURNAL), override)
        return prepared.score(None, partial(judging_of_run, record, prepared.answers))
    with RunFolder(path, record.config, is_own=record.is_own, whole=True) as folder:
        prepared = Prepared.of(record, folder.finished, override, folder.unreadable)
        return prepared.score(folder, partial(judging_of_run, record, prepared.answers))


class Prepared(Frozen):
    """The answers of a run folder and the metrics that score them, the main one first.

    ``total`` is how many there should be (None: as many as there are), ``files`` has the results
    file of each metric, and ``own`` those of the recipe's own further metrics.
    """

    path: Path
    model: str
    answers: Sequence[Prediction]
    total: int | None
    runs: Sequence[MetricRun]
    files: Sequence[Path]
    own: Sequence[Path]

    @classmethod
    def of(
        cls,
        record: RunRecord,
        finished: Mapping[str, Prediction],
        override: MetricOverride,
        unreadable: int = 0,
    ) -> Prepared:
        """Make the metrics for the journal of a run, of which so many lines cannot be read.

        DataError for no answer.
        """
        finished = without_removed(record.path, finished)
        if not finished:
            raise _no_answers(record.path, unreadable)
        return cls.of_answers(record, finished, override)

    @classmethod
    def of_answers(
        cls, record: RunRecord, finished: Mapping[str, Prediction], override: MetricOverride
    ) -> Prepared:
        """Make the metrics for answers of a run, by id; no file is opened."""
        path, own_sections = record.path, record.metrics
        facts = _facts(record, len(finished))
        answers = [
            answer for name, answer in finished.items() if facts.ids is None or name in facts.ids
        ]
        document, sections = record.document, override.sections(own_sections)
        if override.recipe is not None:
            document = override.recipe.document
            sections = override.sections(override.recipe.metrics)
        with override.located(document):
            specs = [_wanted_metric(record, override, facts, one, document) for one in sections]
        own = [_own_metric(record, facts, section) for section in own_sections]
        groupings = groupings_of(record, override.recipe)
        runs = metric_runs(
            facts.recipe, facts.scenario, specs, facts.random_accuracy, groupings,
            surroundings=_surroundings(record, override), main=facts.metric or "",
        )  # fmt: skip
        if override.recipe is None:
            refuse_asking(record, runs)
        files, further = _files(path, own, specs), _files(path, own, own[1:])
        return cls(path, record.model_name, answers, facts.total, runs, files, further)

    def score(
        self, folder: RunFolder | None, judging: Callable[[Metric], Judging | None], mark: str = ""
    ) -> RunResult:
        """Score the answers by every metric, and write the files; RunError if a metric failed.

        ``folder`` is None where it cannot be written. ``judging`` gives what judges say, for a
        metric; the mark ``_judged`` makes ``results_judged.json``.
        """
        done: list[tuple[MetricRun, RunResult]] = []
        files = [_marked(file, mark) for file in self.files]
        for metric_run, file in zip(self.runs, files, strict=True):
            said = judging(metric_run.metric)
            if folder is not None and folder.is_own:
                metric_run.take_readings(file)
            report = metric_run.score(self.answers, self.total, self.path, said)
            metric_run.refuse_unscored(report, self.path)
            unreadable = folder.unreadable if folder and report.coverage.missing else 0
            result = metric_run.result(
                report, model=self.model, file=file, answer_path=JOURNAL, unreadable=unreadable
            )
            done.append((metric_run, result))
        own = [_marked(file, mark) for file in self.own]
        others = [file for file in own if file in files or is_there(file)]
        if folder is not None:
            folder.check()
        for metric_run, result in done:
            is_main = result.file.name == f"results{mark}.json"
            metric_run.write_files(result.with_further((), others) if is_main else result)
        return done[0][1].with_further([result for _, result in done[1:]], others)


def _surroundings(record: RunRecord, override: MetricOverride) -> Surroundings:
    """The scenario of the run and its judges, for metrics that need them."""
    recipe = override.recipe

    def judges() -> JudgeSection | None:
        if recipe is not None and recipe.judge is not None:
            return recipe.judge
        judge_cfg = record.judge_cfg
        record.check(judge_cfg)
        try:
            return None if judge_cfg is None else load_judge([{"judge_cfg": judge_cfg}])
        except ConfigError as error:
            hint = "--recipe_cfg names the recipe of the run, with the judge as it is now"
            raise ConfigError(
                f"the judge of the run cannot be used: {error.what}",
                where=str(record.path),
                hint=f"{error.hint}; {hint}" if error.hint else hint,
            ) from error

    scenario = (lambda: record.scenario) if recipe is None else recipe.scenario.build
    return Surroundings(scenario, judges)


def _marked(file: Path, mark: str) -> Path:
    """``results_judged_VQA.json`` of ``results_VQA.json`` and ``_judged``."""
    return file.with_name(file.name.replace("results", f"results{mark}", 1))


def _no_answers(path: Path, lines: int) -> DataError:
    """The error for a journal without a single answer, with so many unreadable lines."""
    what = f"its {lines} line(s) are unreadable" if lines else "the journal is empty"
    return DataError(
        f"there is nothing to score: {what}",
        where=str(path / JOURNAL),
        hint="the `chef eval` command of the run asks its samples; the earlier scores are kept",
    )


def _files(
    path: Path, own: Sequence[Spec[Metric] | None], specs: Iterable[Spec[Metric] | None]
) -> list[Path]:
    """The results file of each metric: that of the run for its own, another one for others."""
    names = suffixes(["" if spec is None else spec.name for spec in own])
    found: list[str] = []
    for spec in filter(None, specs):
        same = (name for one, name in zip(own, names, strict=True) if _same(one, spec))
        suffix = next(same, None)
        found.append(free_suffix(spec.name, [*names, *found]) if suffix is None else suffix)
    return [path / RESULTS.replace(".", f"{suffix}.") for suffix in found]


class _Facts(Frozen):
    """What scoring needs to know of a run besides its answers.

    ``metric`` is None where it cannot be told; ``total`` None: as many as there are; ``ids`` None:
    all that were answered.
    """

    recipe: str
    scenario: str
    metric: str | None
    random_accuracy: float | None
    total: int | None
    ids: Collection[str] | None = None


def _facts(record: RunRecord, answered: int) -> _Facts:
    """From results.json; where that tells too little, from the scenario of the run."""
    facts, result = None, record.result
    if result is not None and result.metric_type:
        facts = _Facts(
            result.recipe,
            result.scenario,
            result.metric_type,
            result.random_accuracy,
            result.coverage.total,
        )
        if answered <= result.coverage.total:
            return facts
    wanted, seed = sample_len(record.config), record.config.get("run", {}).get("seed", 0)
    try:
        scenario = record.scenario
        metric = record.recipe.metric_specs(scenario)[0].name
        if (ids := stored_ids(record.path, record.config)) is None:
            indices = draw_indices(len(scenario), wanted, seed, scenario.group)
            ids = tuple(scenario.sample_id(index) for index in indices)
    except ChefError as error:  # the data is elsewhere, or the scenario is a plugin's
        _log.warning(
            "%s: which samples the run has is not known (%s); all are scored",
            record.path, error.what,
        )  # fmt: skip
        if facts is not None:
            return replace(facts, total=None)
        declared = _declared_metric(record)
        return _Facts(record.recipe_name, record.scenario_name, declared, None, wanted)
    name = facts.recipe if facts else record.recipe_name
    return _Facts(name, scenario.name, metric, scenario.random_accuracy, len(ids), {*ids})


def _declared_metric(record: RunRecord) -> str | None:
    """The metric of a run whose scenario cannot be made here, as far as the class tells it."""
    name = record.metric_type
    if name in METRICS:
        return name
    with suppress(ChefError, TypeError, AttributeError, KeyError):
        kind = SCENARIOS.get(record.config["recipe_cfg"]["scenario_cfg"]["dataset_name"])
        declared = {BASIC: kind.metric, **kind.protocols}.get(name)
        return declared if declared in METRICS else None
    return None


def groupings_of(record: RunRecord, recipe: Recipe | None = None) -> Mapping[str, str]:
    """The groupings of the scenario; where its class is not known here, those of the last time."""
    try:
        scenario = (recipe or record.recipe).scenario
        return scenario.kind.grouped_by(scenario.options)
    except UntrustedError:  # its class tells, and what it names is not used
        section = record.config["recipe_cfg"].get("scenario_cfg")
        with suppress(ChefError, TypeError, AttributeError):
            return SCENARIOS.get(section["dataset_name"]).grouped_by(section)
    except ChefError:
        pass
    known = () if record.result is None else record.result.by
    return USUAL_GROUPINGS | {name: name for name in known}


def _own_metric(record: RunRecord, facts: _Facts, section: MetricSection) -> Spec[Metric] | None:
    """The metric that config.yaml means; None when that cannot be told, or is a plugin's."""
    name = facts.metric if section is record.metrics[0] else section.name
    if isinstance(name, str) and name in METRICS:
        return named_metric(section.named(name), record.document, record.handed)
    try:
        return metric_spec(section, record.document, record.scenario, record.handed)
    except ChefError:
        return None


def _wanted_metric(
    record: RunRecord,
    override: MetricOverride,
    facts: _Facts,
    section: MetricSection,
    document: Document,
) -> Spec[Metric]:
    recipe = override.recipe
    handed = record.handed if recipe is None else {"compat": recipe.compat}
    name = section.name
    if facts.metric is not None and name == record.metric_type:
        if facts.metric not in METRICS:
            raise ConfigError(
                f"the metric '{facts.metric}' of this run is not known here",
                where=str(record.path),
                hint=_plugin_hint(record),
            )
        return named_metric(section.named(facts.metric), document, handed)
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


def _plugin_hint(record: RunRecord) -> str:
    """How a metric of a plugin becomes known; a run folder may come from somebody else."""
    by_hand = "give the recipe that names its plugin with --recipe_cfg"
    file = record.recipe_file
    if file is None or not file.is_file():
        return by_hand
    return (
        f"{OPTION} runs the plugins of the run's recipe, {file} (Python: trust=True); or {by_hand}"
    )


def _unresolved(record: RunRecord, name: str, error: ChefError) -> ConfigError:
    near = similar(name, METRICS)
    meant = f"did you mean '{near}'?" if near else "`chef list metrics` shows them"
    return ConfigError(
        f"'{name}' is no metric, and whether the scenario has a protocol of that name cannot be "
        f"told: {error.what}",
        where=str(record.path),
        hint=f"name the recipe with --recipe_cfg, or a metric with --metric ({meant})",
    )


def _same(one: Spec[Metric] | None, other: Spec[Metric]) -> bool:
    return one is not None and (one.name, one.effective()) == (other.name, other.effective())
