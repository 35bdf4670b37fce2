"""The keys of a model file that say which server is asked, and how it wants to be asked."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

import msgspec

from chef.common import redaction
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.guard.secrets import is_secret_key, is_secret_parameter, looks_secret, whole, within


@dataclass(frozen=True, slots=True)
class Address:
    """A ``base_url`` in its parts; ``url`` alone may be shown: others may hold a key."""

    url: str
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    authorization: str | None = field(default=None, repr=False)


#: What clients put behind a base_url; pasted with it, it would stand there twice.
_ENDPOINT = re.compile(r"/(chat/completions|completions|responses)/*$")


def _refuse_path(path: str) -> None:
    if match := _ENDPOINT.search(path):
        raise ConfigError(
            f"base_url ends with {match[0].rstrip('/')}, which chef adds itself",
            where="base_url",
            hint=f"remove {match[0].rstrip('/')} from it; most addresses end with /v1",
        )


def address_of(base_url: str) -> Address:
    """Take an address apart.

    Raises:
        ConfigError: it is no address of a server, or that of one endpoint; the message does not
            repeat it.

    >>> address_of("https://me:pw@host:8000/v1/?version=2").url
    'https://host:8000/v1'
    """
    try:
        parts = urlsplit(base_url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not host:
        raise ConfigError(
            "base_url is not the address of a server",
            where="base_url",
            hint="write it with http:// or https://, such as http://localhost:8000/v1",
        )
    _refuse_path(parts.path)
    place = f"[{host}]" if ":" in host else host
    place = place if port is None else f"{place}:{port}"
    url = urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))
    query = tuple(parse_qsl(parts.query, keep_blank_values=True))
    authorization = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = f"Basic {base64.b64encode(pair.encode()).decode()}"
    return Address(url, query, authorization)


#: The provider whose interface all these servers have.
PROVIDER = "https://api.openai.com/v1"
PROVIDER_KEY = "OPENAI_API_KEY"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_EXPORT = "export it in the shell that starts chef: export {0}=..."
#: What chef writes into a request itself.
_OWN = frozenset(
    {
        "messages", "model", "stream", "n", "stop", "max_tokens", "max_completion_tokens",
        "logprobs", "top_logprobs", "prompt_logprobs",
    }
)  # fmt: skip


class Server(Frozen):
    """Which server is asked, and with which key.

    Attributes:
        base_url: its address, up to what stands before ``/chat/completions``; most end with
            ``/v1``. Default: that of OpenAI.
        api_key_env: the name of the environment variable that holds the key; never the key itself.
            Default: ``OPENAI_API_KEY`` for OpenAI, none for other servers.

    Raises:
        ConfigError: the address is none, or a key stands where the name of a variable belongs.
    """

    base_url: str = PROVIDER
    api_key_env: str | None = None

    def __post_init__(self) -> None:
        redaction.remember(_secrets_of(self.base_url))
        if address_of(self.base_url).authorization is not None and self.api_key_env:
            raise ConfigError(
                "base_url has a user name, and api_key_env names a key: a request can send one",
                where="base_url",
                hint="remove the user name from base_url, or the key api_key_env",
            )
        if self.api_key_env is not None and not _is_variable(self.api_key_env):
            redaction.remember(whole(self.api_key_env))
            raise ConfigError(
                "api_key_env is not the name of an environment variable",
                where="api_key_env",
                hint="a file holds no keys: put the key into a variable, and write its name here, "
                "without a dollar sign, such as api_key_env: OPENAI_API_KEY",
            )

    @property
    def address(self) -> Address:
        """The address in its parts."""
        return address_of(self.base_url)

    @property
    def variable(self) -> str | None:
        """The environment variable that holds the key; None where no key is sent."""
        if self.api_key_env is not None:
            return self.api_key_env or None
        address = self.address
        is_provider = address.url == PROVIDER and address.authorization is None
        return PROVIDER_KEY if is_provider else None

    def key(self) -> str | None:
        """The key, which is redacted from now on; a ConfigError if its variable is not set."""
        if (variable := self.variable) is None:
            return None
        value = os.environ.get(variable, "").strip()
        if not value:
            raise ConfigError(
                f"the environment variable {variable}, which holds the key of the server, is "
                f"{'empty' if variable in os.environ else 'not set'}",
                where=self.address.url,
                hint=f"{_EXPORT.format(variable)}; or name another one: api_key_env: NAME",
            )
        redaction.remember(whole(value))
        if not value.isascii() or not value.isprintable() or " " in value:
            raise ConfigError(
                f"the environment variable {variable} holds signs that no key has",
                where=self.address.url,
                hint="copy the key again: it is one word of letters, digits and signs",
            )
        return value

    def identity(self) -> list[Any]:
        """What of it decides the answers, without secrets: address and parameters."""
        kept = [
            [name, value]
            for name, value in self.address.query
            if not is_secret_parameter(name, value) and redaction.redact(value) == value
        ]
        return [self.address.url, kept]


def _secret_keys(fields: Mapping[str, Any]) -> Iterator[str]:
    """The keys, at any depth, that are named like a secret."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{inner}" for inner in _secret_keys(value))
        elif is_secret_key(str(name), value):
            redaction.remember(whole(str(value)))
            yield str(name)


