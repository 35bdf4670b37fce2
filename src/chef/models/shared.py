"""Networks that several evaluators of a run use: loaded once, and released together."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar, cast


class Closed(Protocol):
    """What holds memory until it is closed."""

    def close(self) -> None:
        """Release the memory."""


T = TypeVar("T", bound=Closed)


class SharedModels:
    """Networks by what names them; each is loaded when it is first asked for."""

    def __init__(self) -> None:
        self._models: dict[Hashable, Any] = {}

    def get(self, name: Hashable, load: Callable[[], T]) -> T:
        """The network of that name, which has everything that decides which network it is."""
        if name not in self._models:
            self._models[name] = load()
        return cast("T", self._models[name])

    def close(self) -> None:
        """Release all of them."""
        while self._models:
            self._models.popitem()[1].close()
