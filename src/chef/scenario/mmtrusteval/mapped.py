"""Families whose files are tables: the table of data sets says which field is what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.mmtrusteval.table import Mapped
from chef.scenario.questions.transforms import as_text, transformed
from chef.scenario.records.files import BadRecord, Record

#: Makes the target of a record.
Target: TypeAlias = Callable[[Record], Any]


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

    def make(name: str, one: Record) -> Item | list[Item]:
        values = {place: _field(one, field) for place, field in how.fields.items()}
        path, truth = _picture(source, how, one), wanted(one)
        if how.ways:
            return _each_way(source, how, Item(name, image=path, target=truth), values)
        text = source.say(prompt, **values) if prompt else filled(one, str(how.column("question")))
        extra = {"subset": one[category]} if (category := how.column("category")) else None
        return Item(name, text, path, truth, extra)

    def key(place: int, one: Record) -> str:
        if names is not None:
            return names[place]
        first = int(how.file == "csv")
        fields = [str(one.get(field) or place + first) for field in how.columns.get("id", ())]
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
    name = how.column("answer").replace("{file}", file)
    if "{" in name:
        return name.format_map(one)
    return transformed(how.transforms.get("answer", "as_is"), name, one[name]) if name else None


def filled(one: Record, field: str) -> str:
    """The text of a field.

    Raises:
        KeyError: there is no such field.
        SampleError: it is empty, or no text.
    """
    return as_text(field, one[field])


def _field(one: Record, field: str) -> str:
    """The text of a field; one whose name ends in ``?`` may be missing."""
    return one.get(field[:-1]) or "" if field.endswith("?") else filled(one, field)


def _each_way(source: Source, how: Mapped, item: Item, values: Mapping[str, str]) -> list[Item]:
    """A record in each wording of its prompt; its id and perhaps its subset have the number."""
    texts = source.wording.ways(how.prompt.replace("{part}", source.part), **values)
    is_subset = how.column("category") == how.ways
    if any(field.endswith("?") for field in how.fields.values()):
        texts = [text.strip() for text in texts]  # of a field that is missing a line may be left
    if len(texts) == 1 and not is_subset:
        return [replace(item, text=texts[0])]
    labels = [how.ways.replace("{number}", str(number)) for number in range(1, len(texts) + 1)]
    return [
        replace(item, key=f"{item.key}/{label}", text=text,
                extra={"subset": label} if is_subset else None)
        for label, text in zip(labels, texts, strict=True)
    ]  # fmt: skip


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
    name = one[how.column("images")]
    # Pictures may also be in a folder of the part, as in those of several sensors.
    return source.picture(name, *([f"{source.part}/{name}"] if how.by_part else []))
