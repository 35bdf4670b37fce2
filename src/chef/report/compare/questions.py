"""Whether two runs were asked the same under the same id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.document.outline import shorten
from chef.types import Prediction

#: The fields of a sample's record that are the question; every ``gt_...`` is the reference.
_QUESTION = ("question", "context", "hint")
_OPTIONS = ("choices", "options")
_WIDEST = 60


@dataclass(frozen=True, slots=True)
class OtherQuestion:
    """A sample that is another one in the second run: what differs, and both, shortened."""

    id: str
    what: str
    first: str
    second: str


def other_questions(
    ids: Iterable[str], first: Mapping[str, Prediction], second: Mapping[str, Prediction]
) -> list[OtherQuestion]:
    """The samples that are asked otherwise, by id: the first difference of each.

    A field that only one of the two has, as answers from elsewhere have few, is not compared.
    """
    differing = []
    for name in ids:
        if name in first and name in second:
            one = _difference(first[name], second[name])
            if one is not None:
                differing.append(OtherQuestion(name, *one))
    return differing


def _difference(first: Prediction, second: Prediction) -> tuple[str, str, str] | None:
    one, other = first.sample, second.sample
    for key in _QUESTION:
        if _differ(one, other, key) and _words(one[key]) != _words(other[key]):
            return "question", _short(one[key]), _short(other[key])
    for key in _OPTIONS:
        if _differ(one, other, key):
            lists = [to_jsonable(item[key]) for item in (one, other)]
            are_lists = all(isinstance(item, list) for item in lists)
            is_order = are_lists and sorted(map(repr, lists[0])) == sorted(map(repr, lists[1]))
            what = "order of the options" if is_order else "options"
            return what, _short(one[key]), _short(other[key])
    for key in one:
        if key.startswith("gt_") and _differ(one, other, key):
            return "reference answer", _short(one[key]), _short(other[key])
    if _turns(one) is not None and _turns(other) is not None and _turns(one) != _turns(other):
        return "reference answer", _short(_turns(one)), _short(_turns(other))
    images = [_digests(item.images) for item in (first, second)]
    if all(images) and images[0] != images[1]:
        return "images", ", ".join(images[0])[:_WIDEST], ", ".join(images[1])[:_WIDEST]
    return None


def _differ(one: Mapping[str, Any], other: Mapping[str, Any], key: str) -> bool:
    first, second = one.get(key), other.get(key)
    if first is None or second is None:
        return False
    if isinstance(first, str) and isinstance(second, str):
        return first != second
    return bool(to_jsonable(first) != to_jsonable(second))


def _words(text: Any) -> Any:
    """A text without regard to white space, which says nothing."""
    return text.split() if isinstance(text, str) else text


def _turns(record: Mapping[str, Any]) -> list[Any] | None:
    """The references of the turns of a conversation; None where there is one turn."""
    turns = record.get("multi_turn_prefix")
    if not isinstance(turns, Sequence) or isinstance(turns, str):
        return None
    return [to_jsonable(turn.get("gt_answers")) for turn in turns if isinstance(turn, Mapping)]


def _digests(images: Sequence[Mapping[str, Any]]) -> list[str]:
    """The digests of the images; empty unless every one has one."""
    found = [str(item["digest"]) for item in images if item.get("digest")]
    return found if len(found) == len(images) else []


def _short(item: Any) -> str:
    text = item if isinstance(item, str) else repr(to_jsonable(item))
    return shorten(" ".join(text.split()), _WIDEST)
