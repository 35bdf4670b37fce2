"""`chef.compare` on runs that were written by hand."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path
from typing import Any

import pytest
from runs_by_hand import outcomes, prediction, score_run, write_run

import chef
from chef.config.document import read_source
from chef.errors import ConfigError, DataError
from chef.metric.vqa.vqa import MMBenchVQA
from chef.run.answers import encode

BEFORE, AFTER = "RRRRRRWWWWRRRRRRRRRR", "RRRRWWRRRRRRRRRRRRRR"


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return write_run(tmp_path, outcomes(BEFORE), model="one")


@pytest.fixture
def after(tmp_path: Path) -> Path:
    return write_run(tmp_path, outcomes(AFTER), model="two")


def test_the_difference_and_the_flips(before: Path, after: Path) -> None:
    found = chef.compare(before, after)
    pair = found.main
    assert (pair.first, pair.second, pair.samples) == ("one", "two", 20)
    acc = pair.differences["ACC"]
    assert (acc.first.value, acc.second.value) == (80.0, 90.0)
    assert acc.difference.value == pytest.approx(10.0)
    assert acc.difference.low is not None
    assert acc.difference.high is not None
    assert acc.difference.low < 0 < acc.difference.high
    assert pair.gained == ["q6", "q7", "q8", "q9"]
    assert pair.lost == ["q4", "q5"]
    assert pair.mcnemar is not None
    counts = (pair.mcnemar.both, pair.mcnemar.first_only, pair.mcnemar.second_only)
    assert (*counts, pair.mcnemar.neither) == (14, 2, 4, 0)
    tail = sum(comb(6, k) for k in range(3)) / 2**6
    assert pair.mcnemar.p_value == pytest.approx(2 * tail)
    assert found.differs == {"model_cfg.model_name": ["one", "two"]}
    text = str(found)
    assert "No difference between one and two is shown in ACC: +10.0" in text
    assert "with 20 samples, a true difference of" in text
    assert "gained 4: q6, q7, q8, q9" in text


def test_a_run_with_itself(before: Path) -> None:
    found = chef.compare(before, before)
    assert found.runs == ["one", "one (2)"]
    for item in found.main.differences.values():
        assert (item.difference.value, item.p_value) == (0.0, 1.0)
    assert not found.main.gained
    assert not found.main.lost
    assert not found.differs
    assert "the two scores are the same on all 20 samples" in str(found)


def test_one_checkpoint_under_two_names_is_no_difference(tmp_path: Path) -> None:
    def run(name: str, weights: str) -> Path:
        return write_run(
            tmp_path,
            outcomes(BEFORE),
            model="one",
            name=f"ppl-{name}",
            settings={"model_cfg.model_path": f"models/{name}"},
            environment={"model_fingerprint": weights},
        )

    same = chef.compare(run("a", "0f"), run("b", "0f"))
    assert "model_cfg.model_path" not in same.differs
    other = chef.compare(tmp_path / "one" / "ByHand" / "ppl-a", run("c", "1f"))
    assert other.differs["model_cfg.model_path"] == ["models/a", "models/c"]


def test_the_configuration_of_a_run_is_read_once(
    before: Path, after: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counted(path: Path, **settings: Any) -> Any:
        read.append(path)
        return read_source(path, **settings)

    monkeypatch.setattr("chef.scoring.record.read_source", counted)
    chef.compare(before, after)
    assert read == [before / "config.yaml", after / "config.yaml"]


def test_what_is_decided_is_said(tmp_path: Path) -> None:
    worse = write_run(tmp_path, outcomes("W" * 30 + "R" * 10), model="worse")
    better = write_run(tmp_path, outcomes("R" * 40), model="better")
    for runs in ((worse, better), (better, worse)):
        text = chef.compare(*runs).to_json()["pairs"][0]["verdict"]
        assert text.startswith("better is better than worse by 75.0 points [")


def test_means_of_other_findings_than_the_score_have_their_own_interval(
    before: Path, tmp_path: Path
) -> None:
    other = write_run(tmp_path, outcomes("UU" + AFTER[2:]), model="two")
    item = chef.compare(before, other).main.differences["match_ratio"]
    assert item.difference.value == pytest.approx(-10.0)
    assert item.difference.method == "student"
    # The standard error of the mean of 18 zeros and 2 differences of -1.
    assert item.difference.stderr == pytest.approx(100 * (0.09 / 19) ** 0.5)
    assert item.p_value == 0.5  # both signs of two are alike in half of the cases


def test_failed_samples_are_no_pairs(before: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path, outcomes("EEE" + AFTER[3:]), model="two")
    found = chef.compare(before, other)
    assert found.main.samples == 17
    item = found.main.differences["ACC"]
    assert item.first.value == pytest.approx(100 * 13 / 17)  # on the pairs, not on all samples
    assert item.second.value == pytest.approx(100 * 15 / 17)
    assert [score.coverage.scored for score in found.scores] == [20, 17]
    assert any("3 samples have no score in two (3 failed: 'q0'" in n for n in found.main.notes)
    assert "two has scored 85.0% of its samples" in str(found)


def test_other_questions_are_refused(before: Path, tmp_path: Path) -> None:
    for number, changed in enumerate(
        (
            {"question": "What is else?"}, {"gt_answers": "no"}, {"gt_choice": 1},
            {"choices": ["no", "yes"]}, {"options": ["yes", "never"]},
        )
    ):  # fmt: skip
        other = write_run(tmp_path, outcomes(AFTER), model=f"m{number}", samples={"q3": changed})
        with pytest.raises(DataError, match="'q3'") as caught:
            chef.compare(before, other)
        assert "--allow data" in str(caught.value)
        found = chef.compare(before, other, allow=["data"])
        assert "'q3'" in found.allowed[0]
        assert "allowed to differ:" in str(found)


def test_other_images_are_refused(before: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path, outcomes(AFTER), model="two")
    journal = other / "predictions.jsonl"
    journal.write_text(journal.read_text().replace("digest of q5", "digest of another"))
    with pytest.raises(DataError, match=r"'q5', images: digest of q5 \| digest of another"):
        chef.compare(before, other)


def test_white_space_and_the_wording_are_no_difference(before: Path, tmp_path: Path) -> None:
    other = write_run(
        tmp_path, outcomes(AFTER), model="two",
        samples={"q3": {"question": " What is\n q3?"}, "q4": {"image_path": "elsewhere/q4.png"}},
    )  # fmt: skip
    assert not chef.compare(before, other).allowed


def test_another_subset_is_refused(before: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path, outcomes(AFTER[:18]), model="two")
    with pytest.raises(DataError, match=r"two lacks 2 of 20 \('q18', 'q19'\)") as caught:
        chef.compare(before, other)
    assert caught.value.hint is not None
    assert "--allow subset" in caught.value.hint
    found = chef.compare(before, other, allow=["subset"])
    assert found.main.samples == 18


def test_runs_without_a_shared_sample(before: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path, outcomes(AFTER, "z"), model="two")
    with pytest.raises(DataError, match="no sample is in both") as caught:
        chef.compare(before, other, allow=["subset", "scenario", "data", "metric"])
    assert (
        caught.value.hint == "they asked other samples of ByHand: a larger --limit asks common ones"
    )
    drawn = {f"{name}#1": letter for name, letter in outcomes(AFTER).items()}
    several = write_run(tmp_path, drawn, model="three")
    with pytest.raises(DataError, match="no sample is in both") as caught:
        chef.compare(before, several, allow=["subset"])
    assert "give both the same --samples" in (caught.value.hint or "")


def test_another_data_set_or_metric_is_refused(before: Path, tmp_path: Path) -> None:
    data = write_run(
        tmp_path, outcomes(AFTER), model="d", environment={"scenario_fingerprint": "beef"}
    )
    with pytest.raises(DataError, match="scenario: the data files of ByHand are others in d"):
        chef.compare(before, data)
    metric = write_run(tmp_path, outcomes(AFTER), model="m", metric={"metric_type": "VQA"})
    with pytest.raises(DataError, match="metric: one is scored by Accuracy, m by VQA"):
        chef.compare(before, metric)
    both = chef.compare(before, metric, metric="VQA")
    assert both.primary == "ACC"
    assert not both.allowed
    assert not list(before.glob("results_*"))  # nothing is written


def test_another_metric_scores_each_answer_once(
    before: Path, after: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[str] = []
    whole = MMBenchVQA._score_one

    def counted(self: Any, prediction: Any, judging: Any = None) -> Any:
        scored.append(prediction.sample_id)
        return whole(self, prediction, judging)

    monkeypatch.setattr(MMBenchVQA, "_score_one", counted)
    # Its figures are no means of scores, so the metric computes them on parts of the answers.
    found = chef.compare(before, after, metric="MMBenchVQA").main
    assert found.differences["vanilla_acc"].difference.value == pytest.approx(10.0)
    assert len(scored) == 2 * len(BEFORE)


def test_an_unknown_word_of_allow(before: Path) -> None:
    with pytest.raises(ConfigError, match="'subst'") as caught:
        chef.compare(before, before, allow=["subst"])
    assert caught.value.hint is not None
    assert "did you mean 'subset'?" in caught.value.hint


def test_unfinished_runs_are_refused(before: Path, after: Path) -> None:
    with (after / "predictions.jsonl").open("ab") as journal:
        journal.write(encode(prediction("q20", "R")))
    with pytest.raises(DataError, match="have changed since it was scored") as caught:
        chef.compare(before, after)
    assert caught.value.hint is not None
    assert "`chef score" in caught.value.hint
    (after / "results.json").unlink()
    with pytest.raises(DataError, match="no scores yet"):
        chef.compare(before, after)
    with pytest.raises(ConfigError, match="needs two runs"):
        chef.compare(before)


def test_categories(tmp_path: Path) -> None:
    fields = {f"q{n}": {"category": "even" if n % 2 == 0 else "odd"} for n in range(20)}
    one = write_run(tmp_path, outcomes(BEFORE), model="one", samples=fields)
    two = write_run(tmp_path, outcomes(AFTER), model="two", samples=fields)
    found = chef.compare(one, two)
    expected = {
        parity: [
            (AFTER[n] == "R") - (BEFORE[n] == "R") for n in range(20) if n % 2 == (parity == "odd")
        ]
        for parity in ("even", "odd")
    }
    groups = found.main.by["category"]
    assert list(groups) == ["even", "odd"]
    for value, gains in expected.items():
        assert groups[value].difference.value == pytest.approx(100 * sum(gains) / len(gains))
        assert groups[value].difference.n == len(gains)
    assert "ACC by category" in found.table(None, ["category"])


def test_several_runs_are_corrected(tmp_path: Path) -> None:
    texts = {"a": "W" * 6 + "R" * 14, "b": "R" * 20, "c": "R" * 20}
    runs = [write_run(tmp_path, outcomes(text), model=name) for name, text in texts.items()]
    found = chef.compare(runs)
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip
    raw = [pair.differences["ACC"].p_value for pair in found.pairs]
    assert raw == [pytest.approx(2 / 2**6), pytest.approx(2 / 2**6), 1.0]
    # Both differences to a are one and the same, and a third pair is told beside them.
    joint = [pair.joint for pair in found.pairs]
    assert [item.p_value for item in joint] == [
        pytest.approx(1 - (1 - 2 / 2**6) ** 2, abs=0.002), joint[0].p_value, 1.0
    ]  # fmt: skip
    assert all(item.difference.low <= 0 <= item.difference.high for item in joint)
    assert "jointly with all 3 pairs" in str(found)
    assert "a is better" not in str(found)
    assert "b is better" not in str(found)
    assert found.ranks == {"a": (1, 3), "b": (1, 3), "c": (1, 3)}


def test_several_runs_have_places_and_a_best_one(tmp_path: Path) -> None:
    """By hand: a is worse than both others on 30 of 40 samples, which are alike."""
    texts = {"a": "W" * 30 + "R" * 10, "b": "R" * 40, "c": "R" * 39 + "W"}
    runs = [write_run(tmp_path, outcomes(text), model=name) for name, text in texts.items()]
    found = chef.compare(runs)
    assert found.ranks == {"a": (3, 3), "b": (1, 2), "c": (1, 2)}
    assert found.best.run == "b"
    single = found.scores[1].figures["ACC"]
    assert found.best.score.low < single.low
    assert found.best.score.value == single.value == found.best.score.high
    lines = str(found).splitlines()
    assert "place" in next(line for line in lines if "95% interval" in line)
    assert any("b has the best score of 3" in line for line in lines)
    data = found.to_json()
    assert data["ranks"]["a"] == [3, 3]
    assert data["best"]["run"] == "b"
    assert not chef.compare(runs[:2]).ranks
    equal = write_run(tmp_path, outcomes("R" * 40), model="d")
    assert chef.compare([*runs, equal]).best is None  # two share the first place


def test_json_is_plain_data(before: Path, after: Path) -> None:
    found = chef.compare(before, after)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert data["runs"] == ["one", "two"]
    assert data["pairs"][0]["gained"] == ["q6", "q7", "q8", "q9"]
    assert data["pairs"][0]["differences"]["ACC"]["difference"]["unit"] == "%"
    assert data["scores"][0]["coverage"]["scored"] == 20


def test_labels(tmp_path: Path) -> None:
    runs = [
        write_run(tmp_path, outcomes("RW"), model=model, name=name)
        for model in ("one", "two")
        for name in ("ppl-1", "direct-1")
    ]
    assert chef.compare(runs).runs == ["one/ppl", "one/direct", "two/ppl", "two/direct"]
    assert chef.compare(runs[:2]).runs == ["ppl", "direct"]
    again = write_run(tmp_path, outcomes("RW"), model="one", name="ppl-2")
    assert chef.compare(runs[0], again).runs == ["ppl-1", "ppl-2"]


def test_a_report_counts_as_the_run(before: Path, after: Path) -> None:
    reports = [chef.load_run(before).report, chef.load_run(after)]
    assert (
        chef.compare(reports).to_json()["pairs"] == chef.compare(before, after).to_json()["pairs"]
    )


def test_scores_of_another_version_of_the_metric_are_noticed(before: Path, after: Path) -> None:
    results = after / "results.json"
    data = json.loads(results.read_text())
    data["metrics"]["match_ratio"]["value"] = 50.0
    results.write_text(json.dumps(data))
    found = chef.compare(before, after)
    assert found.main.differences["match_ratio"].difference.low is None
    assert any("another match_ratio now than in results.json" in it for it in found.main.notes)
    score_run(after)
    assert not chef.compare(before, after).main.notes


def test_an_error_is_better_when_it_is_lower(tmp_path: Path) -> None:
    """Right answers have the score 0 of a metric that counts errors."""
    results = []
    for model, text in (("one", "RRRRRRRRWWWW"), ("two", "RRRRRRRRRRRR")):
        path = write_run(tmp_path, outcomes(text), model=model)
        scores = (path / "scores.jsonl").read_text().splitlines()
        lines = [json.loads(line) for line in scores]
        for line in lines:
            line["metric_result"] = line["score"] = 1 - line["metric_result"]
        (path / "scores.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        data = json.loads((path / "results.json").read_text())
        (errors := data["metrics"].pop("ACC")).update(higher_is_better=False)
        errors["value"] = 100 - errors["value"]
        data["metrics"] = {"ERR": errors}
        data["primary"] = "ERR"
        data.pop("by", None)
        (path / "results.json").write_text(json.dumps(data))
        results.append(path)
    found = chef.compare(results)
    pair = found.main
    assert pair.differences["ERR"].difference.value == pytest.approx(-100 / 3)
    assert pair.gained == ["q8", "q9", "q10", "q11"]
    assert not pair.lost
    assert "one is better" not in str(found)
