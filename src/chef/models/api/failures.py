"""How a request fails: the kinds of failure, and what a status, headers and a body tell of them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from math import isfinite
from typing import Any

from chef.common.redaction import REDACTED, redact
from chef.errors import ChefError


class Failure(StrEnum):
    """The kinds of failure of one attempt, by what can be done about them."""

    CONNECTION = "connection"  #: no connection, or it was cut before the reply was complete
    TIMEOUT = "timeout"  #: no complete reply within the time limit, or status 408
    RATE_LIMITED = "rate_limited"  #: status 429
    OVERLOADED = "overloaded"  #: status 503
    CONFLICT = "conflict"  #: status 409
    SERVER = "server"  #: any other status from 500 up
    BROKEN_BODY = "broken_body"  #: status 200, and no reply in it that can be read
    UNAUTHORIZED = "unauthorized"  #: status 401: the key is wrong
    FORBIDDEN = "forbidden"  #: status 403
    NOT_FOUND = "not_found"  #: status 404: usually an unknown model, or a wrong address
    NO_CREDIT = "no_credit"  #: the account has no credit left; waiting does not help
    BAD_REQUEST = "bad_request"  #: any other status from 400 up: this request cannot be answered

    @property
    def is_retried(self) -> bool:
        """Whether the same request may succeed when it is sent again."""
        return self in _RETRIED

    @property
    def is_congestion(self) -> bool:
        """Whether it tells that fewer requests should be in flight."""
        return self in _CONGESTION

    @property
    def concerns_all(self) -> bool:
        """Whether every other request would fail for the same reason."""
        return self in _CONCERNS_ALL


_CONGESTION = frozenset({Failure.RATE_LIMITED, Failure.OVERLOADED, Failure.TIMEOUT})
_RETRIED = _CONGESTION | {
    Failure.CONNECTION,
    Failure.CONFLICT,
    Failure.SERVER,
    Failure.BROKEN_BODY,
}
_CONCERNS_ALL = frozenset(
    {Failure.UNAUTHORIZED, Failure.FORBIDDEN, Failure.NOT_FOUND, Failure.NO_CREDIT}
)


class RequestFailedError(ChefError):
    """One attempt to get a reply failed; its message is never taken for a reply.

    Args:
        what: one sentence: what the server said, or what happened to the connection.
        failure: the kind of failure.
        retry_after: seconds that the server asks to wait; None where it does not say.
        where: the address of the server.
        hint: how to fix it.
    """

    def __init__(
        self,
        what: str,
        failure: Failure = Failure.SERVER,
        *,
        retry_after: float | None = None,
        where: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(what, where=where, hint=hint)
        self.failure, self.retry_after = failure, retry_after

    def __reduce__(self) -> tuple[object, ...]:
        rest = (self.what, self.failure, self.retry_after, self.where, self.hint)
        return (_rebuild, rest)


def _rebuild(
    what: str, failure: Failure, retry_after: float | None, where: str | None, hint: str | None
) -> RequestFailedError:
    return RequestFailedError(what, failure, retry_after=retry_after, where=where, hint=hint)


#: The longest message of a server that is passed on, in signs.
LONGEST = 300
#: So many signs of it are looked at.
_READ = 20 * LONGEST
#: In errors that are nested deeper nothing is looked for.
_DEEPEST = 6
#: What stands for a secret is no tag.
_TAG = re.compile(rf"(?!{REDACTED})<[^<>]{{1,200}}>")
_BY_STATUS = {
    401: Failure.UNAUTHORIZED,
    402: Failure.NO_CREDIT,
    403: Failure.FORBIDDEN,
    404: Failure.NOT_FOUND,
    408: Failure.TIMEOUT,
    409: Failure.CONFLICT,
    429: Failure.RATE_LIMITED,
    503: Failure.OVERLOADED,
}
#: What providers call an account without credit; some say so with status 429 or 400.
_NO_CREDIT = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_funds"}
)
_UNKNOWN_MODEL = frozenset({"model_not_found", "unknown_model", "invalid_model", "no_such_model"})
_IS_UNKNOWN = re.compile(
    r"does(?: not|n't) exist|not found|not a valid model|is not a local folder|unknown model"
    r"|no such model|invalid model|is pinned to",
    re.IGNORECASE,
)
#: What Google says of a wrong key, with status 400.
_WRONG_KEY = re.compile(r"API_KEY_INVALID|\bAPI key (not valid|expired|not found)", re.IGNORECASE)
_HINTS = {
    Failure.RATE_LIMITED: "the account or the server allows fewer requests: lower max_in_flight in "
    "the model file, raise max_attempts, or go on later",
    Failure.OVERLOADED: "the server is busy or still starting: wait, lower max_in_flight in the "
    "model file, or raise max_attempts",
    Failure.NO_CREDIT: "add credit to the account, or use another key; then resume the run",
}
#: What a refusal of one field names -> the key of the model file that changes it.
_KEYS = (
    ("max_completion_tokens", "max_tokens_key: max_completion_tokens"),
    ("temperature", "send_temperature: false"),
    ("top_p", "send_temperature: false"),
    ("seed", "send_seed: false"),
    ("continue_final_message", "continues: false"),
    ("add_generation_prompt", "continues: false"),
)


def refused(
    status: int, body: Any, headers: Mapping[str, str], where: str, model: str = ""
) -> RequestFailedError:
    """The failure that a status other than success tells; names of headers are in lower case."""
    message = message_of(body)
    failure = _failure(status, body, message, model)
    said = f": {message}" if message else ""
    hint = _address_hint(where) if failure is Failure.NOT_FOUND else _HINTS.get(failure)
    return RequestFailedError(
        redact(f"the server answers with status {status}{said}"),
        failure,
        retry_after=retry_after(headers),
        where=where,
        hint=hint or _key_hint(failure, message),
    )


def _address_hint(where: str) -> str:
    """What to change where an address or a model is not found."""
    if re.search(r"/v\d[^/]*$|/openai\b", where):
        return "check model and base_url in the model file"
    return f"most addresses end with /v1: try base_url: {where}/v1; else check model"


def _key_hint(failure: Failure, message: str) -> str | None:
    """How to write the model file where a server refuses a field that others need."""
    if failure is not Failure.BAD_REQUEST:
        return None
    fitting = next((key for name, key in _KEYS if re.search(rf"\b{name}\b", message)), None)
    if fitting is None:
        return None
    return f"if the server does not take this field, write in the model file: {fitting}"


def refusal(
    failure: Failure, who: str, variable: str | None, of: str, file: str = ""
) -> tuple[str, str]:
    """What is wrong where ``who`` refuses every request, to use ``of``, and how to fix it."""
    key = f"the key in {variable}" if variable else "the request without a key"
    place = f" in the {file}" if file else ""
    set_key = (
        f"put a valid key into the variable {variable} (api_key_env{place})"
        if variable
        else f"name the variable that holds the key: api_key_env{place}"
    )
    if failure is Failure.UNAUTHORIZED:
        return f"{who} does not accept {key}", set_key
    if failure is Failure.FORBIDDEN:
        hint = "ask the owner of the account whether its key may do this" if variable else set_key
        return f"{who} does not allow {key} to use {of}", hint
    if failure is Failure.NO_CREDIT:
        hint = "add credit, or use another key; the same command resumes the run"
        return "the account has no credit left", hint
    names = "model and base_url" if file else "base_url"
    return f"{who} does not know {of}, or has no such address", f"check {names}{place}"


def broken(what: str, where: str) -> RequestFailedError:
    """The failure of a reply with status 200 that cannot be read."""
    return RequestFailedError(redact(what), Failure.BROKEN_BODY, where=where)


def _failure(status: int, body: Any, message: str, model: str) -> Failure:
    codes = set(_codes(body))
    if codes & _NO_CREDIT and 400 <= status < 500:
        return Failure.NO_CREDIT
    if status in {400, 422} and (
        codes & _UNKNOWN_MODEL or (model and model in message and _IS_UNKNOWN.search(message))
    ):
        return Failure.NOT_FOUND
    if status == 400 and _WRONG_KEY.search(message):
        return Failure.UNAUTHORIZED
    if status < 400:  # it sends elsewhere, and no further address was given
        return Failure.NOT_FOUND
    return failure_of_status(status)


def failure_of_status(status: int) -> Failure:
    """The kind of failure that a status of HTTP from 400 up tells.

    >>> failure_of_status(429).value, failure_of_status(502).value
    ('rate_limited', 'server')
    """
    return _BY_STATUS.get(status, Failure.SERVER if status >= 500 else Failure.BAD_REQUEST)


def error_in(data: Mapping[str, Any]) -> tuple[int | None, Any] | None:
    """Status and content of an error in a reply with status 200, as of gateways; else None."""
    error = data.get("error")
    if not error:
        return None
    code = error.get("code", error.get("status")) if isinstance(error, Mapping) else None
    is_status = isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600
    return (code if is_status else None), error


def _codes(body: Any, depth: int = 0) -> Iterator[str]:
    """The codes and types that an error body gives, wherever it puts them."""
    if depth > _DEEPEST:
        return
    if isinstance(body, list):
        for item in body[:3]:
            yield from _codes(item, depth + 1)
    if isinstance(body, Mapping):
        for key in ("code", "type", "status"):
            if isinstance(value := body.get(key), str):
                yield value.lower()
        yield from _codes(body.get("error"), depth + 1)
        yield from _codes(body.get("detail"), depth + 1)


def message_of(body: Any) -> str:
    """What a server says in an error, on one line and shortened; of a page of HTML, its title."""
    text = _text(body)[: 2 * _READ]
    if re.match(r"\s*(<!doctype|<html|<head|<\?xml|<body)", text, re.IGNORECASE):
        title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
        named = f' "{_line(html.unescape(title[1]))}"' if title and title[1].strip() else ""
        return f"a page of HTML{named}"
    return _line(text)


def _text(body: Any, depth: int = 0) -> str:
    if isinstance(body, str):
        return body
    if isinstance(body, list) and depth <= _DEEPEST:
        return "; ".join(filter(None, (_text(item, depth + 1) for item in body[:3])))
    if not isinstance(body, Mapping) or depth > _DEEPEST:
        return ""
    for key in ("error", "message", "detail", "msg", "error_description"):
        if text := _text(body.get(key), depth + 1):
            place = body.get("loc")  # of a field that a server written with FastAPI refuses
            at = ".".join(map(str, place)) if isinstance(place, list) else ""
            return f"{at}: {text}" if at and key == "msg" else text
    try:
        return json.dumps(body, ensure_ascii=False) if body else ""
    except RecursionError:
        return ""


def _line(text: str) -> str:
    # Secrets go first: of one that is cut, the rest would not be known for a part of it.
    safe = redact(text)[:_READ]
    line = " ".join(_TAG.sub(" ", safe).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The seconds that a server asks to wait, 0 or more; None where it does not say.

    Args:
        headers: with names in lower case, or of a mapping that does not tell cases apart.
        now: what a date is compared with; default: the present.

    >>> retry_after({"retry-after": "3"}), retry_after({"retry-after-ms": "250"}), retry_after({})
    (3.0, 0.25, None)
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())
