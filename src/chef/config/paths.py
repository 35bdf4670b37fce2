"""Paths in ``scenario_cfg``: relative to the recipe, or else to the current folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.config.document import Document
from chef.config.spec import Spec
from chef.scenario import Scenario

AT = "scenario_cfg"


def with_paths(scenario: Spec[Scenario], document: Document) -> Spec[Scenario]:
    """The scenario with the paths at which something is.

    A relative path is looked for next to the recipe and then in the current folder; one that is
    given on the command line, the other way round. A path that leads nowhere stays as it is.
    """
    found: dict[str, Any] = {}
    for key, written in _given(scenario, document).items():
        beside = document.path.parent / written
        here_first = document.where(AT, key).startswith("override ")
        if beside.exists() and not (here_first and Path(written).exists()):
            found[key] = str(beside)
    return replace(scenario, options={**scenario.options, **found}) if found else scenario


def paths_as_written(scenario: Spec[Scenario], document: Document) -> dict[str, str]:
    """The relative paths of the recipe: config.yaml has these, because folders change no answer."""
    return _given(scenario, document)


def folders_looked_in(scenario: Spec[Scenario], document: Document) -> str | None:
    """A sentence on where relative paths were looked for that lead nowhere; None without any."""
    lost = [
        written
        for key, written in _given(scenario, document).items()
        if not Path(str(scenario.options[key])).exists()
    ]
    if not lost:
        return None
    folders = dict.fromkeys((document.path.parent.resolve(), Path.cwd()))
    return f"'{lost[0]}' was looked for in {' and '.join(map(str, folders))}"


def _given(scenario: Spec[Scenario], document: Document) -> dict[str, str]:
    section = document.values.get(AT)
    values = {key: section.get(key) for key in scenario.kind.paths} if section else {}
    return {
        key: value
        for key, value in values.items()
        if isinstance(value, str) and value and key in scenario.options and _is_relative(value)
    }


def _is_relative(path: str) -> bool:
    return not Path(path).is_absolute() and not path.startswith("~") and "://" not in path
