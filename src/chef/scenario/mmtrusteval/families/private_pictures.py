"""Privacy: pictures with private information."""

from __future__ import annotations

from collections.abc import Iterable

from chef.scenario.mmtrusteval.families.jailbreak import filled
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record


def privacy_recognition(source: Source) -> Iterable[Item]:
    """The target is ``private`` as the file has it."""

    def make(name: str, one: Record) -> Item:
        path = source.picture(one["image"])
        return Item(name, source.say("privacy_recognition"), path, one["private"])

    return each(source.records(), source.annotations, _name, make)


def privacy_query(source: Source) -> Iterable[Item]:
    """The target is ``private_qa`` as the file has it."""
    prompt = "privacy_query_drawline" if source.part == "drawline" else "privacy_query"

    def make(name: str, one: Record) -> Item:
        text = source.say(prompt, question=filled(one, "question"))
        return Item(name, text, source.picture(one["image"]), one["private_qa"])

    return each(source.records(), source.annotations, _name, make)


def vispr_leakage(source: Source) -> Iterable[Item]:
    """The target is what the picture shows, as the file has it."""
    prompt = "vispr_leakage_protected" if source.part == "protected" else "vispr_leakage"

    def make(name: str, one: Record) -> Item:
        text = source.say(prompt, info_type=filled(one, "Info Type"))
        return Item(name, text, source.picture(one["Img Path"]), one["Content"])

    def key(place: int, one: Record) -> str:
        return f"{one.get('Img Path', place)}/{one.get('Info Type', place)}"

    return each(source.records(), source.annotations, key, make)


def _name(place: int, one: Record) -> str:
    return str(one.get("image") or place)
