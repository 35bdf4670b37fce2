"""Answers read by two processes: what is found is what one process finds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from judgements_by_hand import judging

from chef.errors import RunError
from chef.metric import METRICS, Metric
from chef.metric import second_reader as second
from chef.metric.judgeable import Readings
from chef.reading.text import POLICY
from chef.types import Prediction, Status

PETS: dict[str, Any] = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
#: By the name of a metric the fields of its samples.
SAMPLES: dict[str, dict[str, Any]] = {
    "Accuracy": PETS,
    "YesNo": {"question": "Is there a dog?", "gt_answers": "yes"},
    "Counting": {"question": "How many dogs are there?", "gt_answers": 2},
}
TEXTS = ("(B)", "Two dogs. So yes, there is a dog, not a cat.", "It is a cat.", "I cannot tell.")


def some(make: Callable[..., Prediction], name: str, count: int = 90) -> dict[str, Prediction]:
    """Answers by id, one of which failed, and one of which has no reference."""
    answers = [make(f"{n:03}", TEXTS[n % 4] + " " * n, **SAMPLES[name]) for n in range(count)]
    answers[7] = Prediction("007", Status.ERROR, error={"type": "X", "message": "no"})
    answers[8] = make("008", "yes")
    return {item.sample_id: item for item in answers}


def metric_of(name: str) -> Metric:
    metric = METRICS.get(name)()
    metric.kept_readings = Readings(POLICY, name)
    return metric


@pytest.fixture
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes read wherever they can."""
    monkeypatch.setattr(second, "_has_free_core", lambda: True)
    monkeypatch.setattr(second, "_pays", lambda _, names: bool(names))


def waiting(monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """Let this process wait for the other one; the answers that it reads itself."""
    kind, here = METRICS.get(name), list[str]()
    plain = kind.score_sample

    def score_sample(self: Metric, record: dict[str, Any]) -> dict[str, Any]:
        here.append(str(record["id"]))
        reader: Any = getattr(getattr(self.kept_readings, "second", None), "__self__", None)
        while reader is not None and not reader._lines and reader._thread.is_alive():
            time.sleep(0.01)
        return plain(self, record)

    monkeypatch.setattr(kind, "score_sample", score_sample)
    return here


def lines_of(metric: Metric, answers: Mapping[str, Prediction]) -> dict[str, bytes]:
    """All that a second process reads."""
    names = sorted(answers)
    reader = second._started(metric, answers, names)
    assert reader is not None
    reader._thread.join()
    lines = {name: line for name in names if (line := reader.take(name)) is not None}
    reader.end()
    return lines


@pytest.mark.parametrize("name", SAMPLES)
def test_the_second_process_finds_what_this_one_finds(
    make: Callable[..., Prediction], name: str
) -> None:
    answers, metric = some(make, name), metric_of(name)
    lines = lines_of(metric, answers)
    assert len(lines) > 80
    assert "007" not in lines
    for item in answers.values():
        metric.running(item)
    assert metric.kept_readings is not None
    for key, line in lines.items():
        digest, _, found = line.partition(b"\n")
        assert metric.kept_readings._of(key) == {digest.decode(): found}


@pytest.mark.usefixtures("_always")
def test_results_are_those_of_one_process(
    make: Callable[..., Prediction], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = some(make, "Accuracy")
    one, two = metric_of("Accuracy"), metric_of("Accuracy")
    read_here = waiting(monkeypatch, "Accuracy")
    report = two.evaluate(answers.values())
    assert 0 < len(read_here) < 85
    monkeypatch.setattr(second, "_has_free_core", lambda: False)
    expected = one.evaluate(answers.values())
    assert report.to_json() == expected.to_json()
    assert one.kept_readings is not None
    assert two.kept_readings is not None
    lines = zip(report.samples, expected.samples, strict=True)
    assert all(two.kept_readings.noted(a) == one.kept_readings.noted(b) for a, b in lines)
    assert two.kept_readings.second is None


@pytest.mark.usefixtures("_always")
@pytest.mark.parametrize("code", ["raise SystemExit(3)", "print('x' * 99)", None])
def test_a_process_that_ends_early_changes_nothing(
    make: Callable[..., Prediction], monkeypatch: pytest.MonkeyPatch, code: str | None
) -> None:
    answers = some(make, "Accuracy")
    expected = METRICS.get("Accuracy")().evaluate(answers.values())
    if code is None:  # there is no Python to be started
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    else:
        monkeypatch.setattr(second, "_CODE", code)
    assert metric_of("Accuracy").evaluate(answers.values()).to_json() == expected.to_json()


@pytest.mark.usefixtures("_always")
@pytest.mark.parametrize("error", [KeyboardInterrupt, RunError("stopped")])
def test_the_process_ends_with_the_block(
    make: Callable[..., Prediction],
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException] | BaseException,
) -> None:
    started = second._started
    readers: list[Any] = []
    monkeypatch.setattr(
        second, "_started", lambda *items: readers.append(started(*items)) or readers[-1]
    )
    metric = metric_of("Accuracy")

    answers = some(make, "Accuracy")

    def interrupted() -> None:
        with second.reading_in_two(metric, answers, None):
            metric.running(answers["001"])
            raise error

    with pytest.raises((KeyboardInterrupt, RunError)):
        interrupted()
    (reader,) = readers
    assert reader._process.poll() is not None
    assert not reader._thread.is_alive()
    assert metric.kept_readings is not None
    assert metric.kept_readings.second is None


class Told(Metric):
    """Prints while it reads, and tells what is loaded."""

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        print("reading", record["id"])
        loaded = {"torch", "transformers", "ray", "scipy"} & sys.modules.keys()
        return {"metric_result": 1.0, "parsed": sorted(loaded)}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"ACC": len(answers)}


