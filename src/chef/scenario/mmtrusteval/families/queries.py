"""Truthfulness: boxes, whose references need the size of the picture."""

from __future__ import annotations

from collections.abc import Iterable

from chef.image import Image
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.mapped import filled
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record


def basic_grounding(source: Source) -> Iterable[Item]:
    """The truth is as it is: a box in pixels, as text; ``img_size`` is width and height."""

    def make(name: str, one: Record) -> Item:
        path = source.picture(one["image"])
        text = source.say("basic_grounding", query=filled(one, "query"))
        return Item(name, text, path, one["truth"], {"img_size": list(Image(path).size)})

    return each(source.records(), source.annotations, _name, make)


def _name(place: int, one: Record) -> str:
    """The records have no ids: each is named by its picture."""
    return str(one.get("image") or place)
