"""What the requests of one call of chef have used, and whether another one may start.

Pure functions over a frozen state, which belongs to the model, so that recipes share it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from chef.errors import RunError
from chef.models.api.traffic import Traffic


class BudgetError(RunError):
    """A budget of the model file is spent; what was answered is kept."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a request: of its prompts, and of its replies."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: Tokens) -> Tokens:
        return Tokens(self.prompt - other.prompt, self.completion - other.completion)

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


NO_TOKENS = Tokens()


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used, and what is reserved for the attempts in flight.

    Attributes:
        requests: HTTP requests that have ended, failed ones included.
        tokens: tokens of the replies that came. Of failed requests they are not known.
        in_flight: attempts under way.
        reserved: their estimated tokens.
        requests_each: the most HTTP requests that one attempt has taken.
    """

    requests: int = 0
    tokens: Tokens = NO_TOKENS
    in_flight: int = 0
    reserved: Tokens = NO_TOKENS
    requests_each: int = 1

    def started(self, estimate: Tokens) -> Spent:
        """An attempt was started that takes about so many tokens."""
        return replace(self, in_flight=self.in_flight + 1, reserved=self.reserved + estimate)

    def ended(self, estimate: Tokens, used: Tokens = NO_TOKENS, requests: int = 1) -> Spent:
        """That attempt has ended.

        Args:
            estimate: what was reserved for it.
            used: its tokens; none where it failed.
            requests: how many HTTP requests it took.
        """
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


def lacking(spent: Spent, traffic: Traffic, estimate: Tokens) -> str | None:
    """The budget that does not allow another attempt of so many tokens; None if all do.

    >>> spent = Spent(requests=9, tokens=Tokens(700, 200))
    >>> lacking(spent, Traffic(max_requests=10, max_tokens_total=1000), Tokens(50, 50))
    >>> lacking(spent, Traffic(max_requests=10, max_tokens_total=1000), Tokens(50, 51))
    'max_tokens_total'
    """
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


def budget_error(key: str, spent: Spent, traffic: Traffic, estimate: Tokens) -> BudgetError:
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
