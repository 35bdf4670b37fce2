"""What a run folder says about its run, read once, and what of it is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.config import Recipe
from chef.config.document import Document, YamlSource, read_document, read_source
from chef.config.metric import AT, MetricSection, complete, metric_sections
from chef.config.plugins import load_plugins
from chef.config.recipe import check_recipe
from chef.errors import ChefError, ConfigError, DataError
from chef.guard.trust import OPTION, is_sealed, names_in, refuse
from chef.judge.fitting import when_of
from chef.judge.stored import load_judging
from chef.metric import Metric
from chef.run.configuration import CONFIG, check_config, run_hint
from chef.run.environment import RECIPE_FILE
from chef.run.journal import JOURNAL
from chef.run.reading import is_there, read_json
from chef.scenario import Scenario
from chef.scoring.result import RESULTS, RunResult, read_result
from chef.scoring.scoring import MetricRun
from chef.types import Prediction

_log = logger(__name__)


@dataclass(frozen=True)
class RunRecord:
    """A run, as far as its folder tells without its answers: config.yaml, parsed, and the scores.

    ``trust``: whether the command trusts the folder of somebody else.
    """

    path: Path
    source: YamlSource
    result: RunResult | None
    trust: bool = False

    @classmethod
    def load(cls, path: Path, *, trust: bool = False) -> RunRecord:
        """Read a run folder; nothing it names is used.

        DataError for no run, ConfigError if damaged.
        """
        for name in (CONFIG, JOURNAL):
            if not is_there(path / name):  # raises where the folder may not be read, or is no name
                raise no_run(path, name)
        source = read_source(path / CONFIG, of_run=True)
        check_config(source.content, path / CONFIG)
        result = read_result(path / RESULTS, samples=False, further=False)
        return cls(path, source, result, trust)

    @cached_property
    def is_own(self) -> bool:
        """Whether this user made the run on this machine, as config.yaml is now."""
        return is_sealed(self.path, CONFIG, self.config)

    @property
    def is_trusted(self) -> bool:
        """Whether what config.yaml names may be used."""
        return self.trust or self.is_own

    def check(self, content: Any) -> None:
        """Refuse (UntrustedError) what names something outside of a folder of somebody else."""
        if not self.is_trusted:
            refuse(names_in(content), str(self.path), CONFIG)

    @cached_property
    def document(self) -> Document:
        """The section of the metrics alone, with the lines of config.yaml; checked by `check`."""
        *within, name = "recipe_cfg", *AT
        part = self.config
        for key in (*within, name):
            value = part.get(key)
            part = value if isinstance(value, Mapping) else {"section": value}
        self.check(part)
        return self.source.document(within=within, only=name)

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """config.yaml as written: what came from the environment is still a name."""
        config: dict[str, Any] = self.source.content
        return config

    @property
    def plugins(self) -> list[str]:
        """The Python files that config.yaml names; none in one that chef wrote."""
        recipe = self.config.get("recipe_cfg")
        given = recipe.get("plugins") if isinstance(recipe, Mapping) else None
        return (
            [str(item) for item in given]
            if isinstance(given, list)
            else [str(given)]
            if given
            else []
        )

    @property
    def judge_cfg(self) -> Mapping[str, Any] | None:
        """The section of the recipe's judges, as written; None where it has none."""
        recipe = self.config.get("recipe_cfg")
        evaluation = recipe.get("eval_cfg") if isinstance(recipe, Mapping) else None
        section = evaluation.get("judge_cfg") if isinstance(evaluation, Mapping) else None
        return section if isinstance(section, Mapping) else None

    @property
    def recipe_name(self) -> str:
        """As the scores name it; else from the folder of the run, ``<recipe>-<time>``."""
        if self.result is not None:
            return self.result.recipe
        return self.path.name.rpartition("-")[0] or self.path.name

    @property
    def scenario_name(self) -> str:
        """The folder of the scenario."""
        return self.path.resolve().parent.name

    @property
    def model_name(self) -> str:
        """The folder of the model."""
        return self.path.resolve().parents[1].name

    @cached_property
    def metrics(self) -> list[MetricSection]:
        """The sections of the recipe's metrics, the main one first."""
        name = AT[-1]
        given = metric_sections(self.document.values.get(name) or {}, self.document, (name,))
        return complete(given, self.document)

    @property
    def metric_type(self) -> str:
        """The metric or protocol that the recipe names as the main one."""
        return str(self.metrics[0].values["metric_type"])

    @property
    def handed(self) -> dict[str, Any]:
        """What the recipe hands to its metric."""
        return {"compat": self.config.get("recipe_cfg", {}).get("compat", "corrected")}

    @property
    def recipe_file(self) -> Path | None:
        """The file of the recipe as it was, if any; None where somebody else's folder names one."""
        written = str(read_json(self.path / "environment.json").get(RECIPE_FILE, ""))
        file = Path(written)
        is_known = self.trust or is_sealed(self.path, RECIPE_FILE, written)
        return file if file.is_absolute() and is_known else None

    @property
    def names_plugins(self) -> bool:
        """Whether Python files had a part in the run, which only a trusting call runs."""
        decided = self.config.get("decided_by")
        files = decided.get("plugin_files") if isinstance(decided, Mapping) else None
        return bool(files or self.plugins)

    def check_trusted(self) -> None:
        """ConfigError where the recipe runs Python files: the folder may be somebody else's."""
        if self.plugins and not self.is_trusted:
            raise ConfigError(
                f"config.yaml names Python files, which its recipe runs: {', '.join(self.plugins)}",
                where=str(self.path),
                hint="chef writes no plugins into config.yaml; if you know and trust the files, "
                f"{OPTION} (or --trust-plugins; Python: trust=True) runs them",
            )

    def load_plugins(self) -> None:
        """Run the Python files that the file of the recipe names, if it is still there."""
        file = self.recipe_file
        # A table that was asked is the file of its recipe, too, and names none.
        if file is not None and file.suffix in (".yaml", ".yml") and file.is_file():
            document = read_document(file)
            load_plugins(document.values.get("plugins"), document)

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe; ConfigError for an unknown ingredient, an unset variable, `check_trusted`."""
        return check_recipe(self._recipe_document())

    @cached_property
    def questions(self) -> Recipe:
        """The recipe with another metric: what decides the questions, without what scores."""
        return check_recipe(self._recipe_document(metric_cfg={"metric_type": "Accuracy"}))

    def _recipe_document(self, **changed: Any) -> Document:
        """The recipe in config.yaml, with sections of ``eval_cfg`` changed."""
        self.check_trusted()
        given = self.config.get("recipe_cfg")
        recipe = {**given} if isinstance(given, Mapping) else {}
        parts = recipe.pop("eval_cfg", None)
        parts = {**parts, **changed} if isinstance(parts, Mapping) else {}
        self.check([recipe, {key: part for key, part in parts.items() if key != "judge_cfg"}])
        document = self.source.document(within=["recipe_cfg"])
        file = self.recipe_file
        if file is not None and file.parent.is_dir():  # paths in it are relative to its folder
            document = replace(document, path=file)
        evaluation = {**(document.values.get("eval_cfg") or {}), **changed}
        evaluation.pop("judge_cfg", None)  # no judge is asked here
        return replace(document, values={**document.values, "eval_cfg": evaluation})

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario of the run; DataError if its data cannot be read."""
        return self.recipe.scenario.build()


