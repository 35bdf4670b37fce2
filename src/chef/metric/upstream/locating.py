"""Locating objects by points, by LAMM's own rules."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from chef.metric.detection import locating
from chef.metric.upstream.choice import stored_text
from chef.metric.upstream.wordnet import classification_acc, require_wordnet
from chef.reading.rules.chef_boxes import Point, points_in


class InsideBbox(locating.InsideBbox):
    """Points are all numbers in brackets, in twos (`points_in`); classes are found by WordNet.

    See `classification_acc`, which needs NLTK's corpus.
    """

    policy = "LAMM points"

    def require(self, *, scored: bool | None) -> None:  # noqa: ARG002
        require_wordnet()

    def points(self, record: dict[str, Any]) -> list[Point]:
        return points_in(stored_text(record))

    def mentioned(self, record: dict[str, Any], labels: Collection[str]) -> Collection[str]:
        text = stored_text(record)
        return {label for label in labels if classification_acc(label, text)}


class InsideHumanBbox(locating.InsideHumanBbox):
    """Points are all numbers in brackets, in twos (`points_in`)."""

    policy = "LAMM points"

    def points(self, record: dict[str, Any]) -> list[Point]:
        return points_in(stored_text(record))
