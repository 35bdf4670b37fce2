"""ChEF's result files: its key names, and numbers worked out from the answers by its formulas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from chef.cli import main
from chef.errors import ConfigError
from chef.suite.members.figures import MemberRun
from chef.suite.members.file import read_suite
from chef.suite.members.sections import calibration
from chef.suite.sweep.samples import RunSamples

CORRUPTED = {"ic": "chef-image-corruptions", "tc": "chef-text-corruptions"}
VERBALIZERS = {
    "natural_0": ("natural", 0),
    "natural_1": ("natural", 1),
    "neutral_0": ("neutral", 0),
}
SHOTS = "eval_cfg.instruction_cfg.incontext_cfg={retriever_type: random, ice_num: %d}"


def member(*keys: str) -> dict[str, Any]:
    return {"recipe": "Shapes/ppl", "keys": [*keys]}


def method(name: str, keys: str = "") -> str:
    return f"scenario_cfg.method_cfg={{{name}: {{{keys}}}}}"


SUITE: dict[str, Any] = {
    "limit": 8,
    "members": {
        "plain": member(),
        **{name: member(method(corruption)) for name, corruption in CORRUPTED.items()},
        **{name: member(method("verbalizer", f"type: {kind}, ids: {number}"))
           for name, (kind, number) in VERBALIZERS.items()},
        "one": member(SHOTS % 1),
        "two": member(SHOTS % 2),
    },
    "figures": {"accuracy": {"score": {"field": "accuracy", "of": "plain"}}},
    "chef": {
        "Shapes": {
            "calibration": "plain",
            "shots": ["plain", "one", "two"],
            "verbalizers": {"origin": "plain", **{name: name for name in VERBALIZERS}},
            "corrupted": {"origin": "plain", **{name: name for name in CORRUPTED}},
            "hallucination": "plain",
        }
    },
}  # fmt: skip
#: What guessing among four options scores, in percent.
RAND = 25.0


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all results of one call."""
    folder = tmp_path_factory.mktemp("chef")
    (folder / "six.yaml").write_text(yaml.safe_dump(SUITE, sort_keys=False))
    words = ["eval", "tiny", str(folder / "six.yaml"), "--chef-results", "--device", "cpu"]
    assert main([*words, "--save_dir", str(folder / "results")]) == 0
    return folder / "results"


def content(results: Path, *place: str) -> Any:
    return json.loads((results / "suites" / "six" / "tiny_chef" / Path(*place)).read_text())


def accuracy(results: Path, name: str) -> float:
    """In percent, from scores.jsonl."""
    lines = (results / "tiny" / "Shapes" / f"{name}-six" / "scores.jsonl").read_text()
    scores = [json.loads(line)["score"] for line in lines.splitlines()]
    return 100 * sum(scores) / len(scores)


def test_robustness(results: Path) -> None:
    """RRM = (acc_crp - acc_rand) / (acc - acc_rand) x 100; RR = acc_crp / acc x 100."""
    rows = content(results, "Robust", "Shapes", "Robust_Results.json")
    assert [(row["img_crp"], row["text_crp"]) for row in rows] == [
        (False, False), (True, False), (False, True),
    ]  # fmt: skip
    assert [*rows[0]] == ["img_crp", "text_crp", "dir", "Acc", "RRM", "RR"]
    clean = accuracy(results, "plain")
    assert (rows[0]["Acc"], rows[0]["RRM"], rows[0]["RR"]) == (pytest.approx(clean), 100, 100)
    for row, name in zip(rows[1:], CORRUPTED, strict=True):
        changed = accuracy(results, name)
        assert row["Acc"] == pytest.approx(changed)
        assert row["RRM"] == pytest.approx(100 * (changed - RAND) / (clean - RAND))
        assert row["RR"] == pytest.approx(100 * changed / clean)
        assert [file.name for file in Path(row["dir"]).iterdir()] == ["Shapes.json"]


