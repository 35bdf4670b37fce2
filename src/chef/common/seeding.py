"""Random streams that depend only on a seed and a name."""

from __future__ import annotations

import hashlib
import random


def sample_rng(seed: int, *names: object) -> random.Random:
    """A separate random stream for (seed, names...), the same in every run and on every worker.

    >>> sample_rng(0, "train", 7).random() == sample_rng(0, "train", 7).random()
    True
    """
    text = "\x1f".join(str(part) for part in (seed, *names))
    return random.Random(hashlib.blake2b(text.encode(), digest_size=8).digest())
