"""A sweep that is checked: its combinations, and the run of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.digest import digest
from chef.config import ModelSpec, Recipe
from chef.config.lookup import What, beside
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.session.checking import RecipeFailure
from chef.session.inputs import build
from chef.session.session import Built, Session
from chef.session.settings import Settings
from chef.suite.sweep.design import combinations
from chef.suite.sweep.file import (
    MODEL,
    MODEL_KEYS,
    RECIPE,
    Factor,
    FactorValue,
    SweepFile,
)
from chef.suite.sweep.objects import SessionObjects
from chef.suite.sweep.varied import from_pool, recipe_of, title, varied_model, varied_recipe

#: The values of a combination, by factor.
Chosen: TypeAlias = Mapping[str, str]


class GridCell(Frozen):
    """A combination, by factor the label of its value, and the recipe of its run.

    Combinations that ask the same share one recipe.
    """

    values: Chosen
    model: str
    recipe: Recipe


class SweepPlan:
    """The combinations of a sweep, each with its model and its recipe.

    ``earlier`` has names of runs of an earlier call: of combinations that ask the same, one that
    has a run already gives its name. ``objects`` are what names in the sweep stand for, before
    files. ``cells`` can be asked, ``failures`` cannot.
    """

    def __init__(
        self,
        file: SweepFile,
        overrides: Sequence[str] = (),
        earlier: Sequence[str] = (),
        objects: SessionObjects | None = None,
    ) -> None:
        self._objects = objects or SessionObjects()
        self._of_models = [
            item.removeprefix(MODEL_KEYS) for item in overrides if item.startswith(MODEL_KEYS)
        ]
        self._of_recipes = [item for item in overrides if not item.startswith(MODEL_KEYS)]
        recipes = file.factor(RECIPE)
        self._files = {
            value.label: self._objects.recipes.get(value.file) or recipe_of(value, file.folder)
            for value in recipes.values
        }
        self.file = self._with_pools(file)
        _refuse_varied(overrides, self.file.factors)
        self._stems = _stems(self._files)
        self.models: dict[str, Built] = {}
        self.failures: list[RecipeFailure] = []
        self._models: dict[tuple[str, ...], str] = {}
        self.cells = self._shared(list(self._all_cells()), earlier)

    @cached_property
    def varied(self) -> dict[str, list[str]]:
        """The factors of several values, with their labels; all where none has several."""
        labels = {factor.name: factor.labels for factor in self.file.factors}
        return {name: items for name, items in labels.items() if len(items) > 1} or labels

    def shown(self, cell: GridCell) -> dict[str, str]:
        """The values of a combination that tell it from others."""
        return {name: cell.values[name] for name in self.varied}

    @property
    def runs(self) -> list[tuple[str, Recipe]]:
        """The model and the recipe of each run, once."""
        found = {(cell.model, cell.recipe.name): cell.recipe for cell in self.cells}
        return [(model, recipe) for (model, _), recipe in found.items()]

    def session(self, settings: Settings) -> Session:
        """The runs, checked: all of one model, then of the next."""
        recipes: dict[str, list[Recipe]] = {name: [] for name in self.models}
        for model, recipe in self.runs:
            recipes[model].append(recipe)
        used = [built for name, built in self.models.items() if recipes[name]]
        return Session(used, recipes, settings)

    def _with_pools(self, file: SweepFile) -> SweepFile:
        """The sweep with all entries of the pool as values where it asks for them."""
        if not any(factor.wants_all for factor in file.factors):
            return file
        bases = {
            label: varied_recipe(what, self._of_recipes, ()) for label, what in self._files.items()
        }
        factors = tuple(
            from_pool(factor, bases, file.document) if factor.wants_all else factor
            for factor in file.factors
        )
        for number, part in enumerate(file.exclude):
            for name, labels in part.items():
                known = next(factor.labels for factor in factors if factor.name == name)
                if wrong := [label for label in labels if label not in known]:
                    raise ConfigError(
                        f"'{wrong[0]}' is no value of {name}",
                        where=file.document.where("exclude", str(number), name),
                        hint=f"known: {', '.join(known)}",
                    )
        return replace(file, factors=factors)

    def _all_cells(self) -> Iterator[GridCell]:
        """Every combination with a recipe of its own; what cannot be read goes to `failures`."""
        file = self.file
        values = {factor.name: {one.label: one for one in factor.values} for factor in file.factors}
        labels = {name: list(known) for name, known in values.items()}
        for chosen in combinations(labels, file.exclude, file.sample, file.seed):
            given = {name: values[name][label] for name, label in chosen.items()}
            own = {name: label for name, label in chosen.items() if name not in (MODEL, RECIPE)}
            name = title(self._stems[chosen[RECIPE]], own)
            try:
                model = self._model(values[MODEL][chosen[MODEL]], given)
                what = self._files[chosen[RECIPE]]
                recipe = varied_recipe(what, self._of_recipes, [*given.values()])
            except Exception as error:
                self.failures.append(RecipeFailure(name, error))
                continue
            yield GridCell(chosen, model, replace(recipe, title=name))

    def _model(self, model: FactorValue, given: Mapping[str, FactorValue]) -> str:
        """The name of the model of a combination, which is made once."""
        own = {
            name: value
            for name, value in given.items()
            if any(item.startswith(MODEL_KEYS) for item in value.overrides)
        }
        key = (model.file, *(item for value in own.values() for item in value.overrides))
        if key not in self._models:
            try:
                spec, built = self._built(model.file, own)
            except ConfigError as error:
                if error.where != model.file or not model.place:
                    raise
                where = f"{model.place}: {model.file}"
                raise ConfigError(error.what, where=where, hint=error.hint) from None
            if (other := self.models.get(built.name)) and _model_of(other[0]) != _model_of(spec):
                raise ConfigError(
                    f"another model of the sweep is called '{built.name}' too",
                    where=model.place or model.file,
                    hint="give one of the files another name: results are kept by that name",
                )
            self.models.setdefault(built.name, (spec, built))
            self._models[key] = built.name
        return self._models[key]

    def _built(self, name: str, varied: Mapping[str, FactorValue]) -> Built:
        """The model of a name, with the keys that are varied."""
        model = self._objects.models.get(name)
        if isinstance(model, str | Path | None):
            model = str(beside(name, self.file.folder))
        elif not isinstance(model, Mapping | ModelSpec):
            if varied or self._of_models:
                raise ConfigError(
                    f"the model '{name}' is an object, and its keys are as it was made",
                    where=next((value.place for value in varied.values()), "overrides"),
                    hint="give its model file, or an object for each value",
                )
            return build(model, Settings())
        spec = varied_model(model, self._of_models, varied)
        return spec, spec.model.build()

    def _shared(self, cells: Sequence[GridCell], earlier: Sequence[str]) -> list[GridCell]:
        """The combinations, in which those that ask the same have the same recipe."""
        alike: dict[str, list[GridCell]] = {}
        for cell in cells:
            alike.setdefault(_asked(cell), []).append(cell)
        known = set(earlier)
        chosen = {
            key: next((cell for cell in group if cell.recipe.name in known), group[0]).recipe
            for key, group in alike.items()
        }
        return [replace(cell, recipe=chosen[_asked(cell)]) for cell in cells]


def _asked(cell: GridCell) -> str:
    """What a combination asks, as a digest."""
    return asked(cell.recipe, cell.model, cell.recipe.seed if _samples(cell.recipe) else None)


def asked(recipe: Recipe, *more: Any) -> str:
    """What a recipe asks, as a digest, however its file is named; with what else decides it."""
    return digest([str(recipe.document.path.resolve()), recipe.effective(), *more])


def _model_of(spec: ModelSpec) -> tuple[Path, dict[str, Any]]:
    """What a model is, however its file is named."""
    return spec.document.path.resolve(), spec.effective()


def _samples(recipe: Recipe) -> bool:
    """Whether a seed may change the replies: not those of greedy decoding, and not scores.

    Of an inferencer that is not chef's it is not known what it does with the seed.
    """
    spec = recipe.inferencer
    if not spec.kind.__module__.startswith("chef."):
        return True
    return any(value for key, value in spec.options.items() if key.endswith("temperature"))


def _stems(files: Mapping[str, What]) -> dict[str, str]:
    """What each recipe is called in the names of its runs: its file, with its folder if needed."""
    paths = {label: Path(what.name or str(what.source)) for label, what in files.items()}
    stems = [path.stem for path in paths.values()]
    return {
        label: path.stem if stems.count(path.stem) == 1 else f"{path.parent.name}_{path.stem}"
        for label, path in paths.items()
    }


def _refuse_varied(overrides: Sequence[str], factors: Sequence[Factor]) -> None:
    """ConfigError for overrides of keys that the sweep varies: they would have no effect."""
    for factor in factors:
        keys = {item.partition("=")[0] for one in factor.values for item in one.overrides}
        for given in overrides:
            key = given.partition("=")[0]
            if any(key == own or key.startswith(f"{own}.") for own in keys):
                raise ConfigError(
                    f"the sweep varies this key ({factor.name})",
                    where=f"override '{key}=...'",
                    hint=f"leave it out, or change {factor.name} in the sweep",
                )
