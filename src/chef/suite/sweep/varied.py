"""Recipes and models with the values of a combination in them, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.common.digest import digest
from chef.config import ModelSpec, Recipe, load_model
from chef.config.document import Document, read_document
from chef.config.instruction import EXAMPLES_AT, pool_of
from chef.config.lookup import What, beside, find_what
from chef.config.recipe import check_recipe
from chef.config.shipped import Kind
from chef.errors import ConfigError, similar
from chef.suite.sweep.file import KEYS, MODEL_KEYS, Factor, FactorValue, override, value_of

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


def varied_model(
    source: str | Mapping[str, Any] | ModelSpec,
    given: Sequence[str],
    values: Mapping[str, FactorValue],
) -> ModelSpec:
    """The model of a combination; with keys of its own it has the values of their factors, by
    name, in its name.
    """
    own = _own([*values.values()], of_model=True)
    overrides = [*given, *own]
    content: str | Mapping[str, Any] = (
        source.document.values if isinstance(source, ModelSpec) else source
    )
    path = str(source.document.path) if isinstance(source, ModelSpec) else None
    with _placed(own):
        spec = load_model(content, overrides, name=path)
        if not own:
            return spec
        labels = {name: value.label for name, value in values.items()}
        name = title(spec.model.build().name, labels)
        return load_model(content, [*overrides, override("name", name)], name=path)


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
    try:
        return find_what(beside(value.file, folder), _RECIPES)
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
