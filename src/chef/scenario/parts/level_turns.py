"""Fine-grained classification in turns: from a coarse class to ever finer ones."""

from __future__ import annotations

from collections.abc import Sequence

from chef.types import TurnSpec


def level_turns(chain: Sequence[str], options: Sequence[tuple[str, ...]]) -> tuple[TurnSpec, ...]:
    """A turn for each level; its prefix is the class of the level above."""
    return tuple(
        TurnSpec(
            1 if level else 0,
            chain[level - 1] if level else "",
            options[level] if options else (),
            label,
            prefix_from=level - 1 if level else None,
        )
        for level, label in enumerate(chain)
    )
