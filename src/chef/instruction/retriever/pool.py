"""The pool that in-context examples come from, and which samples are never examples."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, TypeVar

from chef.errors import ConfigError, SampleError
from chef.scenario.base import Scenario
from chef.types import Sample

Made = TypeVar("Made")

#: The key path of a retriever's section.
AT = "eval_cfg.instruction_cfg.incontext_cfg"
#: How many decoded examples are cached, the most recently used. Fixed examples are decoded once.
KEPT = 256


class ExamplePool:
    """Where examples come from.

    Args:
        scenario: its samples are the examples, except those that cannot be made.
        is_split: whether these are a split of their own, and not the evaluated set.
    """

    def __init__(self, scenario: Scenario, *, is_split: bool = False) -> None:
        self.scenario, self.is_split = scenario, is_split
        #: Sample ``index``, decoded; None when it is malformed or has no answer to show.
        self.example = lru_cache(KEPT)(self._make)
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What retrievers make of the pool, such as an index; it is made once for each key.

        Retrievers that share a pool have equal keys, except for ``ice_num`` and ``random_seed``.
        """
        if key not in self._made:
            self._made[key] = make()
        found: Made = self._made[key]
        return found

    def __len__(self) -> int:
        return len(self.scenario)

    def _make(self, index: int) -> Sample | None:
        try:
            sample = self.scenario[index]
            if not self.usable(sample):
                return None
            for image in sample.images:
                image.view()
        except SampleError:
            return None
        return sample

    def check(self) -> None:
        """Refuse a data set whose true answers cannot be shown; the first known one decides.

        Raises:
            ConfigError: it is no text, or no true answer is known.
        """
        for index in range(len(self)):
            try:
                sample = self.scenario[index]
            except SampleError:
                continue
            if self.usable(sample):
                return
            if sample.answer not in (None, []):
                what = "are no texts that an example could show"
                break
        else:
            what = "are not known"
        raise ConfigError(
            f"the true answers of {self.scenario.name} {what}",
            where=AT,
            hint="remove incontext_cfg",
        )

    def usable(self, sample: Sample) -> bool:
        """Whether the true answer of ``sample`` can be shown."""
        return example_answer(sample) is not None


def leaks(example: Sample, query: Sample) -> bool:
    """Whether ``example`` is ``query``, shows one of its images, or is a rotation of it."""
    if example.id == query.id:
        return True
    group = query.fields.get("circular_group")
    if group is not None and example.fields.get("circular_group") == group:
        return True
    shown = {image.digest for image in query.images}
    return any(image.digest in shown for image in example.images)


def example_answer(sample: Sample) -> str | None:
    """The true answer as an example shows it; None when it is unknown or no text (boxes)."""
    if sample.shown_answer is not None:
        return sample.shown_answer
    answer = sample.answer
    if isinstance(answer, list | tuple):
        answer = answer[0] if answer else None
    return None if answer is None or isinstance(answer, dict | list | tuple) else str(answer)
