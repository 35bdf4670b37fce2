"""What a metric has paid for once, kept so that it is not paid for again."""

from __future__ import annotations

from typing import Any, Protocol


class KeptOutputs(Protocol):
    """Outputs of the costly steps of a metric, by sample and key."""

    def get(self, sample_id: str, key: str) -> tuple[Any] | None:
        """The output that was kept, in a tuple; None if there is none."""

    def put(self, sample_id: str, step: str, key: str, output: Any) -> Any:
        """Keep an output as soon as it is there; return it as `get` will.

        Args:
            sample_id: the sample.
            step: the name of the step, for a reader.
            key: a digest of everything that decides the output.
            output: plain data.

        Raises:
            RunError: it cannot be written.
        """


class OutputsInMemory:
    """Outputs that are kept as long as this object.

    >>> kept = OutputsInMemory()
    >>> kept.put("1", "rate", "key", 0.5), kept.get("1", "key"), kept.get("2", "key")
    (0.5, (0.5,), None)
    """

    def __init__(self) -> None:
        self._outputs: dict[tuple[str, str], Any] = {}

    def get(self, sample_id: str, key: str) -> tuple[Any] | None:
        """See `KeptOutputs`."""
        place = sample_id, key
        return (self._outputs[place],) if place in self._outputs else None

    def put(self, sample_id: str, step: str, key: str, output: Any) -> Any:
        """See `KeptOutputs`."""
        del step
        self._outputs[sample_id, key] = output
        return output
