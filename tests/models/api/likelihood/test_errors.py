"""What cannot be scored is an error of its sample, and never a guess."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from models.api.likelihood.conftest import ask, scored_by
from models.api.scripted_server import Answer, ScriptedServer, completion, serve

from chef.errors import ConfigError, ReplyError, SampleError
from chef.image import Image
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.scoring import check_scorable, score
from chef.models.api.settings import Likelihood
from chef.types import Score, Text, Turn

NONE = Likelihood()
TOP = Likelihood(logprobs="top")
PROMPT = Likelihood(logprobs="prompt")
ECHO = Likelihood(logprobs="prompt", logprobs_api="completions")
ASKED = Score((Turn("user", (Text("Yes or no?"),)),), ("Yes", "No"))


def listed(*entries: tuple[str, float]) -> Answer:
    """A reply with a list of the likeliest first tokens."""
    reply = completion(entries[0][0])
    tops = [{"token": token, "logprob": value} for token, value in entries]
    reply["choices"][0]["logprobs"] = {"content": [{**tops[0], "top_logprobs": tops}]}
    return Answer(reply)


def test_the_listed_token_is_the_option() -> None:
    """Other tokens that look like it (a space, another case, a beginning) do not count."""
    answer = listed(("Yes", -0.5), (" Yes", -1.5), ("yes", -3.0), ("No", -4.0), ("Y", -5.0))
    with serve(answer) as server:
        received = scored_by(server, TOP, ASKED)
    assert [(item.logprob_sum, item.tokens) for item in received.reply] == [(-0.5, 1), (-4.0, 1)]
    assert (received.prompt_tokens, received.completion_tokens) == (11, 2)


@pytest.mark.parametrize(
    ("prefix", "wanted"),
    [("", "Yes"), ("It is", "Yes"), ("It is ", " Yes"), ("It is  ", " Yes"), ("It is\n", "Yes")],
)
def test_one_space_before_the_option_is_in_its_token(prefix: str, wanted: str) -> None:
    answer = listed(("Yes", -0.5), (" Yes", -1.5))
    request = Score(ASKED.conversation, ("Yes",), prefix)
    with serve(answer) as server:
        (item,) = scored_by(server, TOP, request).reply
    assert item.logprob_sum == {"Yes": -0.5, " Yes": -1.5}[wanted]
    words = [message["content"] for message in server.bodies[0]["messages"][1:]]
    assert words == ([prefix.removesuffix(" ")] if prefix else [])


def test_an_option_that_is_not_listed() -> None:
    with (
        serve(listed(("Yes", -0.1), (" No", -3.0))) as server,
        pytest.raises(ReplyError, match=r"'No' .* not among the 2 likeliest") as error,
    ):
        scored_by(server, TOP, ASKED)
    assert "top_logprobs" in str(error.value.hint)
    assert "logprobs: prompt" in str(error.value.hint)


def test_an_option_of_several_tokens_is_told_by_its_first() -> None:
    request = Score(ASKED.conversation, ("(A", "(B"), "It is ")
    with (
        serve(listed((" (", -0.1), (" Yes", -3.0))) as server,
        pytest.raises(ReplyError, match=r"several tokens, of which ' \(' is the first"),
    ):
        scored_by(server, TOP, request)


def test_two_tokens_with_the_text_of_an_option() -> None:
    """Some tokenizers decode a token with a leading space to the same text."""
    with (
        serve(listed(("Yes", -0.2), ("Yes", -2.0), ("No", -4.0))) as server,
        pytest.raises(ReplyError, match="2 of the likeliest tokens"),
    ):
        scored_by(server, TOP, ASKED)


@pytest.mark.parametrize(
    ("settings", "request_", "told"),
    [
        (TOP, replace(ASKED, candidates=("Yes", "Not at all")), "'Not at all' has several words"),
        (TOP, replace(ASKED, candidates=("Yes", "")), "is empty"),
        (PROMPT, replace(ASKED, candidates=("Yes", "")), "is empty"),
        (ECHO, Score((Turn("user", (Image(b"x"), Text("?"))),), ("a",)), "no images"),
    ],
)
def test_nothing_is_sent_that_cannot_be_scored(
    settings: Likelihood, request_: Score, told: str
) -> None:
    with serve(listed(("Yes", -0.1))) as server:
        with pytest.raises(SampleError, match=told):
            scored_by(server, settings, request_)
        assert server.asked == []


def test_options_after_other_words_need_a_server_that_goes_on() -> None:
    begun = replace(ASKED, answer_prefix="The answer is ")

    def act(asker: Any) -> Any:
        return score(replace(asker, continues=False), TOP, begun)

    with serve(listed(("Yes", -0.1))) as server:
        with pytest.raises(SampleError, match="'The answer is '") as error:
            ask(server, act)
        assert server.asked == []
    assert "continues: true" in str(error.value.hint)


def test_refused_before_anything_is_asked() -> None:
    several = replace(ASKED, candidates=("Not at all",))
    for settings, request in ((NONE, ASKED), (TOP, several)):
        with pytest.raises(ConfigError) as error:
            check_scorable(settings, request)
        assert "Direct" in str(error.value.hint)
    with serve(listed(("Yes", -0.1))) as server:
        with pytest.raises(ConfigError, match="does not say that the server can"):
            scored_by(server, NONE, ASKED)
        assert server.asked == []
    check_scorable(TOP, ASKED)
    check_scorable(PROMPT, several)


def test_an_incomplete_reply_may_be_asked_for_again() -> None:
    for settings in (TOP, PROMPT, ECHO):
        for answer in (completion("Yes"), {"choices": []}, {}):
            with serve(Answer(answer)) as server, pytest.raises(RequestFailedError) as error:
                scored_by(server, settings, ASKED)
            assert error.value.failure is Failure.BROKEN_BODY
            assert error.value.failure.is_retried


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("top_logprobs", {"logprobs": "top", "top_logprobs": 0}),
        ("logprobs_api", {"logprobs": "top", "logprobs_api": "completions"}),
        ("logprobs_api", {"logprobs_api": "completions"}),
    ],
)
def test_settings_out_of_range(key: str, keys: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as error:
        Likelihood(**keys)
    assert error.value.where == key


def test_an_unmarked_end_costs_one_more_request(true_server: ScriptedServer) -> None:
    """A character of several tokens: the tokens before the options are asked for, once."""
    request = Score(ASKED.conversation, ("\N{CAT}", "\N{DOG}", "red"), "It is ")
    received = scored_by(true_server, PROMPT, request)
    assert received.requests == len(true_server.asked) == 4
    from chef.models.tiny import Tiny

    (expected,) = Tiny(scoring="naive", device="cpu", dtype="float32").score([request])
    for mine, true in zip(received.reply, expected, strict=True):
        assert mine.tokens == true.tokens
        assert mine.logprob_sum == pytest.approx(true.logprob_sum, abs=1e-4)
    sent = [body["messages"][-1]["content"] for body in true_server.bodies]
    assert sent[-1] == "It is "
