"""Recipes as checked, typed objects."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import field

from chef.config.document import Document, read_document
from chef.config.installed import register_installed, versions_of
from chef.config.instruction import (
    EXAMPLES_AT,
    Incontext,
    check_wording,
    load_incontext,
    load_instruction,
)
from chef.config.judge import AT as JUDGE_AT
from chef.config.judge import JudgeSection, judge_section, load_judge, named_judge
from chef.config.legacy import refuse_point_clouds, upgrade_legacy_keys
from chef.config.lookup import find_what
from chef.config.metric import MetricSection, check_early, complete, metric_sections, metric_spec
from chef.config.override import check_listed
from chef.config.plugins import load_plugins
from chef.config.scenario import load_scenario, paths_as_written
from chef.config.spec import Spec, check_value, make_spec
from chef.config.suggest import suggestion
from chef.config.task import as_recipe
from chef.config.tasks import is_task
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.inferencer import INFERENCERS, Inferencer
from chef.instruction.handler import Instruction, examples_before_turns
from chef.metric import Metric
from chef.scenario import Scenario
from chef.scenario.vlmevalkit.table import PACKAGED
from chef.types import Compat

_SECTIONS = ("instruction_cfg", "inferencer_cfg", "metric_cfg")
_JUDGE = JUDGE_AT[-1]
#: What stands in the sections that every recipe has.
_EXAMPLES = {
    "scenario_cfg": "{dataset_name: Tsv, path: my.tsv}",
    "eval_cfg": "{inferencer_cfg: {inferencer_type: PPL}}",
}


class Recipe(Frozen):
    """A recipe that was checked.

    Attributes:
        document: the file.
        scenario, instruction, inferencer: the ingredients.
        incontext: the in-context examples, or None.
        metrics: the sections of the metrics, the main one first; `metric_specs` resolves them once
            the scenario exists.
        compat: inherited by every ingredient that has the key; the ingredient's own key wins.
        batch_size: number of samples in a batch, as the recipe gives it or None; whether it is
            used decides `chef.run.plan`.
        judge: who judges the answers, and how; None where only rules score them.
        notices: how older spellings were understood, and which keys have no effect.
        plugins: digests of the plugin files that affect answers, and versions of packages whose
            ingredients are used.
        plugin_files: the names of these files, each with its digest.
        title: its name where several runs have the same file; empty for the name of the file.
        seed: random seed of its sampled generation; None for that of the run.
    """

    document: Document
    scenario: Spec[Scenario]
    instruction: Spec[Instruction]
    inferencer: Spec[Inferencer]
    incontext: Incontext | None
    metrics: Sequence[MetricSection]
    compat: Compat = "corrected"
    batch_size: int | None = None
    judge: JudgeSection | None = None
    notices: Sequence[str] = ()
    plugins: Sequence[str] = ()
    plugin_files: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    seed: int | None = None

    @property
    def name(self) -> str:
        """The file's stem: ``ppl`` of ``configs/recipes/Shapes/ppl.yaml``; or its `title`."""
        return self.title or self.document.path.stem

    @property
    def label(self) -> str:
        """The file, with the `title` of one of several runs of it."""
        return f"{self.document.path} ({self.title})" if self.title else str(self.document.path)

    def specs(self) -> dict[str, Spec[Any]]:
        """The ingredients by kind, without the metric, which may depend on the scenario."""
        found: dict[str, Spec[Any]] = {
            "scenario": self.scenario,
            "instruction": self.instruction,
            "inferencer": self.inferencer,
        }
        return found | ({"retriever": self.incontext.retriever} if self.incontext else {})

    def metric_specs(self, scenario: Scenario) -> list[Spec[Metric]]:
        """The metrics, the main one first; of ``basic`` and other protocols the scenario's.

        Raises:
            ConfigError: an unknown metric or key, or a protocol that the scenario does not have.
        """
        handed = {"compat": self.compat}
        return [metric_spec(one, self.document, scenario, handed) for one in self.metrics]

    def compat_notice(self, metrics: Sequence[Spec[Metric]]) -> str | None:
        """Which ingredients follow the recipe's ``compat``; None where it is ``corrected``."""
        if self.compat == "corrected":
            return None
        asked = f"compat: {self.compat}"
        specs: list[Spec[Any]] = [*self.specs().values(), *metrics]
        followers = [spec.name for spec in specs if spec.follows(self.compat)]
        if not followers:
            return f"{asked} changes nothing: no ingredient of this recipe has such rules"
        return f"{asked} is followed by {', '.join(followers)}"

    def effective(self) -> dict[str, Any]:
        """The whole recipe with defaults filled in and secrets removed."""
        given = self.document.values
        instruction = {"instruction_type": self.instruction.name, **self.instruction.effective()}
        # The path as written, because the folder of the recipe changes no answer.
        if "pool_file" in instruction:
            written = (given["eval_cfg"].get("instruction_cfg") or {}).get("pool_file")
            instruction["pool_file"] = written
        if self.incontext is not None:
            instruction["incontext_cfg"] = self.incontext.effective()
        written = paths_as_written(self.scenario, self.document)
        metrics = [dict(section.values) for section in self.metrics]
        complete = {
            "compat": self.compat,
            "scenario_cfg": {
                "dataset_name": self.scenario.name,
                **self.scenario.effective(),
                **written,
            },
            "eval_cfg": {
                "instruction_cfg": instruction,
                "inferencer_cfg": {
                    "inferencer_type": self.inferencer.name,
                    **self.inferencer.effective(),
                },
                "metric_cfg": metrics if len(metrics) > 1 else metrics[0],
                **({} if self.judge is None else {_JUDGE: self.judge.effective()}),
            },
        }
        return self.document.shown_publicly(complete)


