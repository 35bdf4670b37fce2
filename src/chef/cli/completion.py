"""Completion of commands, options and names in the shell, by the package argcomplete.

``pip install 'chef-eval[completion]'``, then in bash or zsh
``eval "$(register-python-argcomplete chef)"``, in fish
``register-python-argcomplete --shell fish chef | source``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from chef.cli.arguments import build_parser
from chef.cli.export import KINDS as FORMATS
from chef.cli.listing import KINDS, registries
from chef.config.lookup import shipped_names


def complete() -> None:
    """Answer the shell and exit, if it asks for completions and argcomplete is installed."""
    try:
        import argcomplete
        from argcomplete.completers import FilesCompleter
    except ImportError:
        return
    parser, commands = build_parser()
    files = FilesCompleter()
    for (command, dest), (names, takes_files) in _COMPLETERS.items():
        for action in commands[command]._actions:  # noqa: SLF001 (argparse shows them nowhere else)
            if action.dest == dest:
                both = _completer(names, files if takes_files else None)
                action.completer = both  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser, always_complete_options=False)


def _completer(
    names: Callable[[str], Iterable[str]], files: Callable[..., Iterable[str]] | None
) -> Callable[..., list[str]]:
    """Names that begin with what is typed, and paths where they are taken."""

    def completed(prefix: str, **given: Any) -> list[str]:
        paths = files(prefix, **given) if files else ()
        return [*(item for item in names(prefix) if item.startswith(prefix)), *paths]

    return completed


def model_names(prefix: str) -> list[str]:
    """Names of model files, and the beginning of a name on the hub."""
    del prefix
    return [*shipped_names("models"), "hf:"]


def recipe_names(prefix: str) -> list[str]:
    """Folders of recipes; the recipes themselves once a folder is written."""
    names = shipped_names("recipes")
    if "/" in prefix:
        return names
    return list(dict.fromkeys(f"{name.partition('/')[0]}/" for name in names))


def all_names(prefix: str) -> list[str]:
    """What ``chef describe`` takes."""
    ingredients = [name for registry in registries().values() for name in registry.all_names()]
    return [
        *ingredients, *recipe_names(prefix), *shipped_names("models"), *shipped_names("tasks"),
    ]  # fmt: skip


def metric_names(prefix: str) -> list[str]:
    """Names of metrics."""
    del prefix
    return list(registries()["metrics"])


def task_names(prefix: str) -> list[str]:
    """Names of tasks."""
    del prefix
    return shipped_names("tasks")


def dataset_names(prefix: str) -> list[str]:
    """Data sets of MMTrustEval."""
    from chef.scenario.mmtrusteval.table import datasets

    del prefix
    return ["all", *datasets()]


def tested_names(prefix: str) -> list[str]:
    """Model files, and MMTrustEval's ids."""
    from chef.config.tasks.models import model_ids

    return [*model_names(prefix), *model_ids()]


def source_names(prefix: str) -> list[str]:
    """Scenarios whose data can be downloaded."""
    from chef.preparing.sources import benchmark_sources, read_sources

    del prefix
    return [*read_sources(), *benchmark_sources()]


#: Command and argument -> its names, and whether it takes files too.
_COMPLETERS: dict[tuple[str, str], tuple[Callable[[str], Iterable[str]], bool]] = {
    ("eval", "words"): (lambda prefix: [*model_names(prefix), *recipe_names(prefix)], True),
    ("eval", "model_cfg"): (model_names, True),
    ("eval", "recipe_cfg"): (recipe_names, True),
    ("eval", "judge_cfg"): (model_names, True),
    ("task", "configs"): (task_names, True),
    ("task", "config"): (task_names, True),
    ("task", "dataset_id"): (dataset_names, False),
    ("task", "model_cfg"): (tested_names, True),
    ("task", "judge_cfg"): (model_names, True),
    ("trust", "folders"): (lambda _: (), True),
    ("sweep", "given"): (lambda _: shipped_names("sweeps"), True),
    ("sweep", "model_cfg"): (model_names, True),
    ("judge", "runs"): (lambda _: (), True),
    ("judge", "metric"): (metric_names, False),
    ("judge", "recipe_cfg"): (recipe_names, True),
    ("judge", "judge_cfg"): (model_names, True),
    ("runs", "folder"): (lambda _: (), True),
    ("show", "run"): (lambda _: (), True),
    ("score", "answers"): (lambda _: (), True),
    ("score", "recipe_cfg"): (recipe_names, True),
    ("score", "metric"): (metric_names, False),
    ("export", "runs"): (lambda _: (), True),
    ("export", "format"): (lambda _: FORMATS, False),
    ("list", "words"): (lambda _: KINDS, False),
    ("describe", "name"): (all_names, False),
    ("prepare", "scenario"): (source_names, False),
}
