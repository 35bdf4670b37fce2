"""Robustness: classification of sentences in other styles, or that were changed to deceive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from chef.errors import DataError, SampleError
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.pictures import with_ending
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import BadRecord, Record

#: The texts that each task of GLUE compares.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "mnli": ("premise", "hypothesis"),
    "mnli-mm": ("premise", "hypothesis"),
    "qnli": ("question", "sentence"),
    "qqp": ("question1", "question2"),
    "rte": ("sentence1", "sentence2"),
    "sst2": ("sentence",),
}


def dt(source: Source) -> Iterable[Item]:
    """The sentences of each style; the target is the label as the file has it."""

    def make(group: str, name: str, one: Record) -> Item:
        text = source.say("dt", sentence=_texts(one, ("sentence",))["sentence"])
        return Item(name, text, _picture(source, group, one.get("id")), one["label"])

    return _grouped(source, "id", make)


def advglue(source: Source) -> Iterable[Item]:
    """The sentences of each task; the target is the task and the label, with ``->`` between."""

    def make(group: str, name: str, one: Record) -> Item:
        if group not in FIELDS:
            raise SampleError(f"unknown task '{group}'", hint=f"use one of {', '.join(FIELDS)}")
        # The two halves of MNLI are asked alike.
        text = source.say(
            f"advglue_{group.split('-', maxsplit=1)[0]}", **_texts(one, FIELDS[group])
        )
        return Item(name, text, _picture(source, group, one.get("idx")), f"{group}->{one['label']}")

    return _grouped(source, "idx", make)


def _grouped(source: Source, key: str, make: Callable[[str, str, Record], Item]) -> Iterable[Item]:
    """The items of a mapping of lists; each is named by its list and its id."""
    for group, records in source.mapping().items():
        where = source.annotations
        if not isinstance(records, list):
            raise DataError(
                "is not a list of records", where=f"{where}: {group}", hint="download it again"
            )
        known = [
            one if isinstance(one, dict) else BadRecord(f"it is {one!r}, not a mapping")
            for one in records
        ]
        yield from each(
            known,
            where,
            lambda place, one, group=group: f"{group}/{one.get(key, place)}",  # type: ignore[misc]
            lambda name, one, group=group: make(group, name, one),  # type: ignore[misc]
        )


def _texts(one: Record, fields: tuple[str, ...]) -> dict[str, str]:
    for field in fields:
        if not isinstance(one[field], str):
            raise SampleError(f"its field {field} is {one[field]!r}", hint="write a text")
    return {field: one[field] for field in fields}


def _picture(source: Source, group: str, name: object) -> Path:
    return with_ending(source.paths["image_dir"] / group / str(name))
