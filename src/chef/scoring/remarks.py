"""What is said of answers beside their scores: options that tie, questions without an image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.types import Prediction, Status

_TIED, _BLIND = "tied", "without_image"


class Remarks:
    """Counts answers one after the other; `details` are for results.json."""

    def __init__(self) -> None:
        self._tied = self._scored = self._blind = self._answered = 0

    def add(self, answer: Prediction) -> None:
        """Take an answer into account; errors are none."""
        if answer.status is Status.ERROR:
            return
        self._answered += 1
        self._blind += not answer.images
        options = answer.scores.get("ppl_results")
        if isinstance(options, list) and len(options) > 1:
            self._scored += 1
            self._tied += len(answer.scores.get("ties") or ()) == len(options)

    def details(self) -> dict[str, dict[str, int]]:
        """What holds for more than half of the answers: ``samples`` of ``of``, by name.

        ``tied``: all options have the same score. ``without_image``: while others have one.
        """
        details = {}
        if 2 * self._tied > self._scored:
            details[_TIED] = {"samples": self._tied, "of": self._scored}
        if self._answered > self._blind and 2 * self._blind > self._answered:
            details[_BLIND] = {"samples": self._blind, "of": self._answered}
        return details


def tied_warning(details: Mapping[str, Any]) -> str:
    """The warning of a result most of whose options tie; else empty."""
    if not (count := _count(details, _TIED)):
        return ""
    return f"{count} questions have the same score for all options: the first one was chosen"


def blind_note(details: Mapping[str, Any]) -> str:
    """The note of a result most of whose questions had no image; else empty."""
    count = _count(details, _BLIND)
    return f"{count} questions were asked without an image." if count else ""


def _count(details: Mapping[str, Any], name: str) -> str:
    """``3 of 4``; empty for details of others, whose metrics may use the same name."""
    counts = details.get(name)
    if not isinstance(counts, Mapping) or set(counts) != {"samples", "of"}:
        return ""
    return f"{counts['samples']} of {counts['of']}"
