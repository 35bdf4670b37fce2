"""The address of a server: what may be shown of it, and what it holds besides."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from chef.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Address:
    """A ``base_url`` in its parts.

    Attributes:
        url: without user, password, parameters and a slash at the end; it may be shown.
        query: the parameters, which are sent with every request; a key may be among them.
        authorization: the header that user and password stand for; None where there are none.
    """

    url: str
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    authorization: str | None = field(default=None, repr=False)


#: What clients put behind a base_url; pasted with it, it would stand there twice.
_ENDPOINT = re.compile(r"/(chat/completions|completions|responses)/*$")


def _refuse_path(path: str) -> None:
    if found := _ENDPOINT.search(path):
        raise ConfigError(
            f"base_url ends with {found[0].rstrip('/')}, which chef adds itself",
            where="base_url",
            hint=f"remove {found[0].rstrip('/')} from it; most addresses end with /v1",
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
