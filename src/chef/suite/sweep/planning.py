"""A sweep that is checked: its runs, and their recipes and models with its values in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.digest import digest
from chef.config import ModelSpec, Recipe, load_model
from chef.config.document import Document, read_document
from chef.config.instruction import EXAMPLES_AT, pool_of
from chef.config.lookup import What, find_what
from chef.config.recipe import check_recipe
from chef.config.shipped import Kind
from chef.errors import ConfigError, similar
from chef.frozen import Frozen
from chef.session.checking import RecipeFailure
from chef.session.session import Built, Session
from chef.session.settings import Settings
from chef.suite.sweep.design import combinations
from chef.suite.sweep.file import (
    KEYS,
    MODEL,
    MODEL_KEYS,
    RECIPE,
    Factor,
    FactorValue,
    SweepFile,
    override,
    value_of,
)

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
    has a run already gives its name. ``cells`` can be asked, ``failures`` cannot.
    """

    def __init__(
        self, file: SweepFile, overrides: Sequence[str] = (), earlier: Sequence[str] = ()
    ) -> None:
        self._of_models = [
            item.removeprefix(MODEL_KEYS) for item in overrides if item.startswith(MODEL_KEYS)
        ]
        self._of_recipes = [item for item in overrides if not item.startswith(MODEL_KEYS)]
        recipes = file.factor(RECIPE)
        self._files = {value.label: recipe_of(value, file.folder) for value in recipes.values}
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
            beside = self.file.folder / model.file
            path = str(beside) if beside.is_file() else model.file
            spec: ModelSpec = varied_model(path, self._of_models, own)
            built = spec.model.build()
            if (other := self.models.get(built.name)) and _model_of(other[0]) != _model_of(spec):
                raise ConfigError(
                    f"another model of the sweep is called '{built.name}' too",
                    where=model.place or model.file,
                    hint="give one of the files another name: results are kept by that name",
                )
            self.models.setdefault(built.name, (spec, built))
            self._models[key] = built.name
        return self._models[key]

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


#: What a sweep varies: anything that can be asked as one recipe, but tasks, whose keys are others.
_RECIPES: tuple[Kind, ...] = ("recipes", "benchmarks", "tables")
_SEED_OF_EXAMPLES = "random_seed"
#: How examples are chosen where neither the sweep nor the recipe says it.
_AT_RANDOM = override(KEYS["retriever"], "random")
#: A longer name of a run is cut: names of folders have at most 255 bytes.
_LONGEST = 150
#: More entries than this has no pool.
_MOST_ENTRIES = 1000


def varied_recipe(what: What, given: Sequence[str], values: Sequence[FactorValue]) -> Recipe:
    """The recipe of a combination; ConfigError names a wrong value by its line in the sweep."""
    seed = next((value for value in values if value.seed is not None), None)
    recipe = _loaded(what, given, values)
    if seed is None:
        return recipe
    examples = recipe.incontext
    if examples is not None and _SEED_OF_EXAMPLES in examples.retriever.options:
        key = ".".join((*EXAMPLES_AT, _SEED_OF_EXAMPLES))
        drawn = replace(seed, overrides=(override(key, seed.seed),))
        recipe = _loaded(what, given, [*values, drawn])
    return replace(recipe, seed=seed.seed)


def _loaded(what: What, given: Sequence[str], values: Sequence[FactorValue]) -> Recipe:
    own = _own(values, of_model=False)
    overrides = [*what.overrides, *given, *own]
    with _placed(own) as places:
        document = read_document(what.source, overrides, name=what.name)
        if any(item.startswith(f"{KEYS['examples']}=") for item in own):
            section = document.values["eval_cfg"]["instruction_cfg"]["incontext_cfg"]
            if "retriever_type" not in section:  # a number of examples alone
                document = read_document(what.source, [*overrides, _AT_RANDOM], name=what.name)
    moved = {key: places.get(place, place) for key, place in document.places.items()}
    return check_recipe(replace(document, places=moved))


