"""Tasks in text alone whose answers can only be looked up: what followed this word the last time?

The circuit that answers such questions (an induction head: Olsson et al. 2022, "In-context Learning
and Induction Heads") forms where many tokens need it. Without these tasks the model guessed the
names of pictures among those shown, however many conversations it had read.
"""

from __future__ import annotations

import random

from chef.scenario.shapes.drawing import COLORS, SHAPES
from tiny.repeating import LABELS
from tiny.tokenizer import ASSISTANT, END, USER
from tiny.trees import Script, Tree, TreeBuilder

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = tuple("0123456789")
_GAPS, _JOINTS = (" ", ": ", " = ", " is "), (", ", "\n", "; ", " ")


def names(rng: random.Random, number: int) -> list[str]:
    """Names that are unrelated to the things they are given to; mostly letters."""
    kinds = (LETTERS[:10], LETTERS, (*COLORS, *SHAPES), LABELS)
    return rng.sample(rng.choices(kinds, (5, 3, 1, 1))[0], number)


def repeated_list(builder: TreeBuilder) -> Tree:
    """A list in random order, repeated several times; some repetitions start in its middle."""
    rng, tree, script = builder.rng, Tree(), Script()
    words = rng.choice((LETTERS, (*LETTERS, *_DIGITS, *COLORS, *SHAPES), (*COLORS, *SHAPES)))
    listed = rng.sample(words, rng.randint(3, 10))
    joint, start = rng.choice((" ", ", ")), rng.choice((0, rng.randrange(len(listed))))
    script.say(f"{USER}{joint.join(listed)}{END}{ASSISTANT}{listed[start]}")
    for step in range(1, 3 * len(listed)):
        script.say(joint)
        script.say(listed[(start + step) % len(listed)], learn=True)
    builder.trunk(tree, script)
    return tree


def text_dictionary(builder: TreeBuilder) -> Tree:
    """Pairs of a thing and its name, repeated in random order."""
    rng, tree, script = builder.rng, Tree(), Script()
    things = rng.sample(
        rng.choice((_DIGITS, _DIGITS, (*COLORS, *SHAPES), LABELS)), rng.randint(2, 8)
    )
    called = dict(zip(things, names(rng, len(things)), strict=True))
    gap, joint = rng.choice(_GAPS), rng.choice(_JOINTS)
    script.say(USER)
    known: set[str] = set()
    for _ in range(rng.randint(8, 40)):
        thing = rng.choice(things)
        script.say(f"{thing}{gap}")
        script.say(called[thing], learn=thing in known)
        script.say(joint)
        known.add(thing)
    builder.trunk(tree, script)
    return tree
