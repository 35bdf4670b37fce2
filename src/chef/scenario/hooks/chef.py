"""Data sets written for ChEF: classes that give a dict for each sample become scenarios."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from chef.common.digest import digest
from chef.common.jsonable import to_jsonable
from chef.common.keys import with_keys_of
from chef.common.options import letters
from chef.common.user_code import contained
from chef.errors import SampleError
from chef.image import Image
from chef.scenario.base import Scenario, class_of
from chef.types import Sample

#: What a class of ChEF's says about its questions: the pool of wordings, and whose metric it has.
_SAYS = ("task_name", "dataset_name")
#: The keys of an item that have places of their own in a sample.
_PLACED = ("id", "image_path", "question", "options", "gt_answers")
_LETTER = re.compile(r"\([A-Z]\)?$")


class ItemDataset(Scenario):
    """The samples of a class written for ChEF (``dataset_class``), whose items are dicts.

    An item has ``id``, ``image_path`` (a path, a list of them, or images), ``question``,
    ``options`` where options are scored, ``gt_answers``, and what its metric reads: ``choices``,
    ``gt_choice`` and others. The class is made when its samples are first needed.
    """

    #: Whether keys that no constructor names may be meant for its ``**kwargs``.
    takes_further_keys: ClassVar[bool] = True
    dataset_class: ClassVar[type[Any]]

    def __init__(self, **kwargs: Any) -> None:
        self._keys = kwargs
        self.system_message = str(getattr(self.dataset_class, "system_msg", None) or "")

    @cached_property
    def dataset(self) -> Any:
        """The object of the user's class."""
        with contained(f"{self.dataset_class.__name__}.__init__"):
            return self.dataset_class(**self._keys)

    @cached_property
    def _items(self) -> list[tuple[str, Any]]:
        """The id and the digest of each item, the texts of which are small."""
        return [self._outline(index) for index in range(len(self.dataset))]

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: int) -> Sample:
        return sample_of(self._item(index), self.sample_id(index))

    def sample_id(self, index: int) -> str:
        return self._items[index][0]

    def row_digests(self) -> Mapping[str, str]:
        return dict(self._items)

    def fingerprint(self) -> str:
        return digest(self._items)

    def row_state(self) -> str:
        return self.fingerprint()

    def _item(self, index: int) -> Mapping[str, Any]:
        source = f"{self.dataset_class.__name__}.__getitem__"
        with contained(source):
            item = self.dataset[index]
        if not isinstance(item, Mapping):
            raise SampleError(
                f"{source} returned a {type(item).__name__}",
                where=f"sample '{index}'",
                hint="return a dict with 'image_path', 'question' and 'gt_answers'",
            )
        return item

    def _outline(self, index: int) -> tuple[str, str]:
        try:
            item = self._item(index)
        except Exception as error:  # it is told when the sample is asked
            return str(index), digest(["error", str(error)])
        shown = {key: value if _is_plain(value) else "" for key, value in item.items()}
        return str(item.get("id", index)), digest(to_jsonable(shown))


def sample_of(item: Mapping[str, Any], name: str) -> Sample:
    """A sample of an item of ChEF's.

    Raises:
        SampleError: it asks several turns, or its options are no texts.

    >>> sample_of({"question": "Is it?", "gt_answers": "yes"}, "3").answer
    'yes'
    """
    options = item.get("options") or ()
    if "multi_turn_prefix" in item or any(not isinstance(text, str) for text in options):
        raise SampleError(
            "its item asks several turns",
            where=f"sample '{name}'",
            hint="write a scenario of chef's with turns: docs/guide/own_parts.md",
        )
    paths = item.get("image_path")
    several = paths if isinstance(paths, list | tuple) else [paths]
    fields = {key: value for key, value in item.items() if key not in _PLACED}
    choices = item.get("choices") or item.get("gt_choices") or ()
    if choices and all(map(_LETTER.match, options)):
        fields["labels"] = letters(len(choices))
    return Sample(
        id=name,
        images=tuple(Image(path) for path in several if path is not None),
        question=str(item.get("question") or ""),
        options=tuple(options),
        answer=to_jsonable(item.get("gt_answers")),
        fields=to_jsonable(fields),
    )


def is_dataset(kind: type[Any]) -> bool:
    """Whether a class is a data set of ChEF's: it gives items, and says what it asks."""
    gives = all(callable(getattr(kind, name, None)) for name in ("__getitem__", "__len__"))
    return gives and all(isinstance(getattr(kind, name, None), str) for name in _SAYS)


def scenarios_of(
    kind: type[Any], metric: str, protocols: Mapping[str, str], *, has_wordings: bool
) -> dict[str, type[ItemDataset]]:
    """The scenarios that a class stands for: its name, and its name without ``Dataset``.

    ``protocols`` are its metrics by ``metric_type``, ``metric`` that of ``basic``.
    """
    names = dict.fromkeys((kind.__name__.removesuffix("Dataset").rstrip("_"), kind.__name__))
    return {name: _scenario(kind, name, metric, protocols, has_wordings) for name in names if name}


def _scenario(
    kind: type[Any], name: str, metric: str, protocols: Mapping[str, str], has_wordings: bool
) -> type[ItemDataset]:
    if (made := _made.get((kind, name))) is None:
        made = _made[kind, name] = class_of(
            ItemDataset, kind.__module__, f"{name}Scenario",
            doc=kind.__doc__ or f"The data set {name} of a plugin.", dataset_class=kind, name=name,
            __init__=with_keys_of(kind, ItemDataset.__init__), has_wordings=has_wordings,
            wording=kind.task_name if has_wordings else "", metric=metric,
            protocols=dict(protocols),
        )  # fmt: skip
    return made


#: The scenarios of each class: a plugin that is loaded again registers the same ones.
_made: dict[tuple[type[Any], str], type[ItemDataset]] = {}


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool | list | tuple | dict | None)
