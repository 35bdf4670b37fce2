"""What the hand-worked cases are made of."""

from __future__ import annotations

import random
from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple


class Case(NamedTuple):
    """Arguments of a rule, what the reference makes of them, and why where that is not plain."""

    args: tuple[Any, ...]
    expected: object
    why: str = ""


LEMMAS = {
    "dog": ["dog", "domestic_dog", "frump"],
    "cat": ["cat", "guy"],
    "boat": ["boat"],
    "person": ["person", "individual"],
    "car": ["car", "auto", "automobile"],
}
BASE_FORMS = {"dogs": "dog", "ships": "ship", "cars": "car"}


def lemmas(word: str) -> list[str]:
    """A WordNet of five words; all others have no synset."""
    return LEMMAS.get(word, [])


def base_form(word: str) -> str:
    """A lemmatiser of three words."""
    return BASE_FORMS.get(word, word)


class Scripted(random.Random):
    """A stream that can be followed by hand.

    Shuffles reverse, choices take the last, `uniform` gives what was written down.
    """

    def __init__(self, *uniforms: float) -> None:
        super().__init__(0)
        self.uniforms = list(uniforms)

    def __deepcopy__(self, memo: dict[int, Any]) -> Scripted:
        # A stream is copied by its state otherwise, which knows nothing of the script.
        return Scripted(*self.uniforms)

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Reverse in place."""
        x.reverse()

    def choice(self, seq: Sequence[Any]) -> Any:  # type: ignore[override]
        """The last."""
        return seq[-1]

    def uniform(self, a: float, b: float) -> float:
        """The next value of the script, which has to be a possible one."""
        value = self.uniforms.pop(0)
        assert a - 1e-9 <= value <= b + 1e-9, "the script leaves the range"
        return value
