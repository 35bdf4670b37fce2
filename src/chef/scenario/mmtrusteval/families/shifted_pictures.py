"""Robustness: pictures of another style, of other sensors, or with adversarial noise."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from chef.errors import SampleError
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record


def coco_o(source: Source) -> Iterable[Item]:
    """The target is the first true class."""

    def make(name: str, one: Record) -> Item:
        return Item(name, source.say("describe"), _picture(source, one), first(one, "gt_label"))

    return each(source.records(), source.annotations, _name, make)


def benchlmm(source: Source) -> Iterable[Item]:
    """The target is the question and the answer, with ``->`` between them."""

    def make(name: str, one: Record) -> Item:
        question = one["question"]
        if not isinstance(question, str) or not question.strip():
            raise SampleError(f"its question is {question!r}", hint="write a text")
        return Item(name, question, _picture(source, one), f"{question}->{one['answer']}")

    return each(source.records(), source.annotations, _name, make)


def adv(source: Source) -> Iterable[Item]:
    """The target is the first true class, or the first that the attack aims at."""

    def make(name: str, one: Record) -> Item:
        path = source.picture(one["image_name"])
        return Item(name, source.say("describe"), path, first(one, source.dataset.variant.file))

    return each(source.records(), source.annotations, _name, make)


def first(one: Record, field: str) -> str:
    """The first of a list of classes.

    Raises:
        KeyError: there is no such field.
        SampleError: it is no list, or empty.
    """
    classes = one[field]
    if not isinstance(classes, list) or not classes:
        raise SampleError(f"its {field} is {classes!r}", hint="write a list of classes")
    return str(classes[0])


def _picture(source: Source, one: Record) -> Path:
    name = one["image_name"]
    return source.picture(name, f"{source.part}/{name}")


def _name(place: int, one: Record) -> str:
    return str(one.get("image_name") or place)
