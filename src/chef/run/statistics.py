"""The statistics of parts of a session put together: of chunks, and of workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from chef.engine.executor_base import Statistics

_COUNTS = frozenset(asdict(Statistics()))
_NO_SUM = ("largest", "bare_examples")


def added(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The statistics of chunks together: counts and times add up, of all else the last stays.

    >>> added({"batches": 2, "largest_batch": 9, "notices": []}, {"batches": 1, "largest_batch": 4})
    {'batches': 3, 'largest_batch': 9, 'notices': []}
    """
    found = {**before, **now}
    for key in _COUNTS & before.keys() & now.keys():
        pick = max if key.startswith(_NO_SUM) else sum
        found[key] = pick((before[key], now[key]))
    if isinstance(before.get("server"), Mapping) and isinstance(now.get("server"), Mapping):
        found["server"] = _of_server(before["server"], now["server"])
    if "workers" in before and "workers" in now:
        found["workers"] = _of_workers(before["workers"], now["workers"])
    return found


def _of_workers(
    before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The same of the workers, of whom some may have had nothing to do in a chunk."""
    found = {item["worker"]: dict(item) for item in before}
    for item in now:
        earlier = found.get(item["worker"], {"asked": 0, "samples_per_second": 0.0})
        parts = [one for one in (earlier, item) if one["samples_per_second"]]
        asked = sum(one["asked"] for one in parts)
        seconds = sum(one["asked"] / one["samples_per_second"] for one in parts)
        rate = round(asked / seconds, 3) if seconds else 0.0
        found[item["worker"]] = {
            **item, "asked": earlier["asked"] + item["asked"], "samples_per_second": rate,
        }  # fmt: skip
    return [found[number] for number in sorted(found)]


def _of_server(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The same of the requests to a server; the times of replies do not add up."""
    found = {**before, **now}
    for key, value in now.items():
        earlier = before.get(key)
        if isinstance(value, Mapping) and isinstance(earlier, Mapping):
            every = {*earlier, *value}
            found[key] = {name: earlier.get(name, 0) + value.get(name, 0) for name in sorted(every)}
        elif key.startswith("most"):
            found[key] = max(value, earlier or 0)
        elif isinstance(value, int | float) and earlier is not None and "latency" not in key:
            found[key] = value + earlier
    return found
