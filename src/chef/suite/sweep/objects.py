"""Models and recipes of the running session in a sweep: each has a name, which stands for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from chef.config import ModelSpec, Recipe, load_model
from chef.config.document import read_source
from chef.config.lookup import What
from chef.scenario.table.session import with_data
from chef.session.inputs import ModelLike, as_list, as_recipe, build, is_model, is_recipe
from chef.session.session import name_taken
from chef.session.settings import Settings
from chef.suite.sweep.file import MODEL, RECIPE


class SessionObjects:
    """What the values of the factors ``model`` and ``recipe`` stand for where they are no files.

    ConfigError for a model object where the settings have workers, which cannot get it.

    Attributes:
        models: model objects, contents of model files, and loaded ones, by name.
        recipes: contents of recipes, also of data, by name.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self.models: dict[str, ModelLike] = {}
        self.recipes: dict[str, What] = {}

    def with_names(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """The content of a sweep, with names in the place of objects.

        ConfigError: two of them have one name.
        """
        names: dict[str, Callable[[Any], Any]] = {MODEL: self.models_of, RECIPE: self.recipes_of}
        result = {
            key: names[key](value) if key in names else value for key, value in content.items()
        }
        if isinstance(vary := result.get("vary"), Mapping):
            result["vary"] = {
                key: _of_values(value, names[key]) if key in names else value
                for key, value in vary.items()
            }
        return result

    def models_of(self, models: Any) -> list[str]:
        """The names of a model, or of several; ConfigError where two objects have the same."""
        several = [models] if is_model(models) else as_list(models)
        return [self._model(item) for item in several]

    def recipes_of(self, recipes: Any) -> list[str]:
        """The names of recipes, of one or several, and of data."""
        read = recipes if isinstance(recipes, str | Path | Recipe) else with_data(recipes)
        several = [read] if is_recipe(read) else as_list(read)
        return [self._recipe(item) for item in several]

    def _model(self, model: ModelLike) -> str:
        if isinstance(model, str | Path):
            return str(model)
        name = self._name_of(model)
        if self.models.setdefault(name, model) is not model:
            raise name_taken(name, is_object=not isinstance(model, Mapping | ModelSpec))
        return name

    def _name_of(self, model: Any) -> str:
        """What a model that is no file is called; ConfigError where it is none."""
        if isinstance(model, ModelSpec | Mapping):
            return (model if isinstance(model, ModelSpec) else load_model(model)).label
        return build(model, self._settings)[1].name

    def _recipe(self, recipe: Any) -> str:
        if isinstance(recipe, str | Path):
            return str(recipe)
        if isinstance(recipe, Mapping):
            name, content = str(read_source(recipe).path), dict(recipe)
        else:
            document = as_recipe(recipe).document
            name, content = str(document.path), dict(document.values)
        self.recipes[name] = What("recipes", content, name=name)
        return name


def _of_values(values: Any, name: Callable[[Any], Any]) -> Any:
    """The values of a factor by name, also where they stand under ``values``, beside its role."""
    if isinstance(values, Mapping) and "values" in values:
        return {**values, "values": name(values["values"])}
    return values if isinstance(values, Mapping) else name(values)
