"""Completion of commands, options and names in the shell, by the package argcomplete.

``pip install 'chef-eval[completion]'``, then in bash or zsh
``eval "$(register-python-argcomplete chef)"``, in fish
``register-python-argcomplete --shell fish chef | source``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from chef.cli.arguments import build_parser
from chef.cli.listing import KINDS, all_names, registries
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
    names: Callable[[], Iterable[str]], files: Callable[..., Iterable[str]] | None
) -> Callable[..., list[str]]:
    """Names that begin with what is typed, and paths where they are taken.

    Of names in folders the folders are offered, and what is in one once it is typed.
    """

    def completed(prefix: str, **given: Any) -> list[str]:
        every = names()
        if "/" not in prefix:
            every = dict.fromkeys(f"{name.partition('/')[0]}/" if "/" in name else name
                                  for name in every)  # fmt: skip
        paths = files(prefix, **given) if files else ()
        return [*(item for item in every if item.startswith(prefix)), *paths]

    return completed


def model_names() -> list[str]:
    """Names of model files, and the beginning of a name on the hub."""
    return [*shipped_names("models"), "hf:"]


def asked_names() -> list[str]:
    """What the words of ``chef eval`` may be: models, recipes, tasks, sweeps."""
    sweeps = [f"sweeps/{name}" for name in shipped_names("sweeps")]
    return [*model_names(), *shipped_names("recipes"), *shipped_names("tasks"), *sweeps]


def dataset_names() -> list[str]:
    """Data sets of MMTrustEval."""
    from chef.scenario.mmtrusteval.table import datasets

    return ["all", *datasets()]


def tested_names() -> list[str]:
    """Model files, and MMTrustEval's ids."""
    from chef.config.tasks import model_ids

    return [*model_names(), *model_ids()]


def source_names() -> list[str]:
    """Scenarios whose data can be downloaded."""
    from chef.preparing.sources import benchmark_sources, read_sources

    return [*read_sources(), *benchmark_sources()]


#: Command and argument -> its names, and whether it takes files too.
_COMPLETERS: dict[tuple[str, str], tuple[Callable[[], Iterable[str]], bool]] = {
    ("eval", "words"): (asked_names, True),
    ("eval", "model_cfg"): (tested_names, True),
    ("eval", "recipe_cfg"): (asked_names, True),
    ("eval", "judge_cfg"): (model_names, True),
    ("eval", "datasets"): (dataset_names, False),
    ("show", "runs"): (tuple, True),
    ("show", "export"): (lambda: FORMATS, False),
    ("score", "answers"): (tuple, True),
    ("score", "recipe_cfg"): (lambda: shipped_names("recipes"), True),
    ("score", "metric"): (lambda: registries()["metrics"], False),
    ("score", "judge_cfg"): (model_names, True),
    ("list", "words"): (lambda: [*KINDS, *all_names()], True),
    ("prepare", "scenario"): (source_names, False),
}
