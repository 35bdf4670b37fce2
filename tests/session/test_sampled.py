"""Several sampled answers to each question: journal, figures, resuming, scoring again, refusals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import chef
from chef.api import evaluate
from chef.errors import ConfigError
from chef.stats.paired import paired_mean
from chef.types import Generate, Generated

QUESTIONS = 6


class Drawn(chef.Model):
    """Answers with a letter that follows from the seed of the request alone."""

    def __init__(self, stop_after: int | None = None) -> None:
        super().__init__()
        self.seeds: list[int] = []
        self._left = stop_after

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        if self._left is not None:
            self._left -= len(requests)
            if self._left < 0:
                raise KeyboardInterrupt
        self.seeds += [request.seed for request in requests]
        return [Generated(f"({'AB'[request.seed % 2]})", tokens=3) for request in requests]

    def fingerprint(self) -> str:
        return "drawn"


class Worse(Drawn):
    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        self.seeds += [request.seed for request in requests]
        return [Generated(f"({'ABBB'[request.seed % 4]})", tokens=3) for request in requests]


def recipe(folder: Path, **scenario: Any) -> dict[str, Any]:
    rows = [
        {"id": f"q{number}", "question": f"Which is {number}?", "A": "x", "B": "y", "answer": "A"}
        for number in range(QUESTIONS)
    ]
    table = folder / "table.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return {
        "scenario_cfg": {"dataset_name": "Records", "path": str(table), **scenario},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct", "temperature": 1.0}},
    }


def run(folder: Path, model: chef.Model, **options: Any) -> Any:
    asked = recipe(folder, samples=4)
    return evaluate(
        model, asked, save_dir=folder, allow=["text-only"], on_progress=lambda _: None, **options
    )


def journal(result: Any) -> dict[str, dict[str, Any]]:
    lines = (result.file.parent / "predictions.jsonl").read_text().splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


def test_each_question_is_asked_with_seeds_of_its_own(tmp_path: Path) -> None:
    model = Drawn()
    result = run(tmp_path, model)
    ids = [f"q{number}#{k}" for number in range(QUESTIONS) for k in range(1, 5)]
    lines = journal(result)
    assert sorted(lines) == sorted(ids)
    assert len(set(model.seeds)) == len(ids)
    right = {name: line["answer"] == "(A)" for name, line in lines.items()}
    means, pairs, votes = [], [], []
    for number in range(QUESTIONS):
        said = [right[f"q{number}#{k}"] for k in range(1, 5)]
        means.append(sum(said) / 4)
        some = [said[one] or said[two] for one in range(4) for two in range(one + 1, 4)]
        pairs.append(sum(some) / 6)
        votes.append((sum(said) > 2) + (sum(said) == 2) / 2)
    values = {name: figure.value for name, figure in result.metrics.items()}
    assert values["mean@4"] == pytest.approx(100 * sum(means) / QUESTIONS)
    assert values["pass@2"] == pytest.approx(100 * sum(pairs) / QUESTIONS)
    assert values["majority@4"] == pytest.approx(100 * sum(votes) / QUESTIONS)
    assert 0 < values["mean@4"] < values["pass@2"] < 100
    assert result.metrics["ACC"].clusters == QUESTIONS


def test_a_run_that_was_cut_off_goes_on_with_the_same_answers(tmp_path: Path) -> None:
    whole = run(tmp_path, Drawn(), name="whole")
    with pytest.raises(BaseException):  # noqa: B017 (a Ctrl-C, in whatever form)
        run(tmp_path, Drawn(stop_after=8), batch_size=4, name="part")
    model = Drawn()
    part = run(tmp_path, model, batch_size=4, name="part")
    assert 0 < len(model.seeds) < 4 * QUESTIONS
    assert {name: line["answer"] for name, line in journal(part).items()} == {
        name: line["answer"] for name, line in journal(whole).items()
    }
    assert part.metrics == whole.metrics


def test_scoring_again_gives_the_same_figures(tmp_path: Path) -> None:
    result = run(tmp_path, Drawn())
    assert chef.score(result.file.parent).metrics == result.metrics


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 0}, "greedily"),
        ({"inferencer_type": "PPL"}, "samples no text"),
    ],
)
def test_answers_that_would_all_be_the_same_are_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    asked = recipe(tmp_path, samples=2)
    given = {**asked["eval_cfg"]["inferencer_cfg"], **changes}
    if given["inferencer_type"] == "PPL":
        del given["temperature"]
    asked["eval_cfg"]["inferencer_cfg"] = given
    with pytest.raises(ConfigError, match=message) as error:
        evaluate(Drawn(), asked, save_dir=tmp_path, allow=["text-only"])
    assert error.value.hint


@pytest.mark.parametrize(
    ("scenario", "metric", "message"),
    [
        ({"samples": 0}, "basic", "samples is 0"),
        ({"samples": 2, "circular": True}, "basic", "several times already"),
        ({"samples": 2}, "Caption", "single answers"),
    ],
)
def test_what_cannot_be_sampled_is_refused(
    tmp_path: Path, scenario: dict[str, Any], metric: str, message: str
) -> None:
    asked = recipe(tmp_path, **scenario)
    asked["eval_cfg"]["metric_cfg"] = {"metric_type": metric}
    with pytest.raises(ConfigError, match=message) as error:
        evaluate(Drawn(), asked, save_dir=tmp_path, allow=["text-only"])
    assert error.value.hint


def test_figures_over_questions_are_compared_by_the_rule_of_their_mean(tmp_path: Path) -> None:
    results = [run(tmp_path, Drawn(), name="first"), run(tmp_path, Worse(), name="second")]
    found = chef.compare([item.file.parent for item in results]).pairs[0].differences["mean@4"]
    shares = []
    for result in results:
        rights: dict[str, list[float]] = {}
        for entry in result.samples:
            rights.setdefault(entry["id"].partition("#")[0], []).append(entry["metric_result"])
        shares.append({name: sum(items) / len(items) for name, items in rights.items()})
    names = sorted(shares[0])
    expected = paired_mean(
        *([part[name] for name in names] for part in shares),
        names, unit="%", higher_is_better=True,
    )  # fmt: skip
    assert found.p_value == pytest.approx(expected.p_value)
    assert found.difference.low == pytest.approx(100 * (expected.estimate.low or 0))
    assert found.difference.high == pytest.approx(100 * (expected.estimate.high or 0))
    assert found.difference.method == expected.estimate.method


def test_a_comparison_tells_how_sure_the_figures_over_questions_are(tmp_path: Path) -> None:
    first, second = run(tmp_path, Drawn(), name="first"), run(tmp_path, Worse(), name="second")
    pair = chef.compare([first.file.parent, second.file.parent]).pairs[0]
    assert not any("another" in note for note in pair.notes)
    for figure in ("mean@4", "pass@2", "pass@4", "majority@4"):
        item = pair.differences[figure]
        gain = second.metrics[figure].value - first.metrics[figure].value
        assert item.difference.value == pytest.approx(gain)
        assert item.difference.low is not None, figure
        assert item.difference.low <= gain <= item.difference.high
        assert item.difference.n == QUESTIONS
