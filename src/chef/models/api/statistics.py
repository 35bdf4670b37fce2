"""What is counted and measured of the requests to a server."""

from __future__ import annotations

import statistics
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chef.models.api.failures import Failure
from chef.models.api.traffic import NO_TOKENS, TokenCounts, Traffic


@dataclass(slots=True)
class TrafficStatistics:
    """Counts and times of the requests of one run.

    Attributes:
        requests: HTTP requests; ``repeated``: those sent again, by the failure before.
        tokens: as the server counts them; ``uncounted``: good replies whose tokens it does not
            tell.
        seconds: how long each attempt with a good reply took.
        pauses: how often sending paused, because the server asked for it or one was too much.
    """

    requests: int = 0
    repeated: Counter[Failure] = field(default_factory=Counter)
    tokens: TokenCounts = NO_TOKENS
    uncounted: int = 0
    seconds: array[float] = field(default_factory=lambda: array("d"))
    most_in_flight: int = 0
    pauses: int = 0
    paused_seconds: float = 0.0

    def add(self, requests: int, tokens: TokenCounts, seconds: float) -> None:
        """Count an attempt that brought a good reply."""
        self.requests += requests
        self.tokens += tokens
        self.uncounted += tokens == NO_TOKENS
        self.seconds.append(seconds)

    def record(self, traffic: Traffic) -> dict[str, Any]:
        """For environment.json: times in seconds, ``cost`` in the currency of the prices."""
        cost = traffic.cost(self.tokens.prompt, self.tokens.completion)
        return {
            "requests": self.requests,
            "repeated": {str(failure): number for failure, number in sorted(self.repeated.items())},
            "prompt_tokens": self.tokens.prompt,
            "completion_tokens": self.tokens.completion,
            "uncounted": self.uncounted,
            "cost": cost if traffic.has_prices else None,
            **latency(self.seconds),
            "most_in_flight": self.most_in_flight,
            "pauses": self.pauses,
            "paused_seconds": round(self.paused_seconds, 3),
        }


def latency(seconds: Sequence[float]) -> dict[str, float | None]:
    """The median and the 95th percentile of the seconds that replies took; None without any.

    >>> latency([1.0, 2.0, 6.0])
    {'latency_median': 2.0, 'latency_p95': 5.6}
    """
    median = statistics.median(seconds) if seconds else None
    return {"latency_median": _rounded(median), "latency_p95": _rounded(_p95(seconds))}


def _p95(seconds: Sequence[float]) -> float | None:
    """The 95th percentile, between neighbours by linear interpolation."""
    if len(seconds) < 2:
        return seconds[0] if seconds else None
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1]


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 6)


def summary(record: Mapping[str, Any]) -> str:
    """A record of `TrafficStatistics` as part of a line for people.

    >>> summary({"requests": 1234, "repeated": {"timeout": 12}, "prompt_tokens": 45678,
    ...          "completion_tokens": 1234, "uncounted": 0, "cost": None, "latency_median": 0.8,
    ...          "latency_p95": 2.0})
    '1,234 requests (12 repeated), 45,678 tokens in, 1,234 out, latency median 0.8 s, p95 2.0 s'
    """
    repeated = sum(record["repeated"].values())
    requests = f"{record['requests']:,} request{'' if record['requests'] == 1 else 's'}"
    parts = [requests + (f" ({repeated:,} repeated)" if repeated else "")]
    parts.append(f"{record['prompt_tokens']:,} tokens in, {record['completion_tokens']:,} out")
    if uncounted := record["uncounted"]:
        replies = "1 reply" if uncounted == 1 else f"{uncounted:,} replies"
        parts[-1] += f" (the server does not tell those of {replies})"
    if record["cost"] is not None:
        parts.append(f"cost {shown_cost(record['cost'])}")
    if record["latency_median"] is not None:
        parts.append(
            f"latency median {_shown_seconds(record['latency_median'])}, "
            f"p95 {_shown_seconds(record['latency_p95'])}"
        )
    return ", ".join(parts)


def shown_cost(cost: float) -> str:
    """A cost with at least two digits that say something.

    >>> shown_cost(12.3456), shown_cost(0.1), shown_cost(0.00123), shown_cost(0)
    ('12.35', '0.10', '0.0012', '0.00')
    """
    return f"{cost:.2f}" if cost >= 0.01 or cost == 0 else f"{cost:.2g}"


def _shown_seconds(seconds: float) -> str:
    if seconds < 0.1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"
