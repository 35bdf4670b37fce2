"""The running score of a run that goes on, and how many samples are done."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import Hashing

import chef
from chef.metric import Metric
from chef.run.session import Progress, ProgressCounter
from chef.types import Prediction, Status

RECIPE = {
    "scenario_cfg": {"dataset_name": "Shapes", "size": 30},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
}


class Value(Metric):
    """The answer is its own score."""

    def score_sample(self, record):
        return {"metric_result": float(record["answer"])}

    def metric_func(self, answers):
        return {}


def made(name: str, value: float | None) -> Prediction:
    if value is None:
        return Prediction(name, Status.ERROR, error={"message": "x"})
    return Prediction(name, Status.OK, answer=str(value), sample={"id": name})


def counted(earlier: dict[str, float | None], *new: tuple[str, float | None]) -> list[Progress]:
    states: list[Progress] = []
    answered = {name: made(name, value) for name, value in earlier.items()}
    counter = ProgressCounter(
        "s/r", ["a", "b", "c", "d"], answered, metric=Value(), on_progress=states.append
    )
    for name, value in new:
        counter.update(made(name, value))
    return states


def test_earlier_answers_count() -> None:
    states = counted({"a": 1.0, "b": 0.0}, ("c", 0.5), ("d", None))
    assert [(s.done, s.score, s.errors) for s in states] == [(3, 0.5, 0), (4, 0.5, 1)]


def test_a_sample_that_is_asked_again_counts_once() -> None:
    (state,) = counted({"a": None, "b": 0.0}, ("a", 1.0))  # an error of an earlier session
    assert (state.done, state.score) == (2, 0.5)
    (state,) = counted({"a": 1.0, "b": 0.0}, ("a", 0.5))  # its row of the data has changed
    assert (state.done, state.score) == (2, 0.25)


def test_answers_of_other_samples_do_not_count() -> None:
    (state,) = counted({"z": 1.0}, ("a", 0.0))
    assert (state.done, state.total, state.score) == (1, 4, 0.0)


def test_the_last_score_of_a_resumed_run_is_that_of_the_whole_run(tmp_path: Path) -> None:
    seen: list[Progress] = []
    given = {"save_dir": tmp_path, "name": "t"}

    def stop(state: Progress) -> None:
        if state.done == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chef.evaluate(Hashing(), RECIPE, on_progress=stop, **given)
    report = chef.evaluate(Hashing(), RECIPE, on_progress=seen.append, **given)
    assert [state.done for state in seen] == list(range(21, 31))
    assert 100 * seen[-1].score == pytest.approx(report.value)
    assert seen[-1].model == "hashing"
    sessions = chef.load_run(report.folder).environment["sessions"]
    assert sum(session["asked"] for session in sessions[-1:]) == 10  # its speed counts these only
