"""A server in OpenAI's form that answers from a table, at once or after a fixed time.

python tests/serving/stub_server.py --latency 0.1    # every answer is "(A)"
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]

from serving.http_server import HttpRequest, HttpServer, response, send  # noqa: E402

Answer = Callable[[Sequence[Mapping[str, Any]]], str]


def completion(text: str, number: int = 1, finish_reason: str = "stop") -> dict[str, Any]:
    """A reply as the interface defines it."""
    words = len(text.split())
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": words, "total_tokens": 10 + words},
    }


class StubServer(HttpServer):
    """Answers every chat by a function of its messages.

    Args:
        answer: gives the text for the ``messages`` of a request.
        latency: seconds until the answer is sent.
    """

    def __init__(self, answer: Answer, latency: float = 0.0) -> None:
        super().__init__()
        self._answer, self._latency = answer, latency
        self.asked = 0

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        if request.method == "GET":
            models = {"object": "list", "data": [{"id": "tiny", "object": "model"}]}
            await send(client, response(200, models))
            return
        self.asked += 1
        number, started = self.asked, time.monotonic()
        reply = response(200, completion(self._answer(request.json()["messages"]), number))
        await asyncio.sleep(max(0.0, self._latency - (time.monotonic() - started)))
        await send(client, reply)


def main() -> None:
    """Print the address, and answer until the process is ended."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--latency", type=float, default=0.0, help="seconds until an answer")
    options = parser.parse_args()
    with StubServer(lambda _: "(A)", options.latency) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()  # until whoever started it closes the pipe


if __name__ == "__main__":
    main()
