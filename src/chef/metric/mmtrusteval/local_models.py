"""What evaluators with a network of their own share: where it is, and how it is loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from chef.errors import ChefError
from chef.metric.place import Place
from chef.models.classifier.checkpoint import check_checkpoint, settings
from chef.models.classifier.shared import Closed, SharedModels
from chef.models.huggingface.loading import Source

T = TypeVar("T", bound=Closed)
#: Keys of such evaluators that decide no output; the network itself is known by its fingerprint.
DECIDE_NOTHING = frozenset({"model_path", "revision", "device", "batch_size"})


@dataclass(frozen=True)
class LocalModel:
    """A checkpoint that an evaluator needs.

    Attributes:
        path: a folder, or a name on the hub; empty for the default.
        usual: the default.
        variable: an environment variable with another default.
        revision: the revision on the hub.
        device: ``auto``, ``cpu``, ``cuda``, ...
        dtype: the type of its weights.
    """

    path: str
    usual: str
    variable: str
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"

    @property
    def source(self) -> Source:
        """Where it is: as the recipe says, else the environment, else the default."""
        path = self.path or os.environ.get(self.variable, "").strip() or self.usual
        return Source(path, self.revision, self.dtype, self.device)

    def check(self) -> dict[str, Any] | None:
        """Check that it is there, without loading it.

        Returns:
            The content of its ``config.json``; None where it is not on this machine yet.

        Raises:
            ConfigError: it is not.
            RunError: it is not on this machine, and the hub cannot be reached.
        """
        with self._told():
            check_checkpoint(self.source)
            return settings(self.source)

    def fingerprint(self) -> str:
        """A digest of its files, so that what it said is not taken for what another one says."""
        from chef.models.huggingface.fingerprint import fingerprint

        with self._told():
            return fingerprint(self.source)

    @contextmanager
    def loaded(self, place: Place | None, load: Callable[[Source], T]) -> Iterator[T]:
        """The network; within a run it is shared, and released when its answers are scored.

        Args:
            place: where answers are scored; None outside a run, where it is released at once.
            load: makes it from its checkpoint.

        Raises:
            ChefError: it cannot be loaded.
        """
        shared = place.models if place is not None else SharedModels()
        try:
            with self._told():
                model = shared.get((load, self.source), lambda: load(self.source))
            yield model
        finally:
            if place is None:
                shared.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors tell how to name another place."""
        try:
            yield
        except ChefError as error:
            ways = f"the key model_path of the evaluator and the variable {self.variable} name "
            ways += "another place"
            error.hint = f"{error.hint}; {ways}" if error.hint else ways
            raise
