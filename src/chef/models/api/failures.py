"""How a request to a server fails, and what is done about each kind of failure."""

from __future__ import annotations

from enum import StrEnum

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
