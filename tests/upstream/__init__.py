"""The recipes that ChEF ships, of both generations, with their keys as they are written there.

What is not known of them is left out: keys without a value, and three recipes of the first
generation whose values nobody kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import yaml

__all__ = ["first_generation", "second_generation"]

Recipe: TypeAlias = dict[str, Any]


def first_generation() -> dict[str, Recipe]:
    """The recipes behind the published figures, by their names."""
    return _table("first")


def second_generation() -> dict[str, Recipe]:
    """The recipes of later versions, by their names."""
    return _table("second")


def _table(generation: str) -> dict[str, Recipe]:
    text = Path(__file__).with_name(f"{generation}.yaml").read_text()
    table = yaml.load(text, Loader=yaml.CSafeLoader)
    return {name: _recipe(**sections) for name, sections in table.items()}


def _recipe(**sections: dict[str, Any]) -> Recipe:
    scenario = sections.pop("scenario")
    return {"scenario_cfg": scenario, "eval_cfg": {f"{k}_cfg": v for k, v in sections.items()}}
