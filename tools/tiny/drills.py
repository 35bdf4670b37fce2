"""Text alone that can only be looked up: what came after this the last time?

The circuit that answers (an induction head: Olsson et al. 2022, "In-context Learning and Induction
Heads") forms where many tokens need it. Without these drills the names of pictures were guessed
from those on show, however many conversations were read.
"""

from __future__ import annotations

import random

from chef.scenario.shapes.drawing import COLORS, SHAPES
from tiny.repeating import LABELS
from tiny.tokenizer import ASSISTANT, END, USER
from tiny.trees import Planter, Script, Tree

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = tuple("0123456789")
_GAPS, _JOINTS = (" ", ": ", " = ", " is "), (", ", "\n", "; ", " ")


def names(rng: random.Random, number: int) -> list[str]:
    """Names that say nothing about what bears them; mostly letters."""
    kinds = (LETTERS[:10], LETTERS, (*COLORS, *SHAPES), LABELS)
    return rng.sample(rng.choices(kinds, (5, 3, 1, 1))[0], number)


def list_again(planter: Planter) -> Tree:
    """A list in any order, and the same list again and again; some begin in its middle."""
    rng, tree, script = planter.rng, Tree(), Script()
    words = rng.choice((LETTERS, (*LETTERS, *_DIGITS, *COLORS, *SHAPES), (*COLORS, *SHAPES)))
    listed = rng.sample(words, rng.randint(3, 10))
    joint, start = rng.choice((" ", ", ")), rng.choice((0, rng.randrange(len(listed))))
    script.say(f"{USER}{joint.join(listed)}{END}{ASSISTANT}{listed[start]}")
    for step in range(1, 3 * len(listed)):
        script.say(joint)
        script.say(listed[(start + step) % len(listed)], learn=True)
    planter.trunk(tree, script)
    return tree


def dictionary(planter: Planter) -> Tree:
    """Things and their names, again and again."""
    rng, tree, script = planter.rng, Tree(), Script()
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
    planter.trunk(tree, script)
    return tree
