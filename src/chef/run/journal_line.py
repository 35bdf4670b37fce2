"""A line of the journal: a prediction as JSON, under the keys that all files of a run use."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.common.writing import json_line
from chef.types import Prediction, Status


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line as it is read, without unknown keys, of which the value would be lost; earlier
    versions wrote ``sample_id``.
    """

    status: Status
    id: str | None = None
    sample_id: str | None = None
    answer: Any = None
    scores: dict[str, Any] = {}
    trace: dict[str, Any] = {}
    sample: dict[str, Any] = {}
    images: list[dict[str, Any]] = []
    error: dict[str, str] | None = None
    effort: dict[str, int | float] = {}

    def prediction(self) -> Prediction:
        name = self.sample_id if self.id is None else self.id
        if name is None:
            raise msgspec.ValidationError("Object missing required field `id`")
        name = sys.intern(name)  # it is kept wherever something is known of the sample
        if self.sample.get("id") == name:
            self.sample["id"] = name
        return Prediction(
            name,
            self.status,
            self.answer,
            self.scores,
            self.trace,
            self.sample,
            self.error,
            tuple(self.images),
            self.effort,
        )


_DECODER = msgspec.json.Decoder(_Line)


def encode(prediction: Prediction) -> bytes:
    """Return the journal line of a prediction; if JSON cannot hold it, the line is an error."""
    try:
        return _encode(prediction)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        message = f"the answer cannot be journaled ({type(error).__name__}: {error})"
        failed = Prediction(
            encodable(prediction.sample_id),
            Status.ERROR,
            sample={"id": prediction.sample_id},
            error={"type": "JournalError", "message": message},
        )
        return _encode(failed)


def _encode(prediction: Prediction) -> bytes:
    """The line of a prediction, of which lone surrogates are replaced and counted."""
    line = {
        "id": prediction.sample_id,
        "status": prediction.status,
        "answer": prediction.answer,
        "scores": prediction.scores,
        "trace": prediction.trace,
        "sample": prediction.sample,
        "images": prediction.images,
        "error": prediction.error,
        **({"effort": prediction.effort} if prediction.effort else {}),
    }
    try:
        return json_line(line, keep="status")
    except UnicodeEncodeError:
        plain = to_jsonable(msgspec.to_builtins(line, enc_hook=to_jsonable))
    number = count_replaced(plain)
    plain["trace"] = {**plain["trace"], REPLACED: number}
    return json_line(encodable_data(plain), keep="status")


def decode(line: bytes) -> Prediction:
    """The prediction of a journal line. msgspec.DecodeError: it is none."""
    try:
        return _DECODER.decode(line).prediction()
    except (msgspec.DecodeError, UnicodeDecodeError):
        if (repaired := _with_surrogates(line)) is None:
            raise
        return repaired


def _with_surrogates(line: bytes) -> Prediction | None:
    """The prediction of a line that an earlier version wrote with lone surrogates."""
    try:
        plain = json.loads(line.decode("utf-8", "surrogatepass"))
        trace = {**plain.get("trace", {}), REPLACED: count_replaced(plain)}
        return msgspec.convert(encodable_data({**plain, "trace": trace}), _Line).prediction()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def is_journal_line(content: Any) -> bool:
    """Whether decoded JSON is a line of a journal, and not one of ChEF's flat records."""
    return isinstance(content, Mapping) and (
        "sample_id" in content or {"id", "status", "sample"} <= content.keys()
    )
