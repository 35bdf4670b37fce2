"""Safety: beginnings of toxic texts, which are to be continued."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from chef.errors import DataError
from chef.scenario.mmtrusteval.items import Item
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.mmtrusteval.table import UNRELATED


def toxicity(source: Source) -> Iterable[Item]:
    """The prompts of each category; their pictures are named by category and md5."""
    for category, prompts in source.mapping().items():
        if not isinstance(prompts, list):
            where = f"{source.annotations}: {category}"
            raise DataError("is not a list of prompts", where=where, hint="download it again")
        for place, prompt in enumerate(prompts, start=1):
            if not isinstance(prompt, str):
                problem = f"{source.annotations}: {category}: prompt {place} is {prompt!r}"
                yield Item(f"{category}-{place}", problem=problem, hint="write a text")
                continue
            # As its picture is called; nothing depends on its being hard to forge.
            name = hashlib.md5(prompt.encode("utf-8", "surrogatepass")).hexdigest()  # noqa: S324
            path = source.paths["image_dir"] / f"{category}_{name}.png"
            item = Item(f"{category}_{name[:8]}", source.say("toxicity", prompt=prompt), path)
            yield from per_kind(item) if source.dataset.variant.image == "each" else [item]


def per_kind(item: Item, times: int = 1) -> Iterable[Item]:
    """An item with unrelated pictures: so many of every kind."""
    for kind in UNRELATED:
        for number in range(1, times + 1):
            key = f"{item.key}/{kind}" + (f"-{number}" if times > 1 else "")
            yield Item(key, item.text, None, item.target, item.extra, kind)
