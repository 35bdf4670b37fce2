"""Another order of the options; the reference goes with its option."""

from __future__ import annotations

import random

from chef.errors import SampleError
from chef.method.wording.base import ChangedQuestion
from chef.scenario.circular import choice_count, reordered
from chef.types import Sample


class CircularOption(ChangedQuestion):
    """The options move on by one place, forwards or backwards; labels stay.

    Args:
        method_id, seed: as for `ChangedQuestion`.
    """

    level, title = "option", "circular_option"

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        count, step = choice_count(sample), rng.choice((1, -1))
        return in_order(sample, [(place + step) % count for place in range(count)])


class ReverseOption(ChangedQuestion):
    """The options are listed from the last to the first; labels stay.

    Args:
        method_id, seed: as for `ChangedQuestion`; nothing is drawn at random.
    """

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
