"""What a reply of a server means: its text, how it ended, or that it is none."""

from __future__ import annotations

from typing import Any

import pytest
from models.api.scripted_server import completion

from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.replies import Usage, chat_reply


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        ("stop", "stop"), (None, "stop"), ("STOP", "stop"), ("eos", "stop"),
        ("length", "length"), ("max_tokens", "length"), ("content_filter", "refused"),
    ],
)  # fmt: skip
def test_how_a_reply_ended(reason: Any, end: str) -> None:
    reply = chat_reply(completion("some words", reason), "")
    assert (reply.text, reply.end) == ("some words", end)
    assert reply.usage == Usage(prompt=11, completion=2)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("words", "words"),
        (None, ""),
        ([{"type": "text", "text": "one "}, {"type": "text", "text": "two"}], "one two"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "two"}], "two"),
        (["one ", "two"], "one two"),
        ([], ""),
    ],
)
def test_the_forms_of_content(content: Any, text: str) -> None:
    assert chat_reply(completion(content), "").text == text


def test_a_refusal_is_refused_whatever_the_reason() -> None:
    reply = chat_reply(completion(None, "stop", refusal="I cannot help with that."), "")
    assert (reply.text, reply.end) == ("I cannot help with that.", "refused")


def test_reasoning_is_not_the_answer() -> None:
    reply = chat_reply(completion("B", reasoning_content="A? No, B."), "")
    assert reply.text == "B"
    assert not reply.only_reasoned


@pytest.mark.parametrize("how", ["content", "usage"])
def test_a_limit_reached_within_the_reasoning(how: str) -> None:
    data = completion("", "length")
    if how == "content":
        data["choices"][0]["message"]["reasoning_content"] = "Let me see"
    else:
        data["usage"]["completion_tokens_details"] = {"reasoning_tokens": 16}
    reply = chat_reply(data, "")
    assert (reply.text, reply.end) == ("", "length")
    assert reply.only_reasoned


def test_of_several_choices_the_first_counts() -> None:
    data = completion("second")
    data["choices"][0]["index"] = 1
    data["choices"].append(completion("first")["choices"][0])
    assert chat_reply(data, "").text == "first"


CALL = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "no choices"),
        ({"choices": []}, "no choices"),
        ({"choices": None}, "no choices"),
        ({"choices": ["yes"]}, "no choices"),
        ({"choices": [{"index": 0, "text": "yes"}]}, "no message"),
        ({"choices": [{"index": 0, "message": "yes"}]}, "no message"),
        (completion(7), "no text"),
        (completion(None, "tool_calls", tool_calls=[CALL]), "tool"),
        (completion("", "stop", tool_calls=[CALL]), "tool"),
        (completion("half an answ", "error"), "'error'"),
        (completion("half an answ", "insufficient_system_resource"), "insufficient"),
    ],
)
def test_what_is_no_reply(data: Any, said: str) -> None:
    with pytest.raises(RequestFailedError, match=said) as error:
        chat_reply(data, "http://there/v1")
    assert error.value.failure is Failure.BROKEN_BODY
    assert error.value.where == "http://there/v1"


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "7"}, {"prompt_tokens": -1}, {}])
def test_usage_that_says_nothing(usage: Any) -> None:
    assert chat_reply({**completion(), "usage": usage}, "").usage == Usage()


def test_a_refusal_among_the_parts_is_refused() -> None:
    parts = [{"type": "refusal", "refusal": "I will not"}]
    reply = chat_reply(completion(parts), "")
    assert (reply.text, reply.end) == ("I will not", "refused")


def test_neither_content_nor_an_end_is_no_reply() -> None:
    with pytest.raises(RequestFailedError, match="neither content nor a reason") as error:
        chat_reply({"choices": [{"message": {"content": None}, "finish_reason": None}]}, "")
    assert error.value.failure is Failure.BROKEN_BODY


def test_an_empty_answer_with_an_end_is_an_answer() -> None:
    for content in ("", None):
        reply = chat_reply({"choices": [{"message": {"content": content},
                                         "finish_reason": "stop"}]}, "")  # fmt: skip
        assert (reply.text, reply.end) == ("", "stop")
