"""What a checkpoint scores in this process, and a server with the same checkpoint."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from models.api.likelihood.true_server import TrueServer
from models.api.scripted_server import ScriptedServer, serve

import chef
from chef.models.api.client import Client
from chef.models.api.ends import Asker
from chef.models.api.scoring import score
from chef.models.api.server_model import Received
from chef.models.api.settings import Likelihood
from chef.models.tiny import FOLDER, Tiny
from chef.types import Conversation, Score, Scored, Text

SHORTEST = {"max_tokens": 1, "temperature": 0}
Pairs = list[tuple[Score, tuple[Scored, ...]]]


class Recording(Tiny):
    """The embedded model in this process; it keeps what it was asked to score, and the scores."""

    def __init__(self) -> None:
        super().__init__(scoring="naive", device="cpu", dtype="float32")
        self._pairs: Pairs = []

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        replies = super().score(requests)
        self._pairs += zip(requests, replies, strict=True)
        return replies


def scored_in_process(recipe: str, folder: Path, limit: int) -> Pairs:
    """What a recipe asks to be scored, and the scores."""
    model = Recording()
    chef.evaluate(model, recipe, limit=limit, save_dir=folder)
    return model._pairs


def chat(conversation: Conversation, reply: str) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for turn in conversation:
        parts = [
            {"type": "text", "text": part.text}
            if isinstance(part, Text)
            else {"type": "image_url", "image_url": {"url": _data_url(part)}}
            for part in turn.parts
        ]
        messages.append({"role": turn.role, "content": parts})
    if reply:
        messages.append({"role": "assistant", "content": reply})
    return {"model": "tiny", "messages": messages}


def _data_url(image: Any) -> str:
    buffer = io.BytesIO()
    image.load().save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def ask(server: ScriptedServer, act: Callable[[Asker], Any]) -> Any:
    """Run a coroutine with an `Asker` of the server."""

    async def run() -> Any:
        client = Client(server.base_url, None)
        try:
            return await act(Asker(client, chat, {"model": "tiny"}, SHORTEST))
        finally:
            await client.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


def scored_by(server: ScriptedServer, settings: Likelihood, request: Score) -> Received:
    received = ask(server, lambda asker: score(asker, settings, request))
    assert isinstance(received, Received)
    return received


@pytest.fixture(scope="session")
def truth() -> TrueServer:
    return TrueServer(FOLDER)


@pytest.fixture
def true_server(truth: TrueServer) -> Iterator[ScriptedServer]:
    with serve(truth) as server:
        yield server
