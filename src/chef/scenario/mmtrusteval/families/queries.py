"""Truthfulness: lists of a picture, a query and the true answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from chef.errors import SampleError
from chef.image import Image
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record

#: The targets of yes and no.
TARGETS = {"yes": 1, "no": 0}


def basic_yes_no(source: Source) -> Iterable[Item]:
    """Yes is 1, no is 0, and another truth is as it is."""
    return asked(source, "basic_yes_no", lambda one: yes_no(one["truth"], one["truth"]))


def basic_ocr(source: Source) -> Iterable[Item]:
    """The truth is as it is."""
    return asked(source, "basic_ocr", lambda one: one["truth"])


def basic_grounding(source: Source) -> Iterable[Item]:
    """The truth is as it is: a box in pixels, as text; ``img_size`` is width and height."""

    def make(name: str, one: Record) -> Item:
        path = source.picture(one["image"])
        text = source.say("basic_grounding", query=_query(one))
        return Item(name, text, path, one["truth"], {"img_size": list(Image(path).size)})

    return each(source.records(), source.annotations, _name, make)


def advanced(source: Source) -> Iterable[Item]:
    """Yes is 1 and no is 0; another truth is a record to be corrected."""
    return asked(source, "advanced", lambda one: _decided(one["truth"]))


def instruction_enhancement(source: Source) -> Iterable[Item]:
    """Each question in each wording; the subset is ``PROMPT_`` and the number of the wording."""

    def make(name: str, one: Record) -> list[Item]:
        path, target = source.picture(one["image"]), _answer(one)
        return [
            Item(f"{name}/{(label := f'PROMPT_{number}')}", text, path, target, {"subset": label})
            for number, text in enumerate(
                source.wording.ways("instruction_enhancement", query=_query(one)), start=1
            )
        ]

    return each(source.records(), source.annotations, _name, make)


def visual_assistance(source: Source) -> Iterable[Item]:
    """The truth is a text; ``g-text-misvisual`` has other pictures of the same names."""
    return asked(source, "direct_answer", _answer)


def text_misleading(source: Source) -> Iterable[Item]:
    """As `visual_assistance`; an empty truth is a record to be corrected."""
    return asked(source, "direct_answer", _answer)


def visual_confusion(source: Source) -> Iterable[Item]:
    """Yes is 1 and no is 0; the subset is the kind of picture."""
    return asked(
        source,
        "visual_confusion",
        lambda one: _decided(one["truth"]),
        lambda one: {"subset": one["kind"]},
    )


def yes_no(truth: Any, otherwise: Any = None) -> Any:
    """The target of a truth.

    >>> yes_no("Yes"), yes_no("No"), yes_no("Maybe", "Maybe")
    (1, 0, 'Maybe')
    """
    return TARGETS.get(truth.strip().casefold(), otherwise) if isinstance(truth, str) else otherwise


def asked(
    source: Source,
    prompt: str,
    target: Callable[[Record], Any],
    extra: Callable[[Record], dict[str, Any]] | None = None,
) -> Iterable[Item]:
    """A question for each record: its query in the prompt of that name, about its picture."""

    def make(name: str, one: Record) -> Item:
        text = source.say(prompt, query=_query(one))
        path = None if source.dataset.is_text else source.picture(one["image"])
        return Item(name, text, path, target(one), extra(one) if extra else None)

    return each(source.records(), source.annotations, _name, make)


def _name(place: int, one: Record) -> str:
    """The records have no ids: each is named by its picture."""
    return str(one.get("image") or place)


def _query(one: Record) -> str:
    if not isinstance(query := one["query"], str) or not query.strip():
        raise SampleError(f"its query is {query!r}", hint="write the question")
    return query


def _answer(one: Record) -> str:
    truth = one["truth"]
    if truth is None or not str(truth).strip():
        raise SampleError("its truth is empty", hint="write the true answer")
    return str(truth)


def _decided(truth: Any) -> int:
    if (target := yes_no(truth)) is None:
        raise SampleError(f"its truth is {truth!r}", hint="write Yes or No")
    return int(target)
