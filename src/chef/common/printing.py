"""The only way from chef to the terminal: without secrets, and without what acts on a terminal.

`say` prints a text of chef. `guarded_streams` also guards what others print in this process:
libraries, progress bars and a user's model.
"""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, TextIO, TypeAlias, cast

from chef.common.redaction import redact
from chef.common.text import encodable, visible

#: What progress bars and coloured tables write: colours, one line up, the rest of a line erased.
_HARMLESS = re.compile(r"(\r|\x1b\[[\d;]{0,20}m|\x1b\[1?A|\x1b\[[0-2]?K)")

Style: TypeAlias = Literal["", "bold", "dim", "good", "bad", "mark"]
_STYLES = {
    "bold": "\x1b[1m", "dim": "\x1b[2m", "good": "\x1b[32m", "bad": "\x1b[31m", "mark": "\x1b[7m",
}  # fmt: skip


def shown(text: str) -> str:
    """``text`` as it may be printed."""
    return visible(redact(text))


def progress_bar(label: str, total: int | None, unit: str, **more: Any) -> Any:
    """A bar of tqdm on standard error, rarely updated where that is no terminal."""
    from tqdm import tqdm

    open_standard_streams()  # a service that calls chef from Python may have none
    interval = 0.2 if sys.stderr.isatty() else 30.0
    return tqdm(total=total, desc=shown(label), unit=unit, mininterval=interval, **more)


def say(text: str = "", stream: TextIO | None = None) -> None:
    """Print a text and a line feed.

    Args:
        text: any text, also of a model or of a file.
        stream: where to; standard output if None.
    """
    stream = sys.stdout if stream is None else stream
    print(_fitting(shown(text), stream), file=stream)


def say_styled(parts: Iterable[tuple[str, Style]]) -> None:
    """Print texts, each with its style, and a line feed; without colours ``mark`` is ``»text«``.

    ``NO_COLOR`` in the environment means no colours, and so does ``TERM=dumb``.
    """
    stream = sys.stdout
    has_none = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    has_colours = stream.isatty() and not has_none
    pieces = list(parts)
    whole = "".join(text for text, _ in pieces)
    if redact(whole) != whole:  # a secret may reach over several parts
        pieces = [(redact(whole), "")]
    printed = []
    for text, style in pieces:
        safe = visible(text)
        if has_colours and style:
            printed.append(f"{_STYLES[style]}{safe}\x1b[0m")
        else:
            printed.append(f"»{safe}«" if style == "mark" else safe)
    print(_fitting("".join(printed), stream), file=stream)


class GuardedStream(io.TextIOBase):
    """A stream that removes secrets and terminal escapes, of whole lines, or when it is flushed."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        #: Why nothing is written any more: a full disk, a terminal that is gone.
        self.failure: OSError | None = None
        self._line = ""
        self._lock = threading.RLock()

    def write(self, text: str) -> int:
        """Write a text."""
        with self._lock:
            self._line += text
            end = max(self._line.rfind("\n"), self._line.rfind("\r")) + 1
            if end:
                whole, self._line = self._line[:end], self._line[end:]
                self._pass_on(whole)
        return len(text)

    def flush(self) -> None:
        """Pass on what there is, also of an incomplete line."""
        with self._lock:
            if self._line:
                line, self._line = self._line, ""
                self._pass_on(line)
        with self._going_on():
            self.stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.stream.errors

    def close(self) -> None:
        """Flush; the stream behind stays open."""
        with suppress(ValueError):
            self.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def _pass_on(self, text: str) -> None:
        parts = _HARMLESS.split(redact(text))
        kept = "".join(part if place % 2 else visible(part) for place, part in enumerate(parts))
        with self._going_on():
            self.stream.write(_fitting(kept, self.stream))

    @contextmanager
    def _going_on(self) -> Iterator[None]:
        """What cannot be shown ends no run; that a reader has closed its pipe is raised."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            self.failure = error
            send_nowhere(self.stream)


def send_nowhere(*streams: TextIO) -> None:
    """Let everything that is still written, also at the end of the process, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def open_standard_streams() -> None:
    """Open the standard streams that the caller has closed (``>&-``, some services): of nowhere.

    Python has none then, and the next file that is opened would take the place of one, with what
    libraries write to it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # what is opened gets the lowest number that is free
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))


def guard_streams() -> None:
    """Guard standard output and standard error for the rest of the process."""
    if not isinstance(sys.stdout, GuardedStream):
        sys.stdout, sys.stderr = GuardedStream(sys.stdout), GuardedStream(sys.stderr)


@contextmanager
def guarded_streams() -> Iterator[tuple[GuardedStream, GuardedStream]]:
    """Guard standard output and standard error until the end of the block, which gets them."""
    before = sys.stdout, sys.stderr
    guard_streams()
    guarded = cast("tuple[GuardedStream, GuardedStream]", (sys.stdout, sys.stderr))
    try:
        yield guarded
    finally:
        sys.stdout, sys.stderr = before
        for stream in guarded:
            stream.flush()


#: What stands for the lines of tables and the marks of texts where an encoding has none.
_PLAINER = str.maketrans("│─┌┬┐├┼┤└┴┘…»«→█▌░", "|-+++++++++~><>##.")


def _fitting(text: str, stream: TextIO) -> str:
    """``text`` with signs of ASCII, or escapes, for what the encoding of a stream lacks."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower().replace("-", "") == "utf8":
        return encodable(text)
    try:
        return text.encode(encoding).decode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAINER).encode(encoding, "backslashreplace").decode(encoding)
