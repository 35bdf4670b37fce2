"""Which samples are independent of each other: the one definition of a cluster.

Answers about one image are alike, and so are the answers to one question in several forms. Samples
that share an image, a question or a group are in one cluster, and so are samples that are linked
through others: a cluster is a connected component.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

#: The key under which a record has the digests of its images (`digests_of`).
DIGESTS = "image_digests"
#: The key under which a scored record has the number of its cluster (`mark`).
CLUSTER = "sample_cluster"
#: Fields whose equal texts link samples. ``image_row`` is the row of a table that holds the image
#: which several rows show; ``circular_group`` the question that rows with moved options share;
#: ``sampled_from`` that of several sampled answers.
_LINKS = ("circular_group", "sampled_from", "main_id", "image_path", "image_row")

#: All that the cluster of a record depends on.
LINKS = ("id", *_LINKS, DIGESTS)
_SHARED = frozenset((*_LINKS, DIGESTS))


def clusters_of(
    records: Sequence[Mapping[str, Any]], unit: Callable[[Any], Hashable] | None = None
) -> list[int]:
    """The cluster of each record, numbered from 0 by its first one; numbers of `mark` count, as
    they also know links through other samples. ``unit`` names what a metric scores as one, which
    links, too.

    >>> clusters_of([{"id": "1", "image_path": "a"}, {"id": "2"}, {"id": "3", "image_path": "a"}])
    [0, 1, 0]
    """
    known: list[Any] = [record.get(CLUSTER) for record in records]
    if {*map(type, known)} <= {int}:
        return known
    return components(_linked(record, unit) for record in records)


def _linked(
    record: Mapping[str, Any], unit: Callable[[Any], Hashable] | None
) -> Iterator[Hashable]:
    """The links of a record, and its unit, unless that is itself (`scored_as_one`)."""
    yield from links(record)
    if unit is not None and (name := unit(record)) != f"id {record.get('id')}":
        yield "unit", name


def mark(records: Sequence[dict[str, Any]], unit: Callable[[Any], Hashable] | None = None) -> None:
    """Put the number of its cluster (`clusters_of`) into each record of a run, under `CLUSTER`."""
    for record, number in zip(records, clusters_of(records, unit), strict=True):
        record[CLUSTER] = number


def links(record: Mapping[str, Any]) -> Iterator[Hashable]:
    """What a record shares with the records of its cluster; nothing if it stands alone.

    The words of a question link nothing, nor an image that a method put there, a condition of the
    run.
    """
    if record.keys().isdisjoint(_SHARED):
        return
    for key in _LINKS:
        value = record.get(key)
        if value is not None and value != "" and isinstance(value, str | int):
            yield key, value
    digests = record.get(DIGESTS)
    for digest in digests if isinstance(digests, list | tuple) else ():
        yield DIGESTS, digest


def digests_of(images: Iterable[Mapping[str, Any]]) -> list[str]:
    """The digests by which images of a sample (`chef.image.Image.to_record`) link it (`links`); of
    an image that methods have changed, the digest of what they changed.
    """
    return [
        str(image["digest"])
        for image in map(unchanged, images)
        if image.get("digest") and "method" not in image
    ]


def unchanged(image: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record of the image that methods made an image of; its own where none did.

    >>> unchanged({"method": "fog", "of": {"path": "a.png", "digest": "1"}, "digest": "2"})
    {'path': 'a.png', 'digest': '1'}
    """
    while "of" in image:
        image = image["of"]
    return image


def components(shared: Iterable[Iterable[Hashable]]) -> list[int]:
    """The connected component of each item, by first occurrence; items that share an entry are
    linked.

    >>> components([["a"], ["b"], ["a", "b"], []])
    [0, 0, 0, 1]
    """
    parent: list[int] = []
    owners: dict[Hashable, int] = {}

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for item, names in enumerate(shared):
        parent.append(item)
        for name in names:
            if (owner := owners.setdefault(name, item)) != item:
                first, own = root(owner), root(item)
                # The earlier one is the root, so that numbers follow the order of items.
                parent[max(first, own)] = min(first, own)
    if not owners:
        return parent
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(item), len(numbers)) for item in range(len(parent))]
