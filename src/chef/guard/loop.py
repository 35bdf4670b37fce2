"""An event loop in a thread of its own, in which requests wait for their replies."""

from __future__ import annotations

import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

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
