"""What requests share: bounds on what a server sends, their one kind of failure, and their loop.

A reply may be only so large, unpacked too, and so slow. `http` raises the failure where none comes.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from chef.errors import ChefError

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future


#: The most bytes of a reply that is read into memory, as it travels and as it is unpacked.
MOST_BYTES = 16 * 2**20
#: The most headers of a reply, and the most bytes of all together.
MOST_HEADERS, MOST_HEADER_BYTES = 200, 64 * 2**10
#: A download that brings less than so many bytes in so many seconds is given up.
SLOWEST_BYTES, SLOWEST_SECONDS = 16 * 2**10, 60.0


class Trouble(StrEnum):
    """Why there is no reply."""

    CONNECTION = "connection"  #: none, or it broke
    TIMEOUT = "timeout"  #: not in time
    BROKEN = "broken"  #: what came is no HTTP, too large, or packed in a way that cannot be read
    ELSEWHERE = "elsewhere"  #: a redirect that is not followed


class HttpError(ChefError):
    """There is no reply that can be read; ``trouble`` is the kind of it."""

    def __init__(self, what: str, trouble: Trouble, hint: str | None = None) -> None:
        super().__init__(what, hint=hint)
        self.trouble = trouble

    def __reduce__(self) -> tuple[object, ...]:
        return (HttpError, (self.what, self.trouble, self.hint))


def too_large(most: int, when: str = "") -> HttpError:
    """The error of a reply of more bytes."""
    return HttpError(f"the reply is larger than {most:,} bytes{when}", Trouble.BROKEN)


class Unpacker:
    """Unpacks the body of a reply by its ``Content-Encoding``, to ``most`` bytes; HttpError: an
    unknown one.
    """

    def __init__(self, encoding: str, most: int = MOST_BYTES) -> None:
        name = encoding.strip().lower()
        if name not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise HttpError(f"the reply is packed as {encoding[:40]!r}", Trouble.BROKEN)
        is_plain = name in {"", "identity"}
        # 32: gzip or zlib, by what the data begins with.
        self._zlib = None if is_plain else zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._most = self._left = most

    def unpack(self, data: bytes) -> bytes:
        """The next piece. HttpError: it is too large, or cannot be unpacked."""
        if self._zlib is None:
            return data
        try:
            piece = self._zlib.decompress(data, self._left + 1)
        except zlib.error as error:
            raise HttpError(f"the reply cannot be unpacked: {error}", Trouble.BROKEN) from None
        self._left -= len(piece)
        if self._left < 0:
            raise too_large(self._most, " when it is unpacked")
        return piece

    def check_end(self) -> None:
        """Check that nothing is missing. Raises HttpError."""
        if self._zlib is not None and not self._zlib.eof:
            raise HttpError("the reply ends before it is unpacked", Trouble.BROKEN)


class Pace:
    """Whether a download comes fast enough, by a monotonic clock; a drip would last for ever."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._since, self._bytes = clock, clock(), 0

    def came(self, size: int) -> None:
        """Count bytes that came; HttpError where the last `SLOWEST_SECONDS` had too few."""
        self._bytes += size
        if self._bytes >= SLOWEST_BYTES:
            self._since, self._bytes = self._clock(), 0
        elif (seconds := self._clock() - self._since) > SLOWEST_SECONDS:
            what = f"only {self._bytes:,} bytes came in {seconds:.0f} s"
            raise HttpError(what, Trouble.TIMEOUT)


T = TypeVar("T")


class LoopThread:
    """Runs coroutines in a daemon thread; a client with open connections belongs to one loop, as
    does a model.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine. Cancelling the future cancels it, and closes what it waits for."""
        import asyncio  # not by every command that knows models behind servers

        return asyncio.run_coroutine_threadsafe(coroutine, self._running())

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                import asyncio

                self._loop = loop = asyncio.new_event_loop()
                threading.Thread(target=_run, args=(loop,), name="requests", daemon=True).start()
            return self._loop

    def close(self) -> None:
        """Cancel what still runs, and end the thread. The next coroutine starts another one."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    import asyncio

    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        unfinished = asyncio.all_tasks(loop)
        for task in unfinished:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*unfinished, return_exceptions=True))
    finally:
        loop.close()
