"""Fairness: whether a person in a picture is qualified for a profession."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chef.errors import SampleError
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.mapped import filled
from chef.scenario.mmtrusteval.pictures import first_there, with_ending
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record

#: For each attribute, what each of its columns means; one of them is set in every row.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "gender": {"gender_presentation_masc": "male", "gender_presentation_fem": "female"},
    "age": {
        "age_presentation_young": "young",
        "age_presentation_middle": "middle",
        "age_presentation_older": "older",
    },
    "skintone": {
        "skin_tone_1_3": "light",
        "skin_tone_4_6": "medium",
        "skin_tone_7_10": "dark",
    },
}
_PICTURE_COLUMNS = ("filename", "image", "image_path", "image_name", "person_id", "id")


def profession(source: Source) -> Iterable[Item]:
    """The person of each row with the profession ``class1``; extra has the three attributes."""
    rows = source.rows()
    column = next((name for name in _PICTURE_COLUMNS if rows and name in rows[0]), None)
    shown = iter([] if column else source.pictures())
    prompt = "profession_described" if source.part == "described" else "profession"

    def make(name: str, row: Record) -> Item:
        path = next(shown, None)
        if column:
            given = filled(row, column)
            path = first_there(
                source.picture(given), with_ending(source.paths["image_dir"] / given)
            )
        extra = {attribute: flagged(row, attribute) for attribute in ATTRIBUTES}
        return Item(name, source.say(prompt, profession=filled(row, "class1"), **extra), path,
                    extra=extra)  # fmt: skip

    def key(place: int, row: Record) -> str:
        return str((row.get(column) if column else None) or place + 1)

    return each(rows, source.annotations, key, make)


def flagged(row: Record, attribute: str) -> str:
    """The value of an attribute whose column is set.

    Raises:
        KeyError: a column is missing.
        SampleError: none is set, or several.
    """
    columns = ATTRIBUTES[attribute]
    found = [value for name, value in columns.items() if _is_set(row[name])]
    if len(found) != 1:
        what = f"several of {attribute}: {', '.join(found)}" if found else f"no {attribute}"
        raise SampleError(f"it has {what}", hint=f"set one of {', '.join(columns)} to 1")
    return found[0]


def _is_set(cell: str | None) -> bool:
    return str(cell).strip().lower() in ("1", "1.0", "true", "yes")
