"""What a user's method returned, checked and made plain: texts, and log-probabilities."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import islice
from typing import Any

from chef.errors import ReplyError
from chef.types import Generated, Scored

#: Log-probabilities are at most 0; rounding in half precision may put them so far above.
ROUNDING = 1e-3
#: What a method returns, one and several, and for what.
REPLIES, NUMBERS = ("reply", "replies", "row"), ("number", "numbers", "candidate")
#: How a reply may have ended; see `Generated`.
_REASONS = ("stop", "length", "refused")
#: What is iterable and still no list of replies.
_NO_LISTS = (str, bytes, bytearray, memoryview, Mapping, AbstractSet)


def text_of(value: Any, method: str) -> str:
    """A reply as plain text, also of a subclass of ``str``; a ReplyError if it is no text."""
    if isinstance(value, str):
        return str.__str__(value)  # a subclass may have a __str__ of its own
    refuse_coroutine(value, method)
    decode = "decode it: text.decode()" if isinstance(value, bytes) else "return a str"
    raise ReplyError(f"{method} returned {described(value)}, and a reply is text", hint=decode)


def alone(value: Any, method: str) -> str:
    """A row's text: some methods give it as a list of one."""
    is_wrapped = isinstance(value, list | tuple) and len(value) == 1
    return text_of(value[0] if is_wrapped else value, method)


def refuse_coroutine(value: Any, method: str) -> None:
    """A ReplyError for what an ``async def`` returned, which is closed, so that Python does not
    warn that it was never awaited.
    """
    if inspect.iscoroutine(value):
        value.close()
        raise ReplyError(
            f"{method} is an async function, and chef calls plain ones",
            hint="write def instead of async def; asyncio.run(...) in it runs what is awaited",
        )


def rows_of(
    values: Any, wanted: int, method: str, words: tuple[str, str, str] = REPLIES
) -> list[Any]:
    """The replies of a batch as a list, ``words`` of messages being what they are and for what.

    A ReplyError if they are not ``wanted`` ones.
    """
    if type(values) in (list, tuple) and len(values) == wanted:
        return list(values)
    one, several, of = words
    refuse_coroutine(values, method)
    if isinstance(values, _NO_LISTS) or not _is_iterable(values):
        raise ReplyError(
            f"{method} returned {described(values)}, and not a list of {several}",
            hint=f"return a list with one {one} for each {of}",
        )
    rows = list(islice(values, wanted + 1))  # an iterator may have no end
    if len(rows) != wanted:
        number = str(len(rows)) if len(rows) < wanted else f"more than {wanted}"
        raise ReplyError(
            f"{method} returned {number} {several} for {wanted} {of}s",
            hint=f"return exactly one {one} for each {of}, in order",
        )
    return rows


def scores_of(values: Sequence[Any], method: str) -> tuple[Scored, ...]:
    """The scores of all candidates; see `scored_of`."""
    scores = []
    for value in values:  # one loop: most values are plain, and there are several for each sample
        is_plain = (
            type(value) is Scored
            and type(value.logprob_sum) is float
            and value.logprob_sum <= 0
            and type(value.tokens) is int
            and value.tokens >= 1
        )
        scores.append(value if is_plain else scored_of(value, method))
    return tuple(scores)


def scored_of(value: Any, method: str) -> Scored:
    """The score of one candidate; a mean becomes the sum of one token, as their number is unknown.

    A ReplyError if it is no number, NaN, or above 0, or covers no token.
    """
    given = value if isinstance(value, Scored) else Scored(value, 1)
    total = _number(given.logprob_sum, method)
    tokens = _count(given.tokens, method)
    if tokens < 1:
        raise ReplyError(
            f"{method} returned a score of {tokens} tokens",
            hint="Scored(logprob_sum, tokens) needs at least 1 token",
        )
    if math.isnan(total):
        raise ReplyError(
            f"{method} returned a score that is not finite (NaN)",
            hint="return a finite number where the class is yours; half precision overflows in "
            "some checkpoints: --dtype float32",
        )
    if total > ROUNDING * tokens:
        raise ReplyError(
            f"{method} returned {total!r}, and a log-probability is at most 0",
            hint="return mean log-probabilities (natural logarithm); a loss or a perplexity "
            "has the opposite sign",
        )
    return Scored(total, tokens)


def negated(value: Any, method: str) -> Scored:
    """The score of one candidate whose loss a method returned; see `scored_of`."""
    return scored_of(-_number(value, method), method)


def generated_of(value: Any, method: str) -> Generated:
    """A reply of a model that makes `Generated` itself, with plain values; else a ReplyError."""
    if not isinstance(value, Generated):
        raise ReplyError(
            f"{method} returned {described(value)} as a reply",
            hint="return Generated(text) for each request",
        )
    text, tokens = value.text, value.tokens
    if type(text) is not str or type(tokens) is not int:
        text, tokens = text_of(text, method), _count(tokens, method)
    if value.finish_reason not in _REASONS:
        raise ReplyError(
            f"{method} returned a reply with finish_reason={value.finish_reason!r}",
            hint=f"use one of {', '.join(_REASONS)}: Generated(text, 'stop', tokens=12)",
        )
    if tokens < 0:
        raise ReplyError(
            f"{method} returned a reply of {tokens} tokens", hint="use 0 where it is not known"
        )
    is_plain = type(value) is Generated and value.text is text and not value.replaced
    return value if is_plain else Generated(text, value.finish_reason, tokens)


def _number(value: Any, method: str) -> float:
    if type(value) is float:
        return value
    with suppress(TypeError, ValueError, OverflowError, RuntimeError):  # as tensors raise, too
        if not isinstance(value, str | bytes | bytearray | bool):
            return float(value)
    raise ReplyError(
        f"{method} returned {described(value)}, and a score is a number",
        hint="return a float: the mean log-probability of the candidate's tokens",
    )


def _count(value: Any, method: str) -> int:
    if type(value) is int:
        return value
    with suppress(TypeError):
        if not isinstance(value, bool):
            return operator.index(value)
    raise ReplyError(
        f"{method} returned {described(value)} as a number of tokens", hint="use an int"
    )


def _is_iterable(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True


def described(value: Any) -> str:
    """What a value is; its own methods may fail, so that only plain ones are shown."""
    kind = type(value).__name__
    if type(value) in (bool, float, bytes, str):
        return f"{kind} {value!r:.40}"
    return "None" if value is None else f"an object of type {kind}"
