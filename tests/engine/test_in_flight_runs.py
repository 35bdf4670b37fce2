"""Runs of a server: budgets, interrupts, the cache, the probe before them, and what is told."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from itertools import islice
from typing import Any

import pytest
from engine.sending import ask, engine, failing, stopped
from fake_servers import Served
from fakes import Numbers, seen
from programs import INSTRUCTION, TwoSteps, inferencer, jobs

from chef.engine.response_cache import ResponseCache
from chef.engine.verify import verify
from chef.errors import ConfigError
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.server_model import Received
from chef.models.api.traffic import BudgetError, Traffic
from chef.types import Request, Sample, Status

# -- budgets --------------------------------------------------------------------------------


def test_a_budget_of_requests_is_kept_and_repeats_count() -> None:
    model = Served(failing(0.3, Failure.SERVER), traffic=Traffic(max_requests=60))
    error, found = stopped(model, 200)
    assert isinstance(error, BudgetError)
    assert "max_requests is 60, 60 requests were sent" in error.what
    assert model.attempts.total() == 60
    assert len(found) == 60 - made_again(model)


def made_again(model: Served) -> int:
    """Attempts that failed."""
    return sum(
        model.script(text, attempt) is not None
        for text, sent in model.attempts.items()
        for attempt in range(1, sent + 1)
    )


def test_a_budget_counts_the_requests_of_an_attempt() -> None:
    model = Served(traffic=Traffic(max_requests=42))
    error, found = stopped(model, name="PPL")  # four options, one request for each
    assert (len(found), model.spent.requests) == (10, 40)
    assert "40 requests were sent" in str(error)


def test_a_budget_of_tokens_holds_and_its_rest_is_used() -> None:
    model = Served(traffic=Traffic(max_tokens_total=1000))
    samples = [Numbers()[index] for index in range(200)]
    most = max(model.cost(next(inferencer("Direct").infer(sample))) for sample in samples)
    _, found = stopped(model, 200)
    assert 1000 - most - 12 <= 12 * len(found) == model.spent.tokens.total <= 1000


def test_a_budget_belongs_to_all_recipes_of_a_call() -> None:
    model = Served(traffic=Traffic(max_requests=30))
    ask(model, 20)
    _, found = stopped(model, 20)
    assert len(found) == 10
    _, found = stopped(model, 20)
    assert found == []


# -- the rest -------------------------------------------------------------------------------


def test_closing_cancels_what_is_in_flight_at_once() -> None:
    model = Served(lambda text, _: None if text.startswith("0?") else Failure.TIMEOUT)
    made, _ = engine(model)
    running = made.run(jobs(Numbers(size=50)))
    assert next(running).sample_id == "n0"
    running.close()
    model.submit(_settled(lambda: not model.under_way)).result(100)
    assert model.spent.in_flight == 0
    assert model.spent.reserved.total == 0


async def _settled(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.001)


def test_after_an_interrupt_nothing_that_was_answered_is_asked_again() -> None:
    model, answered, sessions = Served(failing(0.3, Failure.SERVER)), set[str](), 0
    while len(answered) < 200:
        left = [job for job in jobs(Numbers(size=200)) if job.sample_id not in answered]
        before, done, sessions = Counter(model.attempts), set(answered), sessions + 1
        running = engine(model)[0].run(left)
        answered |= {prediction.sample_id for prediction in islice(running, 60)}
        running.close()  # which is what Ctrl-C does
        again = {text for text in model.attempts if model.attempts[text] > before[text]}
        assert not {f"n{text.split('?')[0]}" for text in again} & done
    assert sessions == 4


def test_replies_go_to_the_cache_and_come_from_it(tmp_path: Any) -> None:
    responses = ResponseCache("served", tmp_path)
    model = Served()
    first = ask(model, 30, responses=responses)
    made, _ = engine(model, responses=responses)
    assert {item.sample_id: item for item in made.run(jobs(Numbers(size=30)))} == first
    assert model.attempts.total() == 30
    assert made.executor.record()["cache_hits"] == 30
    assert made.executor.record()["server"]["requests"] == 0


def test_the_model_is_probed_once_before_the_first_sample() -> None:
    model = Served()
    ask(model, 5)
    ask(model, 5)
    assert model.probes == 1


class Wrong(Served):
    """Its probe fails in a scripted way."""

    def __init__(self, *happens: Exception | Failure) -> None:
        super().__init__()
        self.happens = list(happens)

    async def probe(self) -> None:

        if self.happens:
            found = self.happens.pop(0)
            raise RequestFailedError("probe", found) if isinstance(found, Failure) else found


def test_a_probe_is_tried_again_and_its_verdict_ends_the_run() -> None:
    assert len(ask(Wrong(Failure.CONNECTION, Failure.SERVER), 5)) == 5
    error, found = stopped(Wrong(*[Failure.CONNECTION] * 6))
    assert "cannot be reached" in error.what
    error, found = stopped(Wrong(ConfigError("no logprobs")))
    assert (error.what, found) == ("no logprobs", [])
    error, _ = stopped(Wrong(Failure.UNAUTHORIZED))
    assert isinstance(error, ConfigError)


def test_the_window_is_larger_than_what_is_in_flight() -> None:
    made, _ = engine(Served(seconds=0.05, traffic=Traffic(max_in_flight=300)))
    list(made.run(jobs(Numbers(size=1500))))
    assert made.window >= 600
    assert made.executor.record()["server"]["most_in_flight"] > 200


def test_a_sample_made_while_others_wait_for_replies_is_sent_at_once() -> None:
    second_is_sent, third_is_sent = threading.Event(), asyncio.Event()
    waits_for, looks = list[Future[Any]](), [threading.Event(), threading.Event()]

    class Slow(Numbers):
        def __getitem__(self, index: int) -> Sample:
            if index:  # not before the engine found that it is not there yet
                assert looks[index - 1].wait(60)
            assert index < 2 or second_is_sent.wait(60)
            return super().__getitem__(index)

    class Waiting(Served):
        async def attempt(self, request: Request) -> Received:
            if seen(request).startswith("1?"):
                second_is_sent.set()
                await asyncio.wait_for(third_is_sent.wait(), 30)
            if seen(request).startswith("2?"):
                third_is_sent.set()
            return await super().attempt(request)

    made, _ = engine(Waiting())
    look_after = made.executor.look_after

    def looked_after(opened: Future[Any]) -> None:
        look_after(opened)
        if opened not in waits_for:
            looks[len(waits_for)].set()
            waits_for.append(opened)

    made.executor.look_after = looked_after  # type: ignore[method-assign]
    assert [item.status for item in made.run(jobs(Slow(size=3)))] == [Status.OK] * 3
    assert made.executor.record()["server"]["requests"] == 3


def test_a_prompt_log_and_image_limits_work_as_in_process() -> None:
    class Told(Served):
        def prompt_text(self, request: Request) -> str:
            return "told " + request.conversation[0].text

    made, _ = engine(Told(), log_prompts=True)
    assert {item.trace["prompts"][0][:5] for item in made.run(jobs(Numbers(size=5)))} == {"told "}


def test_verify_says_that_there_is_nothing_to_check(caplog: pytest.LogCaptureFixture) -> None:
    model, scenario = Served(), Numbers(size=5)
    caplog.set_level("WARNING")
    made = dict(zip(["n0"], [scenario[0]], strict=True))
    assert verify(model, TwoSteps(INSTRUCTION), ["n0"], made.__getitem__, 3) is None
    assert "no reference scorer" in caplog.text
    assert model.attempts.total() == 0


def test_which_sample_fails_does_not_depend_on_what_else_is_in_flight() -> None:
    found = []
    for most in (1, 7, 64):
        model = Served(failing(0.4, Failure.SERVER), traffic=Traffic(max_in_flight=most))
        order = list(range(100))
        random.Random(most).shuffle(order)
        predictions = engine(model)[0].run(jobs(Numbers(size=100), order))
        found.append({item.sample_id: item for item in predictions})
    assert found[0] == found[1] == found[2]


def test_each_kind_of_failure_is_told_once_while_it_is_retried(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("WARNING")
    model = Served(lambda _, attempt: Failure.SERVER if attempt < 3 else None)
    assert len(list(engine(model)[0].run(jobs(Numbers(size=20))))) == 20
    told = [record.getMessage() for record in caplog.records]
    assert told == ["served: it said server; each request is sent at most 6 times"]


def test_a_long_wait_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("WARNING")
    model = Served(lambda _, attempt: Failure.RATE_LIMITED if attempt < 2 else None, retry_after=40)
    assert len(list(engine(model)[0].run(jobs(Numbers(size=5))))) == 5
    assert "it said rate_limited; the server asks to wait 40 s; each request" in caplog.text


def test_a_time_limit_names_the_setting_that_set_it() -> None:
    for timeout, named in ((0.01, "--timeout"), (None, "request_timeout in the model file")):
        limits = Traffic(max_attempts=1, request_timeout=0.02)
        error, _ = stopped(Served(lambda *_: Failure.TIMEOUT, traffic=limits), timeout=timeout)
        assert named in str(error)


def test_a_server_that_is_too_slow_to_be_probed_is_not_called_absent() -> None:
    class Slow(Served):
        async def probe(self) -> None:
            raise RequestFailedError("nothing within 1 s", Failure.TIMEOUT, hint="allow more")

    error, found = stopped(Slow(traffic=Traffic(max_attempts=2)))
    assert (str(error.where), found) == ("http://server.test/v1", [])
    assert "does not answer" in error.what
    assert "allow more; the same command resumes" in str(error.hint)
