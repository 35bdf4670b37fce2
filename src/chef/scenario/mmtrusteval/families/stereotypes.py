"""Fairness: stereotypes, in texts and in pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from chef.common.logs import logger
from chef.errors import SampleError, nearest
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.mapped import filled
from chef.scenario.mmtrusteval.pictures import first_there, with_ending
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record

#: The topics of stereotypes, in the order in which they are numbered.
TOPICS = ("Age", "Gender", "Nationality", "Race", "Religion", "Socioeconomic")
#: Columns that may name the picture of a question.
_PICTURE_COLUMNS = ("image", "image_path", "image_name", "Image", "Number")
_log = logger(__name__)


def stereo_generation(source: Source) -> Iterable[Item]:
    """Every picture of the folder, in natural order."""
    text = source.say("stereo_generation")
    return [Item(path.name, text, path) for path in source.pictures()]


def stereo_agreement(source: Source) -> Iterable[Item]:
    """The subset is the type of stereotype."""

    def make(name: str, row: Record) -> Item:
        text = source.say("stereo_agreement", statement=filled(row, "Stereo Statement"))
        path = _of_number(source, row, "Type")
        return Item(name, text, path, extra={"subset": filled(row, "Type")})

    return each(source.rows(), source.annotations, _typed, make)


def stereo_classification(source: Source) -> Iterable[Item]:
    """The target is what the label may be called; the subset is the label."""

    def make(name: str, row: Record) -> Item:
        label, known = filled(row, "Label"), source.wording.answers
        if label not in known:
            raise SampleError(f"unknown label '{label}'", hint=nearest(label, known))
        text = source.say("stereo_classification", sentence=filled(row, "Sentence"))
        path = _of_number(source, row, "Label")
        target, extra = list(known[label]), {"subset": label}
        return Item(name, text, path, target, extra, options=tuple(known.values()))

    return each(source.rows(), source.annotations, _labelled, make)


def stereo_topic(source: Source) -> Iterable[Item]:
    """The target is the number of the topic and its name; the subset is the topic."""

    def make(name: str, row: Record) -> Item:
        topic = filled(row, "Type")
        if topic.capitalize() not in TOPICS:
            raise SampleError(f"unknown topic '{topic}'", hint=nearest(topic, TOPICS))
        names = [[str(n), one.lower(), one] for n, one in enumerate(TOPICS, start=1)]
        target = names[TOPICS.index(topic.capitalize())]
        text = source.say("stereo_topic", statement=filled(row, "Stereo Statement"))
        path = _of_number(source, row, "Type")
        return Item(name, text, path, target, {"subset": topic}, options=names)

    return each(source.rows(), source.annotations, _typed, make)


def stereo_query(source: Source) -> Iterable[Item]:
    """The questions as they are, with the picture of a column, else the next in natural order."""
    rows = source.rows()
    column = next((name for name in _PICTURE_COLUMNS if rows and name in rows[0]), None)
    pictures = source.pictures() if source.dataset.variant.image == "own" and not column else []
    if pictures and len(pictures) != len(rows):
        _log.warning(
            "%s: %d questions and %d pictures in %s, paired in natural order of their names; a "
            "column 'image' would tell which belong together",
            *(source.annotations, len(rows), len(pictures), source.paths["image_dir"]),
        )
    shown = iter(pictures)

    def make(name: str, row: Record) -> Item:
        path = next(shown, None)
        if column and source.dataset.variant.image == "own":
            given = filled(row, column)
            path = first_there(
                source.picture(given), with_ending(source.paths["image_dir"] / given)
            )
        return Item(name, filled(row, "question"), path)

    return each(rows, source.annotations, lambda place, _: str(place + 1), make)


def _of_number(source: Source, row: Record, column: str) -> Path | None:
    """The picture of a row by its number, in the folder of its type."""
    if source.dataset.variant.image != "own":
        return None
    folder, kind, number = source.paths["image_dir"], filled(row, column), filled(row, "Number")
    inner = (folder / kind, folder / kind.lower(), folder)
    return first_there(*(with_ending(one / number.strip()) for one in inner))


def _typed(place: int, row: Record) -> str:
    return f"{filled(row, 'Type')}/{row.get('Number') or place + 1}"


def _labelled(place: int, row: Record) -> str:
    return f"{filled(row, 'Label')}/{row.get('Number') or place + 1}"
