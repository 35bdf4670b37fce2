"""Which examples precede a question (sections 6.6 and 15)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def random_examples(pool: int, count: int, items: int, seed: int) -> list[list[int]]:
    """6.6, `random`: one draw per item from the legacy stream; the item itself may be in it."""
    stream = np.random.RandomState(seed)
    return [
        [int(place) for place in stream.choice(pool, count, replace=False)] for _ in range(items)
    ]


def fixed_examples(
    pool: int, count: int, items: int, seed: int, assigned: Sequence[int] | None = None
) -> list[list[int]]:
    """6.6 and 15, `fixed`: one list for all, assigned (repeats allowed) or drawn once."""
    if assigned is None:
        assigned = random_examples(pool, count, 1, seed)[0]
    return [list(assigned) for _ in range(items)]


def examples_of_batch(
    examples: Sequence[Sequence[int]], batch: int, current_length: int
) -> list[list[int]]:
    """6.6: the slice by the current batch's length, wrong for a short last batch (D05)."""
    start = batch * current_length
    return [list(places) for places in examples[start : start + current_length]]


def nearest_examples(neighbours: Sequence[int], own: int, count: int) -> list[int]:
    """6.6, `topk_*`: of count + 1 neighbours without the item's own, else cut to count."""
    found = list(neighbours[: count + 1])
    if own in found:
        found.remove(own)
        return found
    return found[:count]


def rendered_examples(examples: Sequence[tuple[str, str]], query: str, template: str) -> str:
    """6.6 and D11: question and answer of each, one per line, the query without separator."""
    shown = [f"{question}\n{template.format(option=answer)}" for question, answer in examples]
    return "\n".join(shown) + query
