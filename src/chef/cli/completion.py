"""Completion of commands, options and names in the shell, by the package argcomplete.

``pip install 'chef-eval[completion]'``, then in bash or zsh
``eval "$(register-python-argcomplete chef)"``, in fish
``register-python-argcomplete --shell fish chef | source``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from chef.cli.arguments import build_parser
from chef.cli.listing import KINDS, registries
from chef.cli.looking import KINDS as FORMATS
from chef.config.shipped import shipped_names


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
    """What ``chef list`` describes."""
    ingredients = [name for registry in registries().values() for name in registry.all_names()]
    return [
        *ingredients, *recipe_names(prefix), *shipped_names("models"), *shipped_names("tasks"),
    ]  # fmt: skip


def metric_names(prefix: str) -> list[str]:
    """Names of metrics."""
    del prefix
    return list(registries()["metrics"])


def asked_names(prefix: str) -> list[str]:
    """What the words of ``chef eval`` may be: models, recipes, tasks, sweeps."""
    sweeps = [f"sweeps/{name}" for name in shipped_names("sweeps")]
    tasks = shipped_names("tasks")
    if "/" not in prefix:
        tasks = list(dict.fromkeys(f"{name.partition('/')[0]}/" for name in tasks))
    return [*model_names(prefix), *recipe_names(prefix), *tasks, *sweeps]


def dataset_names(prefix: str) -> list[str]:
    """Data sets of MMTrustEval."""
    from chef.scenario.mmtrusteval.table import datasets

    del prefix
    return ["all", *datasets()]


def tested_names(prefix: str) -> list[str]:
    """Model files, and MMTrustEval's ids."""
    from chef.config.tasks import model_ids

    return [*model_names(prefix), *model_ids()]


def source_names(prefix: str) -> list[str]:
    """Scenarios whose data can be downloaded."""
    from chef.preparing.sources import benchmark_sources, read_sources

    del prefix
    return [*read_sources(), *benchmark_sources()]


#: Command and argument -> its names, and whether it takes files too.
_COMPLETERS: dict[tuple[str, str], tuple[Callable[[str], Iterable[str]], bool]] = {
    ("eval", "words"): (asked_names, True),
    ("eval", "model_cfg"): (tested_names, True),
    ("eval", "recipe_cfg"): (asked_names, True),
    ("eval", "judge_cfg"): (model_names, True),
    ("eval", "datasets"): (dataset_names, False),
    ("show", "runs"): (lambda _: (), True),
    ("show", "export"): (lambda _: FORMATS, False),
    ("score", "answers"): (lambda _: (), True),
    ("score", "recipe_cfg"): (recipe_names, True),
    ("score", "metric"): (metric_names, False),
    ("score", "judge_cfg"): (model_names, True),
    ("list", "words"): (lambda prefix: [*KINDS, *all_names(prefix)], True),
    ("prepare", "scenario"): (source_names, False),
}
