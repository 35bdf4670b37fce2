"""Every task file end to end: drawn data, the embedded model, a scripted judge; then the sheet.

What each log must hold is MMTrustEval's table of tasks, not chef's files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mmtrusteval_stand_ins as stand_ins
import pytest
from mmtrusteval_data import write_mmtrusteval

from chef.cli import main
from chef.config.shipped import shipped_names

YES_NO, REJECT = "rule_yes_or_no_eval", "rule_reject_template_eval"
JUDGED, GRADED = f"chatmodel_eval->{YES_NO}", "chatmodel_score->rule_score_eval"
CLASSIFIED, FOLLOWED = "classifer_reject_eval", "classifer_follow_instruction_eval"
HARM = "harmbenchmodel_eval"
TOXIC = ("google_perspective_api_eval", "openai_moderation_api_eval", REJECT)
BINARY = ("accuracy_score", "precision_score", "recall_score", "f1_score")
FLOW = ("pearson_corr", "failure")

#: The metrics of each task, by the ids of its evaluators.
METRICS: dict[str, dict[str, tuple[str, ...]]] = {
    "fairness/f1-stereo-generation": {JUDGED: ("pred_mean",)},
    "fairness/f2-stereo-agreement": {YES_NO: ("pred_mean",)},
    "fairness/f3-stereo-classification": {"rule_contain_eval": ("pred_mean",)},
    "fairness/f3-stereo-topic-classification": {"rule_contain_eval": ("pred_mean",)},
    "fairness/f4-stereo-query": {REJECT: ("pred_mean",), CLASSIFIED: ("pred_mean",)},
    "fairness/f5-vision-preference": {REJECT: ("pred_mean",), CLASSIFIED: ("pred_mean",)},
    "fairness/f6-profession-pred": {YES_NO: ("pred_mean",)},
    "fairness/f7-subjective-preference": {REJECT: ("pred_mean",), CLASSIFIED: ("pred_mean",)},
    "privacy/p1-vispriv-recognition": {YES_NO: BINARY},
    "privacy/p2-vqa-recognition-vispr": {YES_NO: BINARY},
    "privacy/p3-infoflow": {"rule_match_and_score_eval": FLOW},
    "privacy/p4-pii-query": dict.fromkeys((REJECT, CLASSIFIED, FOLLOWED), ("pred_mean",)),
    "privacy/p5-visual-leakage": dict.fromkeys(
        ("rule_contain_eval", REJECT, CLASSIFIED), ("pred_mean",)
    ),
    "privacy/p6-pii-leakage-in-conversation": dict.fromkeys(
        (REJECT, CLASSIFIED, "rule_contain_eval"), ("pred_mean",)
    ),
    "robustness/r1-ood-artistic": {f"chatmodel_score->{YES_NO}": ("pred_mean",)},
    "robustness/r2-ood-sensor": {GRADED: ("pred_mean",)},
    "robustness/r3-ood-text": {"rule_contain_exact_eval": ("pred_mean",)},
    "robustness/r4-adversarial-untarget": {f"chatmodel_score->{YES_NO}": ("pred_mean",)},
    "robustness/r5-adversarial-target": {f"chatmodel_score->{YES_NO}": ("pred_mean",)},
    "robustness/r6-adversarial-text": {"rule_contain_adv_eval": ("pred_mean",)},
    "safety/s1-nsfw-image-description": dict.fromkeys(TOXIC, ("pred_mean",)),
    "safety/s2-risk-identification": {JUDGED: ("pred_mean",)},
    "safety/s3-toxic-content-generation": dict.fromkeys(TOXIC, ("pred_mean",)),
    "safety/s4-s5-s6-jailbreaking": dict.fromkeys((HARM, REJECT), ("pred_mean",)),
    "truthfulness/t1-basic-attribute": {YES_NO: ("accuracy_score",)},
    "truthfulness/t1-basic-object": {YES_NO: ("accuracy_score",)},
    "truthfulness/t1-basic-scene": {YES_NO: ("accuracy_score",)},
    "truthfulness/t1-basic-grounding": {"chatmodel_eval": ("iou_judge",)},
    "truthfulness/t1-basic-ocr": {JUDGED: ("pred_mean",)},
    "truthfulness/t2-advanced-inference": {YES_NO: ("accuracy_score",)},
    "truthfulness/t3-instruction-enhancement-factual": {JUDGED: ("pred_mean",)},
    "truthfulness/t3-instruction-enhancement-logic": {JUDGED: ("pred_mean",)},
    "truthfulness/t4-visual-assistance": {JUDGED: ("pred_mean",)},
    "truthfulness/t5-text-misleading": {JUDGED: ("pred_mean",)},
    "truthfulness/t6-visual-confusion": {YES_NO: BINARY},
    "truthfulness/t7-visual-misleading": {JUDGED: ("pred_mean",)},
}
#: Evaluators besides rules and judges: their models and services are scripted elsewhere.
OUTSIDE = {CLASSIFIED, FOLLOWED, HARM, *TOXIC[:2]}
RULES_AND_JUDGES = sorted(name for name, chains in METRICS.items() if not OUTSIDE & set(chains))

JUDGE = '''\
from chef.models import Model
from chef.types import Generated


class Scripted(Model):
    """Boxes where it is asked for them, a grade where it is asked for one, else Yes."""

    def generate(self, requests):
        return [Generated(self.says(item.conversation[-1].text)) for item in requests]

    def says(self, text):
        if "xmin" in text:
            return '"""[0, 0, 0.5, 1]"""'
        return "75" if "0, 25, 50, 75" in text else "Yes."
'''


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the data and a judge, which is the working folder."""
    write_mmtrusteval(tmp_path / "data")
    (tmp_path / "scripted.py").write_text(JUDGE)
    (tmp_path / "judge.yaml").write_text("plugins: [scripted.py]\nmodel_name: Scripted\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CHEF_MMTRUST_DATA", raising=False)
    return tmp_path


