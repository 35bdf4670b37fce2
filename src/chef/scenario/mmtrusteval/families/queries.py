"""Truthfulness: queries that need the size of a picture, or that are asked in several ways."""

from __future__ import annotations

from collections.abc import Iterable

from chef.image import Image
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.mapped import TRANSFORMS, filled
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record


def basic_grounding(source: Source) -> Iterable[Item]:
    """The truth is as it is: a box in pixels, as text; ``img_size`` is width and height."""

    def make(name: str, one: Record) -> Item:
        path = source.picture(one["image"])
        text = source.say("basic_grounding", query=filled(one, "query"))
        return Item(name, text, path, one["truth"], {"img_size": list(Image(path).size)})

    return each(source.records(), source.annotations, _name, make)


def instruction_enhancement(source: Source) -> Iterable[Item]:
    """Each question in each wording; the subset is ``PROMPT_`` and the number of the wording."""

    def make(name: str, one: Record) -> list[Item]:
        path, target = source.picture(one["image"]), TRANSFORMS["known"](one, "truth")
        return [
            Item(f"{name}/{(label := f'PROMPT_{number}')}", text, path, target, {"subset": label})
            for number, text in enumerate(
                source.wording.ways("instruction_enhancement", query=filled(one, "query")), start=1
            )
        ]

    return each(source.records(), source.annotations, _name, make)


def _name(place: int, one: Record) -> str:
    """The records have no ids: each is named by its picture."""
    return str(one.get("image") or place)
