"""A server for tests that records what it is asked and answers as it is told."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    time: float


@dataclass(frozen=True)
class Answer:
    """What the server does with one request.

    Attributes:
        body: a mapping or list is sent as JSON; text and bytes as they are.
        status: the status of HTTP.
        headers: further headers, also in place of the usual ones.
        delay: seconds before the first byte.
        drip: seconds between the bytes of the body; 0 sends it at once.
        cut: so many bytes of the body are sent before the connection is cut; None: all of them.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: int | None = None


Script = Callable[[Asked], Answer]


@dataclass
class ScriptedServer:
    """A running server: its address, and what it was asked."""

    base_url: str
    asked: list[Asked]

    @property
    def bodies(self) -> list[Any]:
        """The bodies of what was sent to it, without requests that have none."""
        return [item.body for item in self.asked if item.method == "POST"]


def completion(content: Any = "yes", finish_reason: str = "stop", **rest: Any) -> dict[str, Any]:
    """A reply of a chat completion; further keys go into its message."""
    message = {"role": "assistant", "content": content, **rest}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "some",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13},
    }


def in_order(*answers: Answer) -> Script:
    """Give one answer after the other, and the last one again and again."""
    left, lock = list(answers), threading.Lock()

    def answer(_: Asked) -> Answer:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return answer


@contextmanager
def serve(script: Script | Answer | Sequence[Answer]) -> Iterator[ScriptedServer]:
    """Run a server on a free port of this machine until the block ends."""
    if isinstance(script, Answer):
        script = in_order(script)
    elif not callable(script):
        script = in_order(*script)
    asked: list[Asked] = []
    server = _Server(("127.0.0.1", 0), _handler(script, asked))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield ScriptedServer(f"http://127.0.0.1:{server.server_address[1]}/v1", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(100)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is part of many tests."""


def _handler(script: Script, asked: list[Asked]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each reply waits 40 ms for an acknowledgement

        def do_GET(self) -> None:
            self.reply(None)

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.reply(json.loads(data) if data else None)

        def reply(self, body: Any) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Asked(self.command, self.path, headers, body, time.monotonic())
            asked.append(request)
            answer = script(request)
            time.sleep(answer.delay)
            data = _encoded(answer.body)
            usual = {"Content-Type": "application/json", "Content-Length": str(len(data))}
            self.send_response(answer.status)
            for name, value in {**usual, **answer.headers}.items():
                self.send_header(name, value)
            with suppress(OSError):
                self.end_headers()
                self.send_body(data, answer)

        def send_body(self, data: bytes, answer: Answer) -> None:
            sent = data if answer.cut is None else data[: answer.cut]
            if answer.drip:
                for place in range(len(sent)):
                    self.wfile.write(sent[place : place + 1])
                    self.wfile.flush()
                    time.sleep(answer.drip)
            else:
                self.wfile.write(sent)
            if answer.cut is not None:
                self.wfile.flush()
                reset = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                self.connection.close()
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


def _encoded(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()