def test_the_process_loads_no_model_and_no_file_of_the_folder_and_may_print(
    make: Callable[..., Prediction], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(Path(__file__).parents[2])  # where the other one finds `Told`
    metric = Told()
    metric.kept_readings = Readings()
    lines = lines_of(metric, {"1": make("1", "a"), "2": make("2", "b")})
    assert [line.partition(b"\n")[2] for line in lines.values()] == [
        b'{"metric_result":1.0,"parsed":[]}'
    ] * 2


@pytest.mark.usefixtures("_always")
def test_classes_of_the_session_are_read_by_one_process(make: Callable[..., Prediction]) -> None:
    class Own(Told):
        """No other process can import it."""

    metric = Own()
    metric.kept_readings = Readings()
    answers = {name: make(name, "a") for name in "123"}
    assert second._started(metric, answers, ["1"]) is None
    assert metric.evaluate(answers.values()).metrics["ACC"].value == 3
    metric.kept_readings = None  # as `MetricRun` leaves it
    assert metric.evaluate(answers.values()).metrics["ACC"].value == 3


@pytest.mark.usefixtures("_always")
def test_judged_answers_are_read_by_one_process(
    make: Callable[..., Prediction], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second, "_started", lambda *_: pytest.fail("a process is started"))
    answers = some(make, "Accuracy", 12)
    said = judging("option", {"002": 1}, when="always")
    assert metric_of("Accuracy").evaluate(answers.values(), judging=said).coverage.total == 12


def test_few_short_or_scored_answers_are_read_by_one_process(
    make: Callable[..., Prediction],
) -> None:
    few, short, long = 40, 20_000, 4_000
    scored = {"scores": {"choice": 1}}
    assert not pays(make, few, "word " * 400)
    assert not pays(make, short, "(B)")
    assert pays(make, long, "word " * 1000)
    answers = {str(n): Prediction(str(n), Status.OK, "word " * 1000, **scored) for n in range(long)}
    assert not second._pays(answers, sorted(answers))


def pays(make: Callable[..., Prediction], count: int, text: str) -> bool:
    answer = make("1", text, **PETS)
    names = [str(number) for number in range(count)]
    return second._pays(dict.fromkeys(names, answer), names)


def test_a_busy_machine_has_no_free_core(monkeypatch: pytest.MonkeyPatch) -> None:
    for load, is_free in ((9.0, False), (2.0, False), (1.1, True)):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, load, load))
        monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
        monkeypatch.setattr("os.cpu_count", lambda: 2)
        assert second._has_free_core() is is_free
