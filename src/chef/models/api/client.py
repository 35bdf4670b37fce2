"""The connection to a server: JSON out, JSON in, and a known kind of failure for all else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chef.common.redaction import redact
from chef.errors import DependencyError
from chef.models.api.address import address_of
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.refusals import broken, error_in, message_of, refused

if TYPE_CHECKING:
    from openai import AsyncOpenAI

#: The host whose organisation and project the variables of ``openai`` name.
_PROVIDER = "openai.com"


class Client:
    """Sends requests to an OpenAI-compatible server, once each; to be used in one event loop.

    Args:
        base_url: the address before ``/chat/completions``. User and password in it are sent as a
            header, its parameters with every request.
        api_key: the key; None for a server that asks for none. No other key is ever sent, whatever
            the environment holds.
        headers: further headers of every request.
        timeout: the most seconds without a byte of the reply; the limit of a whole attempt is the
            engine's.

    Raises:
        ConfigError: the address is none.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        headers: Mapping[str, str] | None = None,
        *,
        timeout: float | None = None,
    ) -> None:
        self._address = address_of(base_url)
        self._key, self._headers, self._timeout = api_key, dict(headers or {}), timeout
        self._openai: AsyncOpenAI | None = None

    @property
    def where(self) -> str:
        """The address as it may be shown."""
        return self._address.url

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send JSON, and return the JSON object of the reply.

        Raises:
            RequestFailedError: there is none.
            DependencyError: the package ``openai`` is missing.
        """
        return await self._reply("POST", path, body)

    async def get(self, path: str) -> Mapping[str, Any]:
        """Ask for an address, and return the JSON object of the reply.

        Raises:
            RequestFailedError: there is none.
            DependencyError: the package ``openai`` is missing.
        """
        return await self._reply("GET", path, None)

    async def close(self) -> None:
        """Close the connections. The next request opens others."""
        client, self._openai = self._openai, None
        if client is not None:
            await client.close()

    async def _reply(
        self, method: str, path: str, body: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:
        openai, client = package(), self._connected()
        path = path if path.startswith("/") else f"/{path}"
        model = str(body.get("model", "")) if body is not None else ""
        try:
            if body is None:
                received = await client.get(path, cast_to=bytes, options=self._options())
            else:
                received = await client.post(
                    path, cast_to=bytes, body=body, options=self._options()
                )
        except openai.APITimeoutError:
            waited = f" for {self._timeout:g} s" if self._timeout else ""
            raise self._failed(f"the server sent nothing{waited}", Failure.TIMEOUT) from None
        except openai.APIConnectionError as error:
            raise self._failed(_told(error), Failure.CONNECTION) from None
        except openai.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            content = _data(error.response.content)
            raise refused(error.status_code, content, headers, self.where, model) from None
        except openai.OpenAIError as error:
            raise broken(f"{type(error).__name__}: {error}", self.where) from None
        return self._object(received, f"{method} {path}", model)

    def _object(self, received: bytes, asked: str, model: str) -> Mapping[str, Any]:
        data = _data(received)
        if not isinstance(data, Mapping):
            said = message_of(data) if isinstance(data, str) else type(data).__name__
            raise broken(f"the reply to {asked} is no JSON object: {said or 'empty'}", self.where)
        if (found := error_in(data)) is not None:
            status, error = found
            if status is not None:
                raise refused(status, error, {}, self.where, model)
            raise broken(f"the reply to {asked} is an error: {message_of(error)}", self.where)
        return data

    def _failed(self, what: str, failure: Failure) -> RequestFailedError:
        hint = (
            "is the server running, and is base_url its address? Once it answers, the same command "
            "asks these samples again"
        )
        return RequestFailedError(redact(what), failure, where=self.where, hint=hint)

    def _connected(self) -> AsyncOpenAI:
        if self._openai is None:
            self._openai = package().AsyncOpenAI(
                api_key=self._key or "none",
                base_url=self.where,
                max_retries=0,
                timeout=self._timeout,
                default_query=dict(self._address.query),
                # A server or gateway that sends a reply twice leaves the second one on an open
                # connection, where the next request would take it for its own.
                default_headers={"Connection": "close"},
            )
        return self._openai

    def _options(self) -> dict[str, Any]:
        """The headers of a request; those that the environment would add are left out."""
        left_out = package().Omit()
        headers: dict[str, Any] = {**self._headers}
        if self._address.authorization is not None:
            headers["Authorization"] = self._address.authorization
        elif not self._key:
            headers["Authorization"] = left_out
        host = urlsplit(self.where).hostname or ""
        if not f".{host}".endswith(f".{_PROVIDER}"):
            headers |= {"OpenAI-Organization": left_out, "OpenAI-Project": left_out}
        return {"headers": headers}


def package() -> Any:
    """The package ``openai``.

    Raises:
        DependencyError: it is missing.
    """
    try:
        import openai
    except ImportError:
        raise missing_package() from None
    return openai


def missing_package() -> DependencyError:
    """The error that tells how to install ``openai``."""
    return DependencyError(
        "models behind a server need the package openai", hint="pip install 'chef-eval[api]'"
    )


def _data(content: bytes) -> Any:
    """The JSON data of a body; its text where it is no JSON."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):  # also a text that is no UTF-8
        return content.decode("utf-8", "replace")


def _told(error: BaseException) -> str:
    """What happened to the connection, as the innermost cause says."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    said = str(cause) or type(cause).__name__
    return f"no reply: {said.rstrip('.')}"
