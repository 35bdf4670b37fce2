"""The options of commands, how each is declared, and what each of a command's overrides is for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, ClassVar

from chef.errors import ConfigError, nearest


@dataclass(frozen=True, slots=True)
class Input:
    """What a command takes: an option, or words without one.

    Attributes:
        names: its spellings; of words the attribute that has them.
        help: what it does.
        value: what the help calls its value; empty: it has none, and is True where it is written.
        kind: reads the value.
        default: the value where it is not written.
        several: it takes one value or more, and may be written more than once.
        how: further arguments of argparse's ``add_argument``.
    """

    names: str
    help: str
    value: str = ""
    kind: Callable[[str], Any] = str
    default: Any = None
    several: bool = False
    how: Mapping[str, Any] = field(default_factory=dict)

    def add_to(self, group: argparse._ActionsContainer) -> None:
        """Let a parser, or a group of its options, have it."""
        how: dict[str, Any] = {"help": self.help}
        if self.several:
            how |= {"nargs": "+", "action": "extend", "default": []}
        elif self.default is not None:
            how["default"] = self.default
        if not self.value and "action" not in self.how:
            how["action"] = "store_true"
        elif self.value:
            how["metavar"] = self.value
        if self.kind is not str:
            how["type"] = self.kind
        group.add_argument(*self.names.split(), **{**how, **self.how})


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    Attributes:
        about: what it does.
        examples: what stands under its help.
        options: by the titles of their groups, empty for none; those of a tuple exclude each other.
        usage: how it is called, where its options do not tell.
        usual: the attributes of those that ``--help`` shows; none: all.
    """

    about: str
    examples: str
    options: Mapping[str, Sequence[Input | tuple[Input, ...]]]
    usage: str | None = None
    usual: Sequence[str] = ()

    def add_to(self, commands: argparse._SubParsersAction[Any], name: str, line: str) -> None:
        """Let a parser have it, with a line in the list of commands."""
        command = commands.add_parser(
            name, usage=self.usage, help=line, description=self.about, epilog=self.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        if self.usual:
            command.show_only(self.usual)
        for title, options in self.options.items():
            group = command.add_argument_group(title) if title else command
            for option in options:
                several = option if isinstance(option, tuple) else (option,)
                alone = isinstance(option, tuple)
                place = group.add_mutually_exclusive_group() if alone else group
                for one in several:
                    one.add_to(place)
        command.set_defaults(usual=command.get_default)


def by(
    what: str = "print the scores by category, l2-category, split or another field, too",
) -> Input:
    """``--by``, which is for ``what``."""
    return Input("--by", what, "FIELD", several=True)


def json(what: str) -> Input:
    """``--json [FILE]``, which gets ``what``."""
    return Input(
        "--json", f"write {what} as JSON; without FILE (or with -) to standard output, and no "
        "table", "FILE", how={"nargs": "?", "const": "-"},
    )  # fmt: skip


OPEN = Input("--open", "open the page in the browser (after a run: write it, too)")
TRACEBACK = Input("--traceback", "print the whole traceback of an error")
METRIC = Input("--metric", "score with this metric instead of the one in the recipe", "NAME")
#: It was called ``--trust-plugins``.
TRUST = Input(
    "--trust --trust-plugins", "use what the run folder of somebody else names: servers, variables "
    "with keys, models, data, services and Python files; your own runs on this machine need no "
    "option", how={"dest": "trust"},
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The options of ``chef eval``; ``--help-all`` explains each."""

    model_cfg: tuple[str, ...] = ()
    recipe_cfg: tuple[str, ...] = ()
    judge_cfg: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    data_root: str | None = None
    save_dir: Path = Path("results")
    store: str | None = None  # the address of --save-dir, where it is one of an object store
    shard_size: int = 10_000
    time: str | None = None
    fresh: bool = False
    reuse_answers: bool = False
    sample_len: int | None = None
    ids: tuple[str, ...] = ()
    batch_size: int | None = None
    device: str | None = None
    dtype: str | None = None
    workers: int | None = None
    ray_address: str | None = None
    response_cache: Path | None = None
    seed: int = 0
    verify: int = 0
    log_prompts: bool = False
    timeout: float | None = None
    precision: float | None = None
    plan: float | None = None
    items: int | None = None
    earlier: tuple[str, ...] = ()
    race: bool = False
    on: str = "questions"
    one_at_a_time: bool = False
    keep_loaded: bool = False
    dry_run: bool = False
    list: bool = False
    traceback: bool = False
    by: tuple[str, ...] = ()
    keep_going: bool = False
    overrides: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    page: bool = False
    open: bool = False
    json: str | None = None
    csv: Path | None = None
    chef_results: bool = False

    #: As of the parsed options of other commands.
    command: ClassVar[str] = "eval"

    def usual(self, name: str) -> Any:
        """The value of an option that is not written."""
        return getattr(EvalOptions(), name)

    @property
    def of_models(self) -> tuple[str, ...]:
        """``--device`` and ``--dtype`` as overrides of all models."""
        given = {"device": self.device, "dtype": self.dtype}
        return tuple(f"{key}={value}" for key, value in given.items() if value is not None)


#: What recipes, tasks and suites take.
_OF_RUNS = ("judge_cfg", "data_root", "time", "reuse_answers", "batch_size", "workers",
            "ray_address", "response_cache", "seed", "verify", "log_prompts", "timeout", "dry_run",
            "keep_going", "page", "open", "ids")  # fmt: skip
#: The options of each form of ``chef eval`` besides those of all.
FORMS: Mapping[str, Collection[str]] = {
    "a recipe": (*_OF_RUNS, "precision", "list", "by", "plan", "allow", "items", "earlier"),
    "a run in an object store": ("store", "shard_size", "data_root", "time", "batch_size",
                                 "workers", "ray_address", "response_cache", "seed", "timeout",
                                 "keep_going", "by", "allow", "ids", "dry_run", "log_prompts"),
    "a task": (*_OF_RUNS, "datasets", "precision", "by"),
    "a suite": (*_OF_RUNS, "allow", "json", "chef_results"),
    "a sweep": ("reuse_answers", "batch_size", "workers", "ray_address", "response_cache",
                "timeout", "keep_going", "dry_run", "page", "open", "json", "csv", "ids", "plan"),
    "a race": ("race", "on", "one_at_a_time", "keep_loaded", "seed", "time", "batch_size",
               "workers", "ray_address", "timeout", "json", "earlier"),
}  # fmt: skip
#: What is done about an option that a form does not have, where it is not left out.
_REMEDIES = {
    ("a sweep", "seed"): "write `seed` in the file of the sweep",
    ("a sweep", "time"): "write `name` in the file of the sweep",
    ("a sweep", "judge_cfg"): "write eval_cfg.judge_cfg in the recipe of the sweep",
    ("a sweep", "by"): "leave it out: `chef score RUN --by FIELD` tells the groups of a run",
    ("a suite", "by"): "leave it out: `chef score RUN --by FIELD` tells the groups of a run",
}
#: The options that are called otherwise than their fields.
_NAMES = {"time": "--run-name", "store": "--save-dir URL",
          "datasets": "--dataset-id", "judge_cfg": "--judge",
          "earlier": "--from", "verdicts": "--wrong and the like", "n": "-n"}  # fmt: skip


def check_form(
    given: argparse.Namespace | EvalOptions, form: str, forms: Mapping[str, Collection[str]] = FORMS
) -> None:
    """Refuse options that a form of a command (``a page``) does not have; what no form lists is of
    all.
    """
    for name in dict.fromkeys(name for takes in forms.values() for name in takes):
        if name not in forms[form] and getattr(given, name) != given.usual(name):
            owners = [other for other, takes in forms.items() if name in takes]
            remedy, of = _REMEDIES.get((form, name), "leave it out"), ", ".join(owners)
            whole = "--help-all" if given.command == "eval" else "--help"
            raise ConfigError(
                f"{form} takes no {_NAMES.get(name, '--' + name.replace('_', '-'))}",
                hint=f"{remedy}; it is of {of}: `chef {given.command} {whole}`",
            )


def is_override(text: str) -> bool:
    """Whether a word sets a key, ``key=value``; a path that is there never does."""
    try:
        return "=" in text and not Path(text).exists()
    except (OSError, ValueError):  # no file can have that name, as it is too long
        return True


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
