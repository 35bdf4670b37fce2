"""A line of the journal: a prediction as JSON, under the keys that all files of a run use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.common.writing import json_line
from chef.types import Prediction, Status

_DECODER = msgspec.json.Decoder(Prediction)


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
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        if (repaired := _of_earlier_version(line)) is None:
            raise
        return repaired


def _of_earlier_version(line: bytes) -> Prediction | None:
    """The prediction of a line that an earlier version wrote: its id under ``sample_id``, or with
    lone surrogates; None of any other line.
    """
    try:
        plain = json.loads(line.decode("utf-8", "surrogatepass"))
        name = plain.pop("sample_id", None)
        plain = {**plain, "id": name if plain.get("id") is None else plain["id"]}
        if number := count_replaced(plain):
            plain["trace"] = {**plain.get("trace", {}), REPLACED: number}
        return msgspec.convert(encodable_data(plain), Prediction)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def is_journal_line(content: Any) -> bool:
    """Whether decoded JSON is a line of a journal, and not one of ChEF's flat records."""
    return isinstance(content, Mapping) and (
        "sample_id" in content or {"id", "status", "sample"} <= content.keys()
    )
