"""VLMEvalKit's messages: every form of input, text that looks like a path, and the way back."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from chef.common.vlmevalkit_messages import (
    MessageError,
    chat_of,
    conversation_of,
    message_of,
    typed,
)
from chef.image import Image
from chef.types import Text, Turn


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "cat.png"
    PIL.Image.new("RGB", (4, 3), (200, 10, 10)).save(path)
    return str(path)


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "value": value}


def image(value: str) -> dict[str, Any]:
    return {"type": "image", "value": value}


def test_a_text_that_is_the_path_of_an_image_stays_text(picture: str) -> None:
    for given in (picture, text(picture), [text(picture)]):
        assert typed(given) == [text(picture)]
    assert typed("https://example.org/cat.png") == [text("https://example.org/cat.png")]


def test_a_list_of_strings_is_looked_at(picture: str, tmp_path: Path) -> None:
    bare = tmp_path / "no_ending"
    bare.write_bytes(Path(picture).read_bytes())
    (tmp_path / "notes.txt").write_text("What is it?")
    images = [picture, str(bare), "https://x.org/a.webp", "http://x.org/b.JPG?w=1"]
    images.append("data:image/png;base64,AAAA")
    texts = ["What is it?", str(tmp_path), str(tmp_path / "notes.txt"), "https://example.org/page"]
    texts += [str(tmp_path / "missing.png"), "x" * 9000, "a\0b", "", "https://x.org is a.png"]
    assert typed([*images, *texts]) == [*map(image, images), *map(text, texts)]


def test_the_types_of_parts_are_believed_and_nothing_given_is_changed(tmp_path: Path) -> None:
    given = [image(str(tmp_path / "missing")), {**text("Why?"), "min_pixels": 9}]
    before = copy.deepcopy(given)
    made = typed(given)
    made[0]["value"] = "changed"
    assert given == before
    assert typed({"type": "image", "value": tmp_path / "a.png"}) == [image(str(tmp_path / "a.png"))]


@pytest.mark.parametrize(
    "given",
    [
        None, 3, b"What?", ["What?", {"type": "text", "value": "a"}], [["What?"]],
        {"type": "text"}, {"value": "a"}, {"type": "video", "value": "a.mp4"},
        {"type": "text", "value": 3}, {"type": "image", "value": None},
        {"type": ["x"], "value": ""},
        {"type": "text", "value": "a", "role": "judge"}, [], [{"role": "user", "content": []}],
        [{"role": "me", "content": "a"}], [{"role": "user", "content": "a"}, "b"],
    ],
)  # fmt: skip
def test_what_is_no_message_is_one_clear_error(given: object) -> None:
    with pytest.raises(MessageError) as caught:
        conversation_of(given)
    assert caught.value.hint


def test_a_message_is_a_turn_of_the_user(picture: str) -> None:
    (turn,) = conversation_of([image(picture), text("Hint: it purrs."), text("What is it?")])
    assert turn.role == "user"
    shown, asked = turn.parts
    assert isinstance(shown, Image)
    assert shown.where == {"path": picture}
    assert asked == Text("Hint: it purrs.\nWhat is it?")


def test_a_conversation_becomes_a_message() -> None:
    first, second = Image("a.png"), Image("b.png")
    asked = Turn("user", (first, second, Text("What "), Text("is it?")))
    expected = [image("a.png"), image("b.png"), text("What is it?")]
    assert message_of((asked,), lambda one: str(one.source)) == expected
    several = (Turn("system", (Text("Be brief."),)), asked, Turn("assistant", (Text("A cat"),)))
    roles = [part["role"] for part in message_of(several, lambda one: str(one.source))]
    assert roles == ["system", "user", "user", "user", "assistant"]
    chat = chat_of(several, lambda one: str(one.source))
    assert chat[1] == {"role": "user", "content": expected}


@pytest.mark.parametrize(
    "conversation",
    [
        (Turn("user", (Text("Why?"),)),),
        (Turn("system", (Text("Be brief."),)), Turn("user", (Text("a"),))),
        (Turn("user", (Text("a"),)), Turn("assistant", (Text("b"),)), Turn("user", (Text(""),))),
    ],
)
def test_there_and_back(conversation: tuple[Turn, ...]) -> None:
    def path(_: Image) -> str:
        raise AssertionError

    assert conversation_of(message_of(conversation, path)) == conversation
    assert conversation_of(chat_of(conversation, path)) == conversation
