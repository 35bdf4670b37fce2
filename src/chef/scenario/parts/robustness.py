"""ChEF's tests of robustness: corrupted questions and images, and other words for the letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from chef.common.digest import file_digest
from chef.common.options import letters
from chef.errors import ConfigError, DataError, SampleError, nearest
from chef.guard.files import user_path
from chef.scenario.records.files import Record, read_records


def corrupted_root(path: str, *, with_images: bool) -> Path:
    """The root of the corrupted data; DataError where its images are needed and it is not there."""
    folder = user_path(path)
    if with_images and not folder.is_dir():
        raise DataError(
            "no such folder",
            where=str(folder),
            hint="put the corrupted data there, or set scenario_cfg.data_c_path",
        )
    return folder


class CorruptedQuestions:
    """The questions (``id, query, gt_choices, gt_choice``) of a corrupted copy of a data set.

    A record belongs to the sample with the same id. Where the ids of the file are its positions, a
    record belongs to the sample at the same position. Both must have the same number of choices.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    @cached_property
    def records(self) -> list[Record]:
        """The corrupted records, read when they are first needed."""
        return read_records(self.file)

    @cached_property
    def _positions(self) -> dict[str, int]:
        """Positions by id; DataError where an id occurs twice."""
        names = [str(record.get("id", place)) for place, record in enumerate(self.records)]
        if len(set(names)) < len(names):
            raise DataError("an id occurs twice", where=str(self.file))
        return {name: place for place, name in enumerate(names)}

    def position(self, name: str, place: int) -> int:
        """The position of the corrupted form of the sample at a place; SampleError without one."""
        if name in self._positions:
            return self._positions[name]
        if all(key == str(at) for key, at in self._positions.items()) and place < len(self.records):
            return place
        raise self._missing(name)

    def of_id(self, name: str) -> Record:
        """The record with the id of a sample; SampleError where there is none."""
        if name not in self._positions:
            raise self._missing(name)
        return self.records[self._positions[name]]

    def _missing(self, name: str) -> SampleError:
        hint = "create the corrupted data for this split (python tools/corrupt.py), or download it"
        return SampleError(f"no corrupted form of '{name}'", where=str(self.file), hint=hint)

    def question(self, name: str, place: int, choices: Sequence[str]) -> Record:
        """The corrupted record of a sample, its choices in any order; SampleError without one."""
        at = self.position(name, place)
        try:
            record = self.records[at]
            given = record["gt_choices"]
        except (IndexError, KeyError) as error:
            raise SampleError(
                f"no corrupted question at position {at}: {error}", where=str(self.file)
            ) from None
        self.check_choices(at, given, choices)
        return record

    def check_choices(self, at: int, corrupted: Sequence[str], clean: Sequence[str]) -> None:
        """SampleError where the record at a position has not as many choices as its sample."""
        if len(corrupted) != len(clean):
            raise SampleError(
                f"the corrupted question has {len(corrupted)} choices, the clean one {len(clean)}",
                where=f"{self.file}: record {at}",
                hint="it belongs to another version of the data",
            )

    def digest(self) -> str:
        """A digest of the file."""
        return file_digest(self.file)


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
