"""The connection to a server: JSON out, JSON in, and a known kind of failure for all else."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from typing import Any
from urllib.parse import urlencode

from chef.common.redaction import redact
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
from chef.models.api.settings import address_of

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
