"""Tasks in which things have names that hold for one conversation only.

Each conversation draws new names, so an answer cannot be known and has to be looked up: which
earlier picture shows the same, and what was it called? An answer has a loss only if its name was
given earlier in the conversation.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from chef.common.options import article
from chef.instruction.pools import load_pool
from chef.scenario.shapes.drawing import render
from tiny.example_tasks import system_message
from tiny.lookup_tasks import names
from tiny.repeating import LABELS, single_thing
from tiny.trees import PICTURE, Script, Tree, TreeBuilder
from tiny.wording import Exchange

#: How the name of a thing is asked for.
_CALLED = ("What do you call {}?", "What is the label of {}?", "{}", "{} is called")


def renamed_digits(builder: TreeBuilder) -> Tree:
    """Scanned digits with other names, in the wordings that recipes use for digits."""
    return _digits(builder, _prompt(builder.rng))


def renamed_objects(builder: TreeBuilder) -> Tree:
    """Pictures of one object with other names; two of them may share colour or shape."""
    return _objects(builder, _prompt(builder.rng))


def picture_dictionary(builder: TreeBuilder) -> Tree:
    """The same with few words between the pictures, and some pictures replaced by words."""
    form = builder.rng.choices((_digits, _objects), (2, 1))[0]
    return form(builder, "", turns=8, in_words=builder.rng.choice((0.0, 0.0, 0.3, 0.5)))


def _prompt(rng: random.Random) -> str:
    return rng.choice(load_pool("coarse_grained_classification").prompts)


def _digits(
    builder: TreeBuilder, prompt: str, turns: int | None = None, in_words: float = 0.0
) -> Tree:
    rng = builder.rng
    shown = [str(digit) for digit in rng.sample(range(10), _kinds(rng))]

    def show(tree: Tree, digit: str) -> str:
        if rng.random() < in_words:
            return digit
        tree.images.append(builder.source.draw_digit(int(digit), rng))
        return PICTURE

    return _named(builder, shown, show, prompt, turns)


def _objects(
    builder: TreeBuilder, prompt: str, turns: int | None = None, in_words: float = 0.0
) -> Tree:
    rng = builder.rng
    shown = rng.sample(LABELS, _kinds(rng))

    def show(tree: Tree, label: str) -> str:
        if rng.random() < in_words:
            return label
        tree.images.append(render(single_thing(rng, label)))
        return PICTURE

    return _named(builder, shown, show, prompt, turns)


def renamed_words(builder: TreeBuilder) -> Tree:
    """The same without pictures: the easiest setting in which names can be looked up."""
    rng = builder.rng
    shown = rng.sample([article(label) for label in LABELS], rng.randint(2, 6))
    asked = rng.choice(_CALLED)
    return _named(builder, shown, lambda _, label: asked.format(label), "", rng.randint(4, 12))


def _kinds(rng: random.Random) -> int:
    """Draw how many different things a conversation names."""
    return rng.choices((1, 2, 3, 4), (2, 4, 3, 1))[0]


def _named(
    builder: TreeBuilder,
    shown: list[str],
    show: Callable[[Tree, str], str],
    prompt: str,
    turns: int | None = None,
) -> Tree:
    """A conversation about the things ``shown``: each turn shows one and asks for its name."""
    rng, tree, script = builder.rng, Tree(), Script()
    called = dict(zip(shown, names(rng, len(shown)), strict=True))
    given = _given(rng)
    system_message(builder, script, 0.1)
    known: set[str] = set()
    turns = turns or rng.randint(2, 6)
    for turn in range(turns):
        # The last question, the one that recipes ask, always has an answer in the conversation.
        thing = rng.choice(shown if turn < turns - 1 else sorted(known))
        exchange = Exchange(show(tree, thing) + prompt, given, called[thing])
        script.exchange(exchange, learn=thing in known)
        known.add(thing)
    builder.trunk(tree, script)
    return tree


def _given(rng: random.Random) -> str:
    templates = load_pool("coarse_grained_classification").templates
    return "" if rng.random() < 0.4 else rng.choice(templates).removesuffix("{option}")
