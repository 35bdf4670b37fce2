"""Which rows of a TSV show the image of one row: their answers are not independent."""

from __future__ import annotations

from collections import Counter

from chef.scenario.tsv.index import TsvIndex


def image_rows(index: TsvIndex) -> dict[str, str]:
    """The index of the row that has the image, by the index of each row that shares it.

    Rows whose image no other row shows are left out, and so are lists of images.

    Args:
        index: the index of the file.
    """
    found: dict[str, str] = {}
    for name in index.positions:
        seen, holder = set[str](), name
        while holder not in seen:
            seen.add(holder)
            named = index.rows[index.positions[holder]].image_name
            holder = named if named in index.positions else holder
        found[name] = holder
    shown = Counter(found.values())
    return {name: holder for name, holder in found.items() if shown[holder] > 1}
