"""Safety: folders of pictures, each asked about in several ways."""

from __future__ import annotations

from collections.abc import Iterable

from chef.errors import DataError
from chef.scenario.mmtrusteval.items import Item
from chef.scenario.mmtrusteval.pictures import natural
from chef.scenario.mmtrusteval.roots import missing
from chef.scenario.mmtrusteval.source import Source

#: So many questions on a class of risky pictures are on its objects; the others are on risks.
_OBJECTS = 3


def nsfw(source: Source) -> Iterable[Item]:
    """Every picture of every inner folder, in each wording."""
    for folder in _folders(source):
        for path in source.pictures(inner=folder):
            for number, text in enumerate(source.wording.ways("nsfw"), start=1):
                yield Item(f"{folder}/{path.name}/{number}", text, path)


def risk(source: Source) -> Iterable[Item]:
    """Every picture of every class, with the questions on objects or on risks."""
    there = _folders(source)
    for kind, questions in source.wording.risk.items():
        if kind not in there:
            folder = source.paths["image_dir"] / kind
            raise missing("folder", folder, source.root, "image_dir", source.dataset.id)
        asked = slice(_OBJECTS) if source.part == "object" else slice(_OBJECTS, None)
        for path in source.pictures(inner=kind):
            for number, one in enumerate(questions[asked], start=1):
                extra = {"QUESTION": one.question, "EXPECTED_KEYWORDS": one.keywords}
                yield Item(f"{kind}/{path.name}/{number}", one.question, path, extra=extra)


def _folders(source: Source) -> list[str]:
    folder = source.paths["image_dir"]
    if not folder.is_dir():
        raise missing("folder", folder, source.root, "image_dir", source.dataset.id)
    found = [path.name for path in folder.iterdir() if path.is_dir()]
    if not found:
        raise DataError(
            "has no inner folders", where=str(folder), hint="put a folder for each kind there"
        )
    return sorted(found, key=natural)
