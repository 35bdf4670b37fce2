"""A second process that reads many answers from their end, while this one reads from their start.

What is found about an answer depends on its record alone, so it is the same from either process,
and this one goes through all answers in order: it takes what the other has sent, and reads the
rest itself. Nothing waits for the other process, and nothing is lost if it ends early.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, Protocol

import msgspec

from chef.common.judgements import Judging
from chef.metric.judgeable import Readings
from chef.metric.records import Record
from chef.types import Prediction, Status

#: A process begins within half a second. It takes two or more to read answers of so many characters
#: together; a short one counts as if it had so many as the second number.
_ENOUGH, _SHORTEST = 8_000_000, 300
#: So many answers are looked at to tell how long all of them are.
_LOOKED_AT = 50
#: So many answers are sent at once, and so many times while the replies to earlier ones are open.
_BLOCK, _AHEAD = 32, 2
#: The code of the other process, which imports what this one would. `multiprocessing` would fork a
#: process with the threads of a model, or run a user's script a second time.
_CODE = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from chef.metric.second_reader import serve; serve()"
)
_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[Prediction])
_REPLIES = msgspec.msgpack.Decoder(list[bytes])


class ReadsAnswers(Protocol):
    """A metric, as far as it reads single answers; see `chef.metric.Metric`."""

    kept_readings: Readings | None
    aggregated: dict[str, Record] | None

    def running(self, prediction: Prediction) -> float | None:
        """The score of one answer on its own."""


@contextmanager
def reading_in_two(
    metric: ReadsAnswers, answers: Mapping[str, Prediction], judging: Judging | None
) -> Iterator[None]:
    """A block that scores answers in the order of their ids; a second process reads some of them.

    It does where they are many and long, none was judged, a core is free, and the metric is chef's
    own: one whose readings are kept, and that can be sent to another process.
    """
    readings, reader = metric.kept_readings, None
    if readings is not None and judging is None and _has_free_core():
        unread = readings.without(sorted(answers))
        reader = _started(metric, answers, unread) if _pays(answers, unread) else None
    if readings is None or reader is None:
        yield
        return
    readings.second = reader.take
    try:
        yield
    finally:
        readings.second = None
        reader.end()


def _has_free_core() -> bool:
    """Whether this process may use two cores, and fewer tasks run on the machine than it has."""
    try:
        return len(os.sched_getaffinity(0)) > 1 and os.getloadavg()[0] < (os.cpu_count() or 1)
    except (AttributeError, OSError):  # not on this system
        return False


def _pays(answers: Mapping[str, Prediction], names: Sequence[str]) -> bool:
    """Whether it takes several times as long to read these as to begin a process."""
    if len(names) < _LOOKED_AT:
        return False
    looked_at = [answers[name] for name in names[:: len(names) // _LOOKED_AT]]
    texts = [item.answer for item in looked_at if "choice" not in item.scores]
    length = sum(max(len(text), _SHORTEST) for text in texts if isinstance(text, str))
    return length / len(looked_at) * len(names) >= _ENOUGH


def _started(
    metric: ReadsAnswers, answers: Mapping[str, Prediction], names: Sequence[str]
) -> SecondReader | None:
    """The second process; None where the metric cannot be sent to one, or none can be started."""
    twin, readings = copy.copy(metric), metric.kept_readings
    twin.aggregated = twin.kept_readings = None
    try:
        begin = pickle.dumps(sys.path) + pickle.dumps((twin, readings and readings.rules))
        return SecondReader(begin, answers, names)
    except Exception:  # classes and values of any kind refuse in ways of their own
        return None


class SecondReader:
    """Another process, and the thread that sends it answers and receives what it has read.

    Args:
        begin: what the process reads first: two pickles, of `sys.path`, and of the metric with
            `Readings.rules`.
        answers: the answers by id.
        names: the ids of those to be read, in the order in which this process reads them.

    Raises:
        OSError: no process can be started.
    """

    def __init__(
        self, begin: bytes, answers: Mapping[str, Prediction], names: Sequence[str]
    ) -> None:
        self._answers, self._names = answers, names
        self._lines: dict[str, bytes] = {}
        self._is_needed = True
        # Ctrl-C in a terminal is for this process, which then ends the other one. With -P nothing
        # is imported from the folder in which a command is given.
        self._process = subprocess.Popen(  # noqa: S603 (Python itself)
            [sys.executable, "-P", "-c", _CODE], start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._thread = threading.Thread(target=self._exchange, args=[begin], daemon=True)
        self._thread.start()

    def take(self, name: str) -> bytes | None:
        """The reading of an answer (`Readings.line`); None where it is still to be read.

        With the first one, this process has come to where the other has been: it is not needed.
        """
        line = self._lines.pop(name, None)
        if line is not None and self._is_needed:
            self._is_needed = False
            self._process.kill()
        return line

    def end(self) -> None:
        """End the process and the thread."""
        self._is_needed = False
        self._process.kill()
        self._process.wait()
        self._thread.join()

    def _exchange(self, begin: bytes) -> None:
        """Send blocks of answers, the last ones first, and keep the replies."""
        sent, received = self._process.stdin, self._process.stdout
        assert sent is not None
        assert received is not None
        starts = range(0, len(self._names), _BLOCK)[::-1]
        open_blocks: list[Sequence[str]] = []
        # Its death closes the pipe. Whatever else is wrong, this process reads the answers itself.
        with suppress(Exception), sent, received:
            sent.write(begin)
            for start in [*starts, *[None] * _AHEAD]:
                if not self._is_needed:
                    break
                if start is not None:
                    open_blocks.append(self._names[start : start + _BLOCK])
                    block = [self._answers[name] for name in open_blocks[-1]]
                    _write(sent, _ENCODER.encode(block))
                if open_blocks and (len(open_blocks) > _AHEAD or start is None):
                    lines = _REPLIES.decode(_read(received))
                    replies = zip(open_blocks.pop(0), lines, strict=True)
                    self._lines.update({name: line for name, line in replies if line})


def serve() -> None:
    """Read the answers that come on standard input, until it ends; the readings go to output."""
    # What code prints is no reading.
    with os.fdopen(os.dup(1), "wb") as replies:
        os.dup2(2, 1)
        metric, rules = pickle.load(sys.stdin.buffer)  # noqa: S301 (of the one that started this)
        metric.kept_readings = last = _LastReading(*rules)
        with suppress(EOFError):
            while True:
                block = _DECODER.decode(_read(sys.stdin.buffer))
                _write(replies, _ENCODER.encode([last.of(metric, item) for item in block]))


class _LastReading(Readings):
    """Keeps the last reading alone."""

    def of(self, metric: ReadsAnswers, prediction: Prediction) -> bytes:
        """The reading of an answer; empty where it fails, which the other process will tell of."""
        self._line = b""
        if prediction.status is not Status.ERROR:
            metric.running(prediction)
        return self._line

    def put(self, sample_id: str, digest: str | None, found: Mapping[str, Any]) -> None:
        del sample_id
        self._line = b"" if digest is None else self.line(digest, found)


def _write(pipe: IO[bytes], content: bytes) -> None:
    pipe.write(len(content).to_bytes(8, "big") + content)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes:
    """What was written next; EOFError where the pipe has ended."""
    head = pipe.read(8)
    content = pipe.read(int.from_bytes(head, "big"))
    if not content:
        raise EOFError
    return content
