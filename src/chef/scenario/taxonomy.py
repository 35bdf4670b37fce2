"""A taxonomy of concepts in the format of Bamboo (Zhang et al. 2022)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from chef.errors import DataError
from chef.guard.files import problem_of, read_text

#: The keys of the file, in the order of the arguments of `Taxonomy`.
_KEYS = ("id2name", "father2child", "child2father")


class Taxonomy:
    """Concepts by id, each with names, of which the first is shown, children and fathers, the main
    first.
    """

    def __init__(
        self,
        names: Mapping[str, Sequence[str]],
        children: Mapping[str, Sequence[str]],
        fathers: Mapping[str, Sequence[str]],
    ) -> None:
        self._names, self._children, self._fathers = names, children, fathers
        #: The concept of each name. If several have the name it is the last one, as in ChEF.
        self.ids = {name: concept for concept, all_ in names.items() for name in all_}
        self._mistaken: dict[str, tuple[str, ...]] = {}

    def siblings(self, label: str, parent: str | None) -> list[str]:
        """Names of the other concepts below ``parent`` (None: the first father of ``label``).
        Raises KeyError.

        A concept is left out if its first name belongs to another concept in `ids`, because the
        name would be ambiguous as an option.
        """
        if parent is None:
            fathers = self._fathers.get(self.ids[label], ())
            father = fathers[0] if fathers else ""
        else:
            father = self.ids[parent]
        shown = [(child, self._names[child][0]) for child in self._children.get(father, ())]
        return [name for child, name in shown if self.ids[name] == child and name != label]

    def mistaken_for(self, name: str) -> tuple[str, ...]:
        """Longer names with the words of ``name`` that are not below it: for "dog" "hot dog", not
        "sheep dog".
        """
        if name not in self._mistaken:
            words = _normal(name)
            longer = [
                other
                for other in self._by_word.get(words.partition(" ")[0], ())
                if f" {words} " in f" {_normal(other)} " and _normal(other) != words
            ]
            own = self.ids.get(name)
            self._mistaken[name] = tuple(
                other for other in longer if own not in self._above(self.ids[other])
            )
        return self._mistaken[name]

    @cached_property
    def _by_word(self) -> Mapping[str, list[str]]:
        """The names of more than one word, by each of their words."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.ids:
            words = _normal(name).split()
            if len(words) > 1:
                for word in dict.fromkeys(words):
                    found[word].append(name)
        return found

    def _above(self, concept: str) -> set[str]:
        """A concept and all concepts above it."""
        above, waiting = {concept}, [concept]
        while waiting:
            for father in self._fathers.get(waiting.pop(), ()):
                if father not in above:
                    above.add(father)
                    waiting.append(father)
        return above


@lru_cache(2)
def load_taxonomy(path: str) -> Taxonomy:
    """Read a JSON of ``id2name``, ``father2child``, ``child2father``, once. Raises DataError."""
    file = taxonomy_file(path)
    try:
        content: Any = json.loads(read_text(file))
        return Taxonomy(*(content[key] for key in _KEYS))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"is not a taxonomy ({type(error).__name__}: {error})",
            where=str(file),
            hint=f"give JSON with the keys {', '.join(_KEYS)}",
        ) from None


def taxonomy_file(path: str) -> Path:
    """The path of the file, after a check that it exists. Raises DataError."""
    file = Path(path).expanduser()
    if problem := problem_of(file):
        raise DataError(
            problem,
            where=str(file),
            hint="put Bamboo's taxonomy there, or set bamboo_tree_path",
        )
    return file


def _normal(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()
