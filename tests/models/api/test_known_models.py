"""Before the first sample: is the key right, and does the server have the model?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from models.api.scripted_server import Answer, Asked, completion, serve

from chef.config import load_model
from chef.errors import ConfigError
from chef.models.api.failures import Failure, RequestFailedError

OFFERED = {"object": "list", "data": [{"id": "qwen-vl-7b"}, {"id": "llava-7b"}]}


def script(models: Answer, chat: Answer | None = None) -> Callable[[Asked], Answer]:
    def answer(asked: Asked) -> Answer:
        return models if asked.path == "/v1/models" else chat or Answer(completion())

    return answer


def probe(
    models: Answer, chat: Answer | None = None, model: str = "qwen-vl-7b"
) -> list[tuple[str, str]]:
    """What is asked when the server is probed."""
    with serve(script(models, chat)) as server:
        file = {"model_name": "OpenAI", "model": model, "base_url": server.base_url}
        made: Any = load_model(file).model.build()
        try:
            made.submit(made.probe()).result(30)
        finally:
            made.close()
    return [(item.method, item.path) for item in server.asked]


LIST, CHAT = ("GET", "/v1/models"), ("POST", "/v1/chat/completions")


def test_a_model_on_the_list_is_not_asked() -> None:
    assert probe(Answer(OFFERED)) == [LIST]


UNKNOWN = {"error": {"message": "The model `qwen-vl-8b` does not exist", "code": None}}


@pytest.mark.parametrize("status", [400, 404])
def test_an_unknown_model_with_the_nearest_name(status: int) -> None:
    with pytest.raises(ConfigError, match="no model 'qwen-vl-8b'") as error:
        probe(Answer(OFFERED), Answer(UNKNOWN, status), model="qwen-vl-8b")
    assert "did you mean 'qwen-vl-7b'" in str(error.value)


@pytest.mark.parametrize(
    "chat",
    [
        Answer(completion()),
        Answer({"error": {"message": "show me an image"}}, 400),
        Answer("", 503),
    ],
)
def test_a_model_that_is_not_on_the_list_and_still_there(chat: Answer) -> None:
    assert probe(Answer(OFFERED), chat, model="an-alias") == [LIST, CHAT]


@pytest.mark.parametrize(
    "models",
    [
        Answer({"detail": "Not Found"}, 404),
        Answer({"detail": "Method Not Allowed"}, 405),
        Answer("Internal Server Error", 500),
        Answer("<html>welcome</html>"),
        Answer({"data": []}),
        Answer({"data": "none"}),
        Answer({"models": [1]}),
        Answer({"error": {"message": "this key may not list"}}, 403),
        Answer("", 429),
    ],
)
def test_a_server_without_a_list(models: Answer) -> None:
    assert probe(models) == [LIST]


def test_a_wrong_key() -> None:
    with pytest.raises(RequestFailedError, match="401: Incorrect API key") as error:
        probe(Answer({"error": {"message": "Incorrect API key"}}, 401))
    assert error.value.failure is Failure.UNAUTHORIZED


def test_a_wrong_key_that_only_the_question_shows() -> None:
    refusal = Answer({"error": {"message": "Incorrect API key"}}, 401)
    with pytest.raises(RequestFailedError, match="401"):
        probe(Answer(OFFERED), refusal, model="other")


def test_a_server_that_cannot_be_reached() -> None:
    with pytest.raises(RequestFailedError) as error:
        probe(Answer(OFFERED, cut=3))
    assert error.value.failure is Failure.CONNECTION
