"""Which options each form of a command takes; ``how.py`` and ``asking.py`` declare eval's."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from chef.errors import ConfigError


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
