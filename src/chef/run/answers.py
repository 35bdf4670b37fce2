"""The answers of a run: each as a line of its journal, and all of them in memory as these lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, overload

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.packed import PackedLines
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.common.writing import json_line
from chef.metric.groups import Keyed
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


class Answers(Mapping[str, Prediction]):
    """The predictions of a run by sample id, the last of each; ``failed`` has the ids of errors.

    One takes some tens of bytes here, and thousands as objects, so each look makes a new object;
    with ``whole`` the objects that were added stay, for callers that need all of them at once.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self._lines: PackedLines | list[bytes] = [] if whole else PackedLines()
        self._whole: dict[str, Prediction] = {}
        self._places: dict[str, int] = {}
        self.failed: set[str] = set()

    def add(self, line: bytes, prediction: Prediction) -> None:
        """Keep a line of the journal, and what it says."""
        name = sys.intern(prediction.sample_id)  # which the run has, too
        if isinstance(self._lines, list):
            self._places[name], self._whole[name] = len(self._lines), prediction
            self._lines.append(line)
        else:
            self._places[name] = self._lines.append(line)
        if prediction.status is Status.ERROR:
            self.failed.add(name)
        else:
            self.failed.discard(name)

    @property
    def ids(self) -> Collection[str]:
        """The ids of all, in the order in which they were answered first."""
        return self._places.keys()

    @property
    def answered(self) -> list[str]:
        """The ids of those that are no errors."""
        return [name for name in self._places if name not in self.failed]

    def lines(self) -> Iterator[bytes]:
        """The last line of each sample."""
        return map(self._lines.__getitem__, self._places.values())

    def version(self, name: str) -> int:
        """A number that changes if a sample is answered again."""
        return self._places[name]

    def of(self, ids: Sequence[str]) -> Keyed:
        """The predictions of some samples, in this order, as far as there are any."""
        return _Some(self, [name for name in ids if name in self._places])

    def __getitem__(self, name: str) -> Prediction:
        if self._whole:
            return self._whole[name]
        return decode(self._lines[self._places[name]])

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class _Some(Keyed):
    """Predictions of some samples, each of which is made anew at each look."""

    def __init__(self, answers: Answers, ids: Sequence[str]) -> None:
        self._answers, self._ids = answers, ids

    def by_id(self) -> Mapping[str, Prediction]:
        """See `Keyed`; of all answers of a run these themselves, which takes no memory."""
        if len(self._ids) == len(self._answers):
            return self._answers
        return _ById(self._answers, dict.fromkeys(self._ids))

    @overload
    def __getitem__(self, place: int) -> Prediction: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Prediction]: ...

    def __getitem__(self, place: int | slice) -> Prediction | Sequence[Prediction]:
        if isinstance(place, slice):
            return _Some(self._answers, self._ids[place])
        return self._answers[self._ids[place]]

    def __iter__(self) -> Iterator[Prediction]:
        return map(self._answers.__getitem__, self._ids)

    def __len__(self) -> int:
        return len(self._ids)


class _ById(Mapping[str, Prediction]):
    """Predictions of some samples by id."""

    def __init__(self, answers: Answers, ids: Mapping[str, None]) -> None:
        self._answers, self._ids = answers, ids

    def __getitem__(self, name: str) -> Prediction:
        if name not in self._ids:
            raise KeyError(name)
        return self._answers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
