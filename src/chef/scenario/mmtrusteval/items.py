"""What the reader of a family gives: questions as its files have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.errors import SampleError
from chef.frozen import Frozen
from chef.scenario.records.files import BadRecord, Record


class TrustItem(Frozen):
    """One question before its picture is chosen.

    Attributes:
        key: its id; `unique` makes those of a data set differ.
        text: the whole prompt.
        image: its own picture, whether or not the data set shows it; None where it has none.
        target: the reference.
        extra: what evaluators need besides.
        unrelated: the kind of unrelated picture that it is asked with, where it has one.
        options: the names of every option, of a question that asks for one of them.
        drawn: the text that its own picture shows, where it is drawn.
        problem: why it cannot be asked; empty: it can.
        hint: how to correct that.
    """

    key: str
    text: str = ""
    image: Path | None = None
    target: Any = None
    extra: Mapping[str, Any] | None = None
    unrelated: str = ""
    options: Sequence[Sequence[str]] = ()
    drawn: str = ""
    problem: str = ""
    hint: str = ""


def each(
    records: Iterable[Record],
    where: Path,
    key: Callable[[int, Record], str],
    make: Callable[[str, Record], TrustItem | Sequence[TrustItem]],
) -> Iterator[TrustItem]:
    """The items of each record, or its problem; ``key`` gives its id by position and content."""
    for place, record in enumerate(records):
        name = str(place)
        if isinstance(record, BadRecord):
            yield _bad(name, where, place, record.problem, None)
            continue
        try:
            name = key(place, record)
            made = make(name, record)
        except SampleError as error:
            yield _bad(name, where, place, error.what, error.hint)
        except KeyError as error:
            keys = f"its fields: {', '.join(map(str, record))}"
            yield _bad(name, where, place, f"the record has no field {error}", keys)
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            yield _bad(name, where, place, f"malformed: {error}", None)
        else:
            yield from [made] if isinstance(made, TrustItem) else made


def _bad(name: str, where: Path, place: int, problem: str, hint: str | None) -> TrustItem:
    told = f"{where}: record {place + 1}: {problem}"
    return TrustItem(name, problem=told, hint=hint or "correct the record")


def unique(items: Iterable[TrustItem]) -> list[TrustItem]:
    """The items with ids that differ: the second ``a`` is ``a#2``."""
    found: dict[str, TrustItem] = {}
    counts: dict[str, int] = {}
    for item in items:
        name = item.key
        while name in found:
            counts[item.key] = counts.get(item.key, 1) + 1
            name = f"{item.key}#{counts[item.key]}"
        found[name] = replace(item, key=name)
    return list(found.values())
