"""Other words for option letters, to test whether a model follows instructions, as in ChEF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from chef.common.options import letters
from chef.errors import ConfigError, SampleError, nearest

AT = "scenario_cfg.option_map"

_WORDS: Mapping[str, Sequence[str]] = {
    "natural": (
        "1 2 3 4 5 6 7 8",
        "I II III IV V VI VII",
        "first second third fourth fifth sixth",
        "(1) (2) (3) (4) (5) (6) (7) (8)",
        "α β γ δ ε ζ η θ",
    ),
    "neutral": (
        "Smith Johnson Williams Jones Brown Davis Miller Wilson",
        "foo dog hip oh cat lake river joy",
        "~ @ # $ % ^ & *",
    ),
}


class Verbalizer(NamedTuple):
    """A set of words for the letters, as in ChEF: ``natural`` (1, 2, 3; I, II, III; ...),
    ``neutral`` (names, words, signs) or ``unnatural`` (the letters, rotated); and its number.
    """

    kind: str
    id: int

    def options(self, count: int) -> list[str]:
        """The words for options A, B, ... of a question with ``count`` options.

        >>> Verbalizer("natural", 1).options(3), Verbalizer("unnatural", 0).options(3)
        (['I', 'II', 'III'], ['(B', '(C', '(A'])

        Raises:
            SampleError: the set has fewer than ``count`` words.
        """
        if self.kind == "unnatural":
            names = [f"({letter}" for letter in letters(count)]
            return names[1:] + names[:1] if self.id == 0 else names[-1:] + names[:-1]
        words = _WORDS[self.kind][self.id].split()
        if count > len(words):
            raise SampleError(
                f"option_map {self.kind} {self.id} has {len(words)} words, but there are {count} "
                "options",
                hint="choose another id",
            )
        return words[:count]

    def request(self, count: int) -> str:
        """The text added to the question, with the word to say for each letter."""
        words = [closed(word) for word in self.options(count)]
        return " ".join(
            f"If the answer is ({letter}), say {word}."
            for letter, word in zip(letters(count), words, strict=True)
        )


def read_option_map(given: Mapping[str, Any] | str | None) -> Verbalizer | None:
    """The key ``option_map``: ``{type: natural | neutral | unnatural, ids: number}``; None if it is
    empty, as ``''`` in ChEF's recipes. ConfigError for other keys.
    """
    if not given:
        return None
    if isinstance(given, str) or set(given) - {"type", "ids"} or "type" not in given:
        raise ConfigError(
            f"not an option map: {given!r}", where=AT, hint="write {type: natural, ids: 0}"
        )
    kind, number = given["type"], given.get("ids", 0)
    kinds = (*_WORDS, "unnatural")
    if kind not in kinds:
        raise ConfigError(
            f"unknown type '{kind}'", where=f"{AT}.type", hint=nearest(str(kind), kinds)
        )
    count = len(_WORDS.get(kind, "ab"))
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < count:
        raise ConfigError(
            f"{kind} has no id {number}", where=f"{AT}.ids", hint=f"choose 0 to {count - 1}"
        )
    return Verbalizer(kind, number)


def closed(option: str) -> str:
    """``(B)`` for ``(B``, as reference answers are written; other options unchanged."""
    return f"{option})" if option.startswith("(") and not option.endswith(")") else option
