"""Which combinations the shipped recipes cover: a table of docs/reference, made anew."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from conftest import ROOT

from chef.config import load_recipe
from chef.config.recipe import Recipe
from chef.instruction import RETRIEVERS

RECIPES = ROOT / "configs" / "recipes"
COLUMNS = ("none", "random", "fixed", "topk_text", "topk_img")
SINGLE = ("Direct", "PPL", "Direct, CoT", "PPL, CoT")
#: Every row of the table, and the columns where something must be shipped.
ROWS = {
    **{(name, wording): COLUMNS for name in SINGLE for wording in ("id 0", "another id")},
    ("Multi_Direct", "turns alone"): ("none",),
    ("Multi_Direct", "conversation"): ("none",),
    ("Multi_PPL", "turns alone"): ("none",),
    ("Multi_PPL", "conversation"): ("none",),
    ("Det", "turns alone"): ("none",),
    ("Det_PPL", "turns alone"): ("none",),
}


def cell(recipe: Recipe) -> tuple[str, str, str]:
    """Row and column of a recipe."""
    name, options = recipe.inferencer.name, recipe.inferencer.options
    instruction = recipe.instruction.options
    if instruction["prompt_type"] == "multiturn":
        form = "conversation" if options.get("conversational") else "turns alone"
    else:
        form = "another id" if instruction["prompt_assigned_ids"] else "id 0"
    shown = "none" if recipe.incontext is None else recipe.incontext.retriever.name
    return f"{name}, CoT" if options.get("CoT") else name, form, shown


@cache
def shipped() -> dict[tuple[str, str, str], list[str]]:
    """The recipes of Shapes and Digits by cell, the shortest name first; none with a method."""
    found = defaultdict(list)
    for folder in ("Shapes", "Digits"):
        for path in (RECIPES / folder).glob("*.yaml"):
            recipe = load_recipe(path)
            if "method_cfg" not in recipe.scenario.effective():
                found[cell(recipe)].append(f"{folder}/{path.stem}")
    return {key: sorted(names, key=lambda name: (len(name), name)) for key, names in found.items()}


def table() -> str:
    """The table as Markdown: a recipe for each cell, and how many more there are."""
    lines = [f"| inferencer | wording | {' | '.join(COLUMNS)} |", "|---" * 7 + "|"]
    for row, sensible in ROWS.items():
        cells = []
        for column in COLUMNS:
            names = shipped().get((*row, column), []) if column in sensible else ["-"]
            more = f" +{len(names) - 1}" if len(names) > 1 else ""
            cells.append(f"{names[0] if names else 'MISSING'}{more}")
        lines.append(f"| {' | '.join((*row, *cells))} |")
    return "\n".join(lines)


def test_the_page_shows_the_table() -> None:
    page = (ROOT / "docs" / "reference" / "recipes.md").read_text()
    assert table() in page, f"docs/reference/recipes.md should hold this table:\n{table()}"


@pytest.mark.parametrize("row", ROWS, ids=" ".join)
def test_no_supported_combination_is_missing(row: tuple[str, str]) -> None:
    assert {key[2] for key in shipped() if key[:2] == row} == set(ROWS[row])


def test_every_recipe_is_in_the_matrix() -> None:
    assert {key[:2] for key in shipped()} == set(ROWS)
    assert set(COLUMNS[1:]) == set(RETRIEVERS)
