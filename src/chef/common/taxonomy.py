"""A hierarchy of concepts, as Bamboo has it (Zhang et al. 2022): names, parents and children."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from chef.errors import DataError

#: The keys of the file.
_KEYS = ("id2name", "father2child", "child2father")


class Hierarchy:
    """Concepts by id. A concept has several names; the first is the one that is shown.

    Args:
        names: the names of each concept.
        children: the concepts right below each one.
        fathers: the concepts right above each one, the main one first.
    """

    def __init__(
        self,
        names: Mapping[str, Sequence[str]],
        children: Mapping[str, Sequence[str]],
        fathers: Mapping[str, Sequence[str]],
    ) -> None:
        self._names, self._children, self._fathers = names, children, fathers
        #: The concept of each name; of several the last one, as in ChEF.
        self.ids = {name: concept for concept, all_ in names.items() for name in all_}
        self._mistaken: dict[str, tuple[str, ...]] = {}

    def siblings(self, label: str, parent: str | None) -> list[str]:
        """Names of the concepts beside ``label``, without itself.

        Only concepts whose first name leads back to them: a name of several concepts would be
        ambiguous as an option.

        Args:
            label: its name.
            parent: the name of the concept above; None for the first of its fathers.

        Raises:
            KeyError: the hierarchy does not know the name.
        """
        if parent is None:
            fathers = self._fathers.get(self.ids[label], ())
            father = fathers[0] if fathers else ""
        else:
            father = self.ids[parent]
        shown = [(child, self._names[child][0]) for child in self._children.get(father, ())]
        return [name for child, name in shown if self.ids[name] == child and name != label]

    def mistaken_for(self, name: str) -> tuple[str, ...]:
        """Longer names that hold ``name`` as words, of concepts that are no kind of it.

        "hot dog" for "dog", but not "sheep dog".
        """
        if name not in self._mistaken:
            words = _plain(name)
            longer = [
                other
                for other in self._by_word.get(words.partition(" ")[0], ())
                if f" {words} " in f" {_plain(other)} " and _plain(other) != words
            ]
            own = self.ids.get(name)
            self._mistaken[name] = tuple(
                other for other in longer if own not in self._above(self.ids[other])
            )
        return self._mistaken[name]

    @cached_property
    def _by_word(self) -> Mapping[str, list[str]]:
        """Names of several words by each of their words."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.ids:
            words = _plain(name).split()
            if len(words) > 1:
                for word in dict.fromkeys(words):
                    found[word].append(name)
        return found

    def _above(self, concept: str) -> set[str]:
        """A concept and all that it is a kind of."""
        above, waiting = {concept}, [concept]
        while waiting:
            for father in self._fathers.get(waiting.pop(), ()):
                if father not in above:
                    above.add(father)
                    waiting.append(father)
        return above


@lru_cache(2)
def load_hierarchy(path: str) -> Hierarchy:
    """The hierarchy of a file; scenario and metric of a recipe share it.

    Args:
        path: JSON with ``id2name``, ``father2child`` and ``child2father``.

    Raises:
        DataError: no such file, no JSON, or not these keys.
    """
    file = hierarchy_file(path)
    try:
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        return Hierarchy(*(content[key] for key in _KEYS))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"is no hierarchy ({type(error).__name__}: {error})",
            where=str(file),
            mend=f"JSON with the keys {', '.join(_KEYS)}",
        ) from None


def hierarchy_file(path: str) -> Path:
    """The file, checked to be there.

    Raises:
        DataError: it is not.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise DataError(
            "no such file",
            where=str(file),
            mend="put Bamboo's hierarchy there, or set bamboo_tree_path",
        )
    return file


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()
