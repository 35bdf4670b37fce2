"""What runs must have in common to be compared, and what may be allowed to differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.document.outline import shorten
from chef.errors import ConfigError, DataError, similar
from chef.frozen import Frozen
from chef.report.compare.side import Side, some_ids
from chef.types import Prediction

#: The words of ``--allow``, and what they let differ.
ALLOWED: Mapping[str, str] = {
    "scenario": "the data set, or its files",
    "subset": "which samples were asked",
    "metric": "the metric, its keys, its rules of reading, or its judges",
    "data": "question, options, reference answer or images under one id",
}
_SHOWN = 3


class Mismatch(Frozen):
    """Something in which runs differ that should be the same: its word of ``--allow``, and text."""

    word: str
    text: str


def check_allowed(words: Iterable[str]) -> frozenset[str]:
    """The words of ``--allow``; ConfigError where one is unknown."""
    given = frozenset(words)
    for word in sorted(given - ALLOWED.keys()):
        listed = "; ".join(f"{name} ({what})" for name, what in ALLOWED.items())
        near = similar(word, ALLOWED)
        guess = f"did you mean '{near}'? " if near else ""
        raise ConfigError(
            f"'{word}' is not known",
            where="--allow",
            hint=f"{guess}what may differ: {listed}",
        )
    return given


def check(sides: Sequence[Side], labels: Sequence[str], allow: frozenset[str]) -> list[str]:
    """What differs and is allowed to; DataError if more does, or no sample is shared."""
    found = [
        item
        for side, label in zip(sides[1:], labels[1:], strict=True)
        for item in mismatches(sides[0], side, labels[0], label)
    ]
    refused = [item for item in found if item.word not in allow]
    if refused:
        words = [word for word in ALLOWED if any(item.word == word for item in refused)]
        raise DataError(
            "the runs do not ask the same:\n    "
            + "\n    ".join(f"{item.word}: {item.text}" for item in refused),
            where=" and ".join(str(side.place) for side in sides),
            hint=f"--allow {' '.join([*sorted(allow), *words])} compares them all the same, on "
            "the samples that they share",
        )
    return [f"{item.word}: {item.text}" for item in found]


def _how_to_share(first: Side, second: Side) -> str:
    """What to do about runs without a common sample."""
    ours, theirs = ({name.partition("#")[0] for name in side.entries} for side in (first, second))
    if ours & theirs:
        return "one of them draws several answers to each question: give both the same --samples"
    if first.scenario and first.scenario == second.scenario:
        return f"they asked other samples of {first.scenario}: a larger --limit asks common ones"
    return "compare runs of one data set"


def mismatches(first: Side, second: Side, one: str, other: str) -> Iterator[Mismatch]:
    """Everything in which two runs differ that makes their scores hard to compare."""
    if first.scenario and second.scenario and first.scenario != second.scenario:
        yield Mismatch("scenario", f"{one} is on {first.scenario}, {other} on {second.scenario}")
    elif (
        first.fingerprint is not None
        and second.fingerprint is not None
        and first.fingerprint != second.fingerprint
    ):
        text = f"the data files of {first.scenario} are others in {other} than in {one}"
        yield Mismatch("scenario", text)
    yield from _subset(first, second, one, other)
    yield from _metric(first, second, one, other)
    shared = sorted(first.entries.keys() & second.entries.keys())
    if not shared:
        raise DataError(
            f"no sample is in both: {one} has {some_ids(sorted(first.entries))}; {other} has "
            f"{some_ids(sorted(second.entries))}",
            where=f"{first.place} and {second.place}",
            hint=_how_to_share(first, second),
        )
    others = other_questions(shared, first.predictions, second.predictions)
    if others:
        counts = Counter(item.what for item in others)
        listed = ", ".join(f"{what} of {count}" for what, count in counts.most_common())
        shown = "".join(
            f"\n      '{item.id}', {item.what}: {item.first} | {item.second}"
            for item in others[:_SHOWN]
        )
        text = f"of {len(shared)} shared samples, {listed} differ between {one} and {other}{shown}"
        yield Mismatch("data", text)


def _subset(first: Side, second: Side, one: str, other: str) -> Iterator[Mismatch]:
    parts = []
    for side, label, whole in ((first, one, second), (second, other, first)):
        if lacks := whole.entries.keys() - side.entries.keys():
            parts.append(
                f"{label} lacks {len(lacks)} of {len(whole.entries)} ({some_ids(sorted(lacks))})"
            )
        if missing := side.report.coverage.missing:
            parts.append(f"{label} is not finished: {missing} samples have no answer")
    if parts:
        yield Mismatch("subset", "; ".join(parts))


def _metric(first: Side, second: Side, one: str, other: str) -> Iterator[Mismatch]:
    mine, theirs = first.report, second.report
    if mine.metric_type != theirs.metric_type:
        text = f"{one} is scored by {mine.metric_type}, {other} by {theirs.metric_type}"
        yield Mismatch("metric", f"{text}; --metric NAME scores both by one")
        return
    if first.metric_keys is not None and second.metric_keys is not None:
        for key, before, after in _changes(first.metric_keys, second.metric_keys):
            text = f"{mine.metric_type}.{key} is {before!r} in {one} and {after!r} in {other}"
            yield Mismatch("metric", text)
    rules = [str(report.details.get("policy", "")) for report in (mine, theirs)]
    if rules[0] != rules[1]:
        text = f"answers are read by the rules {rules[0]} in {one} and {rules[1]} in {other}"
        yield Mismatch("metric", f"{text}; `chef score RUN_DIR` reads them again")
    judges = [_judges(side) for side in (first, second)]
    if judges[0] != judges[1]:
        yield Mismatch("metric", f"{one} is judged by {judges[0]}, {other} by {judges[1]}")


def _judges(side: Side) -> str:
    judge = side.report.judge
    return judge.label if judge is not None and judge.had_part else "no judge"


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            yield key, before.get(key), after.get(key)


#: The fields of a sample's record that are the question; every ``gt_...`` is the reference.
_QUESTION = ("question", "context", "hint")
_OPTIONS = ("choices", "options")
_WIDEST = 60


class OtherQuestion(Frozen):
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
            both = [first[name], second[name]]
            is_same = both[0].sample == both[1].sample and both[0].images == both[1].images
            if not is_same and (one := _difference(*both)) is not None:
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
    if first is None or second is None or first == second:
        return False
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
