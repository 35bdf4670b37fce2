"""What only examples tell: things go by names that hold for one conversation only.

Each conversation draws new names, so an answer cannot be known, only looked up: which earlier
picture shows the same, and what was it called? An answer is learnt where its thing was named
before.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from chef.common.options import article
from chef.instruction.pools import load_pool
from chef.scenario.shapes.drawing import render
from tiny.drills import names
from tiny.repeating import LABELS, lone
from tiny.series import system_message
from tiny.trees import PICTURE, Planter, Script, Tree
from tiny.wording import Exchange

#: How a thing in words may be asked after.
_CALLED = ("What do you call {}?", "What is the label of {}?", "{}", "{} is called")


def renamed_digits(planter: Planter) -> Tree:
    """Scanned digits by other names, in the words that recipes ask for digits in."""
    return _digits(planter, _prompt(planter.rng))


def renamed_objects(planter: Planter) -> Tree:
    """Pictures of one object by other names; those of a conversation may share colour or shape."""
    return _objects(planter, _prompt(planter.rng))


def picture_dictionary(planter: Planter) -> Tree:
    """The same with few words between the pictures, and words in place of some of them."""
    form = planter.rng.choices((_digits, _objects), (2, 1))[0]
    return form(planter, "", turns=8, in_words=planter.rng.choice((0.0, 0.0, 0.3, 0.5)))


def _prompt(rng: random.Random) -> str:
    return rng.choice(load_pool("coarse_grained_classification").prompts)


def _digits(planter: Planter, prompt: str, turns: int | None = None, in_words: float = 0.0) -> Tree:
    rng = planter.rng
    shown = [str(digit) for digit in rng.sample(range(10), _kinds(rng))]

    def show(tree: Tree, digit: str) -> str:
        if rng.random() < in_words:
            return digit
        tree.images.append(planter.source.draw_digit(int(digit), rng))
        return PICTURE

    return _named(planter, shown, show, prompt, turns)


def _objects(
    planter: Planter, prompt: str, turns: int | None = None, in_words: float = 0.0
) -> Tree:
    rng = planter.rng
    shown = rng.sample(LABELS, _kinds(rng))

    def show(tree: Tree, label: str) -> str:
        if rng.random() < in_words:
            return label
        tree.images.append(render(lone(rng, label)))
        return PICTURE

    return _named(planter, shown, show, prompt, turns)


def renamed_words(planter: Planter) -> Tree:
    """The same without pictures: the easiest way to find out that names can be looked up."""
    rng = planter.rng
    shown = rng.sample([article(label) for label in LABELS], rng.randint(2, 6))
    asked = rng.choice(_CALLED)
    return _named(planter, shown, lambda _, label: asked.format(label), "", rng.randint(4, 12))


def _kinds(rng: random.Random) -> int:
    """How many different things a conversation names."""
    return rng.choices((1, 2, 3, 4), (2, 4, 3, 1))[0]


def _named(
    planter: Planter,
    shown: list[str],
    show: Callable[[Tree, str], str],
    prompt: str,
    turns: int | None = None,
) -> Tree:
    """A conversation about ``shown``: what is shown, the prompt, and the name as the answer."""
    rng, tree, script = planter.rng, Tree(), Script()
    called = dict(zip(shown, names(rng, len(shown)), strict=True))
    given = _given(rng)
    system_message(planter, script, 0.1)
    known: set[str] = set()
    turns = turns or rng.randint(2, 6)
    for turn in range(turns):
        # The last question, the one that recipes ask, can always be answered.
        thing = rng.choice(shown if turn < turns - 1 else sorted(known))
        exchange = Exchange(show(tree, thing) + prompt, given, called[thing])
        script.exchange(exchange, learn=thing in known)
        known.add(thing)
    planter.trunk(tree, script)
    return tree


def _given(rng: random.Random) -> str:
    templates = load_pool("coarse_grained_classification").templates
    return "" if rng.random() < 0.4 else rng.choice(templates).removesuffix("{option}")