def no_run(path: Path, lacking: str) -> DataError:
    """The error for a path that is no run folder, with the runs that may be meant."""
    what = f"is no run folder: it has no {lacking}"
    if not path.is_dir():
        what = "is a file, not a run folder" if path.is_file() else "no such folder"
    return DataError(what, where=str(path), hint=run_hint(path))


def trusted_record(run: Path | RunRecord, *, trust: bool) -> RunRecord:
    """What a run folder says, if no Python file that it names has to be trusted; else ConfigError.

    The plugins of the recipe are loaded where the command trusts the folder; those of the user's
    own run as far as they are still there. DataError: there is no run.
    """
    if isinstance(run, RunRecord):
        record = replace(run, trust=trust)
    else:
        record = RunRecord.load(run, trust=trust)
    record.check_trusted()
    try:
        record.load_plugins()
    except ChefError as error:
        if trust:
            raise
        _log.warning("%s: a plugin of its recipe cannot be used: %s", record.path, error.what)
    return record


def refuse_asking(record: RunRecord, runs: Iterable[MetricRun]) -> None:
    """UntrustedError for metrics that ask models or services named by somebody else's folder."""
    if not record.is_trusted:
        asking = [run.spec.name for run in runs if getattr(run.metric, "asks", False)]
        names = [f"the metric {name}, which asks models or services" for name in asking]
        refuse(names, str(record.path), CONFIG)


def judging_of_run(
    record: RunRecord, answers: Sequence[Prediction], metric: Metric
) -> Judging | None:
    """The judgements of a run; None where it has no judge. No judge is asked now.

    Of a run whose recipe has a judge that was not asked yet they are empty, so that no rule scores
    what the judge is to read. Of a run that was judged afterwards they are for metrics that have
    no rule: what results.json says of the others stays as it is.
    """
    section = record.judge_cfg
    if section is None and not metric.needs_judge:
        return None
    judging = load_judging(record.path, answers, metric.judge_kinds)
    if judging is not None:
        return judging
    return None if section is None else Judging(when_of(section, [metric]), (), {})
