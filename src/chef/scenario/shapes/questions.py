"""Questions about a scene of shapes, with their reference answers and options.

Each function ``ask_...`` makes one kind of question. It returns None if the scene allows no
unambiguous one (with two stars, "What color is the star?" has no answer); the caller then draws
another scene.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import field

from chef.common.options import YES_NO, article, letters
from chef.frozen import Frozen
from chef.scenario.shapes.drawing import COLORS, MAX_OBJECTS, SHAPES, SIZE, Scene

LETTERS = letters(4)

COLOR_WORDING = (
    "What color is the {thing}?",
    "What is the color of the {thing}?",
    "Which color does the {thing} have?",
)
SHAPE_WORDING = (
    "What shape is the {thing} object?",
    "What is the shape of the {thing} object?",
    "Which shape does the {thing} object have?",
)
COUNT_WORDING = (
    "How many {things} are there?",
    "How many {things} are in the image?",
    "How many {things} can you see?",
    "What is the number of {things} in the picture?",
)
WHICH_WORDING = (
    "Which object is in the image?",
    "Which of these objects can you see?",
    "Which object does the picture show?",
)
YESNO_WORDING = (
    "Is there {thing} in the image?",
    "Does the picture show {thing}?",
    "Can you see {thing}?",
)
CAPTION_WORDING = (
    "The image shows {things}.",
    "There is {things}.",
    "A picture of {things}.",
    "A drawing with {things}.",
    "{things} on a light background.",
)


class ShapesQuestion(Frozen):
    """A question with options, reference and fields, as of `Sample`, whose ``question`` is
    ``text``.
    """

    text: str
    options: tuple[str, ...]
    answer: Any
    fields: Mapping[str, Any] = field(default_factory=dict)
    shown_answer: str | None = None


Asker = Callable[[Scene, random.Random], ShapesQuestion | None]


def listing(labels: Sequence[str]) -> str:
    """The labels as a list: ``a red star, a blue cross and an orange circle``."""
    nouns = [article(label) for label in labels]
    return nouns[0] if len(nouns) == 1 else f"{', '.join(nouns[:-1])} and {nouns[-1]}"


def caption_text(labels: Sequence[str], wording: str) -> str:
    """A caption that names the labels, beginning with a capital letter."""
    text = wording.format(things=listing(labels))
    return text[0].upper() + text[1:]


def _chosen(text: str, choices: Sequence[str], right: str, category: str) -> ShapesQuestion:
    fields = {"gt_choice": choices.index(right), "choices": list(choices), "category": category}
    return ShapesQuestion(text, tuple(choices), right, fields)


def _alone(values: Sequence[str]) -> list[str]:
    """The values that occur once, in order."""
    return [value for value, times in Counter(values).items() if times == 1]


def ask_color(scene: Scene, rng: random.Random) -> ShapesQuestion | None:
    """Which colour has the only thing of a shape? None where no shape occurs once."""
    shapes = _alone([thing.shape for thing in scene.things])
    if not shapes:
        return None
    shape = rng.choice(shapes)
    right = next(thing.color for thing in scene.things if thing.shape == shape)
    return _chosen(rng.choice(COLOR_WORDING).format(thing=shape), tuple(COLORS), right, "color")


def ask_shape(scene: Scene, rng: random.Random) -> ShapesQuestion | None:
    """Which shape has the only thing of a colour? None where no colour occurs once."""
    colors = _alone([thing.color for thing in scene.things])
    if not colors:
        return None
    color = rng.choice(colors)
    right = next(thing.shape for thing in scene.things if thing.color == color)
    return _chosen(rng.choice(SHAPE_WORDING).format(thing=color), SHAPES, right, "shape")


def ask_count(scene: Scene, rng: random.Random) -> ShapesQuestion:
    """The number of all objects, or of those with a colour, a shape or both; sometimes it is 0."""
    if rng.random() < 0.12:
        things, number = plural(_absent_noun(scene, rng)), 0
    else:
        # Most groups have one member. The larger of two groups is used, so that the answer is not
        # almost always 1.
        groups = _group(scene, rng), _group(scene, rng)
        things, number = max(groups, key=lambda group: group[1])
    text = rng.choice(COUNT_WORDING).format(things=things)
    options = tuple(str(count) for count in range(MAX_OBJECTS + 1))
    fields = {"gt_choice": number, "choices": list(options), "category": "count"}
    return ShapesQuestion(text, options, number, fields)


def _group(scene: Scene, rng: random.Random) -> tuple[str, int]:
    """The name of a group of objects of the scene, and their number."""
    thing = rng.choice(scene.things)
    kind = rng.choices(("all", "color", "shape", "label"), (3, 3, 3, 1))[0]
    if kind == "all":
        return "objects", len(scene.things)
    if kind == "color":
        same = sum(other.color == thing.color for other in scene.things)
        return f"{thing.color} objects", same
    if kind == "shape":
        return plural(thing.shape), sum(other.shape == thing.shape for other in scene.things)
    return plural(thing.label), scene.labels.count(thing.label)


def plural(noun: str) -> str:
    """The plural of a noun."""
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def absent_labels(scene: Scene, rng: random.Random, number: int) -> list[str]:
    """``number`` labels that are not in the scene, first those that mix its colours and shapes."""
    colors = sorted({thing.color for thing in scene.things})
    shapes = sorted({thing.shape for thing in scene.things})
    mixed = [f"{color} {shape}" for color in colors for shape in shapes]
    others = [f"{color} {shape}" for color in COLORS for shape in SHAPES]
    rng.shuffle(mixed)
    rng.shuffle(others)
    labels = dict.fromkeys(mixed + others)
    return [label for label in labels if label not in scene.labels][:number]


def ask_which(scene: Scene, rng: random.Random) -> ShapesQuestion:
    """Which of four things is in the image?"""
    right = rng.choice(scene.labels)
    choices = [article(label) for label in (right, *absent_labels(scene, rng, 3))]
    rng.shuffle(choices)
    return _chosen(rng.choice(WHICH_WORDING), choices, article(right), "object")


def ask_yesno(scene: Scene, rng: random.Random) -> ShapesQuestion:
    """Half yes, half no; most absent objects mix the colours and shapes of the scene."""
    right = rng.choice(YES_NO)
    noun = _present_noun(scene, rng) if right == "Yes" else _absent_noun(scene, rng)
    text = rng.choice(YESNO_WORDING).format(thing=article(noun))
    return _chosen(text, YES_NO, right, "yesno")


def _present_noun(scene: Scene, rng: random.Random) -> str:
    thing = rng.choice(scene.things)
    return rng.choices((thing.label, f"{thing.color} object", thing.shape), (6, 2, 2))[0]


def _absent_noun(scene: Scene, rng: random.Random) -> str:
    colors = sorted(set(COLORS) - {thing.color for thing in scene.things})
    shapes = sorted(set(SHAPES) - {thing.shape for thing in scene.things})
    kind = rng.choices(("label", "color", "shape"), (6, 2, 2))[0]
    if kind == "color" and colors:
        return f"{rng.choice(colors)} object"
    if kind == "shape" and shapes:
        return rng.choice(shapes)
    return absent_labels(scene, rng, 1)[0]


def ask_mcq(scene: Scene, rng: random.Random) -> ShapesQuestion | None:
    """One of the kinds above with four lettered options, in the format of ScienceQA in ChEF."""
    asker = rng.choices((ask_color, ask_shape, ask_count, ask_which), (4, 3, 2, 2))[0]
    question = asker(scene, rng)
    if question is None:
        return None
    right = str(question.answer)
    wrong = [option for option in question.options if option != right]
    choices = [right, *rng.sample(wrong, 3)]
    rng.shuffle(choices)
    return lettered(question.text, choices, choices.index(right), question.fields["category"])


def lettered(text: str, choices: Sequence[str], correct: int, category: str) -> ShapesQuestion:
    """``Question: ...``, ``Options: (A) ... (B) ...``; ``(A``, ``(B`` are scored; right from 0."""
    names = LETTERS[: len(choices)]
    listed = " ".join(f"({name}) {choice}" for name, choice in zip(names, choices, strict=True))
    return ShapesQuestion(
        f"Question: {text}\nOptions: {listed}",
        tuple(f"({name}" for name in names),
        f"({names[correct]})",
        {"gt_choice": correct, "choices": list(choices), "category": category},
    )


def ask_caption(scene: Scene, rng: random.Random) -> ShapesQuestion:
    """Five reference captions; one of them is an option, with three that have one wrong object."""
    references = [caption_text(scene.labels, wording) for wording in CAPTION_WORDING]
    wording = rng.choice(CAPTION_WORDING)
    right = caption_text(scene.labels, wording)
    choices = [right, *(caption_text(labels, wording) for labels in _misnamed(scene, rng, 3))]
    rng.shuffle(choices)
    fields = {"gt_choice": choices.index(right), "choices": list(choices)}
    return ShapesQuestion("", tuple(choices), references, fields)


def _misnamed(scene: Scene, rng: random.Random, number: int) -> list[tuple[str, ...]]:
    """The labels of the scene with one of them replaced, in ``number`` different ways."""
    found: dict[tuple[str, ...], None] = {}
    while len(found) < number:
        labels = list(scene.labels)
        labels[rng.randrange(len(labels))] = rng.choice(absent_labels(scene, rng, 6))
        found[tuple(labels)] = None
    return list(found)


def ask_detection(scene: Scene, rng: random.Random) -> ShapesQuestion:  # noqa: ARG001
    """Every object with its box. ``rng`` is not used, but all these functions are called alike."""
    answer = [
        {"label": thing.label, "bbox": [round(edge, 4) for edge in thing.box]}
        for thing in scene.things
    ]
    return ShapesQuestion("", (), answer, {"image_size": [SIZE, SIZE]})


def ask_label(scene: Scene, rng: random.Random) -> ShapesQuestion | None:
    """The class of the only object: its shape, then its colour and shape, which has options."""
    if len(scene.things) > 1:
        return None
    (thing,) = scene.things
    choices = [thing.label, *absent_labels(scene, rng, 3)]
    rng.shuffle(choices)
    fields = {"gt_choice": choices.index(thing.label), "choices": choices}
    chain = [thing.shape, thing.label]
    return ShapesQuestion("", tuple(choices), chain, fields, shown_answer=thing.label)


ASKERS: Mapping[str, Asker] = {
    "mcq": ask_mcq,
    "yesno": ask_yesno,
    "counting": ask_count,
    "color": ask_color,
    "shape": ask_shape,
    "caption": ask_caption,
    "detection": ask_detection,
    "classification": ask_label,
}
