"""The wording of training: single exchanges of a question and an answer."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from chef.instruction.pools import load_pool
from chef.scenario.shapes import questions as ask
from chef.scenario.shapes.drawing import COLORS, SHAPES, Box, Scene, Thing

#: The zero-shot chain-of-thought trigger of Kojima et al. (2022).
TRIGGER = "Let's think step by step."
DIGIT_WORDING = ("What digit is this?", "Which digit is shown in the image?", "Which digit is it?")
TABLE_WORDING = ("List each shape with its color.", "Name the shape and the color of each object.")
CHECK_WORDING = ("Say for each whether it is in the image.", "Check the list against the picture.")
CENSUS_WORDING = ("Count each of these in the image.", "Give the number of each in the picture.")
CHOOSE = ("", "\nAnswer with the letter of the right option.", "\nSelect the best option.")
YESNO_HINTS = ("", "", "", " Please answer yes or no.", " Answer the question with yes or no.")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt, the given beginning of the answer (without a loss), and the answer."""

    prompt: str
    given: str
    answer: str

    def letter_only(self) -> Exchange:
        """With ``(B)`` for ``(B) blue``: the truth as ChEF writes it into in-context examples."""
        if not re.match(r"\([A-D]\) ", self.answer):
            return self
        return Exchange(self.prompt, self.given, self.answer[:3])


def _template(rng: random.Random, templates: tuple[str, ...]) -> str:
    """The words of a template before ``{option}``; half of the time none, for bare answers."""
    return "" if rng.random() < 0.5 else rng.choice(templates).removesuffix("{option}")


def _question_prompt(rng: random.Random, question: str) -> str:
    if rng.random() < 0.3:
        return question
    return rng.choice(load_pool("VQA").prompts).format(question=question)


def bare(prompt: str) -> str:
    """The prompt without the suffix that its pool added to the question."""
    for suffixed in load_pool("VQA").prompts:
        prompt = prompt.removesuffix(suffixed.removeprefix("{question}"))
    return prompt


def vqa(question: str, answer: str, rng: random.Random) -> Exchange:
    """A question worded as recipes do for VQA, or bare."""
    given = _template(rng, load_pool("VQA").templates)
    return Exchange(_question_prompt(rng, question), given, answer)


def lettered(text: str, choices: list[str], truth: int, rng: random.Random) -> Exchange:
    """A question with lettered options in the layouts of the common benchmarks."""
    form = rng.random()
    answer = f"({ask.LETTERS[truth]}) {choices[truth]}"
    if form < 0.65:
        return vqa(ask.lettered(text, choices, truth, "").text, answer, rng)
    head = rng.choice(("Question: ", "")) + text
    if form < 0.85:
        listed = "\n".join(f"({ask.LETTERS[i]}) {choice}" for i, choice in enumerate(choices))
        return vqa(f"{head}\n{listed}{rng.choice(CHOOSE)}", answer, rng)
    listed = "\n".join(f"{ask.LETTERS[i]}. {choice}" for i, choice in enumerate(choices))
    return vqa(f"{head}\nOptions:\n{listed}{rng.choice(CHOOSE)}", ask.LETTERS[truth], rng)


def _mcq(scene: Scene, rng: random.Random) -> Exchange | None:
    question = ask.ask_mcq(scene, rng)
    if question is None:
        return None
    text = question.text.removeprefix("Question: ").partition("\nOptions:")[0]
    return lettered(text, question.fields["choices"], question.fields["gt_choice"], rng)


def _open(kind: str, scene: Scene, rng: random.Random) -> Exchange | None:
    question = ask.ASKERS[kind](scene, rng)
    if question is None:
        return None
    hint = rng.choice(YESNO_HINTS) if kind == "yesno" else ""
    return vqa(question.text + hint, str(question.answer), rng)


def caption(scene: Scene, rng: random.Random) -> Exchange:
    """A request for a caption, and the caption."""
    pool = load_pool("caption")
    answer = ask.caption_text(scene.labels, rng.choice(ask.CAPTION_WORDING))
    return Exchange(rng.choice(pool.prompts), _template(rng, pool.templates), answer)


def box_text(box: Box) -> str:
    """A box as text, with two decimals."""
    return f"[{', '.join(f'{edge:.2f}' for edge in box)}]"


def _detect(scene: Scene, rng: random.Random) -> Exchange:
    answer = "; ".join(f"{thing.label} {box_text(thing.box)}" for thing in scene.things)
    return Exchange(rng.choice(load_pool("detection").prompts), "", answer)


def _ground(scene: Scene, rng: random.Random) -> Exchange:
    """Where one object is: the second turn of detection."""
    thing: Thing = rng.choice(scene.things)
    same = [other for other in scene.things if other.label == thing.label]
    pool = load_pool("detection")
    prompt = rng.choice(pool.multiturn_prompts)[1].format(prefix=thing.label)
    given = rng.choice(
        ("", *(pair[1].removesuffix("{option}") for pair in pool.multiturn_templates[:1]))
    )
    return Exchange(prompt, given, "; ".join(box_text(other.box) for other in same))


def _name(scene: Scene, rng: random.Random) -> Exchange:
    """Which objects there are: the first turn of detection."""
    pool = load_pool("detection")
    prompt = rng.choice(pool.multiturn_prompts)[0]
    given = rng.choice(
        ("", *(pair[0].removesuffix("{option}") for pair in pool.multiturn_templates))
    )
    return Exchange(prompt, given, ask.listing(scene.labels))


