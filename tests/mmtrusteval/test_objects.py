"""Models of MMTrustEval's kind that the running session has made are asked as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import chef
from chef.errors import ConfigError
from chef.models.hooks.mmtrusteval import BaseChat, Response
from chef.session.inputs import is_chat

ROWS = [{"id": "a", "question": "Which color?", "answer": "red"}]


class Chat(BaseChat):
    model_family = ("my-chat",)

    def __init__(self, word: str) -> None:
        super().__init__("my-chat")
        self.word = word

    def chat(self, messages: Sequence[Mapping[str, Any]], **generation_kwargs: Any) -> Response:
        assert "Which color?" in messages[-1]["content"]
        assert generation_kwargs["max_new_tokens"]
        return Response(self.model_id, self.word)


def test_an_object_is_asked_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    report = chef.evaluate(Chat("red"), ROWS, save_dir=tmp_path, name="r")
    assert (report.value, report.model) == (100.0, "my-chat")
    (again,) = chef.evaluate([Chat("red")], [ROWS], save_dir=tmp_path, name="r")
    assert again.folder == report.folder
    with pytest.raises(ConfigError, match="has changed"):
        chef.evaluate(Chat("blue"), ROWS, save_dir=tmp_path, name="r")


def test_a_class_is_no_model() -> None:
    assert not is_chat(Chat)
    with pytest.raises(ConfigError, match="is no model"):
        chef.evaluate([Chat], ROWS)
