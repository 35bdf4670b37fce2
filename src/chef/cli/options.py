"""Which options each form of ``chef eval`` takes; ``how.py`` and ``asking.py`` declare them."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

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

    @property
    def of_models(self) -> tuple[str, ...]:
        """``--device`` and ``--dtype`` as overrides of all models."""
        given = {"device": self.device, "dtype": self.dtype}
        return tuple(f"{key}={value}" for key, value in given.items() if value is not None)


#: What every form of ``chef eval`` takes.
_ALL = ("model_cfg", "recipe_cfg", "overrides", "save_dir", "fresh", "sample_len", "device",
        "dtype", "traceback")  # fmt: skip
#: The options that are called otherwise than their fields.
_NAMES = {"time": "run-name", "datasets": "dataset-id", "judge_cfg": "judge",
          "earlier": "from"}  # fmt: skip
_NOTHING: Mapping[str, str] = {}


def check_fits(options: EvalOptions, form: str, takes: Collection[str], hint: str) -> None:
    """Refuse options that a form of ``chef eval`` does not have.

    Args:
        options: of the command.
        form: what is asked, with its article: ``a race``.
        takes: the options that it has besides those of every form.
        hint: what to do without them.

    Raises:
        ConfigError: another one was written.
    """
    usual = EvalOptions()
    for field in fields(EvalOptions):
        name = field.name
        if name not in (*_ALL, *takes) and getattr(options, name) != getattr(usual, name):
            option = _NAMES.get(name, name.replace("_", "-"))
            raise ConfigError(f"{form} takes no --{option}", hint=hint)


def check_form(
    given: argparse.Namespace,
    form: str,
    forms: Mapping[str, Collection[str]],
    spelled: Mapping[str, str] = _NOTHING,
) -> None:
    """Refuse options that a form of another command does not have.

    Args:
        given: the parsed options, with the default of each by ``usual``.
        form: what is wanted, with its article: ``a page``.
        forms: the options of each form; one that stands in none is of all.
        spelled: how options are written whose names do not tell it.

    Raises:
        ConfigError: one of them was written; the hint names the forms that have it.
    """
    for name in dict.fromkeys(name for takes in forms.values() for name in takes):
        if name not in forms[form] and getattr(given, name) != given.usual(name):
            owners = [other for other, takes in forms.items() if name in takes]
            raise ConfigError(
                f"{form} takes no {spelled.get(name, '--' + name.replace('_', '-'))}",
                hint=f"it is of {' and of '.join(owners)}: `chef {given.command} --help`",
            )


def is_override(text: str) -> bool:
    """Whether a word sets a key, ``key=value``; a path that is there never does."""
    try:
        return "=" in text and not Path(text).exists()
    except (OSError, ValueError):  # no file can have that name, as it is too long
        return True
