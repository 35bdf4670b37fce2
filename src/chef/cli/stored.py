"""Runs in an object store on the command line: asked, shown, scored and compared."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from chef.cli.failures import DONE, SOME_FAILED, check_by, print_groups
from chef.cli.options import EvalOptions, is_override
from chef.cli.terminal import is_alone, put_json, tell_written, terminal_width
from chef.common.printing import say
from chef.document.outline import as_text
from chef.errors import ConfigError
from chef.scoring.figures import FigureLine, run_table
from chef.scoring.override import changed_options
from chef.scoring.result import RunResult
from chef.session.session import Session
from chef.session.stored import stored_runs
from chef.shards.looking import compared, result_at, scored
from chef.shards.store import is_url

#: The options of other commands that a run in an object store has no answer to.
_NOT_HERE: Mapping[str, Sequence[str]] = {
    "score": ("judge_cfg", "label", "labels", "draw", "suite", "recipe_cfg", "json", "csv"),
    "compare": ("metric", "recipe_cfg", "by", "flips", "fail_if_worse", "not_worse_than"),
    "show": ("sample", "verdicts", "page", "serve", "export", "figures", "to", "save_ids", "json"),
}


def ask(session: Session, options: EvalOptions) -> int:
    """Ask every recipe of every model into the store, and return the exit code."""
    assert options.store is not None
    lines: list[tuple[RunResult, str]] = []
    try:
        lines.extend(stored_runs(session, options.store, options.shard_size))
    finally:
        _print(lines, options.by)
    failed = session.failures or any(result.coverage.errors for result, _ in lines)
    return SOME_FAILED if failed else DONE


def _print(lines: Sequence[tuple[RunResult, str]], by: Sequence[str]) -> None:
    """Print the table of results, with the address of each run."""
    columns = terminal_width()
    for model in dict.fromkeys(result.model for result, _ in lines):
        figures = [
            FigureLine(result, result.label, result.chance, f"Run: {url}")
            for result, url in lines
            if result.model == model
        ]
        say(f"\n{as_text([run_table(f'model: {model}', figures)], columns)}")
    reports = [result for result, _ in lines]
    print_groups(reports, by, columns)
    sys.stdout.flush()
    if reports:
        check_by(by, {result.label: result.by for result in reports})


def names_of(words: argparse.Namespace) -> list[str]:
    """The words of a command that name runs or set keys."""
    return [*(getattr(words, "answers", None) or getattr(words, "runs", None) or ())]


def look(words: argparse.Namespace) -> int:
    """Run ``score``, ``compare`` or ``show`` of addresses, and return the exit code."""
    names = names_of(words)
    urls = [name for name in names if is_url(name)]
    for option in _NOT_HERE[words.command]:
        if getattr(words, option):
            raise ConfigError(
                f"--{option.replace('_', '-')} needs a run in a folder",
                where=urls[0],
                hint="leave it out",
            )
    keys = [name for name in names if not is_url(name)]
    if wrong := [key for key in keys if words.command != "score" or not is_override(key)]:
        raise ConfigError(
            "runs in object stores stand by themselves",
            where=wrong[0],
            hint="leave out what is no address",
        )
    if words.command == "compare":
        return _compare(words, urls)
    if words.command == "score":
        options = changed_options(keys)
        lines = [
            (scored(url, words.metric, options, whole=words.whole, trust=words.trust), url)
            for url in urls
        ]
    else:
        lines = [(result_at(url), url) for url in urls]
    _print(lines, words.by)
    return SOME_FAILED if any(result.coverage.errors for result, _ in lines) else DONE


def _compare(words: argparse.Namespace, urls: Sequence[str]) -> int:
    if len(urls) != 2:
        raise ConfigError(
            f"{len(urls)} runs in object stores are given",
            where=urls[0],
            hint="two can be compared: chef compare URL URL",
        )
    found = compared(*urls, allow=tuple(words.allow))
    if not is_alone(words.json):
        say(as_text([found.table()], terminal_width()))
    put_json(words.json, found.to_json())
    tell_written(words.json)
    return DONE
