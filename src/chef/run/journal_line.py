"""A line of the journal: a prediction as JSON, under the keys that all files of a run use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.types import Prediction, Status


class _Line(msgspec.Struct):
    """A line as it is read; earlier versions wrote ``sample_id`` for ``id``."""

    status: Status
    id: str | None = None
    sample_id: str | None = None
    answer: Any = None
    scores: dict[str, Any] = {}
    trace: dict[str, Any] = {}
    sample: dict[str, Any] = {}
    images: list[dict[str, Any]] = []
    error: dict[str, str] | None = None

    def prediction(self) -> Prediction:
        name = self.sample_id if self.id is None else self.id
        if name is None:
            raise msgspec.ValidationError("Object missing required field `id`")
        return Prediction(
            name,
            self.status,
            self.answer,
            self.scores,
            self.trace,
            self.sample,
            self.error,
            tuple(self.images),
        )


_DECODER = msgspec.json.Decoder(_Line)


def encode(prediction: Prediction) -> bytes:
    """Return the journal line of a prediction; if JSON cannot hold it, the line is an error."""
    try:
        return _encode(prediction)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        message = f"the answer cannot be journaled ({type(error).__name__}: {error})"
        failed = Prediction(
            prediction.sample_id,
            Status.ERROR,
            sample={"id": prediction.sample_id},
            error={"type": "JournalError", "message": message.encode(errors="replace").decode()},
        )
        return _encode(failed)


def _encode(prediction: Prediction) -> bytes:
    line = {
        "id": prediction.sample_id,
        "status": prediction.status,
        "answer": prediction.answer,
        "scores": prediction.scores,
        "trace": prediction.trace,
        "sample": prediction.sample,
        "images": prediction.images,
        "error": prediction.error,
    }
    return msgspec.json.encode(line, enc_hook=to_jsonable) + b"\n"


def decode(line: bytes) -> Prediction:
    """Return the prediction of a journal line.

    Raises:
        msgspec.DecodeError: it is no line of a journal.
    """
    return _DECODER.decode(line).prediction()


def is_journal_line(content: Any) -> bool:
    """Whether decoded JSON is a line of a journal, and not one of ChEF's flat records."""
    return isinstance(content, Mapping) and (
        "sample_id" in content or {"id", "status", "sample"} <= content.keys()
    )
