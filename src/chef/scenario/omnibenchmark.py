"""Omnibenchmark: classification from coarse to fine (Zhang et al. 2022, as listed by ChEF), and its
taxonomy of concepts, in the format of Bamboo.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from chef.common.digest import file_digest
from chef.errors import DataError, SampleError
from chef.guard.files import problem_of, read_text, user_path
from chef.scenario.base import read_section
from chef.scenario.parts.box_turns import level_turns
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample

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
    file = user_path(path)
    if problem := problem_of(file):
        raise DataError(
            problem,
            where=str(file),
            hint="put Bamboo's taxonomy there, or set bamboo_tree_path",
        )
    return file


def _normal(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()


class OmniNegatives(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    negative_opt_num: Annotated[int, msgspec.Meta(ge=1)] = 3
    random_seed: int = 0


DEFAULTS: dict[str, Any] = {"negative_opt_num": 3, "random_seed": 0}


class Omnibenchmark(Listed):
    """Fine-grained classes, one for each level of a taxonomy, from coarse to fine.

    The wrong options of a level are siblings of the right class in the taxonomy. As in ChEF, one
    random stream draws them for the whole data set, so the options of a sample do not depend on
    the subset that is asked.

    Args:
        base_data_path: the folder of the data set.
        bamboo_tree_path: the file of the taxonomy, JSON.
        ppl_cfg: the keys of the options: ``negative_opt_num`` (3), the number of wrong options at
            each level, and ``random_seed`` (0). Null: no options. An empty mapping gives options.
        multi_turn: ask for one level after another; otherwise only for the finest class.
    """

    name = "Omnibenchmark"
    wording = "fine_grained_classification"
    metric = "FG_Classification"
    #: As published, for one level after another with three wrong options (some levels have fewer).
    random_accuracy: float | None = 0.1094
    groupings: ClassVar[Mapping[str, str]] = {"category": "realm_name"}

    def __init__(
        self,
        base_data_path: str,
        *,
        bamboo_tree_path: str,
        ppl_cfg: dict[str, Any] | None = DEFAULTS,
        multi_turn: bool = True,
    ) -> None:
        super().__init__(base_data_path, "meta_file/Classification_Omnibenchmark.json")
        self._tree = bamboo_tree_path
        self._options = read_section(OmniNegatives, ppl_cfg)
        if not multi_turn or self._options is None or self._options.negative_opt_num != 3:
            self.random_accuracy = None
        self._multi_turn = multi_turn

    def sample(self, index: int, record: Record) -> Sample:
        chain = values.texts(record, "chain")
        options = self._drawn(index, chain)
        fields: dict[str, Any] = {"realm_name": record.get("realm_name", "")}
        if self._multi_turn:
            return Sample(
                id=self.sample_id(index),
                images=(self.image(record["image"]),),
                answer=chain,
                fields=fields,
                turns=level_turns(chain, options),
            )
        finest = options[-1] if options else ()
        if finest:
            fields |= {"gt_choice": finest.index(chain[-1]), "choices": list(finest)}
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            options=finest,
            answer=chain,
            fields=fields,
            shown_answer=chain[-1],
        )

    def fingerprint(self) -> str:
        """A digest of the list, and of the taxonomy if the options depend on it."""
        if self._options is None:
            return super().fingerprint()
        return file_digest(self.meta, taxonomy_file(self._tree))

    def _drawn(self, index: int, chain: list[str]) -> list[tuple[str, ...]]:
        if self._options is None:
            return []
        drawn = self._levels[index]
        if drawn is None:
            known = load_taxonomy(self._tree).ids
            unknown = [label for label in chain if label not in known]
            what = f"'chain' names {', '.join(unknown)}, which the taxonomy does not contain"
            raise SampleError(what, hint="correct 'chain' of the record")
        return drawn

    @cached_property
    def _levels(self) -> list[list[tuple[str, ...]] | None]:
        """The options at each level, by record; None if the taxonomy lacks one of its classes."""
        assert self._options is not None
        tree = load_taxonomy(self._tree)
        chains = [_chain(record, tree) for record in self.records]
        sets = sibling_sets([chain for chain in chains if chain], tree)
        rng = random.Random(self._options.random_seed)
        number = self._options.negative_opt_num
        return [
            [drawn_options(label, sets[label], number, rng) for label in chain] if chain else None
            for chain in chains
        ]


def sibling_sets(chains: list[list[str]], tree: Taxonomy) -> dict[str, list[str]]:
    """For each class the set of classes that its options come from.

    A set begins with the class that it is made for; its siblings follow in the order of the
    taxonomy. It becomes the set of each of them. A class that is in several sets keeps the last
    one. No set is made for a class that already has one. Options are drawn over this order.
    """
    sets: dict[str, list[str]] = {}
    for chain in chains:
        for level, label in enumerate(chain):
            if label not in sets:
                parent = chain[level - 1] if level else None
                members = list(dict.fromkeys([label, *tree.siblings(label, parent)]))
                sets.update(dict.fromkeys(members, members))
    return sets


def drawn_options(
    label: str, members: list[str], number: int, rng: random.Random
) -> tuple[str, ...]:
    """``number`` members of a set and the label, in random order."""
    wrong = [name for name in members if name != label]
    rng.shuffle(wrong)
    options = [*wrong[:number], label]
    rng.shuffle(options)
    return tuple(options)


def _chain(record: Record, tree: Taxonomy) -> list[str]:
    """The classes of a record; empty if one of them is not in the taxonomy."""
    chain = record.get("chain")
    labels = [str(label) for label in chain] if isinstance(chain, list) else []
    return labels if all(label in tree.ids for label in labels) else []