def task(*arguments: str) -> int:
    return main(["eval", *arguments, "--limit", "2", "--model_id", "tiny"])


def logs(place: Path) -> dict[str, dict[str, Any]]:
    """The logs by the name of the task."""
    found = {}
    for path in (place / "logs").rglob("*.json"):
        aspect, name, model, _ = path.relative_to(place / "logs").parts
        assert model == "tiny"
        found[f"{aspect}/{name}"] = json.loads(path.read_text())
    return found


def test_the_table_is_of_all_files() -> None:
    assert sorted(METRICS) == shipped_names("tasks")


def test_tasks_with_rules_and_judges_end_to_end(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = ["--judge_cfg", "judge.yaml", "--cfg-options", "generation_kwargs.max_new_tokens=3"]
    assert task(*RULES_AND_JUDGES, *short) == 0
    written = logs(place)
    assert sorted(written) == RULES_AND_JUDGES
    for name, log in written.items():
        check_log(name, log)
    assert written["robustness/r2-ood-sensor"]["total_results"][f"{GRADED}:pred_mean"] == 75
    boxes = written["truthfulness/t1-basic-grounding"]["total_results"]["chatmodel_eval:iou_judge"]
    assert boxes in (0, 50, 100)  # the first of the two boxes is on the left
    (results,) = (place / "results" / "tiny" / "d-mis-visual-confusion").rglob("results.json")
    for group in json.loads(results.read_text())["by"]["subset"].values():
        assert f"{YES_NO}:failure_rate" in group["metrics"]

    capsys.readouterr()
    assert main(["score", "--suite", "trust", "results", "--json", "sheet.json"]) == 0
    told = capsys.readouterr().out
    assert "P1: vizwiz-recognition\n" in told
    assert "every data set of T7, S1, S3, S4, S5, S6, F4, F5, F7, P4, P5, P6\n" in told
    sheet = json.loads((place / "sheet.json").read_text())["tiny"]
    assert sheet["score"] is None
    scores = {leaf["name"]: leaf["score"] for leaf in leaves(sheet) if leaf["score"]}
    # Every judgement is "Yes": each description has a stereotype, and each answer agrees.
    assert {name: scores[name]["value"] for name in ("F1", "T5")} == {"F1": 0, "T5": 100}


def test_tasks_with_classifiers_and_services_end_to_end(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.write_classifier(place / "classifier")
    stand_ins.write_language_model(place / "language_model")
    monkeypatch.setenv("CHEF_CLASSIFIER", "classifier")
    monkeypatch.setenv("CHEF_HARMBENCH", "language_model")
    asked = [name for name in sorted(METRICS) if name not in RULES_AND_JUDGES]
    toxic = [name for name in asked if TOXIC[0] in METRICS[name]]
    short = ["--cfg-options", "generation_kwargs.max_new_tokens=3"]
    assert task(*(name for name in asked if name not in toxic), *short) == 0
    with stand_ins.services() as url:
        keys = [f"{place}.{name}.base_url={url}" for place, name in enumerate(TOXIC[:2])]
        assert task(*toxic, *short, *(f"evaluator_seq_cfgs.{key}" for key in keys)) == 0
    written = logs(place)
    assert sorted(written) == asked
    for name, log in written.items():
        check_log(name, log)
        totals = log["total_results"]
        if CLASSIFIED in METRICS[name]:  # LABEL_0 is a refusal
            assert totals[f"{CLASSIFIED}:pred_mean"] == 1
        for service in set(TOXIC[:2]) & set(METRICS[name]):
            assert totals[f"{service}:pred_mean"] == stand_ins.HIGH
    assert written["privacy/p4-pii-query"]["total_results"][f"{FOLLOWED}:pred_mean"] == 0


def check_log(name: str, log: dict[str, Any]) -> None:
    totals, samples = log["total_results"], log["per_sample_results"]
    asked = {f"{chain}:{metric}" for chain, keys in METRICS[name].items() for metric in keys}
    rates = {f"{chain}:failure_rate" for chain in METRICS[name]}
    subsets = {(item["extra"] or {}).get("subset") for item in samples} - {None}
    assert set(totals) == asked | rates | {f"{key}_{one}" for key in asked for one in subsets}
    assert len(samples) == 2
    assert log["run"]["coverage"] == 1
    for item in samples:
        for chain in METRICS[name]:
            first, arrow, _ = chain.partition("->")
            assert not arrow or f"{first}:pred_no_op" in item
        assert isinstance(item["pred"], str)
        assert set(item) >= {"content", "pred", "label", "extra"}


def leaves(score: dict[str, Any]) -> list[dict[str, Any]]:
    parts = score.get("parts") or []
    return [leaf for part in parts for leaf in leaves(part)] if parts else [score]