def _think(scene: Scene, rng: random.Random) -> Exchange:
    """A chain of thought about the scene, or an answer that follows a given one.

    Some of the given ones name a wrong object, so that the model learns to trust the picture.
    """
    base = scene_exchange(scene, rng, rng.choice(("mcq", "color", "shape", "count", "yesno")))
    labels = list(scene.labels)
    if rng.random() < 0.5:
        thought = f"There is {ask.listing(labels)}. The answer is {base.answer}"
        return Exchange(f"{bare(base.prompt)}\n{TRIGGER}", "", thought)
    wrong = rng.random() < 0.3
    if wrong:
        labels[rng.randrange(len(labels))] = rng.choice(ask.absent_labels(scene, rng, 6))
    thought = f"There is {ask.listing(labels)}."
    if not wrong and rng.random() < 0.5:
        thought += f" The answer is {base.answer}"
    return Exchange(base.prompt, thought + rng.choice((" ", "\n", "\n")) + base.given, base.answer)


def _label(scene: Scene, rng: random.Random) -> Exchange | None:
    """What the only object is: its shape or full label; the full label if the shape is given."""
    if len(scene.things) > 1:
        return None
    (thing,) = scene.things
    pool = load_pool("fine_grained_classification")
    first, later = rng.choice(pool.multiturn_prompts)
    given = _template(rng, pool.templates)
    if rng.random() < 0.5:
        return Exchange(first, given, rng.choice((thing.shape, thing.label)))
    return Exchange(later.format(prefix=thing.shape), given, thing.label)


def checklist(scene: Scene, rng: random.Random) -> list[tuple[str, str]]:
    """Objects, and for each whether it is in the scene; half of them are."""
    asked = [ask.ask_yesno(scene, rng) for _ in range(6)]
    return [(_noun(question.text), str(question.answer)) for question in asked]


def _noun(question: str) -> str:
    """The object that a yes-or-no question is about: ``a red star``."""
    for wording in ask.YESNO_WORDING:
        before, after = wording.split("{thing}")
        if question.startswith(before) and question.endswith(after):
            return question[len(before) : len(question) - len(after)]
    raise ValueError(question)


def census(scene: Scene, rng: random.Random) -> list[tuple[str, str]]:
    """Kinds of objects, and how many of each are in the scene."""
    shapes, colors = [thing.shape for thing in scene.things], [t.color for t in scene.things]
    counts = {"objects": len(scene.things)}
    counts |= {ask.plural(shape): shapes.count(shape) for shape in SHAPES}
    counts |= {f"{color} objects": colors.count(color) for color in COLORS}
    counts |= {ask.plural(label): scene.labels.count(label) for label in scene.labels}
    # Most counts are 0 or 1. Larger ones are preferred, as they teach more.
    chosen = sorted(counts.items(), key=lambda item: rng.random() + 0.2 * min(item[1], 3))[-6:]
    rng.shuffle(chosen)
    return [(name, str(count)) for name, count in chosen]


_SCENE_KINDS = {
    "color": 18,
    "shape": 11,
    "count": 13,
    "yesno": 15,
    "mcq": 27,
    "caption": 6,
    "detect": 2,
    "ground": 2,
    "name": 1,
    "table": 4,
    "think": 5,
}


def _tabulate(scene: Scene, rng: random.Random) -> Exchange:
    """Objects with the shape before the colour; in captions the colour comes first.

    Captions teach a model which shape the red object has; this teaches which colour the star has.
    Questions about either can then build on both.
    """
    things = list(scene.things)
    if rng.random() < 0.5:
        rng.shuffle(things)
    answer = ", ".join(f"{thing.shape} {thing.color}" for thing in things)
    return Exchange(rng.choice(TABLE_WORDING), "", answer)


def scene_exchange(scene: Scene, rng: random.Random, kind: str | None = None) -> Exchange:
    """One exchange about a scene; of another kind where ``kind`` would be ambiguous."""
    names, weights = list(_SCENE_KINDS), list(_SCENE_KINDS.values())
    while True:
        chosen = kind or rng.choices(names, weights)[0]
        found = _scene_exchange(chosen, scene, rng)
        if found is not None:
            return found
        kind = None


def _scene_exchange(kind: str, scene: Scene, rng: random.Random) -> Exchange | None:
    if kind == "mcq":
        return _mcq(scene, rng)
    if kind == "count":
        return _open("counting", scene, rng)
    if kind in ("color", "shape", "yesno"):
        return _open(kind, scene, rng)
    makers = {
        "caption": caption,
        "detect": _detect,
        "ground": _ground,
        "name": _name,
        "table": _tabulate,
        "label": _label,
    }
    return makers[kind](scene, rng) if kind in makers else _think(scene, rng)


def digit_exchange(digit: int, rng: random.Random, kind: str | None = None) -> Exchange:
    """One exchange about a handwritten digit, mostly in the wording of its pool."""
    pool = load_pool("coarse_grained_classification")
    kind = kind or rng.choices(("label", "open", "mcq", "yesno", "caption"), (66, 8, 14, 9, 3))[0]
    if kind == "label":
        return Exchange(rng.choice(pool.prompts), _template(rng, pool.templates), str(digit))
    others = rng.sample([str(other) for other in range(10) if other != digit], 3)
    if kind == "mcq":
        choices = [str(digit), *others]
        rng.shuffle(choices)
        text = rng.choice(DIGIT_WORDING + pool.prompts[2:5])
        return lettered(text, choices, choices.index(str(digit)), rng)
    if kind == "yesno":
        truth = rng.random() < 0.5
        asked = digit if truth else others[0]
        text = rng.choice(
            (f"Is this the digit {asked}?", f"Does the image show the digit {asked}?")
        )
        return vqa(text, "Yes" if truth else "No", rng)
    if kind == "caption":
        return Exchange(rng.choice(load_pool("caption").prompts), "", f"A handwritten {digit}.")
    return vqa(rng.choice(DIGIT_WORDING), str(digit), rng)
