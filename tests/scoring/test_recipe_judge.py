"""The judge that a metric asks itself: from several threads, within its limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from chef.errors import RunError
from chef.models import Model
from chef.models.hooks.vlmevalkit.base_api import BaseAPI
from chef.scoring.surroundings import RecipeJudge
from chef.types import Generate, Generated, Text, Turn


class Served(BaseAPI):
    """Counts how many requests are in flight, and fails on the first try of every third."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._lock, self._now, self.most, self.sent = threading.Lock(), 0, 0, 0

    def generate_inner(self, inputs: Any, **kwargs: Any) -> tuple[int, str, str]:
        with self._lock:
            self._now, self.sent = self._now + 1, self.sent + 1
            self.most, fails = max(self.most, self._now), self.sent == 3
        time.sleep(0.05)
        with self._lock:
            self._now -= 1
        return (503, "", "busy") if fails else (0, f"said {inputs[0]['value']}", "")


class Local(Model):
    """Keeps the sizes of its batches; refuses one text."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        texts = [str(request.conversation[0].text) for request in requests]
        if "bad" in texts:
            raise ValueError("I cannot read it")
        self.batches.append(len(requests))
        time.sleep(0.05)
        return [Generated(f"said {text}") for text in texts]


def judge_of(model: Model) -> RecipeJudge:
    spec = SimpleNamespace(build=lambda: model, options={}, name="it")
    document = SimpleNamespace(secret_digest=str)
    one = SimpleNamespace(model=spec, document=document, plugins=[], label="it")
    return RecipeJudge(SimpleNamespace(models=[one]), None)  # type: ignore[arg-type]


def request(text: str) -> Generate:
    return Generate((Turn("user", (Text(text),)),), max_new_tokens=8)


def asked(judge: RecipeJudge, texts: Sequence[str], threads: int) -> list[str]:
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda text: judge.ask(request(text)), texts))


def test_a_server_gets_the_requests_of_all_threads_within_its_limit() -> None:
    model = Served(max_in_flight=3, max_attempts=3)
    texts = [str(number) for number in range(12)]
    judge = judge_of(model)
    assert asked(judge, texts, 8) == [f"said {text}" for text in texts]
    assert model.most == 3
    assert model.sent == 13  # one is sent again
    assert asked(judge, texts, 8) == [f"said {text}" for text in texts]
    assert model.sent == 13  # known
    judge.close()


def test_a_local_model_gets_batches() -> None:
    model = Local()
    texts = [str(number) for number in range(16)]
    assert asked(judge_of(model), texts, 8) == [f"said {text}" for text in texts]
    assert sum(model.batches) == 16
    assert len(model.batches) <= 8  # of 8 threads; one by one it would be 16


@pytest.mark.parametrize("threads", [1, 4])
def test_a_request_that_fails_fails_alone(threads: int) -> None:
    judge = judge_of(Local())
    with pytest.raises(RunError, match=r"the judge it failed: ValueError: I cannot read it"):
        asked(judge, ["a", "bad", "b", "c"], threads)
    assert asked(judge, ["a", "b", "c"], threads) == ["said a", "said b", "said c"]


def test_a_server_that_takes_no_key_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(self: Served, inputs: Any, **kwargs: Any) -> tuple[int, str, str]:
        return 401, "", "bad key"

    monkeypatch.setattr(Served, "generate_inner", refuses)
    with pytest.raises(RunError, match="the judge it failed"):
        asked(judge_of(Served(max_attempts=2)), [str(n) for n in range(6)], 6)
