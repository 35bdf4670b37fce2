"""Blocking functions in threads of their own, for an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T], name: str) -> T:
    """What a blocking function returns, in a thread of its own that keeps no process alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def deliver(result: T | None, error: BaseException | None) -> None:
        if done.done():  # given up meanwhile
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failure = None, None
        try:
            result = call()
        except StopIteration as error:  # a future takes no such error
            failure = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:  # what would end the process, too: the engine deals with it
            failure = error  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(deliver, result, failure)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await done