def test_instruction_following(results: Path) -> None:
    """MR: the percentage of samples whose chosen index stays; lists by type, and plain means."""
    found = content(results, "Instruct_follow", "Shapes", "Instruction_Follow_Results.json")
    assert [*found] == ["res_dirs", "Accs", "MRs", "weighted_avg_MR", "weighted_avg_Acc"]
    before = chosen(results, "origin")
    ratios = []
    for name in VERBALIZERS:
        after = chosen(results, name)
        ratios.append(100 * float(np.mean([after[key] == before[key] for key in before])))
    assert found["MRs"] == {"natural": pytest.approx(ratios[:2]), "neutral": [ratios[2]]}
    assert found["weighted_avg_MR"] == pytest.approx(sum(ratios) / 3)
    accuracies = [accuracy(results, name) for name in VERBALIZERS]
    assert found["weighted_avg_Acc"] == pytest.approx(sum(accuracies) / 3)
    assert [Path(path).name for path in found["res_dirs"]["natural"]] == ["natural_0", "natural_1"]


def chosen(results: Path, setting: str) -> dict[str, int]:
    """The option with the largest mean log-probability."""
    samples = content(results, "Instruct_follow", "Shapes", setting, "Shapes.json")
    return {one["id"]: int(np.argmax(one["ppl_results"])) for one in samples}


def test_in_context_learning(results: Path) -> None:
    """RIAM = (mean acc with examples - acc_0) / (acc_0 - acc_rand), written as x 50 + 50."""
    rows = content(results, "ICL", "Shapes", "results.json")
    assert [[*row] for row in rows] == [["answer_path", "result"]] * 3 + [["RIAM"]]
    zero = accuracy(results, "plain")
    mean = (accuracy(results, "one") + accuracy(results, "two")) / 2
    assert rows[-1]["RIAM"] == pytest.approx(50 + 50 * (mean - zero) / (zero - RAND))
    assert rows[1]["result"]["ACC"] == pytest.approx(accuracy(results, "one"))


def test_answers_have_the_keys_of_chef(results: Path) -> None:
    """Those of a PPL run: mean log-probabilities, their softmax, and the likeliest option."""
    found = content(results, "Calibration", "Shapes", "results.json")
    samples = json.loads(Path(found["answer_path"]).read_text())
    assert len(samples) == 8
    for sample in samples:
        assert {"id", "query", "answer", "ppl_results", "probs", "prob", "metric_result"} <= {
            *sample
        }
        parts = np.exp(np.asarray(sample["ppl_results"]))
        assert sample["probs"] == pytest.approx((parts / parts.sum()).tolist(), abs=1e-6)
        assert sample["prob"] == pytest.approx(max(sample["probs"]))
    assert {"ECE", "Acc_bins", "Prob_bins", "ACC"} <= {*found["result"]}
    assert [*content(results, "Hallucination", "Shapes", "results.json")] == [
        "answer_path", "result",
    ]  # fmt: skip


def test_bins_by_hand() -> None:
    """Twelve answers: the first two of ten bins have two, and the others one.

    In the order of confidence .05, .10, ..., .60 the first, third and last answer are right.
    Bins: (.05 .10), (.15 .20), .25, ..., .60; the gaps times sizes are 2 |.075 - .5|,
    2 |.175 - .5|, .25 + .30 + .35 + .40 + .45 + .50 + .55 and .40.
    """
    probs = [0.05 * number for number in range(1, 13)]
    right = [float(number in (1, 3, 12)) for number in range(1, 13)]
    ids = [str(number) for number in range(12)]
    run = MemberRun(
        RunSamples(ids, [*right], [[] for _ in ids], [0] * 12, [0] * 12, [], probs, [True] * 12),
        "Data",
    )
    found = calibration(run)
    assert found["ECE"] == pytest.approx((0.85 + 0.65 + 2.8 + 0.4) / 12)
    assert found["Acc_bins"] == [0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 1]
    assert found["Prob_bins"][:3] == pytest.approx([0.075, 0.175, 0.25])


@pytest.mark.parametrize(
    ("roles", "what"),
    [
        ({"calibration": "plan"}, "no member 'plan'"),
        ({"corrupted": {"ic": "ic"}}, "no origin"),
        ({"corrupted": {"origin": "plain", "image": "ic"}}, "no 'image'"),
        ({"icl": []}, "icl"),
    ],
)
def test_mistakes(roles: dict[str, Any], what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        read_suite({**SUITE, "chef": {"Shapes": roles}})


@pytest.mark.parametrize("name", ["desiderata", "desiderata_chef"])
def test_the_suites_of_chef_name_all_of_their_members(name: str) -> None:
    suite = read_suite(name)
    assert {*suite.members} == {one for roles in suite.chef.values() for one in roles.members}
