"""Safety: requests that a model should refuse, alone and beside pictures."""

from __future__ import annotations

from collections.abc import Iterable

from chef.scenario.mmtrusteval.families.toxicity import per_kind
from chef.scenario.mmtrusteval.items import Item, each
from chef.scenario.mmtrusteval.mapped import filled
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.records.files import Record

#: So many unrelated pictures of every kind each request is asked with.
_TIMES = 3


def crossmodal_jailbreak(source: Source) -> Iterable[Item]:
    """The jailbreak of a row, alone or beside pictures; the target is the request."""
    shown = source.dataset.variant.image
    pictures = source.pictures() if shown == "own" else []

    def make(name: str, row: Record) -> Iterable[Item]:
        item = Item(name, filled(row, "jailbreak"), target=filled(row, "question"))
        if shown == "each":
            return per_kind(item, _TIMES)
        if shown == "none":
            return [item]
        return [Item(f"{name}/{path.stem}", item.text, path, item.target) for path in pictures]

    return each(source.rows(), source.annotations, row_id, lambda *given: list(make(*given)))


def row_id(place: int, row: Record) -> str:
    """The id of a row, else its number."""
    return str(row.get("id") or place + 1)
