"""Families whose files are tables: the table of data sets says which field is what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from chef.errors import SampleError
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.mmtrusteval.table import Mapped, Transform
from chef.scenario.records.files import BadRecord, Record

#: Makes the target of a record.
Target: TypeAlias = Callable[[Record], Any]
#: The targets of yes and no.
VERDICTS = {"yes": 1, "no": 0}


def mapped(source: Source, target: Target | None = None) -> Iterable[Item]:
    """The items of the records, as the table maps their fields.

    Args:
        source: a data set whose family has a mapping.
        target: makes the targets instead of the mapping.
    """
    how = source.dataset.about.rows
    assert how is not None
    records, names = _records(source, how)
    prompt = source.dataset.variant.prompt or how.prompt
    wanted = target or (lambda one: target_of(one, how, source.dataset.variant.file))

    def make(name: str, one: Record) -> Item:
        values = {place: filled(one, field) for place, field in how.fields.items()}
        text = source.say(prompt, **values) if prompt else filled(one, how.text)
        extra = {"subset": one[how.subset]} if how.subset else None
        return Item(name, text, _picture(source, how, one), wanted(one), extra)

    def key(place: int, one: Record) -> str:
        if names is not None:
            return names[place]
        first = int(how.file == "csv")
        fields = [str(one.get(field) or place + first) for field in how.key]
        return "/".join(fields) or str(place + first)

    return each(records, source.annotations, key, make)


def target_of(one: Record, how: Mapped, file: str) -> Any:
    """The target of a record.

    Args:
        one: the record.
        how: the mapping; its target is a field, or a text with fields in braces.
        file: stands for ``{file}`` in the name of the field.

    Raises:
        KeyError: there is no such field.
        SampleError: it is not of the kind that the transform takes.
    """
    name = how.target.replace("{file}", file)
    if "{" in name:
        return name.format_map(one)
    return TRANSFORMS[how.to](one, name) if name else None


def filled(one: Record, field: str) -> str:
    """The text of a field.

    Raises:
        KeyError: there is no such field.
        SampleError: it is empty, or no text.
    """
    text = one[field]
    if not isinstance(text, str) or not text.strip():
        raise SampleError(f"its {field} is {text!r}", hint="write a text")
    return text


def yes_no(truth: Any, otherwise: Any = None) -> Any:
    """The target of a truth.

    >>> yes_no("Yes"), yes_no("No"), yes_no("Maybe", "Maybe")
    (1, 0, 'Maybe')
    """
    given = truth.strip().casefold() if isinstance(truth, str) else ""
    return VERDICTS.get(given, otherwise)


def _verdict(one: Record, field: str) -> int:
    if (target := yes_no(one[field])) is None:
        raise SampleError(f"its {field} is {one[field]!r}", hint="write Yes or No")
    return int(target)


def _known(one: Record, field: str) -> str:
    value = one[field]
    if value is None or not str(value).strip():
        raise SampleError(f"its {field} is empty", hint="write the true answer")
    return str(value)


def _first(one: Record, field: str) -> str:
    values = one[field]
    if not isinstance(values, list) or not values:
        raise SampleError(f"its {field} is {values!r}", hint="write a list of classes")
    return str(values[0])


#: What becomes of the field of a target: itself; 1 for yes and 0 for no, and other truths
#: themselves; the same without others; a text of any value; a text; the first of a list.
TRANSFORMS: Mapping[Transform, Callable[[Record, str], Any]] = {
    "as_is": lambda one, field: one[field],
    "yes_no": lambda one, field: yes_no(one[field], one[field]),
    "verdict": _verdict,
    "known": _known,
    "text": filled,
    "first": _first,
}


def _records(source: Source, how: Mapped) -> tuple[list[Record], list[str] | None]:
    """The records of the file; and their names, where the file is a mapping from names."""
    if how.file == "named":
        given = source.mapping()
        return [_record(value) for value in given.values()], list(given)
    return (source.rows() if how.file == "csv" else source.records()), None


def _record(value: Any) -> Record:
    is_record = isinstance(value, dict)
    return value if is_record else BadRecord(f"it is a {type(value).__name__}, not a mapping")


def _picture(source: Source, how: Mapped, one: Record) -> Path | None:
    if source.dataset.is_text:
        return None
    name = one[how.image]
    # Pictures may also be in a folder of the part, as in those of several sensors.
    return source.picture(name, *([f"{source.part}/{name}"] if how.by_part else []))
