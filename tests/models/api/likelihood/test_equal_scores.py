"""Options scored through a server have the scores of the scorer in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from models.api.likelihood.conftest import Pairs, chat, scored_by, scored_in_process
from models.api.likelihood.true_server import TrueServer
from models.api.scripted_server import ScriptedServer, serve

from chef.models.api.settings import Likelihood
from chef.types import Score, Scored, Text, Turn

PROMPT = Likelihood(logprobs="prompt")
#: The embedded model is sure of its answers, so the other options are far down in the list.
TOP = Likelihood(logprobs="top", top_logprobs=700)


def check(server: ScriptedServer, settings: Likelihood, pairs: Pairs) -> None:
    for request, expected in pairs:
        received = scored_by(server, settings, request)
        found = received.reply
        assert isinstance(found, tuple)
        assert [item.tokens for item in found] == [item.tokens for item in expected]
        for mine, true in zip(found, expected, strict=True):
            assert mine.logprob_sum == pytest.approx(true.logprob_sum, abs=1e-4)
        assert _best(found) == _best(expected)


def _best(scored: tuple[Scored, ...]) -> int:
    return max(range(len(scored)), key=lambda index: scored[index].mean)


@pytest.mark.parametrize(
    ("recipe", "limit"),
    [
        ("Shapes/ppl", 4),  # the first token of an option holds the space before it, too
        ("Shapes/caption_ppl", 4),  # many tokens an option
        ("Shapes/yesno_ppl", 4),  # no answer prefix
        ("Shapes/mcq_icl_topk_img_ppl", 2),  # several images, several turns
    ],
)
@pytest.mark.usefixtures("small_pool")
def test_end_of_the_prompt(
    true_server: ScriptedServer, tmp_path: Path, recipe: str, limit: int
) -> None:
    pairs = scored_in_process(recipe, tmp_path, limit)
    assert len(pairs) >= limit
    check(true_server, PROMPT, pairs)
    # One request an option: what the texts of the tokens tell is enough.
    assert len(true_server.asked) == sum(len(set(request.candidates)) for request, _ in pairs)


@pytest.mark.parametrize(
    ("recipe", "limit"),
    [
        ("Shapes/yesno_ppl", 4),
        ("Shapes/color_ppl", 4),  # the answer prefix ends with a space
        ("Shapes/counting_ppl", 8),
    ],
)
def test_first_token(truth: TrueServer, tmp_path: Path, recipe: str, limit: int) -> None:
    pairs = scored_in_process(recipe, tmp_path, limit)
    with serve(truth) as server:
        check(server, TOP, pairs)
        assert len(server.asked) == limit
        assert all(body["max_tokens"] == 1 for body in server.bodies)


def test_letters(true_server: ScriptedServer, tmp_path: Path) -> None:
    """The letters of lettered options, each after the bracket that all of them begin with."""
    from chef.models.tiny import Tiny

    pairs = scored_in_process("Shapes/ppl", tmp_path, 20)
    letters = [
        Score(request.conversation, tuple("ABCD"), "The answer is (") for request, _ in pairs
    ]
    expected = Tiny(scoring="naive", device="cpu", dtype="float32").score(letters)
    assert all(item.tokens == 1 for scored in expected for item in scored)
    check(true_server, TOP, list(zip(letters, expected, strict=True)))


def test_completions_score_texts(true_server: ScriptedServer) -> None:
    """With the marks of the template in the text, a completion is what a chat completion is."""
    words = "Which colour?"
    asked = Turn("user", (Text(words),))
    options = ("a red star", "blue", "blue", "(A")
    marked = (Turn("user", (Text(f"<|user|>{words}<|end|><|assistant|>"),)),)
    plain = Likelihood(logprobs="prompt", logprobs_api="completions")
    # A completion has a line break where the reply begins.
    for prefix in ("The answer is ", "", "x"):
        of_texts = scored_by(true_server, plain, Score(marked, options, prefix))
        of_chat = scored_by(true_server, PROMPT, Score((asked,), options, "\n" + prefix))
        assert _near(of_texts.reply, of_chat.reply)
        assert of_texts.requests == 1
        assert of_chat.requests == 3
        assert of_texts.prompt_tokens == of_chat.prompt_tokens
    assert len(true_server.bodies[0]["prompt"]) == 3  # equal options are asked for once


def _near(found: object, expected: object) -> bool:
    assert isinstance(found, tuple)
    assert isinstance(expected, tuple)
    return all(
        one.tokens == other.tokens and abs(one.logprob_sum - other.logprob_sum) < 1e-4
        for one, other in zip(found, expected, strict=True)
    )


def test_what_is_sent(true_server: ScriptedServer) -> None:
    request = Score((Turn("user", (Text("Which?"),)),), ("red",), "It is ")
    scored_by(true_server, PROMPT, request)
    scored_by(true_server, TOP, request)
    prompt, top = true_server.bodies
    words = chat(request.conversation, "It is red")
    assert prompt["messages"] == words["messages"]
    assert prompt["continue_final_message"]
    assert not prompt["add_generation_prompt"]
    # The space belongs to the word that follows.
    assert top["messages"][-1] == {"role": "assistant", "content": "It is"}
