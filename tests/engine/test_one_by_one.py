"""A model that answers one by one is asked one by one: no reply waits for those of others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from fakes import Hashing, Numbers
from programs import inferencer, jobs

from chef.engine import executor
from chef.engine.engine import Engine
from chef.models import Model
from chef.models.hooks.mmtrusteval.model import ChatModel
from chef.types import Conversation, Generate, Score, Status


class One(Model):
    """Counts how often each question is asked; one of them fails."""

    def __init__(self, broken: str | None = None) -> None:
        self.asked: Counter[str] = Counter()
        self.broken = broken

    def generate_one(self, conversation: Conversation, max_new_tokens: int) -> str:
        self._enter(conversation)
        return "1"

    def score_one(self, conversation: Conversation, candidates: Sequence[str]) -> list[float]:
        self._enter(conversation)
        return [-1.0 * number for number, _ in enumerate(candidates)]

    def _enter(self, conversation: Conversation) -> None:
        text = "\n".join(turn.text for turn in conversation)
        self.asked[text] += 1
        if self.broken is not None and self.broken in text:
            raise ValueError("this one")


@pytest.mark.parametrize("name", ["Direct", "PPL"])
@pytest.mark.parametrize("batch_size", [None, 8])
def test_an_answer_comes_before_the_next_question(name: str, batch_size: int | None) -> None:
    model = One()
    engine = Engine(model, inferencer(name), batch_size)
    for count, _ in enumerate(engine.run(jobs(Numbers(size=40))), start=1):
        assert model.asked.total() == count
    assert model.asked.total() == 40


@pytest.mark.parametrize("name", ["Direct", "PPL"])
def test_a_failure_asks_no_other_sample_again(name: str) -> None:
    model = One(broken="17")
    statuses = Counter(
        item.status for item in Engine(model, inferencer(name)).run(jobs(Numbers(size=40)))
    )
    assert statuses[Status.ERROR] == 1
    assert model.asked.total() == 40


def test_a_time_limit_is_one_question_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "GRACE", 5.0)

    class Slow(One):
        def generate_one(self, conversation: Conversation, max_new_tokens: int) -> str:
            end = time.monotonic() + (60 if "17" in conversation[-1].text else 0.02)
            while time.monotonic() < end:
                time.sleep(0.001)
            return "1"

    engine = Engine(Slow(), inferencer("Direct"), timeout=0.5)
    failures = [
        item.sample_id for item in engine.run(jobs(Numbers(size=40))) if item.status is Status.ERROR
    ]
    assert failures == ["n17"]


def _kinds() -> Iterator[Any]:
    class Rows(Model):
        def do_generate(self, image_list, prompt, max_new_tokens):
            return "1"

        def do_ppl(self, input_images, conversations, batch_options):
            return [0.0 for _ in batch_options]

    class Batched(Rows):
        def do_generate(self, input_images, conversations, max_new_tokens):
            return ["1" for _ in conversations]

    class First(Model):
        def generate(self, image, question, max_new_tokens):
            return "1"

    class Both(First):
        def batch_generate(self, image_list, question_list, max_new_tokens):
            return ["1" for _ in question_list]

    yield from [(One, True, True), (Hashing, False, False), (Rows, True, False)]
    yield from [(Batched, False, False), (First, True, False), (Both, False, False)]


@pytest.mark.parametrize(("kind", "generates", "scores"), _kinds())
def test_which_models_answer_one_by_one(kind: type[Model], generates: bool, scores: bool) -> None:
    model = kind()
    assert model.answers_singly(Generate(())) is generates
    assert model.answers_singly(Score((), ("a",))) is scores


@pytest.mark.parametrize("name", ["chat", "chat_batch"])
def test_a_model_of_mmtrusteval_answers_one_by_one_without_a_batch(name: str) -> None:
    model = ChatModel.__new__(ChatModel)
    model._made = type("Chat", (), {name: lambda self, messages: "1"})()
    assert model.answers_singly(Generate(())) is (name == "chat")