def _is_variable(text: str) -> bool:
    if text == "" or text in os.environ:
        return True
    has_lower = any(sign.islower() for sign in text)
    is_service_key = any(True for _ in within(text))
    return bool(
        _VARIABLE.fullmatch(text) and not is_service_key and not (has_lower and looks_secret(text))
    )


def _secrets_of(base_url: str) -> Iterator[str]:
    """The password of an address, and its parameters that may be a key."""
    yield from within(base_url)
    try:
        parts = urlsplit(base_url)
    except ValueError:
        return
    if parts.username is not None:
        yield parts.password or parts.username
    for name, value in parse_qsl(parts.query):
        if name.lower() in {"key", "code"} or is_secret_parameter(name, value):
            yield value


class Dialect(Frozen):
    """How a server wants to be asked, where servers differ.

    Attributes:
        system_role: the role of system messages; newer models of OpenAI call it ``developer``.
        max_tokens_key: how the limit of a reply is called; reasoning models of OpenAI take only
            ``max_completion_tokens``.
        send_temperature: whether temperature (and top_p) are sent. Models that refuse them sample
            as the provider decides, whatever the recipe says.
        send_seed: whether the seed of a sampled reply is sent.
        continues: whether the server goes on with a last message of the assistant: vLLM and SGLang
            do. Else a chain of thought is sent as a whole message of the assistant, and the
            question is asked again.
        image_detail: ``low`` or ``high``: at which resolution OpenAI looks at images.
        extra_body: further fields of every request.

    Raises:
        ConfigError: ``extra_body`` has a field that chef writes itself, or one named like a key.
    """

    system_role: Literal["system", "developer"] = "system"
    max_tokens_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    send_temperature: bool = True
    send_seed: bool = True
    continues: bool = False
    image_detail: Literal["auto", "low", "high"] | None = None
    extra_body: dict[str, Any] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        own = _OWN | ({"temperature", "top_p"} if self.send_temperature else set())
        if secret := next(_secret_keys(self.extra_body), None):
            raise ConfigError(
                f"extra_body.{secret} is named like a key or password",
                where="extra_body",
                hint="a file holds no keys: put it into an environment variable, and write the "
                "name of that: api_key_env: NAME",
            )
        own |= {"seed"} if self.send_seed else set()
        if taken := sorted(own & set(self.extra_body)):
            raise ConfigError(
                f"extra_body holds {', '.join(taken)}, which chef writes into requests itself",
                where="extra_body",
                hint="remove it there; lengths, stop strings and temperature stand in the recipe, "
                "the model under 'model'",
            )


#: How far a server's list of the likeliest tokens may reach. OpenAI and vLLM give 20 at most,
#: unless vLLM was started with another ``--max-logprobs``.
MOST_TOP = 1000


class Likelihood(Frozen):
    """How options are scored.

    Attributes:
        logprobs: ``top``: options of one token, from the list of the likeliest first tokens;
            ``prompt``: options of any length, as the end of the prompt; ``none``: the server gives
            no log-probabilities, and a recipe that scores options is refused.
        logprobs_api: what is asked for ``logprobs: prompt``. ``chat``: chat completions with
            vLLM's ``prompt_logprobs``; ``completions``: completions with ``echo``, without a chat
            template and without images.
        top_logprobs: the length of the list that ``logprobs: top`` asks for.

    Raises:
        ConfigError: a value is out of range, or a key has no effect.
    """

    logprobs: Literal["none", "top", "prompt"] = "none"
    logprobs_api: Literal["chat", "completions"] = "chat"
    top_logprobs: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.top_logprobs <= MOST_TOP:
            raise ConfigError(
                f"top_logprobs is {self.top_logprobs}",
                where="top_logprobs",
                hint=f"use 1 to {MOST_TOP}; OpenAI and vLLM give 20 at most unless told otherwise",
            )
        if self.logprobs_api == "completions" and self.logprobs != "prompt":
            raise ConfigError(
                f"logprobs_api has no effect with logprobs: {self.logprobs}",
                where="logprobs_api",
                hint="completions can score the end of a prompt only: add logprobs: prompt",
            )
