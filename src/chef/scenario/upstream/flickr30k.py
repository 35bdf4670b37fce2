"""Flickr30k with the options of ChEF."""

from __future__ import annotations

import random
from functools import cached_property

from chef.scenario import flickr30k

#: ``top_similarity``: the number of similar captions that the wrong options are taken from.
NEIGHBOURS = 20


class Flickr30k(flickr30k.Flickr30k):
    """The seed is always 0, and one random stream runs through the whole data set.

    Wrong captions may be equal to each other, and to captions of the image; the latter count as
    right when they are chosen.
    """

    def _choices(self, image: int, sentences: list[str]) -> tuple[list[str], int | list[int]]:
        options, right = super()._choices(image, sentences)
        if isinstance(right, int):
            places = [place for place, option in enumerate(options) if option in sentences]
            right = places if len(places) > 1 else right
        return options, right

    def _most_alike(self, image: int) -> list[str]:
        own, near = self._captions.own(image), self._captions.nearest_to_any(image, flickr30k.PAIRS)
        found = [other for other in near if other not in own]
        return [self._captions.texts[other] for other in found[: flickr30k.TOP_P]]

    def _drawn(
        self,
        image: int,
        sentences: list[str],  # noqa: ARG002
        keys: flickr30k.Negatives,
    ) -> tuple[list[str], str]:
        wrong, row = self._in_order[image]
        if keys.strategy == "top_similarity":
            own = self._captions.own(image)
            found = [other for other in self._captions.nearest(row, NEIGHBOURS) if other not in own]
            wrong = found[: keys.negative_opt_num]
        return [self._captions.texts[other] for other in wrong], self._captions.texts[row]

    @cached_property
    def _in_order(self) -> list[tuple[list[int], int]]:
        """The wrong captions of each image and the right one, by their positions."""
        assert self._options is not None
        rng, captions = random.Random(0), self._captions
        drawn = []
        for image in range(len(self.records)):
            own = list(captions.own(image))
            wrong: list[int] = []
            if self._options.strategy == "random":
                rows = first_removed(captions.texts, [captions.texts[row] for row in own])
                rng.shuffle(rows)
                wrong = rows[: self._options.negative_opt_num]
            rng.shuffle(own)
            drawn.append((wrong, own[0] if own else 0))
        return drawn


def first_removed(texts: list[str], taken: list[str]) -> list[int]:
    """The positions of ``texts``, without the first one that equals each of ``taken``.

    >>> first_removed(["a", "b", "a"], ["a"])
    [1, 2]
    """
    left = list(taken)
    rows = []
    for row, text in enumerate(texts):
        if text in left:
            left.remove(text)
        else:
            rows.append(row)
    return rows
