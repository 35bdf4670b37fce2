"""Training text as trees: images and examples in the trunk, independent questions as branches.

Many questions about one picture share its tokens. A branch attends to the trunk and to itself,
never to another branch, and its positions continue from the end of the trunk. So the model computes
for each branch exactly what it would for a conversation with that question alone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tiny.model import IMAGE_TOKENS
from tiny.subjects import DigitSource, Subject
from tiny.tokenizer import ASSISTANT, END, IMAGE, USER
from tiny.wording import Exchange

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels
    from tokenizers import Tokenizer

#: Tokens in a row of a batch; a tree has at most as many.
ROW = 384
PICTURE = IMAGE * IMAGE_TOKENS


@dataclass(slots=True)
class Tree:
    """Token ids, and for each token its loss weight, position and branch (0 is the trunk)."""

    ids: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)
    images: list[Pixels] = field(default_factory=list)
    trunk: int = 0

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(slots=True)
class Script:
    """Text under construction, with the ranges (start, end) of characters that have a loss."""

    text: str = ""
    learnt: list[tuple[int, int]] = field(default_factory=list)

    def say(self, text: str, *, learn: bool = False) -> None:
        """Append text; with ``learn``, it has a loss."""
        if learn:
            self.learnt.append((len(self.text), len(self.text) + len(text)))
        self.text += text

    def exchange(self, exchange: Exchange, *, opened: bool = False, learn: bool = True) -> None:
        """Append a user turn and the answer; ``opened``: the user's role token is there already."""
        self.say(f"{'' if opened else USER}{exchange.prompt}{END}{ASSISTANT}{exchange.given}")
        self.say(exchange.answer + END, learn=learn)

    def pairs(self, prompt: str, pairs: list[tuple[str, str]]) -> None:
        """Append a prompt and a list of names, each followed by its answer."""
        self.say(f"{prompt}{END}{ASSISTANT}")
        for number, (name, answer) in enumerate(pairs):
            self.say(f"{', ' if number else ''}{name}")
            self.say(f" {answer}", learn=True)
        self.say(END, learn=True)


class TreeBuilder:
    """Builds trees from a tokenizer, a source of pictures and a random stream.

    Args:
        tokenizer: the fast tokenizer inside the chat tokenizer.
        source: the source of digits.
        rng: decides everything in the trees.
    """

    def __init__(self, tokenizer: Tokenizer, source: DigitSource, rng: random.Random) -> None:
        self.tokenizer, self.source, self.rng = tokenizer, source, rng

    def subject(self, digits_share: float) -> Subject:
        """A random subject: a digit with probability ``digits_share``, otherwise a scene."""
        return Subject(self.rng, self.source, digit=self.rng.random() < digits_share)

    def trunk(self, tree: Tree, script: Script) -> None:
        """Append the trunk, before any branch."""
        self._append(tree, script, 0)
        tree.trunk = len(tree)

    def branch(self, tree: Tree, script: Script) -> bool:
        """Append a branch; False, with the tree unchanged, if it does not fit in a row."""
        before = len(tree)
        self._append(tree, script, tree.branches[-1] + 1)
        if len(tree) <= ROW:
            return True
        for column in (tree.ids, tree.weights, tree.positions, tree.branches):
            del column[before:]
        return False

    def _append(self, tree: Tree, script: Script, branch: int) -> None:
        encoding = self.tokenizer.encode(script.text, add_special_tokens=False)
        start = tree.trunk if branch else len(tree)
        weights = [0.0] * len(encoding.ids)
        for begin, end in script.learnt:
            inside = [i for i, (_, stop) in enumerate(encoding.offsets) if begin < stop <= end]
            for index in inside:
                # A longer answer has a larger weight in total, but not in proportion to its length.
                weights[index] = len(inside) ** -0.5
        tree.ids += encoding.ids
        tree.weights += weights
        tree.positions += range(start, start + len(encoding.ids))
        tree.branches += [branch] * len(encoding.ids)
