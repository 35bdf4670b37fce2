"""Which overrides are for which model, recipe and judge: ``key=value`` and ``NAME:key=value``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from chef.errors import ConfigError, nearest

_PREFIX = "judge_cfg."
_OF_A_RECIPE = "eval_cfg.judge_cfg."
#: How an override of judges begins.
OF_JUDGES = (_PREFIX, _OF_A_RECIPE)


def for_judge(overrides: Sequence[str], *, has_files: bool) -> tuple[list[str], list[str]]:
    """The overrides of recipes and models, and those of the judges without their prefix.

    Where no files of judges are given, keys of judges are keys of the recipes.

    >>> for_judge(["size=9", "judge_cfg.kind=grade"], has_files=True)
    (['size=9'], ['kind=grade'])
    >>> for_judge(["judge_cfg.kind=grade"], has_files=False)
    (['eval_cfg.judge_cfg.kind=grade'], [])
    """
    given = [item for item in overrides if item.startswith(OF_JUDGES)]
    others = [item for item in overrides if item not in given]
    keys = [item.removeprefix(_OF_A_RECIPE).removeprefix(_PREFIX) for item in given]
    if has_files:
        return others, keys
    return [*others, *(f"{_OF_A_RECIPE}{key}" for key in keys)], []


_MODEL, _RECIPE = "model_cfg.", "recipe_cfg."
#: The first part of the keys that only recipes have.
_OF_RECIPES = ("scenario_cfg", "eval_cfg", "recipe_cfg", "judge_cfg", "compat")


def share_out(
    overrides: Sequence[str],
    models: Sequence[str],
    recipes: Sequence[str],
    options: Sequence[str] = (),
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The overrides of each model and of each recipe.

    ``key=value`` is for all recipes, ``model_cfg.key=value`` for all models, and
    ``NAME:key=value`` for the one of that name. The latter come last, so they win.

    Args:
        overrides: as given.
        models: the models, as given.
        recipes: the recipes, as given.
        options: overrides of all models that stand before those of a single one only.

    Returns:
        Overrides without the name, by model and by recipe.

    Raises:
        ConfigError: a name is none of the given ones or means several of them, or a key of a model
            is given to a recipe, or the other way round.

    >>> share_out(["size=9", "model_cfg.dtype=float32", "ppl:size=5"], ["tiny"], ["S/ppl", "S/cot"])
    ({'tiny': ['dtype=float32']}, {'S/ppl': ['size=9', 'size=5'], 'S/cot': ['size=9']})
    """
    plain = [item for item in overrides if _target(item, (*models, *recipes)) is None]
    for_models = [item.removeprefix(_MODEL) for item in plain if item.startswith(_MODEL)]
    for_recipes = [item.removeprefix(_RECIPE) for item in plain if not item.startswith(_MODEL)]
    of_models = {name: [*for_models, *options] for name in models}
    of_recipes = {name: list(for_recipes) for name in recipes}
    for item in overrides:
        if (target := _target(item, (*models, *recipes))) is not None:
            _add(item, target, of_models, of_recipes)
    return of_models, of_recipes


def _target(item: str, given: Sequence[str]) -> str | None:
    """The name before the key of an override; None where it is for all."""
    begins = [name for name in given if item.startswith(f"{name}:")]
    if begins:
        return max(begins, key=len)
    head = item.partition("=")[0]
    return head.rpartition(":")[0] if ":" in head else None


def _add(
    item: str,
    target: str,
    of_models: Mapping[str, list[str]],
    of_recipes: Mapping[str, list[str]],
) -> None:
    """Add an override to the model or the recipe that it names."""
    override = item[len(target) + 1 :]
    key = override.partition("=")[0]
    where = f"override '{target}:{key}=...'"
    models, recipes = list(_named(target, of_models)), list(_named(target, of_recipes))
    if not models and not recipes:
        raise ConfigError(
            f"'{target}' is none of the given recipes and models",
            where=where,
            hint=nearest(target, _names([*of_models, *of_recipes])),
        )
    is_of_model, is_of_recipe = key.startswith(_MODEL), key.split(".")[0] in _OF_RECIPES
    if models and recipes and (is_of_model or is_of_recipe):
        models, recipes = (models, []) if is_of_model else ([], recipes)
    if len(models) + len(recipes) > 1:
        raise ConfigError(
            f"'{target}' may be {' or '.join([*models, *recipes])}",
            where=where,
            hint="write one of them as it was given",
        )
    if models and is_of_recipe:
        hint = f"name a recipe before it, or write {key}=... for all recipes"
        raise ConfigError(
            f"'{target}' is a model, and this is a key of recipes", where=where, hint=hint
        )
    if recipes and is_of_model:
        hint = f"name a model before it, or write {key}=... for all models"
        raise ConfigError(
            f"'{target}' is a recipe, and this is a key of models", where=where, hint=hint
        )
    for name in models:
        of_models[name].append(override.removeprefix(_MODEL))
    for name in recipes:
        of_recipes[name].append(override.removeprefix(_RECIPE))


def _named(target: str, given: Mapping[str, object]) -> Iterator[str]:
    """What a name means: what was given like that, else what ends with it."""
    if target in given:
        yield target
        return
    parts = _parts(target)
    yield from (name for name in given if _parts(name)[-len(parts) :] == parts)


def _parts(name: str) -> tuple[str, ...]:
    """``("Shapes", "ppl")`` of ``Shapes/ppl`` and of ``Shapes/ppl.yaml``."""
    path = PurePath(name.removeprefix("hf:"))
    return (path.with_suffix("") if path.suffix in (".yaml", ".yml") else path).parts


def _names(given: Sequence[str]) -> list[str]:
    return [*given, *(_parts(name)[-1] for name in given if _parts(name))]
