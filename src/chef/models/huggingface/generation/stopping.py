"""Where a reply ends: at an end token or a stop string; and what of it is the reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.models.hooks.chef import cut_at_stop
from chef.types import Generate


class StopRule:
    """Decides by end tokens and stop strings whether a row has ended, whatever others do."""

    def __init__(self, tokenizer: Any, ends: set[int], stop: Sequence[str]) -> None:
        self.tokenizer = tokenizer
        self.ends = ends
        self.stop = [word for word in stop if word]
        # A character is at most four byte tokens, so this many tokens cover any stop string.
        self.window = 4 * max((len(word) for word in self.stop), default=0) + 4

    def ended(self, tokens: Sequence[int]) -> bool:
        """Whether the last of the new tokens of a row ends it."""
        if tokens[-1] in self.ends:
            return True
        if not self.stop:
            return False
        text = self.tokenizer.decode(tokens[-self.window :], skip_special_tokens=True)
        return any(word in text for word in self.stop)


def trimmed(text: str, request: Generate) -> str:
    """A reply up to its stop string, without white space around it."""
    text = cut_at_stop(text, request.stop).rstrip()
    # The space after the header of the turn is the template's; after a prefix there is none.
    return text if request.answer_prefix else text.lstrip()
