"""The engine: answers do not depend on batches, and a failure costs only its own sample."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fakes import Hashing, Numbers
from programs import INSTRUCTION, inferencer, jobs

from chef.engine.engine import Engine, Job
from chef.engine.executor_base import MAX_CONSECUTIVE_FAILURES
from chef.errors import ConfigError, RunError, SampleError
from chef.image import Image
from chef.inferencer import INFERENCERS, Inferencer, Program
from chef.inferencer.base import Answer
from chef.instruction import Instruction
from chef.types import Generate, Prediction, Sample, Scored, Status, Text, Turn


def ask(
    model: Hashing,
    inferencer: Inferencer,
    todo: list[Job],
    *,
    batch_size: int | None = None,
    window: int = 256,
) -> dict[str, Prediction]:
    predictions = list(Engine(model, inferencer, batch_size, window).run(todo))
    found = {prediction.sample_id: prediction for prediction in predictions}
    assert len(found) == len(predictions) == len(todo)
    return found


@pytest.mark.parametrize("name", ["Direct", "PPL", "two"])
@pytest.mark.parametrize("batch_size", [1, 3, 16, None])
@pytest.mark.parametrize("window", [1, 7, 256])
def test_answers_do_not_depend_on_batches(name: str, batch_size: int | None, window: int) -> None:
    scenario = Numbers(size=40)
    expected = ask(Hashing(), inferencer(name), jobs(scenario), batch_size=5)
    order = list(range(40))
    random.Random(batch_size).shuffle(order)
    shuffled = jobs(scenario, order)
    found = ask(Hashing(), inferencer(name), shuffled, batch_size=batch_size, window=window)
    assert found == expected


def test_batches_are_full_and_repeatable() -> None:
    first, second = Hashing(), Hashing()
    for model in (first, second):
        ask(model, inferencer("two"), jobs(Numbers(size=64)), batch_size=8)
    assert first.calls == second.calls
    assert [len(call) for call in first.calls].count(8) >= 14  # 128 requests, 16 full batches


def test_an_automatic_batch_keeps_to_the_budget() -> None:
    model = Hashing()
    model.token_budget = 200
    engine = Engine(model, inferencer("PPL"))
    list(engine.run(jobs(Numbers(size=40))))
    assert 1 < engine.executor.statistics.largest_batch < 40
    sample = Numbers()[6]
    cost = model.cost(next(inferencer("PPL").infer(sample)))
    assert all(len(call) * 4 * cost <= 2 * 200 for call in model.calls)


def test_a_sample_that_cannot_be_made_is_one_error() -> None:
    found = ask(Hashing(), inferencer("PPL"), jobs(Numbers(size=20, bad=[3, 11])))
    errors = {name for name, item in found.items() if item.status is Status.ERROR}
    assert errors == {"n3", "n11"}
    assert found["n3"].error == {
        "type": "SampleError",
        "message": "row 3: made bad on purpose",
    }
    assert found["n3"].answer is None


def test_a_request_the_model_chokes_on_costs_only_itself() -> None:
    model = Hashing(broken="17?")
    found = ask(model, inferencer("Direct"), jobs(Numbers(size=40)), batch_size=16)
    assert {name for name, item in found.items() if item.status is Status.ERROR} == {"n17"}
    assert "cannot digest 17?" in found["n17"].error["message"]
    assert (
        found["n16"].answer == ask(Hashing(), inferencer("Direct"), jobs(Numbers()))["n16"].answer
    )


def test_out_of_memory_splits_the_batch_and_is_remembered() -> None:
    model = Hashing(rows_that_fit=24)
    engine = Engine(model, inferencer("PPL"), batch_size=16)
    found = {item.sample_id: item for item in engine.run(jobs(Numbers(size=64)))}
    assert all(item.status is Status.OK for item in found.values())
    assert (
        engine.executor.statistics.out_of_memory == 3
    )  # 16 samples, both halves of 8; 4 x 4 rows fit
    assert found == ask(Hashing(), inferencer("PPL"), jobs(Numbers(size=64)))


def test_a_model_that_always_fails_stops_the_run() -> None:
    model = Hashing(broken="?")
    with pytest.raises(RunError, match=f"{MAX_CONSECUTIVE_FAILURES} requests in a row"):
        ask(model, inferencer("Direct"), jobs(Numbers(size=100)))


def test_a_wrong_number_of_replies_is_an_error_and_stops_a_run_of_them() -> None:
    class Short(Hashing):
        def generate(self, requests):
            return super().generate(requests)[:-1]

    found = ask(Short(), inferencer("Direct"), jobs(Numbers(size=4)))
    assert {item.error["type"] for item in found.values()} == {"ReplyError"}
    with pytest.raises(RunError, match=r"Short\.generate returned 0 replies for 1 rows"):
        ask(Short(), inferencer("Direct"), jobs(Numbers(size=20)))


def test_an_image_is_decoded_once_and_a_bad_one_is_an_error(tmp_path: Path) -> None:
    drawn = []

    def draw() -> Any:
        from PIL import Image as Pillow

        drawn.append(1)
        return Pillow.new("RGB", (4, 4))

    empty = tmp_path / "empty.png"
    empty.touch()

    def make(name: str, image: Image) -> Job:
        return Job(name, lambda: Sample(id=name, images=(image,), question="?", options=("a", "b")))

    found = ask(
        Hashing(), inferencer("PPL"), [make("good", Image(draw)), make("bad", Image(empty))]
    )
    assert len(drawn) == 1
    assert found["good"].status is Status.OK
    assert found["bad"].error["type"] == "ImageError"
    assert "empty.png" in found["bad"].error["message"]


def test_nan_is_an_error_never_option_0() -> None:
    class Nan(Hashing):
        def score(self, requests):
            return [
                tuple(Scored(float("nan"), 1) for _ in item.candidates)
                if "3?" in item.conversation[0].text
                else tuple(Scored(-1.0 - n, 1) for n, _ in enumerate(item.candidates))
                for item in requests
            ]

    found = ask(Nan(), inferencer("PPL"), jobs(Numbers(size=5)))
    assert found["n3"].status is Status.ERROR
    assert "not finite" in found["n3"].error["message"]
    assert found["n2"].scores["choice"] == 0


def test_ties_are_recorded() -> None:
    class Equal(Hashing):
        def score(self, requests):
            return [tuple(Scored(-2.0, 1 + n % 2) for n in range(4)) for _ in requests]

    found = ask(Equal(), inferencer("PPL"), jobs(Numbers(size=2)))
    assert found["n0"].scores["choice"] == 1  # means are -2, -1, -2, -1
    assert found["n0"].scores["ties"] == [1, 3]


def test_ppl_figures_by_hand() -> None:
    class Known(Hashing):
        def score(self, requests):
            return [(Scored(-2.0, 2), Scored(-0.5, 1), Scored(-9.0, 3), Scored(-4.0, 4))]

    sample = ask(Known(), inferencer("PPL"), jobs(Numbers(size=1)))["n0"]
    assert sample.answer == "one"
    assert sample.scores["ppl_results"] == [-1.0, -0.5, -3.0, -1.0]
    assert sample.scores["logprob_sums"] == [-2.0, -0.5, -9.0, -4.0]
    # e^-1, e^-0.5, e^-3, e^-1 are 0.3679, 0.6065, 0.0498, 0.3679; their sum is 1.3921
    assert sample.scores["probs"] == pytest.approx([0.2643, 0.4357, 0.0358, 0.2643], abs=1e-4)
    assert sample.scores["prob"] == pytest.approx(0.4357, abs=1e-4)
    assert "ties" not in sample.scores


def test_ppl_without_options_is_an_error_of_the_sample() -> None:
    job = Job("x", lambda: Sample(id="x", question="?"))
    prediction = ask(Hashing(), inferencer("PPL"), [job])["x"]
    assert "has none" in prediction.error["message"]


def test_direct_marks_a_cut_answer_and_refuses_bad_settings() -> None:
    from chef.types import Generated

    class Cut(Hashing):
        def generate(self, requests):
            return [Generated("so long", "length", 16) for _ in requests]

    found = ask(Cut(), inferencer("Direct"), jobs(Numbers(size=1)))["n0"]
    assert (found.status, found.answer) == (Status.TRUNCATED, "so long")
    with pytest.raises(ConfigError, match="top_p"):
        INFERENCERS.get("Direct")(INSTRUCTION, top_p=0.0)


def test_sampling_seeds_are_the_samples_own() -> None:
    one, two = (inferencer("Direct").sample_seed(Numbers()[index]) for index in (0, 1))
    assert one != two
    assert one == inferencer("Direct").sample_seed(Numbers()[0])


def test_a_stopped_consumer_leaves_no_reader_running() -> None:
    import threading

    stream = Engine(Hashing(), inferencer("PPL"), 2).run(jobs(Numbers(size=500)))
    next(stream)
    stream.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("reader")]


def test_an_error_raised_into_a_program_can_be_caught() -> None:
    class Careful(Inferencer):
        def infer(self, sample: Sample) -> Program:
            try:
                yield Generate((Turn("user", (Text(sample.question),)),))
            except ValueError:
                return Answer("I could not")
            return Answer("fine")

    found = ask(Hashing(broken="1?"), Careful(INSTRUCTION), jobs(Numbers(size=3)))
    assert found["n1"].answer == "I could not"
    assert found["n2"].answer == "fine"


def test_a_sample_error_of_the_model_does_not_count_against_it() -> None:
    class Picky(Hashing):
        def generate(self, requests):
            raise SampleError("too long for me")

    found = ask(Picky(), inferencer("Direct"), jobs(Numbers(size=3 * MAX_CONSECUTIVE_FAILURES)))
    assert all(item.status is Status.ERROR for item in found.values())


def test_samples_that_fail_alike_do_not_stop_a_model_that_works() -> None:
    """They are neighbours in a batch, being of one length."""
    model = Hashing(broken=" long long long long long long")
    found = ask(model, inferencer("Direct"), jobs(Numbers(size=10 * MAX_CONSECUTIVE_FAILURES)))
    failed = {name for name, item in found.items() if item.status is Status.ERROR}
    asked = range(10 * MAX_CONSECUTIVE_FAILURES)
    assert failed == {f"n{index}" for index in asked if index % 7 == 6}
    assert len(failed) > MAX_CONSECUTIVE_FAILURES


def test_answers_got_before_a_failure_are_handed_on() -> None:
    class Dying(Hashing):
        """Works for three calls, and then never again."""

        def generate(self, requests):
            if len(self.calls) >= 3:
                raise ValueError("gone")
            return super().generate(requests)

    answered = []
    engine = Engine(Dying(), inferencer("Direct"), 4)

    def drain() -> None:
        for prediction in engine.run(jobs(Numbers(size=100))):
            answered.append(prediction)  # noqa: PERF402 (extend would lose them at the error)

    with pytest.raises(RunError, match="in a row"):
        drain()
    assert sum(item.status is Status.OK for item in answered) == 12


def test_too_few_scores_stop_the_run() -> None:
    class Short(Hashing):
        def score(self, requests):
            return [reply[:-1] for reply in super().score(requests)]

    with pytest.raises(RunError, match=r"Short\.score returned 3 numbers for 4 candidates"):
        ask(Short(), inferencer("PPL"), jobs(Numbers(size=20)))


def test_scores_may_come_as_lists() -> None:
    class Lists(Hashing):
        def score(self, requests):
            return [list(reply) for reply in super().score(requests)]

    todo = jobs(Numbers(size=4))
    assert ask(Lists(), inferencer("PPL"), todo) == ask(Hashing(), inferencer("PPL"), todo)


def test_one_sample_that_never_fits_does_not_shrink_the_batches() -> None:
    class Picky(Hashing):
        def score(self, requests):
            if any("13?" in item.conversation[0].text for item in requests):
                raise MemoryError
            return super().score(requests)

    engine = Engine(Picky(), inferencer("PPL"), batch_size=16)
    found = {item.sample_id: item for item in engine.run(jobs(Numbers(size=100)))}
    assert [name for name, item in found.items() if item.status is Status.ERROR] == ["n13"]
    assert engine.executor.limits.requests == 16
    assert engine.executor.statistics.too_large == 1


def test_a_model_that_cannot_estimate_costs_stops_the_run() -> None:
    class Odd(Hashing):
        def cost(self, request):
            raise KeyError("vocab")

    with pytest.raises(RunError, match="cost of a request cannot be estimated"):
        ask(Odd(), inferencer("PPL"), jobs(Numbers(size=40)))


def test_a_program_that_returns_something_else_is_an_error_of_its_samples() -> None:
    class Wrong(Inferencer):
        def infer(self, sample: Sample) -> Program:
            yield Generate((Turn("user", (Text(sample.question),)),))
            return "text"

    found = ask(Hashing(), Wrong(INSTRUCTION), jobs(Numbers(size=2)))
    assert "not an Answer" in found["n0"].error["message"]


def test_the_window_is_bounded_by_pixels(monkeypatch) -> None:
    """Large images wait undecoded."""
    import threading

    from PIL import Image as Pillow

    import chef.engine.engine

    monkeypatch.setattr(chef.engine.engine, "WINDOW_PIXELS", 1000)
    lock, alive, most = threading.Lock(), [0], [0]

    class Counting(Hashing):
        def score(self, requests):
            with lock:
                most[0] = max(most[0], alive[0])
                alive[0] -= len(requests)
            return super().score(requests)

    def draw(shade: int) -> Any:
        with lock:
            alive[0] += 1
        return Pillow.new("RGB", (10, 10), (shade, 0, 0))

    def make(index: int) -> Sample:
        return Sample(f"s{index}", (Image(partial(draw, index)),), "?", ("a", "b"))

    todo = [Job(f"s{index}", partial(make, index)) for index in range(400)]
    found = ask(Counting(), inferencer("PPL"), todo, batch_size=2)
    assert all(item.status is Status.OK for item in found.values())
    # 10 images wait for the model, and the readers are 10 ahead
    assert most[0] <= 10 + 10 + 2


@pytest.mark.parametrize("text", ["{option}", "{question}", "a {0} b {", "%s {x!r}"])
def test_braces_in_a_question_are_text(text: str) -> None:
    sample = Sample("x", question=text, options=("a", "b"))
    query = Instruction("VQA").query(sample)
    assert query.conversation[-1].text.startswith(text)
