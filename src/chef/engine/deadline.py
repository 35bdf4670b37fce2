"""Calls of the model with a time limit (``--timeout``).

Python cannot stop a thread. A limited call runs in a thread of its own; when its time is up, an
exception is raised inside it, which ends Python code at its next instruction, a forward pass
between two operations, and a wait for the network only where it wakes up now and then. A call that
still runs after that keeps using the model, so nothing else may be asked of it: see `StuckError`.
"""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from chef.common.user_code import give_up

T = TypeVar("T")

#: How many seconds a call has to end after it was told to.
GRACE = 3.0


class StuckError(TimeoutError):
    """A call took too long and still runs (``earlier``: another one does)."""

    def __init__(self, what: str, *, earlier: bool = False) -> None:
        super().__init__(what)
        self.earlier = earlier


class TimeIsUpError(BaseException):
    """Ends a call from inside; a model's ``except Exception`` lets it pass."""


class Deadline(Generic[T]):
    """Runs calls one after another, each for at most so many seconds; None calls directly.

    All run in one thread until one is ended, because some libraries tie what they open to a thread.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._thread: _Caller[T] | None = None
        self._given_up: _Caller[T] | None = None

    @property
    def is_stuck(self) -> bool:
        """Whether a call that was given up still runs."""
        return self._given_up is not None and self._given_up.is_alive()

    def call(self, function: Callable[[], T]) -> T:
        """What ``function`` returns; a TimeoutError if it was ended, a StuckError if it runs."""
        if self.seconds is None:
            return function()
        if self.is_stuck:
            raise StuckError("an earlier call of the model still runs", earlier=True)
        if self._thread is None:
            self._thread = _Caller()
        thread = self._thread
        thread.asked.put(function)
        try:
            found, error = thread.answered.get(timeout=self.seconds)
        except queue.Empty:
            self._thread = None
            thread.interrupt()
            what = f"the model gave no reply within {self.seconds:g} s (--timeout)"
            if thread.is_alive():
                self._given_up = thread
                give_up(thread.ident or 0)
                raise StuckError(what) from None
            raise TimeoutError(what) from None
        if error is not None:
            raise error
        assert found is not None
        return found

    def close(self) -> None:
        """End the thread, if there is one."""
        if self._thread is not None:
            self._thread.asked.put(None)
            self._thread = None


class _Caller(threading.Thread, Generic[T]):
    """A thread that calls functions; the process does not wait for it."""

    def __init__(self) -> None:
        super().__init__(name="model", daemon=True)
        self.asked: queue.SimpleQueue[Callable[[], T] | None] = queue.SimpleQueue()
        self.answered: queue.SimpleQueue[tuple[T | None, BaseException | None]] = (
            queue.SimpleQueue()
        )
        self.start()

    def run(self) -> None:
        try:
            while (function := self.asked.get()) is not None:
                try:
                    self.answered.put((function(), None))
                except TimeIsUpError:
                    return
                except BaseException as error:
                    self.answered.put((None, error))
        except TimeIsUpError:  # it came when the call had just ended
            return

    def interrupt(self) -> None:
        """Raise an exception in the call, and wait for its end for `GRACE` seconds."""
        self.asked.put(None)
        identity = ctypes.c_ulong(self.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(TimeIsUpError))
        self.join(GRACE)
