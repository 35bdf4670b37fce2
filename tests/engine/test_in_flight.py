"""Requests to a server: concurrent, retried, bounded; each sample has an answer or an error."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from engine.sending import ask, engine, failing, stopped
from fake_servers import Served
from fakes import Hashing, Numbers
from programs import inferencer, jobs

from chef.engine.engine import Engine
from chef.engine.executor_base import MAX_CONSECUTIVE_FAILURES
from chef.errors import ChefError, ConfigError, RunError, SampleError
from chef.models.api.failures import Failure
from chef.models.api.gate import OUTAGE_AFTER, Gate
from chef.models.api.server_model import Received
from chef.models.api.traffic import Traffic
from chef.types import Generated, Prediction, Request, Status

ALL = [Failure.UNAUTHORIZED, Failure.FORBIDDEN, Failure.NOT_FOUND, Failure.NO_CREDIT]


def in_process(size: int, name: str = "Direct") -> dict[str, Prediction]:
    found = Engine(Hashing(), inferencer(name)).run(jobs(Numbers(size=size)))
    return {prediction.sample_id: prediction for prediction in found}


@pytest.mark.parametrize("name", ["Direct", "PPL", "two"])
@pytest.mark.parametrize("most", [1, 3, 64])
def test_answers_are_those_of_a_model_in_this_process(name: str, most: int) -> None:
    model = Served(traffic=Traffic(max_in_flight=most))
    assert ask(model, 60, name) == in_process(60, name)
    assert model.most <= most


def test_one_request_is_alone_until_it_is_answered_and_then_many_are_in_flight() -> None:
    under_way = []
    model = Served(lambda _text, _attempt: under_way.append(model.under_way), seconds=0.03)
    ask(model, 200)
    assert under_way[0] == 1
    assert model.most > 30
    assert model.sent[0].startswith("0?")


def test_requests_are_sent_in_the_order_of_the_samples() -> None:
    model = Served(traffic=Traffic(max_in_flight=1))
    ask(model, 40)
    assert [text.split("?")[0] for text in model.sent] == [str(number) for number in range(40)]


def test_of_500_samples_with_every_third_attempt_failing_each_is_answered_or_an_error() -> None:
    mixed = [
        Failure.CONNECTION, Failure.RATE_LIMITED, Failure.OVERLOADED, Failure.SERVER,
        Failure.BROKEN_BODY, Failure.CONFLICT,
    ]  # fmt: skip
    model = Served(failing(0.3, *mixed), traffic=Traffic(max_attempts=4))
    made, _ = engine(model)
    found = {item.sample_id: item for item in made.run(jobs(Numbers(size=500)))}
    expected = in_process(500)
    errors = {name for name, item in found.items() if item.status is Status.ERROR}
    assert found.keys() == expected.keys()
    assert {name: item for name, item in found.items() if name not in errors} == {
        name: item for name, item in expected.items() if name not in errors
    }
    never = [text for text, sent in model.attempts.items() if sent == 4 and model.script(text, 4)]
    assert len(errors) == len(never) > 0
    assert all(found[name].answer is None for name in errors)
    assert "attempts" in found[min(errors)].error["message"]
    assert max(model.attempts.values()) == 4
    record = made.executor.record()["server"]
    assert record["requests"] == model.attempts.total() < 500 * 1.6
    repeated = sum(record["repeated"].values())
    assert repeated == model.attempts.total() - 500
    assert set(record["repeated"]) == set(map(str, mixed))
    assert 1 < model.most <= record["most_in_flight"] <= 64
    assert (record["prompt_tokens"], record["completion_tokens"]) == (
        10 * (500 - len(errors)), 2 * (500 - len(errors)),
    )  # fmt: skip


def test_congestion_lowers_what_is_in_flight_and_retry_after_is_waited_for() -> None:
    def busy(_text: str, _attempt: int) -> Failure | None:
        return Failure.RATE_LIMITED if model.under_way > 5 else None

    model = Served(busy, seconds=0.005, retry_after=3.0)
    made, time = engine(model)
    found = list(made.run(jobs(Numbers(size=100))))
    assert all(item.status is Status.OK for item in found)
    record = made.executor.record()["server"]
    assert record["repeated"].keys() == {"rate_limited"}
    assert record["pauses"] >= 1
    # Of a pause of all sending what is left of 3 s; each request itself waits a little longer.
    pauses = [seconds for seconds in time.slept if seconds <= 3]
    assert record["pauses"] == len(pauses)
    assert record["paused_seconds"] == pytest.approx(sum(pauses), abs=0.01)
    assert max(pauses) == pytest.approx(3, abs=0.01)
    assert 3 <= max(time.slept) <= 5


def test_an_attempt_that_takes_too_long_is_ended_and_sent_again() -> None:
    slow = {"3?": 1, "7?": 9}

    def script(text: str, attempt: int) -> Failure | None:
        times = slow.get(text.split(" ", maxsplit=1)[0].split("\n", maxsplit=1)[0], 0)
        return Failure.TIMEOUT if attempt <= times else None

    # The others answer at once, so that even a busy machine is in time.
    model = Served(script, traffic=Traffic(request_timeout=0.5, max_attempts=2))
    found = ask(model, 20)
    assert {name for name, item in found.items() if item.status is Status.ERROR} == {"n7"}
    assert "within 0.5 s (the last of 2 attempts)" in found["n7"].error["message"]
    assert model.cancelled == 3


def test_the_smaller_of_both_time_limits_counts() -> None:
    model = Served(lambda *_: Failure.TIMEOUT, traffic=Traffic(max_attempts=1))
    error, found = stopped(model, timeout=0.01)
    assert "within 0.01 s" in str(error)
    assert len(found) == 1


# -- what stops a run -----------------------------------------------------------------------


@pytest.mark.parametrize("failure", ALL)
def test_what_concerns_all_requests_stops_the_run_before_the_second(failure: Failure) -> None:
    model = Served(lambda *_: failure)
    error, found = stopped(model)
    assert (model.attempts.total(), found) == (1, [])
    assert isinstance(error, RunError if failure is Failure.NO_CREDIT else ConfigError)
    assert error.where == "http://server.test/v1"
    assert error.hint
    if failure is Failure.UNAUTHORIZED:
        assert "SERVED_KEY" in error.what
    if failure in (Failure.FORBIDDEN, Failure.NOT_FOUND):
        assert "small-model" in error.what


@pytest.mark.parametrize("failure", ALL)
def test_after_a_success_a_key_that_ends_stops_the_run_and_other_refusals_do_not(
    failure: Failure,
) -> None:
    model = Served(lambda text, _: failure if text.startswith("30?") else None)
    if failure in (Failure.FORBIDDEN, Failure.NOT_FOUND):
        found = ask(model, 100)
        assert {n for n, item in found.items() if item.status is Status.ERROR} == {"n30"}
        return
    error, answered = stopped(model, 100)
    assert isinstance(error, RunError)
    assert all(item.status is Status.OK for item in answered)  # also those in flight are kept
    assert len(answered) == len(model.attempts) - 1 < 99


def test_a_request_that_is_bad_is_the_error_of_its_sample_also_if_it_is_the_first() -> None:
    bad = {"0?", "1?", "50?"}
    model = Served(
        lambda text, _: Failure.BAD_REQUEST if text.split(" ")[0].split("\n")[0] in bad else None
    )
    found = ask(model, 100)
    errors = {name for name, item in found.items() if item.status is Status.ERROR}
    assert errors == {"n0", "n1", "n50"}
    assert model.attempts.total() == 100


def test_requests_that_are_all_bad_stop_the_run() -> None:
    model = Served(lambda *_: Failure.BAD_REQUEST)
    error, found = stopped(model)
    assert isinstance(error, RunError)
    assert model.attempts.total() == MAX_CONSECUTIVE_FAILURES
    assert model.most == 1
    assert len(found) == MAX_CONSECUTIVE_FAILURES - 1
    assert "it said bad_request" in str(error)


def test_a_server_that_is_down_from_the_start_is_told_after_a_bounded_time() -> None:
    model = Served(lambda *_: Failure.CONNECTION)
    made, time = engine(model)
    with pytest.raises(RunError, match="cannot be reached") as error:
        list(made.run(jobs(Numbers(size=50))))
    assert error.value.where == "http://server.test/v1"
    assert model.attempts.total() == 2 * 6
    assert sum(time.slept) <= 2 * (1 + 2 + 4 + 8 + 16)


def test_a_server_that_goes_down_stops_the_run_and_answers_stay() -> None:
    down = threading.Event()

    def script(text: str, _attempt: int) -> Failure | None:
        if text.startswith("40?"):
            down.set()
        return Failure.CONNECTION if down.is_set() else None

    model = Served(script)
    error, found = stopped(model, 500)
    answered = [item for item in found if item.status is Status.OK]
    assert isinstance(error, RunError)
    assert "cannot be reached" in error.what
    assert 30 <= len(answered) <= 45
    assert len(found) == len(answered)  # the samples are not at fault, and are asked again
    assert model.attempts.total() < 140


def test_a_server_that_comes_back_within_minutes_costs_no_sample() -> None:
    lost: list[str] = []
    until = 0

    def script(text: str, _attempt: int) -> Failure | None:
        nonlocal until
        if text.startswith("40?") and not lost:
            until = model.under_way + 5  # all that are in flight, and then one by one
        if len(lost) < until:
            lost.append(text)
            return Failure.CONNECTION
        return None

    model = Served(script)
    found = ask(model, 500)
    assert len(lost) == until > OUTAGE_AFTER
    assert all(item.status is Status.OK for item in found.values())
    assert model.attempts.total() == 500 + until


def test_many_bad_samples_in_a_row_do_not_stop_a_server_that_answers() -> None:
    def script(text: str, _attempt: int) -> Failure | None:
        return Failure.BAD_REQUEST if 20 <= int(text.split("?", maxsplit=1)[0]) < 80 else None

    found = ask(Served(script, traffic=Traffic(max_in_flight=4)), 100)
    assert sum(item.status is Status.ERROR for item in found.values()) == 60


@pytest.mark.parametrize("error", [RunError("gone for good"), ConfigError("wrong")])
def test_an_error_of_the_run_ends_it(error: ChefError) -> None:
    found, _ = stopped(Served(lambda text, _: error if text.startswith("5?") else None))
    assert found is error


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError(), GeneratorExit()]
)
def test_what_would_end_the_process_is_the_error_of_its_sample(error: Any) -> None:
    found = ask(Served(lambda text, _: error if text.startswith("5?") else None), 20)
    assert {name for name, item in found.items() if item.status is Status.ERROR} == {"n5"}
    assert "would end the process" in found["n5"].error["message"]


def test_a_sample_that_cannot_be_sent_is_no_failure_of_the_server() -> None:
    model = Served(lambda *_: SampleError("too long"))
    found = ask(model, 40)
    assert {item.error["message"] for item in found.values()} == {"too long"}


class Returning(Served):
    """Returns whatever it is told to."""

    def __init__(self, reply: Any) -> None:
        super().__init__()
        self.reply = reply

    async def attempt(self, request: Request) -> Any:
        return await super().attempt(request) if len(self.sent) != 4 else self._odd()

    def _odd(self) -> Any:
        self.sent.append("odd")
        return self.reply


@pytest.mark.parametrize("reply", [None, "text", Received(None), Received(b"x"), Received(())])
def test_what_is_no_reply_is_an_error_and_never_text(reply: Any) -> None:
    found = ask(Returning(reply), 20)
    errors = [item for item in found.values() if item.status is Status.ERROR]
    assert [item.error["type"] for item in errors] == ["ReplyError"]


def test_a_reply_with_a_lone_surrogate_is_made_encodable() -> None:
    found = ask(Returning(Received(Generated("a\ud800b"))), 20)
    assert [item.trace.get("replaced") for item in found.values() if item.answer == "a\ufffdb"]


def test_an_error_that_nobody_expected_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Gate) -> None:
        raise ZeroDivisionError("in the gate")

    monkeypatch.setattr(Gate, "update", broken)
    error, found = stopped(Served(), 5)
    assert isinstance(error, RunError)
    assert error.what == "the requests cannot be sent any more (ZeroDivisionError: in the gate)"
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert not found
