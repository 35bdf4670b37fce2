"""The connection to a server, JSON out and in, and the one loop of requests to it.

Each request is sent once more where that may help, until all stop. The loop runs in the thread of
the connections, so nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from chef.common.logs import logger
from chef.common.redaction import redact
from chef.common.user_code import exit_error
from chef.errors import ChefError, ConfigError, ReplyError, RunError
from chef.guard import http
from chef.guard.bounds import HttpError, Trouble
from chef.models.api.failures import (
    Failure,
    RequestFailedError,
    broken,
    error_in,
    message_of,
    refused,
)
from chef.models.api.gate import Destination, Gate, Waits
from chef.models.api.server_model import Received
from chef.models.api.settings import address_of
from chef.models.api.traffic import NO_TOKENS, Effort, TokenCounts, TrafficStatistics
from chef.types import Generated

#: What is done about a request without a reply. A redirect tells that the address is another one.
_FAILURES = {
    Trouble.CONNECTION: Failure.CONNECTION,
    Trouble.TIMEOUT: Failure.TIMEOUT,
    Trouble.BROKEN: Failure.BROKEN_BODY,
    Trouble.ELSEWHERE: Failure.NOT_FOUND,
}


class Client:
    """Sends requests to an OpenAI-compatible server, once each; to be used in one event loop.

    Args:
        base_url: user and password in it become a header, its parameters are sent with every
            request.
        api_key: the key; None for none. No other is ever sent, whatever the environment holds.
        timeout: the most seconds from sending to the last byte of the reply.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        headers: Mapping[str, str] | None = None,
        *,
        timeout: float | None = None,
    ) -> None:
        address = address_of(base_url)
        #: The address as it may be shown.
        self.where = address.url
        self._query = f"?{urlencode(address.query)}" if address.query else ""
        bearer = f"Bearer {api_key}" if api_key else None
        login = address.authorization or bearer
        self._headers = {**(headers or {}), **({"Authorization": login} if login else {})}
        self._timeout = timeout
        self._http = http.HttpClient(None)  # the whole reply has its time

    def post(self, path: str, body: Mapping[str, Any]) -> Awaitable[Mapping[str, Any]]:
        """Send JSON; the JSON object of the reply, else a RequestFailedError."""
        return self._reply("POST", path, body)

    def get(self, path: str) -> Awaitable[Mapping[str, Any]]:
        """Ask for an address; the JSON object of the reply, else a RequestFailedError."""
        return self._reply("GET", path, None)

    def load(self) -> None:
        """Load what requests need; a ConfigError for unusable proxies or certificates."""
        self._http.load()

    async def close(self) -> None:
        """Close the connections. The next request opens others."""
        await self._http.close()

    async def _reply(
        self, method: str, path: str, body: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:
        path = path if path.startswith("/") else f"/{path}"
        headers, content, model = {**self._headers, "Accept": "application/json"}, None, ""
        if body is not None:
            headers["Content-Type"] = "application/json"
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            content, model = text.encode("utf-8", "replace"), str(body.get("model", ""))
        url = f"{self.where}{path}{self._query}"
        try:
            reply = await self._http.exchange(method, url, headers, content, seconds=self._timeout)
        except HttpError as error:
            raise self._failed(error) from None
        data = _data(reply.body)
        if not 200 <= reply.status < 300:
            raise refused(reply.status, data, reply.headers, self.where, model)
        return self._object(data, f"{method} {path}", model)

    def _object(self, data: Any, asked: str, model: str) -> Mapping[str, Any]:
        if not isinstance(data, Mapping):
            said = message_of(data) if isinstance(data, str) else type(data).__name__
            raise broken(f"the reply to {asked} is no JSON object: {said or 'empty'}", self.where)
        if (found := error_in(data)) is not None:
            status, error = found
            if status is not None:
                raise refused(status, error, {}, self.where, model)
            raise broken(f"the reply to {asked} is an error: {message_of(error)}", self.where)
        return data

    def _failed(self, error: HttpError) -> RequestFailedError:
        if error.trouble is Trouble.ELSEWHERE:
            hint = "if that is the right server, write its address as base_url"
        elif error.trouble is Trouble.BROKEN:
            hint = "is base_url the address of the server, and not of something else?"
        else:
            hint = (
                "is the server running, and is base_url its address? Once it answers, the same "
                "command asks these samples again"
            )
        failure = _FAILURES[error.trouble]
        return RequestFailedError(redact(error.what), failure, where=self.where, hint=hint)


def _data(content: bytes) -> Any:
    """The JSON data of a body; its text where it is no JSON."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):  # also a text that is no UTF-8
        return content.decode("utf-8", "replace")


Item = TypeVar("Item")
T = TypeVar("T")
_log = logger(__name__)


class Sender(ABC, Generic[Item]):
    """Sends items to one server through its gate, each within ``seconds``."""

    def __init__(
        self, target: Destination, title: str, seconds: float, waits: Waits, more: str | None = None
    ) -> None:
        self._title, self._seconds, self._waits, self._more = title, seconds, waits, more
        self._method = f"{type(target).__name__}.attempt"
        self.statistics = TrafficStatistics()
        self._gate = Gate(target, waits, self.statistics)
        self._has_told_outage = False

    @property
    def stopping(self) -> ChefError | None:
        """The error that ends everything, once there is one."""
        return self._gate.stopping

    @abstractmethod
    def _send(self, item: Item) -> Awaitable[object]:
        """Send an item once; it gives a `Received`."""

    @abstractmethod
    def _for_all(self, error: RequestFailedError) -> ChefError | None:
        """The error that ends everything, if every other request would fail like this one."""

    @abstractmethod
    def _unreachable(self, error: RequestFailedError) -> RunError:
        """The error of a server that is gone for longer than anybody waits."""

    @abstractmethod
    def _given_up(self, error: RequestFailedError, attempts: int) -> Exception | None:
        """The error of an item sent as often as it may be; None where everything stops."""

    async def _reply(
        self, place: int, item: Item, estimate: TokenCounts, effort: Effort
    ) -> Any | Exception | None:
        """The reply, or how the last attempt failed; None where everything stops before either."""
        attempts = 0
        while await self._gate.enter(place, estimate):
            try:
                return await self._once(item, estimate, effort)
            except RequestFailedError as error:
                attempts += not self._gate.is_out
                delay = self._after(error, attempts)
                if not isinstance(delay, float):
                    return delay
            except Exception as error:
                if not isinstance(error, RunError | ConfigError):
                    return error
                self._gate.stop(error)
                break
            effort.retries += 1
            self._gate.update()
            await self._gate.rest(delay)
        return None

    async def _once(self, item: Item, estimate: TokenCounts, effort: Effort) -> Any:
        """Send an item that has passed the gate, once."""
        sent_at = self._waits.clock()
        try:
            received = await self._in_time(lambda: self._send(item))
        except RequestFailedError as error:
            self.statistics.requests += 1
            effort.add(1, self._waits.clock() - sent_at)
            self._gate.leave(estimate, requests=1, failure=error, sent_at=sent_at)
            raise
        except BaseException:
            self._gate.leave(estimate)
            raise
        if not isinstance(received, Received):
            self._gate.leave(estimate)
            what = f"{self._method} returned {type(received).__name__}, and not a Received"
            raise ReplyError(what, hint="return Received(reply)")
        reply, seconds = received.reply, self._waits.clock() - sent_at
        counted = reply.tokens if isinstance(reply, Generated) else 0
        used = TokenCounts(received.prompt_tokens, received.completion_tokens or counted)
        self.statistics.add(received.requests, used, seconds)
        effort.add(received.requests, seconds, used)
        # Where the server does not count, the budget goes by the estimate.
        used = estimate if used == NO_TOKENS else used
        self._gate.leave(estimate, used, requests=received.requests, is_good=True)
        return self._checked(item, reply)

    def _checked(self, item: Item, reply: Any) -> Any:
        """The reply; a ReplyError if it is none."""
        del item
        return reply

    def _after(self, error: RequestFailedError, attempts: int) -> float | Exception | None:
        """Seconds until an item is sent again; its error; or None where everything stops."""
        if stop := self._for_all(error):
            stop.__cause__ = error
            self._gate.stop(stop)
            return None
        if self.stopping is not None and error.failure.is_retried:
            return None
        if self._gate.is_out:  # the request is not at fault, and its attempts are not counted
            return self._after_outage(error)
        if (delay := self._gate.delay(error, attempts)) is None:
            return self._given_up(error, attempts)
        self.statistics.repeated[error.failure] += 1
        self._gate.note(self._title, error)
        return delay

    def _after_outage(self, error: RequestFailedError) -> float | None:
        """What `_after` says where the server is gone: the gate waits, or everything stops."""
        if self._gate.has_given_up:
            self._gate.stop(self._unreachable(error))
            return None
        self.statistics.repeated[error.failure] += 1
        if not self._has_told_outage:
            self._has_told_outage = True
            _log.warning(
                "%s: the server cannot be reached any more (%s); the requests wait up to some "
                "three minutes for it", self._title, error.what,
            )  # fmt: skip
        return 0.0

    async def _in_time(self, call: Callable[[], Awaitable[T]]) -> T:
        """What a call gives; a RequestFailedError if it takes too long."""
        try:
            async with asyncio.timeout(self._seconds):
                return await call()
        except TimeoutError as error:
            what = f"no complete reply came within {self._seconds:g} s"
            raise RequestFailedError(what, Failure.TIMEOUT, hint=self._more) from error
        except Exception:
            raise
        except BaseException as error:
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
                raise
            raise exit_error(error, f"the model '{self._title}'") from error
