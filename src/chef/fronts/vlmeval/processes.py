"""Functions of ``vlmeval.utils.mp_util``: processes that a file starts itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from logging import Logger
from typing import Any


async def async_wait_process(
    process: Any, timeout: float | None = None, poll_interval: float = 0.1
) -> bool:
    """Wait at most ``timeout`` seconds (None: for any time) for a process; whether it has ended."""
    end = None if timeout is None else time.monotonic() + timeout
    while process.is_alive():
        if end is not None and time.monotonic() >= end:
            return False
        await asyncio.sleep(poll_interval)
    return True


async def async_recv_process_message(
    conn: Any, process: Any, process_name: str = "process", poll_interval: float = 0.1
) -> Any:
    """The next message of a process; `EOFError` where it ended without one."""
    while not conn.poll():
        if not process.is_alive() and not conn.poll():
            raise EOFError(f"{process_name} ended with code {process.exitcode} and sent nothing")
        await asyncio.sleep(poll_interval)
    return conn.recv()


def terminate_processes(
    processes: Iterable[Any],
    name: str = "process",
    timeout: float = 5.0,
    logger: Logger | None = None,
) -> None:
    """End processes, with force where they do not end in ``timeout`` seconds each."""
    alive = [process for process in processes if process.is_alive()]
    for process in alive:
        process.terminate()
    for process in alive:
        process.join(timeout)
        if process.is_alive():
            process.kill()
            if logger is not None:
                logger.warning("%s %s was killed", name, process.pid)
