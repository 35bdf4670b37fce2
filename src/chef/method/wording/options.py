"""Another order of the options, whose reference goes along, and other words for their letters."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal

from chef.errors import SampleError
from chef.method.base import Method
from chef.method.wording.base import ChangedQuestion
from chef.scenario.circular import choice_count, reordered
from chef.scenario.parts.robustness import closed, read_option_map
from chef.types import Sample


class CircularOption(ChangedQuestion):
    """The options move on by one place, forwards or backwards; labels stay."""

    level, title = "option", "circular_option"

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        count, step = choice_count(sample), rng.choice((1, -1))
        return in_order(sample, [(place + step) % count for place in range(count)])


class ReverseOption(ChangedQuestion):
    """The options are listed from the last to the first; labels stay; nothing is drawn."""

    level, title = "option", "reverse_option"

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        del rng
        return in_order(sample, [*range(choice_count(sample))][::-1])


def in_order(sample: Sample, order: list[int]) -> Sample:
    """The sample with its listed options in another order; `SampleError` where it lists none."""
    moved = reordered(sample, order)
    if moved is None:
        raise SampleError(
            "the options of the question cannot be put into another order",
            where=f"sample '{sample.id}'",
            hint="use the method on questions that list at least two options after their letters",
        )
    return moved


class Verbalized(Method):
    """The question asks for other words instead of letters, and these are the options.

    MMBench and ScienceQA have the same as their key ``option_map``.

    Args:
        type: ``natural`` (1, 2, 3; I, II, III; ...), ``neutral`` (names, words, signs) or
            ``unnatural`` (the letters themselves, rotated).
        ids: the number of the set within its type.

    Raises:
        ConfigError: there is no such set.
    """

    def __init__(
        self,
        method_id: str,
        *,
        type: Literal["natural", "neutral", "unnatural"] = "natural",  # noqa: A002 (ChEF's key)
        ids: int = 0,
    ) -> None:
        super().__init__(method_id)
        verbalizer = read_option_map({"type": type, "ids": ids})
        assert verbalizer is not None
        self.verbalizer = verbalizer

    def transform(self, sample: Sample) -> Sample:
        count = choice_count(sample)
        right = sample.fields.get("gt_choice")
        if count < 2 or not isinstance(right, int) or not sample.question:
            raise SampleError(
                f"{self.method_id} needs a question with lettered options and a known answer",
                where=f"sample '{sample.id}'",
                hint="use it on multiple choice",
            )
        options = self.verbalizer.options(count)
        fields = {key: value for key, value in sample.fields.items() if key != "labels"}
        return replace(
            sample,
            question=f"{sample.question.rstrip()}\n{self.verbalizer.request(count)}",
            options=tuple(options) if sample.options else (),
            answer=closed(options[right]),
            shown_answer=None,
            fields={**fields, "options": options},
        )
