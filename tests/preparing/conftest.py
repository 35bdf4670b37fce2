"""A server that holds what the tests fetch."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from preparing.web import Web

from chef.scenario import download


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            web.asked.append((self.path, wanted))
            web.tokens.append(self.headers.get("Authorization"))
            content = web.files.get(self.path)
            if content is None or (self.path in web.gated and not web.tokens[-1]):
                self.send_error(404 if content is None else 401)
                return
            tag = f'"{hashlib.md5(content).hexdigest()}"'
            begin = 0
            if wanted and self.headers.get("If-Range") == tag:
                begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if begin >= len(content):
                    self.send_response(416)
                    self.send_header("Content-Range", f"bytes */{len(content)}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(206)
                last = len(content) - 1
                self.send_header("Content-Range", f"bytes {begin}-{last}/{len(content)}")
            else:
                self.send_response(200)
            self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(content) - begin))
            self.end_headers()
            end = web.cut.pop(self.path, len(content))
            self.wfile.write(content[begin:end])

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    web.address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(download, "PAUSE", 0.0)
    yield web
    server.shutdown()
    thread.join()
    server.server_close()