def load_recipe(path: str | Path | Mapping[str, Any], overrides: Sequence[str] = ()) -> Recipe:
    """Read and check a recipe file.

    Args:
        path: the file; a name (`chef.config.lookup.find_what`); or its content as a mapping.
        overrides: ``key.path=value``, set after reading.

    Raises:
        ConfigError: what is wrong, with file, line, key and the nearest valid name.
    """
    if isinstance(path, Mapping):
        return check_recipe(read_document(path, overrides))
    check_listed(overrides)
    what = find_what(path)
    if what.kind == "tasks":  # what a recipe has in scenario_cfg, a task has in dataset_cfg
        overrides = [re.sub("^scenario_cfg[.]", "dataset_cfg.", item) for item in overrides]
    overrides = [*what.overrides, *overrides]
    return check_recipe(read_document(what.source, overrides, name=what.name))


def with_judge(
    recipe: Recipe,
    files: Sequence[str | Path | Mapping[str, Any]],
    overrides: Sequence[str] = (),
) -> Recipe:
    """The recipe with the judges of ``--judge_cfg``; see `chef.config.judge.load_judge`.

    Args:
        recipe: the recipe; it stays as it is.
        files: as given; none leave the recipe's own judges.
        overrides: ``key=value`` for keys of ``judge_cfg``.

    Raises:
        ConfigError: a file or a key is wrong.
    """
    if not files:
        return recipe
    base = recipe.judge.given if recipe.judge else None
    return replace(recipe, judge=load_judge(files, overrides, base))


def check_recipe(document: Document) -> Recipe:
    """Check a recipe that is read already. Raises ConfigError."""
    register_installed()
    document = as_recipe(document) if is_task(document.values) else document
    values = _sections(document)
    files = load_plugins(values.get("plugins"), document)
    if str(values["scenario_cfg"].get("dataset_name")).startswith(PACKAGED):
        from chef.config.plugin_classes import register_packaged

        register_packaged(values["scenario_cfg"]["dataset_name"])
    evaluation = values["eval_cfg"]
    compat: Compat = check_value(
        values.get("compat", "corrected"), Compat, document.where("compat")
    )
    handed = {"compat": compat}
    _check_examples(evaluation, document)
    refuse_point_clouds(values, document)
    notices = upgrade_legacy_keys(values, document, compat)
    instruction, inferencer, incontext, batch_size = _ingredients(evaluation, document, handed)
    scenario = load_scenario(values["scenario_cfg"], document, handed)
    specs: list[Spec[Any]] = [scenario, inferencer]
    specs += [incontext.retriever] if incontext is not None else []
    recipe = Recipe(
        document=document,
        scenario=scenario,
        instruction=instruction,
        inferencer=inferencer,
        incontext=incontext,
        metrics=complete(metric_sections(evaluation["metric_cfg"], document), document),
        compat=compat,
        batch_size=batch_size,
        judge=judge_section(evaluation.get(_JUDGE), document),
        notices=(*notices, *(notice for spec in specs for notice in spec.notices)),
    )
    _check_turns(recipe, document)
    check_wording(recipe.scenario.kind, instruction, document)
    for section in recipe.metrics:
        check_early(section, document, recipe.scenario.kind, handed)
    judge = recipe.judge or named_judge(recipe.metrics, document)
    packages = versions_of((kind, spec.name) for kind, spec in recipe.specs().items())
    plugins = [*files.values(), *packages]
    return replace(recipe, plugins=plugins, plugin_files=files, judge=judge)


