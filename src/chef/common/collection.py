"""Garbage collection that does not look at everything again and again while a run grows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: So many new objects there are before young ones are looked at; Python's default is 700.
_MANY = 7_000


@contextmanager
def no_collection() -> Iterator[None]:
    """A block in which no cycles of garbage are looked for, as where only objects to keep are made.

    Looking at all of them, again and again while they become more, takes longer than to read them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def rare_collection() -> Iterator[None]:
    """A block that makes many objects, most of which stay: cycles are looked for less often.

    What was there before, such as modules and the model, is not looked at within the block.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(before[0], _MANY) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
