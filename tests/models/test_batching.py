"""Replies do not depend on the batch: its size, its order, or who shares it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Conversation, Generate, Score, Scored

OPTIONS = ("(A) a red circle", "(B)", "two", "7")
TOLERANCE = 1e-4  # nats, float32


def scores(
    model: HuggingFaceModel, requests: Sequence[Score], size: int
) -> list[tuple[Scored, ...]]:
    batches = [requests[i : i + size] for i in range(0, len(requests), size)]
    return [reply for batch in batches for reply in model.score(batch)]


def close(left: Sequence[tuple[Scored, ...]], right: Sequence[tuple[Scored, ...]]) -> bool:
    pairs = [pair for a, b in zip(left, right, strict=True) for pair in zip(a, b, strict=True)]
    return all(
        a.tokens == b.tokens and abs(a.logprob_sum - b.logprob_sum) < TOLERANCE for a, b in pairs
    )


@pytest.fixture
def asked(conversations: list[Conversation]) -> list[Score]:
    prefixes = ["", "The answer is ", "The answer is ("]
    requests = [
        Score(c, OPTIONS[: 2 + i % 3], p) for i, c in enumerate(conversations) for p in prefixes
    ]
    return requests[:16]


def test_scores_do_not_depend_on_the_batch(model: HuggingFaceModel, asked: list[Score]) -> None:
    alone = scores(model, asked, 1)
    assert close(alone, scores(model, asked, 3))
    assert close(alone, scores(model, asked, 16))
    order = random.Random(0).sample(range(len(asked)), len(asked))
    shuffled = scores(model, [asked[i] for i in order], 16)
    assert close([alone[i] for i in order], shuffled)


def test_scores_depend_on_image_and_prompt(
    model: HuggingFaceModel, conversations: list[Conversation]
) -> None:
    """Otherwise the other tests of this file would prove nothing."""
    first, second = conversations[0][0], conversations[1][0]
    other_image = (type(first)("user", (second.parts[0], first.parts[1])),)
    other_text = (type(first)("user", (first.parts[0], second.parts[2])),)
    replies = model.score([Score(c, ("two", "(B)")) for c in ((first,), other_image, other_text)])
    assert abs(replies[0][0].logprob_sum - replies[1][0].logprob_sum) > 20 * TOLERANCE
    assert abs(replies[0][0].logprob_sum - replies[2][0].logprob_sum) > 20 * TOLERANCE


def test_candidates_in_any_order(model: HuggingFaceModel, asked: list[Score]) -> None:
    request = asked[0]
    backwards = Score(request.conversation, request.candidates[::-1], request.answer_prefix)
    assert close(model.score([request]), [model.score([backwards])[0][::-1]])


def test_equal_candidates_score_exactly_equal(
    model: HuggingFaceModel, conversations: list[Conversation]
) -> None:
    (reply,) = model.score([Score(conversations[1], ("two", "(B)", "two", "two"))])
    assert reply[0] == reply[2] == reply[3]


def test_greedy_text_does_not_depend_on_the_batch(
    model: HuggingFaceModel, conversations: list[Conversation]
) -> None:
    asked = [
        Generate(conversation, max_new_tokens=10, answer_prefix=prefix)
        for conversation in conversations
        for prefix in ("", "The answer is", "There")
    ][:16]
    alone = [model.generate([request])[0] for request in asked]
    assert [*model.generate(asked[:3]), *model.generate(asked[3:])] == alone
    assert model.generate(asked) == alone
    assert model.generate(asked[::-1]) == alone[::-1]
    assert len({reply.text for reply in alone}) >= 3


def test_sampled_text_depends_on_the_seed_alone(
    model: HuggingFaceModel, conversations: list[Conversation]
) -> None:
    asked = [
        Generate(conversation, max_new_tokens=8, temperature=0.8, top_p=0.9, seed=seed)
        for conversation in conversations[:3]
        for seed in (0, 1)
    ]
    together = model.generate(asked)
    assert together == [model.generate([request])[0] for request in asked]
    assert together == model.generate(asked)
    assert together[0] != together[1]


def test_no_requests_no_replies(model: HuggingFaceModel) -> None:
    assert model.generate([]) == []
    assert model.score([]) == []
    assert model.score([Score((), ())]) == [()]
