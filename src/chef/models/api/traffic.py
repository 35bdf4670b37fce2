"""The keys of a model file that decide how its requests are sent, and none of its answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from chef.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Traffic:
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