def _ingredients(
    evaluation: dict[str, Any], document: Document, handed: Mapping[str, Any]
) -> tuple[Spec[Instruction], Spec[Inferencer], Incontext | None, int | None]:
    """Instruction, inferencer, in-context examples and batch size."""
    examples = evaluation["instruction_cfg"].pop("incontext_cfg", None)
    batch_size = _batch_size(evaluation["inferencer_cfg"], document)
    instruction = load_instruction(evaluation["instruction_cfg"], document, handed)
    inferencer = make_spec(
        evaluation["inferencer_cfg"],
        "inferencer_type",
        INFERENCERS,
        document,
        ("eval_cfg", "inferencer_cfg"),
        also=("batch_size",),
        handed=handed if batch_size is None else {**handed, "batch_size": batch_size},
    )
    incontext = load_incontext(examples, document, handed)
    if incontext is not None and instruction.options.get("prompt_type") == "multiturn":
        raise examples_before_turns(document.where(*EXAMPLES_AT))
    return instruction, inferencer, incontext, batch_size


def _check_turns(recipe: Recipe, document: Document) -> None:
    """Refuse inferencers that ask turn by turn, where no sample has turns."""
    scenario, inferencer = recipe.scenario, recipe.inferencer
    if inferencer.kind.prompt_type != "multiturn" or scenario.kind.may_have_turns:
        return
    instead = "PPL" if inferencer.kind.scores_options else "Direct"
    raise ConfigError(
        f"{inferencer.name} asks turn by turn, and the questions of {scenario.name} have no turns",
        where=document.where("eval_cfg", "inferencer_cfg", "inferencer_type"),
        hint=f"use {instead}, which asks each question at once",
    )


def _check_examples(evaluation: Mapping[str, Any], document: Document) -> None:
    """Refuse ``ICL_...`` inferencers of the first generation without in-context examples."""
    name = str(evaluation["inferencer_cfg"].get("inferencer_type"))
    if name.startswith("ICL") and not evaluation["instruction_cfg"].get("incontext_cfg"):
        raise ConfigError(
            f"{name} needs in-context examples",
            where=document.where("eval_cfg", "inferencer_cfg", "inferencer_type"),
            hint="add instruction_cfg.incontext_cfg with retriever_type and ice_num",
        )


def _sections(document: Document) -> dict[str, Any]:
    """The content of a recipe with all sections; unknown sections are refused."""
    values = copy.deepcopy(document.values)  # because older spellings are rewritten in place
    if "model_name" in values and "scenario_cfg" not in values:
        raise ConfigError(
            "is a model file, not a recipe",
            where=str(document.path),
            hint="give it with --model_cfg (of several: --model_cfg A B), and the recipe with "
            "--recipe_cfg",
        )
    if {"model_cfg", "recipe_cfg"} <= {*values}:
        folder = document.path.parent
        raise ConfigError(
            "is the configuration of a run, not a recipe",
            where=str(document.path),
            hint=f"give the recipe that was asked; `chef show {folder}` shows the run",
        )
    _only(values, ("compat", "scenario_cfg", "eval_cfg", "plugins"), document, ())
    for section in ("scenario_cfg", "eval_cfg"):
        if not isinstance(values.get(section), dict):
            given = values.get(section)
            raise ConfigError(
                f"a recipe needs the section '{section}'"
                if given is None
                else f"must be a mapping, not {given!r}",
                where=document.where(section) if section in values else document.where(),
                hint=f"for example {section}: {_EXAMPLES[section]}",
            )
    evaluation = dict(values["eval_cfg"])
    _only(evaluation, (*_SECTIONS, _JUDGE), document, ("eval_cfg",))
    for section in _SECTIONS:
        content = evaluation[section] = evaluation.get(section) or {}
        if section == "metric_cfg":
            metric_sections(content, document)
        elif not isinstance(content, dict):
            raise ConfigError(
                "must be a mapping",
                where=document.where("eval_cfg", section),
                hint=f"write its keys: {section}: {{{_first_key(section)}: {content}}}",
            )
    return {**values, "scenario_cfg": dict(values["scenario_cfg"]), "eval_cfg": evaluation}


def _first_key(section: str) -> str:
    """``inferencer_type`` of ``inferencer_cfg``."""
    return f"{section.removesuffix('_cfg')}_type"


def _only(
    values: Mapping[str, Any], known: Sequence[str], document: Document, at: tuple[str, ...]
) -> None:
    for key in values:
        if key not in known:
            raise ConfigError(
                "unknown key",
                where=document.where(*at, str(key)),
                hint=suggestion((*at, str(key)), known, document),
            )


def _batch_size(section: dict[str, Any], document: Document) -> int | None:
    """The key ``batch_size`` of ``inferencer_cfg``, which belongs to the engine."""
    where = document.where("eval_cfg", "inferencer_cfg", "batch_size")
    value: int | None = check_value(section.pop("batch_size", None), int | None, where)
    if value is not None and value < 1:
        raise ConfigError(f"batch_size {value} is less than 1", where=where)
    return value
