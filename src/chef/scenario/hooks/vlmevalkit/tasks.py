"""``track_progress_rich``: one function for many tasks, by several threads, with a bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextvars import copy_context
from pathlib import Path
from typing import Any

from chef.errors import DataError
from chef.scenario.hooks.vlmevalkit.files import dump, load


def track_progress_rich(  # noqa: PLR0917 (the order of VLMEvalKit)
    func: Callable[..., Any],
    tasks: Sequence[Any] = (),
    nproc: int = 1,
    save: str | os.PathLike[str] | None = None,
    keys: Sequence[Any] | None = None,
    chunksize: int = 1,
    use_process: bool = False,
) -> list[Any]:
    """The result of a function for each task, in order, by ``nproc`` threads.

    It is called ``func(*task)`` for tuples and lists, ``func(**task)`` for dicts, else
    ``func(task)``; the first error is raised, and calls that have not begun are not made. The file
    ``save`` has the results by ``keys``: those are not computed again, and it is written at the end
    or after an error. ``chunksize`` and ``use_process`` have no effect.
    """
    del chunksize, use_process
    names = list(range(len(tasks))) if keys is None else list(keys)
    if len(names) != len(tasks):
        raise DataError(f"there are {len(tasks)} tasks and {len(names)} keys")
    done: dict[Any, Any] = load(save) if save is not None and Path(save).is_file() else {}
    todo = [place for place, name in enumerate(names) if name not in done]
    calls: dict[Future[Any], Any] = {}
    try:
        with ThreadPoolExecutor(max(1, nproc)) as threads, _bar(func, len(todo)) as bar:
            for place in todo:
                call = threads.submit(copy_context().run, _call, func, tasks[place])
                calls[call] = names[place]
            try:
                for call in as_completed(calls):
                    call.result()
                    bar.update()
            finally:
                threads.shutdown(cancel_futures=True)
    finally:
        worked = [call for call in calls if not call.cancelled() and call.exception() is None]
        done |= {calls[call]: call.result() for call in worked}
        if save is not None:
            dump(done, save)
    return [done[name] for name in names]


def _call(func: Callable[..., Any], task: Any) -> Any:
    if isinstance(task, Mapping):
        return func(**task)
    return func(*task) if isinstance(task, tuple | list) else func(task)


def _bar(func: Callable[..., Any], total: int) -> Any:
    """A progress bar on standard error, for what takes longer than a second."""
    from tqdm import tqdm

    label = getattr(func, "__name__", type(func).__name__)
    interval = 0.2 if sys.stderr.isatty() else 30.0
    return tqdm(total=total, desc=label, unit="task", mininterval=interval, delay=1)
