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
        ([{"type": "text", "text": "one "}, {"type": "text", "text": "two"}], "one two"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "two"}], "two"),
        (["one ", "two"], "one two"),
        ([{"type": "text", "text": ""}], ""),
        ("", ""),
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


@pytest.mark.parametrize("end", ["stop", "length"])
def test_an_empty_text_is_an_answer_and_no_text_is_none(end: str) -> None:
    reply = chat_reply(completion("", end), "")
    assert (reply.text, reply.end) == ("", end)
    thought = [{"type": "thinking", "thinking": "hm"}]
    for content in (None, [], [7], [{"type": "image"}], [{"type": "text", "text": None}]):
        with pytest.raises(RequestFailedError, match="no text of an answer") as error:
            chat_reply(completion(content, end), "")
        assert error.value.failure is Failure.BROKEN_BODY
    with pytest.raises(RequestFailedError, match="reasoning and no text of an answer"):
        chat_reply(completion(thought), "")
    with pytest.raises(RequestFailedError, match="reasoning and no text of an answer"):
        chat_reply(completion(None, reasoning_content="hm"), "")


@pytest.mark.parametrize("content", [None, [], [{"type": "thinking", "thinking": "hm"}]])
def test_a_limit_within_the_reasoning_needs_no_text(content: Any) -> None:
    reply = chat_reply(completion(content, "length", reasoning_content="Let me see"), "")
    assert (reply.text, reply.end, reply.only_reasoned) == ("", "length", True)


def test_a_filter_leaves_no_text() -> None:
    reply = chat_reply(completion(None, "content_filter"), "")
    assert (reply.text, reply.end) == ("", "refused")


@pytest.mark.parametrize("count", [10**30, 10**9 + 1, True, 1.5, float("nan"), "7"])
def test_a_number_that_is_no_count_is_not_counted(count: Any) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": count}
    assert chat_reply({**completion(), "usage": usage}, "").usage == Usage()
