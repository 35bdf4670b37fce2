"""What a run folder says about its run, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.config import Recipe
from chef.config.document import Document, Source, read_source
from chef.config.metric import AT, MetricSection, complete, metric_sections
from chef.config.recipe import check_recipe
from chef.errors import DataError, nearest
from chef.run.configuration import CONFIG, check_config
from chef.run.journal import JOURNAL
from chef.run.reading import read_json, readable
from chef.scenario import Scenario
from chef.scoring.scoring import RESULTS


@dataclass(frozen=True)
class RunRecord:
    """A run, as far as its folder tells without its answers.

    Attributes:
        path: the folder.
        source: config.yaml, parsed.
        document: the section of the metrics alone, with the lines of config.yaml.
        results: the content of results.json; empty where the run did not finish.
    """

    path: Path
    source: Source
    document: Document
    results: Mapping[str, Any]

    @classmethod
    def load(cls, path: Path) -> RunRecord:
        """Read a run folder.

        Raises:
            DataError: there is no run.
            ConfigError: config.yaml or results.json is unreadable.
        """
        for name in (CONFIG, JOURNAL):
            with readable(path / name):  # perhaps the folder may not be read, or is no name
                if not (path / name).is_file():
                    raise no_run(path, name)
        source = read_source(path / CONFIG)
        check_config(source.raw(), path / CONFIG)
        *within, name = "recipe_cfg", *AT
        document = source.document(within=within, only=name)
        return cls(path, source, document, read_json(path / RESULTS))

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """config.yaml as written: what came from the environment is still a name."""
        config: dict[str, Any] = self.source.raw()
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
    def recipe_name(self) -> str:
        """The folder of a run is ``<recipe>-<time>``."""
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
        """The sections of the recipe's metrics, the main one first.

        Raises:
            ConfigError: config.yaml was changed to something else.
        """
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

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe of the run.

        Raises:
            ConfigError: an ingredient is not known here, or an environment variable is not set.
        """
        return check_recipe(self.source.document(within=["recipe_cfg"]))

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario of the run.

        Raises:
            ConfigError: as `recipe`.
            DataError: its data cannot be read.
        """
        return self.recipe.scenario.build()


def no_run(path: Path, lacking: str) -> DataError:
    """The error for a path that is no run folder, with the runs that may be meant."""
    where = str(path)
    if path.is_file():
        hint = f"give the folder: {path.parent}"
        return DataError("is a file, not a run folder", where=where, hint=hint)
    if not path.is_dir():
        near = [item.name for item in path.parent.glob("*/") if not item.name.startswith(".")]
        hint = nearest(path.name, near) if near else f"there is no run in {path.parent}"
        return DataError("no such folder", where=where, hint=hint)
    runs = sorted({file.parent for file in path.rglob(JOURNAL)}, key=_age)
    if runs:
        more = f", and {len(runs) - 3} more" if len(runs) > 3 else ""
        hint = f"the runs in it: {', '.join(map(str, runs[:3]))}{more}"
    else:
        hint = "give the folder that the run named; answers made elsewhere are given as a file"
    return DataError(f"is no run folder: it has no {lacking}", where=where, hint=hint)


def _age(run: Path) -> float:
    """Sorts the newest run first."""
    return -(run / JOURNAL).stat().st_mtime
