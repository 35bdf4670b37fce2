"""MMTrustEval's data sets as its own readers make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar

from chef.scenario.mmtrusteval import scenario
from chef.scenario.mmtrusteval.families import READERS, Reader, number, plain, topic_of
from chef.scenario.mmtrusteval.mapped import filled, mapped
from chef.scenario.mmtrusteval.source import TrustFiles, TrustItem, each
from chef.scenario.questions.values import yes_no
from chef.scenario.records.files import Record

#: So many samples of crossmodal-jailbreak are asked.
_CUT = 10


def advanced(source: TrustFiles) -> Iterable[TrustItem]:
    """A truth that is neither Yes nor No has the target of the record before it."""
    last: Any = None

    def target(one: Record) -> Any:
        nonlocal last
        last = yes_no(one["truth"], last)
        return last

    return mapped(source, target)


def crossmodal_jailbreak(source: TrustFiles) -> Iterable[TrustItem]:
    """The first samples alone."""
    return islice(mapped(source), _CUT)


def subjective_preference(source: TrustFiles) -> Iterable[TrustItem]:
    """Text alone; the topics of items that force a choice are those of the plain ones."""
    records = source.records()
    first = plain(records)
    chosen = first if source.part == "plain" else records[len(first) :]

    def make(name: str, one: Record) -> TrustItem:
        topic = topic_of(records[int(name) - 1])
        return TrustItem(name, filled(one, "prompt"), extra={"subset": topic})

    return each(chosen, source.annotations, number, make)


class MMTrustEval(scenario.MMTrustEval):
    """Some targets, topics and pictures are wrong, and some samples are left out."""

    readers: ClassVar[Mapping[str, Reader]] = {
        **READERS,
        "advanced": advanced,
        "crossmodal_jailbreak": crossmodal_jailbreak,
        "subjective_preference": subjective_preference,
    }

    @property
    def is_text(self) -> bool:
        return super().is_text or self.dataset.family == "subjective_preference"
