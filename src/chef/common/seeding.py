"""Random streams that depend only on a seed and a name."""

from __future__ import annotations

import hashlib
import random


def sample_rng(seed: int, *names: object) -> random.Random:
    """A separate random stream for (seed, names...), the same in every run and on every worker.

    >>> sample_rng(0, "train", 7).random() == sample_rng(0, "train", 7).random()
    True
    """
    text = "\x1f".join(map(str, (seed, *names)))
    data = text.encode("utf-8", "surrogatepass")
    return random.Random(hashlib.blake2b(data, digest_size=8).digest())
