"""What a run folder says about its run, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.config import Recipe
from chef.config.document import Document, Source, read_source
from chef.config.metric import AT, BASIC
from chef.config.recipe import check_recipe
from chef.errors import DataError
from chef.run.configuration import CONFIG
from chef.run.environment import RECIPE_FILE
from chef.run.folder import JOURNAL, read_json
from chef.scenario import Scenario
from chef.scoring.runs_near import run_hint
from chef.scoring.scoring import RESULTS


@dataclass(frozen=True)
class RunRecord:
    """A run, as far as its folder tells without its answers.

    Attributes:
        path: the folder.
        source: config.yaml, parsed.
        metric: the metric's section of the recipe, with the lines of config.yaml.
        results: the content of results.json; empty where the run did not finish.
    """

    path: Path
    source: Source
    metric: Document
    results: Mapping[str, Any]

    @classmethod
    def load(cls, path: Path) -> RunRecord:
        """Read a run folder.

        Raises:
            DataError: there is no run.
            ConfigError: config.yaml or results.json is unreadable.
        """
        for name in (CONFIG, JOURNAL):
            if not (path / name).is_file():
                raise DataError(
                    f"is no run folder: it has no {name}",
                    where=str(path),
                    hint=run_hint(path),
                )
        source = read_source(path / CONFIG)
        metric = source.document(within=["recipe_cfg", *AT])
        return cls(path, source, metric, read_json(path / RESULTS))

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """config.yaml as written: what came from the environment is still a name."""
        config: dict[str, Any] = self.source.raw()
        return config

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

    @property
    def metric_type(self) -> str:
        """The metric or protocol that the recipe names."""
        return str(self.metric.values.get("metric_type", BASIC))

    @property
    def handed(self) -> dict[str, Any]:
        """What the recipe hands to its metric."""
        return {"compat": self.config["recipe_cfg"].get("compat", "corrected")}

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe of the run.

        Raises:
            ConfigError: an ingredient is not known here, or an environment variable is not set.
        """
        document = self.source.document(within=["recipe_cfg"])
        file = Path(str(read_json(self.path / "environment.json").get(RECIPE_FILE, "")))
        if file.is_absolute() and file.parent.is_dir():  # paths in it are relative to its folder
            document = replace(document, path=file)
        return check_recipe(document)

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario of the run.

        Raises:
            ConfigError: as `recipe`.
            DataError: its data cannot be read.
        """
        return self.recipe.scenario.build()
