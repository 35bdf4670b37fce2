"""A server for pages on the loopback address, which asks for a token."""

from __future__ import annotations

import hmac
import secrets
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Protocol
from urllib.parse import unquote, urlsplit

from chef.common.printing import say
from chef.common.redaction import redact
from chef.errors import ChefError, ConfigError

#: The address that no other machine reaches.
LOOPBACK = "127.0.0.1"
#: What pages ask for besides pages and their files.
_TEXTS = ("state", "labels")
_TYPES = {"": "text/html", "js": "text/javascript", "txt": "text/plain"}


#: The most bytes that a page may send.
_LARGEST = 10_000


class Site(Protocol):
    """Pages by their addresses."""

    def answer(self, address: str) -> bytes | None:
        """What stands at an address; None where nothing does.

        ChefError: the page cannot be made.
        """


class PageServer(ThreadingHTTPServer):
    """Serves pages to browsers on this machine, at a port (0: a free one); ConfigError if taken.

    ``take`` stores what a page sends to an address, and gives the reply, or None where nothing is
    taken; without it, the server only reads.
    """

    daemon_threads = True

    def __init__(
        self,
        served: Site,
        port: int = 0,
        take: Callable[[str, bytes], bytes | None] | None = None,
    ) -> None:
        self.served, self.take, self.token = served, take, secrets.token_urlsafe(24)
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except (OSError, OverflowError) as error:
            raise ConfigError(
                f"no page can be served at port {port} ({error})",
                where="--port",
                hint="choose another port, or leave it out for one that is free",
            ) from None

    @property
    def address(self) -> str:
        """Where a browser finds the overview; all who have it can read the pages."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD, and POST where pages send something; other methods are refused."""

    server: PageServer
    server_version, sys_version = "chef", ""
    protocol_version = "HTTP/1.1"
    timeout = 30
    _HEADERS: ClassVar = {
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }

    def do_GET(self) -> None:
        """Send what stands at the address."""
        self._send(*self._answer(self.server.served.answer))

    def do_HEAD(self) -> None:
        """The same without the content."""
        self.do_GET()

    def do_POST(self) -> None:
        """Take what the page sends."""
        take = self.server.take
        if take is None:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED)
            return
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isascii() and length.isdecimal() else _LARGEST + 1
        origin = self.headers.get("Origin")
        is_own = origin is None or origin.removeprefix("http://") in self._hosts()
        if size > _LARGEST or not is_own or self.headers.get("Content-Type") != "application/json":
            self.close_connection = True  # the content is not read
            self._send(HTTPStatus.BAD_REQUEST, b"No page of this server sends that.", "txt")
            return
        content = self.rfile.read(size)
        self._send(*self._answer(lambda address: take(address, content)))

    def _answer(self, reply: Callable[[str], bytes | None]) -> tuple[HTTPStatus, bytes, str]:
        """The status, the content, and the kind of its file."""
        # A page of elsewhere whose name was made to lead here has the name of its own place.
        if self.headers.get("Host") not in self._hosts():
            return HTTPStatus.MISDIRECTED_REQUEST, b"This server answers to its own address.", "txt"
        token, _, address = urlsplit(self.path).path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            return HTTPStatus.NOT_FOUND, b"Nothing is here. Use the whole address.", "txt"
        try:
            content = reply(unquote(address))
        except ChefError as error:
            text = redact(f"{error.what}\n{error.hint or ''}")
            return HTTPStatus.INTERNAL_SERVER_ERROR, text.encode("utf-8", "replace"), "txt"
        except Exception as error:  # one page that cannot be made leaves the others
            say(f"note: {address}: {type(error).__name__}: {error}", sys.stderr)
            return HTTPStatus.INTERNAL_SERVER_ERROR, b"This page cannot be made.", "txt"
        if content is None:
            return HTTPStatus.NOT_FOUND, b"There is no such page.", "txt"
        name = address.rpartition("/")[2]
        kind = "txt" if name in _TEXTS else name.rpartition(".")[2]
        return HTTPStatus.OK, content, kind

    def _hosts(self) -> set[str]:
        return {f"{name}:{self.server.server_port}" for name in (LOOPBACK, "localhost")}

    def _send(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{_TYPES.get(kind, 'text/plain')}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in self._HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (of the base class)
        """Nothing: the address has the token in it."""
