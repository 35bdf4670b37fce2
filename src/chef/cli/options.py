"""The options of commands: how one is declared, which several share, and which form takes which."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from chef.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command, or the words that it takes without one.

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


def add_options(group: argparse._ActionsContainer, *options: Option) -> None:
    """Let a parser, or a group of its options, have these."""
    for option in options:
        option.add_to(group)


def by(
    what: str = "print the scores by category, l2-category, split or another field, too",
) -> Option:
    """``--by``, which is for ``what``."""
    return Option("--by", what, "FIELD", several=True)


def json(what: str) -> Option:
    """``--json [FILE]``, which gets ``what``."""
    return Option(
        "--json", f"write {what} as JSON; without FILE (or with -) to standard output, and no "
        "table", "FILE", how={"nargs": "?", "const": "-"},
    )  # fmt: skip


OPEN = Option("--open", "open the page in the browser (after a run: write it, too)")
TRACEBACK = Option("--traceback", "print the whole traceback of an error")
METRIC = Option("--metric", "score with this metric instead of the one in the recipe", "NAME")
#: It was called ``--trust-plugins``.
TRUST = Option(
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
_REMEDIES = {"a sweep": "leave it out, or write it in the file of the sweep"}
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
            remedy, of = _REMEDIES.get(form, "leave it out"), ", ".join(owners)
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
