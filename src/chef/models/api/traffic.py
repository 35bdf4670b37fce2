"""How many requests are sent and what they may cost, and what they have used.

Pure functions over frozen states, and counts of one run. What was used
belongs to the model, so that recipes share it.
"""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from chef.errors import ConfigError, RunError
from chef.frozen import Frozen
from chef.models.api.failures import Failure


class Traffic(Frozen):
    """How many requests are sent, how long each may take, and what they may cost.

    A run may be resumed with other values, because they decide no answer.

    Attributes:
        max_in_flight: the most requests under way at once; fewer where the server slows down.
        request_timeout: the most seconds that one attempt may take, from sending to the last byte.
        requests_per_second: the most requests that are sent in a second, evenly spaced; None for
            any number.
        max_attempts: how often a request is sent before its sample is an error.
        max_requests: the most requests of one call of chef, repeated ones included.
        max_tokens_total: the most tokens of one call of chef, prompts and replies together.
        max_cost: the most that the requests of one call of chef may cost, in the currency of the
            prices.
        price_input: the price of a million prompt tokens.
        price_output: the price of a million generated tokens.

    Raises:
        ConfigError: a value is out of range, or a cost is to be limited and no price is given.
    """

    max_in_flight: int = 64
    request_timeout: float = 120.0
    requests_per_second: float | None = None
    max_attempts: int = 6
    max_requests: int | None = None
    max_tokens_total: int | None = None
    max_cost: float | None = None
    price_input: float | None = None
    price_output: float | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value: Any = getattr(self, item.name)
            least = 0 if item.name.startswith(("price", "max_cost")) else 1
            if item.name in {"request_timeout", "requests_per_second"}:
                least = 0.001  # type: ignore[assignment]
            if value is not None and not least <= value < math.inf:
                raise ConfigError(
                    f"{item.name} is {value}",
                    where=item.name,
                    hint=f"it must be a finite number, {least} or more",
                )
        if self.max_cost is not None and not self.has_prices:
            raise ConfigError(
                "what requests cost is not known",
                where="max_cost",
                hint="add price_input and price_output: prices of a million tokens",
            )

    @property
    def seconds_between(self) -> float:
        """The least seconds from one request to the next."""
        return 1 / self.requests_per_second if self.requests_per_second else 0.0

    @property
    def has_prices(self) -> bool:
        """Whether what requests cost is known."""
        return self.price_input is not None or self.price_output is not None

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The price of so many tokens; 0 where no price is given."""
        prices = (self.price_input or 0.0, self.price_output or 0.0)
        return (prices[0] * prompt_tokens + prices[1] * completion_tokens) / 1e6


#: The keys of a model file that decide no answer.
TRAFFIC_KEYS = tuple(item.name for item in fields(Traffic))


class BudgetError(RunError):
    """A budget of the model file is spent; what was answered is kept."""


class TokenCounts(Frozen):
    """The tokens of a request: of its prompts, and of its replies."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: TokenCounts) -> TokenCounts:
        return TokenCounts(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: TokenCounts) -> TokenCounts:
        return TokenCounts(self.prompt - other.prompt, self.completion - other.completion)

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


NO_TOKENS = TokenCounts()


@dataclass(slots=True)
class Effort:
    """What one sample's requests to a server took; failed HTTP requests count, too."""

    requests: int = 0
    retries: int = 0
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, requests: int, seconds: float, tokens: TokenCounts = NO_TOKENS) -> None:
        """Count an attempt."""
        self.requests += requests
        self.seconds += seconds
        self.prompt_tokens += tokens.prompt
        self.completion_tokens += tokens.completion

    def record(self) -> dict[str, float]:
        """For the journal, seconds to the millisecond; empty where nothing was sent."""
        if not self.requests:
            return {}
        counts: dict[str, float] = {name: getattr(self, name) for name in self.__slots__}
        return {**counts, "seconds": round(self.seconds, 3)}


class Spent(Frozen):
    """What was used, and what is reserved for the attempts in flight.

    Attributes:
        requests, tokens: of what has ended; of failed requests the tokens are not known.
        reserved: the estimated tokens of the attempts in flight.
        requests_each: the most HTTP requests that one attempt has taken.
    """

    requests: int = 0
    tokens: TokenCounts = NO_TOKENS
    in_flight: int = 0
    reserved: TokenCounts = NO_TOKENS
    requests_each: int = 1

    def started(self, estimate: TokenCounts) -> Spent:
        """An attempt was started that takes about so many tokens."""
        reserved = self.reserved + estimate
        return Spent(self.requests, self.tokens, self.in_flight + 1, reserved, self.requests_each)

    def ended(
        self, estimate: TokenCounts, used: TokenCounts = NO_TOKENS, requests: int = 1
    ) -> Spent:
        """An attempt for which ``estimate`` was reserved has ended, after so many HTTP requests."""
        return Spent(
            self.requests + requests,
            self.tokens + used,
            self.in_flight - 1,
            self.reserved - estimate,
            max(self.requests_each, requests),
        )

    def cost(self, traffic: Traffic) -> float:
        """What the replies that came have cost, in the currency of the prices."""
        return traffic.cost(self.tokens.prompt, self.tokens.completion)


def lacking(spent: Spent, traffic: Traffic, estimate: TokenCounts) -> str | None:
    """The budget that does not allow another attempt of so many tokens; None if all do.

    >>> spent = Spent(requests=9, tokens=TokenCounts(700, 200))
    >>> lacking(spent, Traffic(max_requests=10, max_tokens_total=1000), TokenCounts(50, 50))
    >>> lacking(spent, Traffic(max_requests=10, max_tokens_total=1000), TokenCounts(50, 51))
    'max_tokens_total'
    """
    if traffic.max_requests is traffic.max_tokens_total is traffic.max_cost is None:
        return None
    requests = spent.requests + (spent.in_flight + 1) * spent.requests_each
    tokens = spent.tokens + spent.reserved + estimate
    needed = {
        "max_requests": requests,
        "max_tokens_total": tokens.total,
        "max_cost": traffic.cost(tokens.prompt, tokens.completion),
    }
    for key, amount in needed.items():
        most = getattr(traffic, key)
        if most is not None and amount > most:
            return key
    return None


def budget_error(key: str, spent: Spent, traffic: Traffic, estimate: TokenCounts) -> BudgetError:
    """The error that ends a run whose budget does not allow another request."""
    used = {
        "max_requests": f"{spent.requests:,} requests were sent",
        "max_tokens_total": f"{spent.tokens.total:,} tokens were used, and the next request may "
        f"take {estimate.total:,}",
        "max_cost": f"{spent.cost(traffic):.4g} was spent, and the next request may cost "
        f"{traffic.cost(estimate.prompt, estimate.completion):.4g}",
    }
    return BudgetError(
        f"the budget of this call is spent: {key} is {getattr(traffic, key)}, {used[key]}",
        where=key,
        hint=f"the same command goes on with the samples that are left; raise {key} in the model "
        f"file, or on the command line (--model_args {key}=N), to ask more of them at once",
    )


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
