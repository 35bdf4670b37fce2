"""Scenes drawn again with one object changed, so that another answer is right."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from chef.scenario.shapes.drawing import (
    CELL,
    COLORS,
    GRID,
    MAX_OBJECTS,
    SHAPES,
    Scene,
    Split,
    Thing,
    draw_thing,
    split_of,
)
from chef.scenario.shapes.questions import LETTERS, ShapesQuestion

#: The kinds of questions whose right answer can be told of any scene.
ANSWERABLE = ("mcq", "yesno", "counting", "color", "shape")


def counterfactual(
    scene: Scene, question: ShapesQuestion, rng: random.Random, split: Split
) -> tuple[Scene, ShapesQuestion] | None:
    """A scene that differs in one object, and the question with the option that is right there.

    One object has another color, another shape or both, or is gone, or a further one is there;
    where no such scene will do, the changed object also stands in another cell. The other objects,
    the wording and the options stay. Of all such scenes in which exactly one option is right, and
    not the one of before, one is drawn at random. None is of the split ``train``, unless the first
    one is.

    Args:
        scene: as it was.
        question: about it, of one of the kinds `ANSWERABLE`.
        rng: the random stream of the sample.
        split: of the scene.

    Returns:
        None where there is no such scene.
    """
    before = right_option(scene, question)
    for scenes in ([*_in_place(scene, rng)], [*_elsewhere(scene)]):
        rng.shuffle(scenes)
        for other in scenes:
            place = right_option(other, question)
            is_new = split == "train" or split_of(other.content) != "train"
            if place is not None and place != before and is_new:
                return other, _with_right(question, place)
    return None


def right_option(scene: Scene, question: ShapesQuestion) -> int | None:
    """The place of the only right option in a scene; None where there is none, or several are."""
    choices = [str(choice) for choice in question.fields["choices"]]
    right = [place for place, choice in enumerate(choices) if _is_right(scene, question, choice)]
    return right[0] if len(right) == 1 else None


def _is_right(scene: Scene, question: ShapesQuestion, choice: str) -> bool:
    """Whether an option is right in a scene, by the colors and shapes that the question names."""
    asked = question.text.partition("\nOptions:")[0]
    things = _matching(scene, asked)
    match question.fields["category"]:
        case "color":
            return len(things) == 1 and things[0].color == choice
        case "shape":
            return len(things) == 1 and things[0].shape == choice
        case "count":
            return str(len(things)) == choice
        case "yesno":
            return bool(things) == (choice == "Yes")
    return bool(_matching(scene, choice))  # which of these is there?


def _matching(scene: Scene, text: str) -> list[Thing]:
    """The things of a scene that have the color and the shape that a text names; all for none."""
    colors, shapes = _named(text, COLORS), _named(text, SHAPES)
    return [
        thing
        for thing in scene.things
        if (not colors or thing.color in colors) and (not shapes or thing.shape in shapes)
    ]


def _named(text: str, names: Sequence[str] | dict[str, Any]) -> list[str]:
    """The names that a text has, also in the plural.

    >>> _named("How many red crosses are there?", SHAPES)
    ['cross']
    """
    return [name for name in names if re.search(rf"\b{name}(?:s|es)?\b", text)]


def _in_place(scene: Scene, rng: random.Random) -> Iterator[Scene]:
    """Every scene with one object changed or gone, and some with one more."""
    for place, thing in enumerate(scene.things):
        if len(scene.things) > 1:
            yield _with(scene, place)
        for other in _others(thing):
            yield _with(scene, place, other)
    if len(scene.things) < MAX_OBJECTS:
        for cell in _free_cells(scene):
            yield _with(
                scene, None, draw_thing(rng, cell, rng.choice(sorted(COLORS)), rng.choice(SHAPES))
            )


def _elsewhere(scene: Scene) -> Iterator[Scene]:
    """Every scene in which one object is another one, in a cell that was free."""
    for place, thing in enumerate(scene.things):
        for cell in _free_cells(scene):
            right, down = (cell % GRID - thing.cell % GRID, cell // GRID - thing.cell // GRID)
            moved = replace(thing, cell=cell, x=thing.x + right * CELL, y=thing.y + down * CELL)
            for other in _others(moved):
                yield _with(scene, place, other)


def _others(thing: Thing) -> Iterator[Thing]:
    """Things of another color, another shape or both."""
    for color in COLORS:
        for shape in SHAPES:
            if (color, shape) != (thing.color, thing.shape):
                yield replace(thing, color=color, shape=shape)


def _free_cells(scene: Scene) -> list[int]:
    return sorted({*range(GRID * GRID)} - {thing.cell for thing in scene.things})


def _with(scene: Scene, without: int | None, *further: Thing) -> Scene:
    """A scene without one of its things, and with further ones, in reading order."""
    kept = [thing for place, thing in enumerate(scene.things) if place != without]
    things = sorted((*kept, *further), key=lambda thing: thing.cell)
    return replace(scene, things=tuple(things))


def _with_right(question: ShapesQuestion, place: int) -> ShapesQuestion:
    """The question with another right option."""
    choice: Any = question.fields["choices"][place]
    if isinstance(question.answer, int):
        choice = int(choice)
    elif question.answer == f"({LETTERS[question.fields['gt_choice'] % len(LETTERS)]})":
        choice = f"({LETTERS[place]})"
    return replace(question, answer=choice, fields={**question.fields, "gt_choice": place})
