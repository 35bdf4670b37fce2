"""The tokenizer: any text, exactly; and the chat template as the scorer relies on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny.tokenizer import ASSISTANT, END, IMAGE, USER, chat_tokenizer, train_tokenizer

TEXTS = ["What color is the star?\nThe answer is red", "Options: (A) red (B) blue"] * 3
SHIPPED = Path(__file__).parents[2] / "src" / "chef" / "assets" / "tiny" / "tokenizer.json"


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("words") / "tokenizer.json"
    train_tokenizer(TEXTS, path)
    return chat_tokenizer(path)


def encode(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False)
    return ids


@settings(max_examples=200, deadline=None)
@given(text=st.text())
def test_any_text_comes_back(tokenizer: Any, text: str) -> None:
    assert tokenizer.decode(encode(tokenizer, text), skip_special_tokens=False) == text


@settings(max_examples=100, deadline=None)
@given(text=st.text())
def test_any_text_comes_back_from_the_shipped_one(text: str) -> None:
    shipped = chat_tokenizer(SHIPPED)
    assert shipped.decode(encode(shipped, text), skip_special_tokens=False) == text


def test_digits_stand_alone_and_known_words_are_whole(tokenizer: Any) -> None:
    assert [tokenizer.decode([i]) for i in encode(tokenizer, "1207")] == ["1", "2", "0", "7"]
    assert len(encode(tokenizer, "What color")) == 2


def test_roles_and_pictures_are_one_token_each(tokenizer: Any) -> None:
    for special in (USER, ASSISTANT, END, IMAGE):
        assert len(encode(tokenizer, special)) == 1
    assert tokenizer.eos_token == END


def test_a_turn_is_its_role_its_parts_and_an_end(tokenizer: Any) -> None:
    user = [{"type": "image"}, {"type": "text", "text": " What?\n"}]
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": user}]
    text = tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
    assert text == "<|system|>Be brief.<|end|><|user|><image> What?\n<|end|><|assistant|>"


def test_an_answer_can_be_begun(tokenizer: Any) -> None:
    said = [{"type": "text", "text": "The answer is"}]
    talk = [{"role": "user", "content": "?"}, {"role": "assistant", "content": said}]
    text = tokenizer.apply_chat_template(talk, tokenize=False, continue_final_message=True)
    assert text == "<|user|>?<|end|><|assistant|>The answer is"