def varied_model(path: str, given: Sequence[str], values: Mapping[str, FactorValue]) -> ModelSpec:
    """The model of a combination; with keys of its own it has the values of their factors, by
    name, in its name.
    """
    own = _own([*values.values()], of_model=True)
    overrides = [*given, *own]
    with _placed(own):
        spec = load_model(path, overrides)
        if not own:
            return spec
        labels = {name: value.label for name, value in values.items()}
        name = title(spec.model.build().name, labels)
        return load_model(path, [*overrides, override("name", name)])


def _own(values: Sequence[FactorValue], *, of_model: bool) -> dict[str, FactorValue]:
    """The overrides of the recipe, or those of the model, each with its value."""
    return {
        item.removeprefix(MODEL_KEYS): value
        for value in values
        for item in value.overrides
        if item.startswith(MODEL_KEYS) is of_model
    }


@contextmanager
def _placed(own: Mapping[str, FactorValue]) -> Iterator[dict[str, str]]:
    """The lines of overrides in the sweep; errors within tell them in place of the override."""
    places = {f"override '{item.partition('=')[0]}=...'": value.line for item, value in own.items()}
    try:
        yield places
    except ConfigError as error:
        where = error.where or ""
        for before, after in places.items():
            where = where.replace(before, after)
        raise ConfigError(error.what, where=where, hint=error.hint) from None


def recipe_of(value: FactorValue, folder: Path) -> What:
    """A recipe, a benchmark or a table: beside the sweep, or as everywhere; ConfigError if there is
    none.
    """
    beside = folder / value.file
    try:
        is_beside = beside.is_file() or beside.is_dir()
        return find_what(beside if is_beside else value.file, _RECIPES)
    except ConfigError as error:
        near = similar(value.file, (file.name for file in folder.glob("*.yaml")))
        hint = f"did you mean '{near}'?" if near else error.hint
        where = f"{value.place}: {value.file}" if value.place else value.file
        raise ConfigError(error.what, where=where, hint=hint) from None


def from_pool(factor: Factor, recipes: Mapping[str, Recipe], document: Document) -> Factor:
    """A factor ``wording`` or ``template`` with all entries of the recipes' pool as values.

    ConfigError if a recipe takes none from the pool, or pools have different numbers.
    """
    sizes = {name: _entries(factor, recipe) for name, recipe in recipes.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} has {count}" for name, count in sizes.items())
        raise ConfigError(
            f"the recipes have different numbers of entries: {told}",
            where=factor.place,
            hint=f"name them: {factor.name}: [0, 1]",
        )
    places = range(next(iter(sizes.values())))
    where = document.where("vary", factor.name)
    values = tuple(value_of(factor.name, KEYS[factor.name], place, where) for place in places)
    return replace(factor, values=values, wants_all=False)


def _entries(factor: Factor, recipe: Recipe) -> int:
    """How many entries the recipe can choose from: as many as it can be put together with."""
    key, spec = KEYS[factor.name].rpartition(".")[2], recipe.instruction
    own = {"wording": "defined_prompt", "template": "defined_template"}[factor.name]
    if spec.options.get(own) is not None:
        raise ConfigError(
            f"{recipe.document.path} has its own ({own}), and takes none from the pool",
            where=factor.place,
            hint=f"vary eval_cfg.instruction_cfg.{own}",
        )
    wording = pool_of(recipe.scenario.build())
    for place in range(_MOST_ENTRIES):
        try:
            replace(spec, options={**spec.options, key: place}).build(wording)
        except ConfigError as error:
            if place and key in (error.where or ""):
                return place
            raise
    return _MOST_ENTRIES


def title(stem: str, values: Mapping[str, str]) -> str:
    """The name of a run: that of its recipe, and its values in the order of the factors' names.

    >>> title("ppl", {"wording": "3", "examples": "2"})
    'ppl+examples.2+wording.3'
    """
    parts = [f"{safe(name)}.{safe(label)}" for name, label in sorted(values.items())]
    whole = "+".join((stem, *parts))
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}-{digest(dict(values))[:8]}"


def safe(label: str) -> str:
    """A label as part of the name of a folder; different ones stay different.

    >>> safe("Shapes/ppl"), safe("a b") == safe("a_b")
    ('Shapes_ppl-8243', False)
    """
    kept = re.sub(r"[^\w.-]", "_", label)
    return kept if kept == label else f"{kept}-{digest(label)[:4]}"
