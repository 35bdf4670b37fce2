"""Tokens with their log-probabilities, as servers write them; what is none is found out here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chef.errors import ReplyError
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.hooks.replies import ROUNDING
from chef.types import Scored

#: What vLLM writes for minus infinity, which JSON cannot hold.
MINUS_INFINITY = -9999.0
_HINT = "the server does not give log-probabilities as it should: tell those who run it"


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a prompt.

    Attributes:
        text: the characters it stands for, decoded alone: a part of a character is U+FFFD or
            empty, and some tokenizers lose a leading space.
        logprob: its log-probability (natural logarithm) after the tokens before it, unchecked
            (see `logprob_of`); None for the first token, which follows nothing.
        key: equal for equal tokens: its number in the vocabulary, or its text where the server
            does not tell the number.
    """

    text: str
    logprob: Any
    key: str


def logprob_of(value: Any, token: str) -> float:
    """A log-probability of a server as a number.

    Raises:
        ReplyError: it is none: no number, NaN, minus infinity, or above 0.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        what = "no log-probability" if value is None else f"{value!r:.40}"
    elif not math.isfinite(value) or value <= MINUS_INFINITY:
        what = f"{value}, which is not finite,"
    elif value > ROUNDING:
        what = f"{value}, and a log-probability is at most 0,"
    else:
        return float(value)
    raise ReplyError(f"the server gave {what} for the token {token!r}", hint=_HINT)


def summed(tokens: Sequence[Token]) -> Scored:
    """The score of the tokens of an option.

    Raises:
        ReplyError: one of them has no log-probability.
    """
    total = math.fsum(logprob_of(token.logprob, token.text) for token in tokens)
    return Scored(logprob_sum=total, tokens=len(tokens))


def malformed(what: str) -> ReplyError:
    """The error of a reply whose log-probabilities do not have their form."""
    return ReplyError(f"the log-probabilities of the server are malformed: {what}", hint=_HINT)


def absent(what: str) -> RequestFailedError:
    """The failure of a reply that lacks something; the next one may have it."""
    return RequestFailedError(
        f"the server's reply has no {what}",
        Failure.BROKEN_BODY,
        hint="the key logprobs of the model file says what the server gives; logprobs: none if "
        "it gives no log-probabilities",
    )


def choices_of(reply: Mapping[str, Any], wanted: int) -> list[Mapping[str, Any]]:
    """The choices of a reply, in the order of what was asked.

    Raises:
        RequestFailedError: there are fewer.
        ReplyError: they are not numbered as they should be.
    """
    choices = reply.get("choices")
    if not isinstance(choices, list) or len(choices) < wanted:
        raise absent("choices" if not choices else f"choice for each of {wanted} texts")
    numbered: dict[int, Mapping[str, Any]] = {}
    for choice in choices:
        index = choice.get("index", 0) if isinstance(choice, Mapping) else None
        if not isinstance(index, int) or index in numbered:
            raise malformed("the choices are not numbered")
        numbered[index] = choice
    if set(numbered) != set(range(wanted)):
        raise malformed(f"the choices for {wanted} text(s) have the numbers {sorted(numbered)}")
    return [numbered[index] for index in range(wanted)]


def usage_of(reply: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """The tokens of the prompts and of the replies; None where the server does not count them."""
    usage = reply.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    return _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None
