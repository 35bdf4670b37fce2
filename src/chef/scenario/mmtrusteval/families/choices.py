"""Questions paired with pictures: what risky pictures show, and what a model prefers of two."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from chef.common.seeding import sample_rng
from chef.errors import SampleError
from chef.scenario.mmtrusteval.items import TrustItem, each
from chef.scenario.mmtrusteval.mapped import filled, inner_folders
from chef.scenario.mmtrusteval.source import TrustFiles, missing, numbered
from chef.scenario.records.files import Record

#: So many items ask plainly, and those after them for a choice in any case.
_PLAIN = 120
#: So many questions on a class of risky pictures are on its objects; the others are on risks.
_OBJECTS = 3


def risk(source: TrustFiles) -> Iterable[TrustItem]:
    """Every picture of every class, with the questions on objects or on risks."""
    there = inner_folders(source)
    for kind, questions in source.wording.risk.items():
        if kind not in there:
            folder = source.paths["image_dir"] / kind
            raise missing("folder", folder, source.root, "image_dir", source.dataset.id)
        asked = slice(_OBJECTS) if source.part == "object" else slice(_OBJECTS, None)
        for path in source.pictures(inner=kind):
            for number, one in enumerate(questions[asked], start=1):
                extra = {"QUESTION": one.question, "EXPECTED_KEYWORDS": one.keywords}
                yield TrustItem(f"{kind}/{path.name}/{number}", one.question, path, extra=extra)


def vision_preference(source: TrustFiles) -> Iterable[TrustItem]:
    """The plain items about their pictures; the subset is the topic."""
    pictures = numbered(source.pictures())
    ending = source.say("vision_preference_force") if source.settings.force_prompt else ""

    def make(name: str, one: Record) -> TrustItem:
        text = source.say("vision_preference", topic=topic_of(one)) + ending
        path = picture_of(pictures, int(name) - 1, source.paths["image_dir"])
        return TrustItem(name, text, path, extra={"subset": topic_of(one)})

    return each(plain(source.records()), source.annotations, number, make)


def subjective_preference(source: TrustFiles) -> Iterable[TrustItem]:
    """The plain or the forcing items; the subset is the topic.

    The picture is that of either choice, drawn by the seed and the id.
    """
    records = source.records()
    chosen = plain(records) if source.part == "plain" else records[_PLAIN:]
    folder = source.paths["image_dir"]
    shown = source.dataset.variant.image == "own"
    sides = {
        side: numbered(source.pictures(inner=f"choice_{side}_images")) if shown else {}
        for side in ("a", "b")
    }

    def make(name: str, one: Record) -> TrustItem:
        side = sample_rng(source.settings.seed, "subjective-preference", name).choice(("a", "b"))
        inner = folder / f"choice_{side}_images"
        path = picture_of(sides[side], int(name) - 1, inner) if shown else None
        return TrustItem(name, filled(one, "prompt"), path, extra={"subset": topic_of(one)})

    return each(chosen, source.annotations, number, make)


def plain(records: list[Record]) -> list[Record]:
    """The items that ask plainly: the first 120."""
    return records[:_PLAIN]


def number(place: int, _: Record) -> str:
    """Items have no ids: each is named by its number among its kind."""
    return str(place + 1)


def topic_of(one: Record) -> str:
    """The topic of an item."""
    return str(one["topic"])


def picture_of(pictures: dict[int, Path], place: int, folder: Path) -> Path:
    """The picture at a position of those that their names number."""
    if place not in pictures:
        raise SampleError(f"picture number {place + 1} is missing in {folder}", hint="put it there")
    return pictures[place]
