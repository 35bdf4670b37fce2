"""Each family end to end: drawn data in VLMEvalKit's columns, its recipe, the embedded model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from fixtures._draw import scene
from lmu_data import choice_row, encoded, open_row, rotations, two_images, yes_no_rows
from test_tiny import run_recipe

from chef.cli import main
from chef.config import load_model, load_recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.metric import Report
from chef.models import Model
from chef.scenario.vlmevalkit.table import entry, registered_name, table

Put = Callable[..., Path]
Rows = list[dict[str, str]]
#: A judge that gives the answer a grade of a half, or 5 of 10 points, and agrees otherwise.
JUDGE = """
from chef.models import Model
from chef.types import Generated, Text

class Even(Model):
    def generate(self, requests):
        return [Generated(self.verdict(item)) for item in requests]

    def verdict(self, request):
        asked = "".join(part.text for part in request.conversation[-1].parts)
        said = "5" if "from 1 to 10" in asked else "0.5" if "0.5" in asked else "yes"
        return f"It will do.\\nVerdict: [[{said}]]"
"""


@pytest.fixture(scope="module")
def tiny() -> Model:
    return load_model(ROOT / "configs" / "models" / "tiny.yaml", ["dtype=float32"]).model.build()


def choices() -> Rows:
    return [choice_row(number) for number in range(4)]


def pairs() -> Rows:
    return [row for number in range(3) for row in yes_no_rows(number)]


def circular() -> Rows:
    return [row for number in range(2) for row in rotations(number)]


def open_rows() -> Rows:
    return [open_row(number) for number in range(3)]


def interleaved() -> Rows:
    changes = {"image": two_images(0), "question": "Is <image 2> like <image 1>?"}
    open_ended = {"A": "", "B": "", "C": "", "D": "", "answer": "['no']"}
    return [choice_row(1, **changes), choice_row(2, **changes, **open_ended)]


def in_order() -> Rows:
    return [choice_row(1, image=two_images(0), question="Is <image> like <image>?")]


def hallusion() -> Rows:
    rows = [{**row, "l2-category": "illusion"} for row in pairs()]
    places = [f"VD_illusion_1_{number // 2}_{number % 2}_0" for number in range(len(rows))]
    image = encoded(scene(0))
    return [{**row, "index": name, "image": image} for row, name in zip(rows, places, strict=True)]


def amber() -> Rows:
    kinds = ["discriminative-attribute-state", "discriminative-hallucination", "relation"]
    return [{**row, "category": kinds[place // 2]} for place, row in enumerate(pairs())]


def natural() -> Rows:
    chosen = {"question": "Red?\nOption: A: yes; B: no;", "answer": "B", "type": "multiple_choice"}
    return [{**row, "type": "yes_no"} for row in pairs()] + [open_row(9, **chosen)]


def captions() -> Rows:
    answer = json.dumps(["a red star", "one star in red"])
    images = [encoded(scene(number)) for number in range(3)]
    return [{"index": str(n), "image": image, "answer": answer} for n, image in enumerate(images)]


def conversations() -> Rows:
    questions = ["<ImageHere> What is it?", "And <ImageHere>?"]
    turns = {"question": json.dumps(questions), "answer": json.dumps(["a", "b"])}
    return [{"index": f"m{number}", "image": two_images(number), **turns} for number in range(2)]


def ocr() -> Rows:
    return [open_row(n, category="Regular Text Recognition") for n in range(2)]


def maths() -> Rows:
    free = {"question_type": "free_form", "answer_type": "integer", "answer": "7"}
    choices = {"question_type": "multi_choice", "choices": "['red', 'blue']", "answer": "blue"}
    parts = {"task": "geometry", "skills": "['numeric', 'logical']"}
    return [open_row(0, **free, **parts), open_row(1, **choices, answer_option="B", **parts)]


#: A benchmark of each family, its rows, and the main figure.
FAMILIES: list[tuple[str, Callable[[], Rows], str]] = [
    ("MMStar", choices, "ACC"),
    ("MMBench_DEV_EN", circular, "vanilla_acc"),
    ("MMMU_DEV_VAL", interleaved, "Overall/acc"),
    ("MMMU_Pro_10c", interleaved, "ACC"),
    ("MMMU_Pro_10c_COT", interleaved, "ACC"),
    ("MMMU_Pro_V", choices, "ACC"),
    ("MMMU_Pro_V_COT", choices, "ACC"),
    ("MUIRBench", in_order, "ACC"),
    ("NaturalBenchDataset", natural, "G_Acc"),
    ("MMVP", choices, "pair_acc"),
    ("MME-RealWorld", choices, "ACC"),
    ("MME-RealWorld-CN", choices, "ACC"),
    ("MME", pairs, "overall"),
    ("POPE", pairs, "Accuracy"),
    ("HallusionBench", hallusion, "aAcc"),
    ("AMBER", amber, "Avg ACC"),
    ("VSR-zeroshot", pairs, "Accuracy"),
    ("TextVQA_VAL", open_rows, "vqa_accuracy"),
    ("OCRVQA_TEST", open_rows, "exact_match"),
    ("DocVQA_VAL", open_rows, "ANLS"),
    ("ChartQA_TEST", open_rows, "relaxed_accuracy"),
    ("OCRBench", ocr, "Final Score Norm"),
    ("VCR_EN_EASY_500", open_rows, "exact_match"),
    ("MathVista_MINI", maths, "ACC"),
    ("MathVision", open_rows, "ACC"),
    ("COCO_VAL", captions, "CIDEr"),
]
#: The same by VLMEvalKit's own rules, for some.
UPSTREAM = [
    ("MMBench_DEV_EN", circular, "circ0"),
    ("MMMU_DEV_VAL", interleaved, "Overall"),
    ("MME", pairs, "color"),
    ("TextVQA_VAL", open_rows, "vqa_accuracy"),
]
JUDGED = [
    ("MMVet", open_rows, "grade", 50.0),
    ("CORE_MM", open_rows, "grade", 50.0),
    ("LLaVABench", open_rows, "rating", 5.0),
    ("SimpleVQA", open_rows, "ACC", 100.0),
    ("MMDU", conversations, "rating", 5.0),
]


def run(name: str, model: Model, folder: Path, *more: str) -> Report:
    """The report of the family's own recipe on the benchmark."""
    family = entry(name).family
    keys = [f"scenario_cfg.dataset_name={name}", "scenario_cfg.check_md5=false"]
    tokens = "eval_cfg.inferencer_cfg.max_new_tokens=8"
    recipe = load_recipe(f"VLMEvalKit/{family.recipe}", [*keys, tokens, *more])
    return run_recipe(recipe, model, folder, 100)


def test_every_family_is_run_here() -> None:
    shown = {entry(name).benchmark.family for name, *_ in [*FAMILIES, *JUDGED]}
    assert shown == {*table().families}


@pytest.mark.parametrize(("name", "rows", "figure"), FAMILIES)
def test_a_family(put: Put, tiny: Model, tmp_path: Path, name: str, rows: Any, figure: str) -> None:
    given = rows()
    put(name, given)
    report = run(name, tiny, tmp_path / "run")
    assert report.coverage.errors == report.coverage.missing == 0, report.samples
    assert report.coverage.total == len(given)
    assert report.primary == figure
    assert report.metrics[figure].value is not None


@pytest.mark.parametrize(("name", "rows", "figure"), UPSTREAM)
def test_by_the_rules_of_vlmevalkit(
    put: Put, tiny: Model, tmp_path: Path, name: str, rows: Any, figure: str
) -> None:
    put(name, rows())
    report = run(name, tiny, tmp_path / "run", "compat=vlmevalkit")
    assert report.coverage.errors == 0
    assert report.metrics[figure].value is not None


@pytest.mark.parametrize(("name", "rows", "figure", "value"), JUDGED)
def test_a_family_that_a_judge_scores(
    put: Put, tmp_path: Path, name: str, rows: Any, figure: str, value: float
) -> None:
    put(name, rows())
    recipe = f"VLMEvalKit/{entry(name).family.recipe}"
    tokens = "eval_cfg.inferencer_cfg.max_new_tokens=8"
    keys = [f"scenario_cfg.dataset_name={name}", "scenario_cfg.check_md5=false", tokens]
    with pytest.raises(ConfigError, match="scores what a judge says, and there is none") as caught:
        Evaluator(load_recipe(recipe, keys))
    assert "--judge_cfg" in str(caught.value)
    (tmp_path / "even.py").write_text(JUDGE)
    judge = tmp_path / "even.yaml"
    judge.write_text("plugins: [even.py]\nmodel_name: Even\n")
    models = ["--model_cfg", "tiny", "--judge_cfg", str(judge)]
    place = ["--save_dir", str(tmp_path / "results")]
    assert main(["eval", *models, "--recipe_cfg", recipe, *place, *keys]) == 0
    (found,) = (tmp_path / "results").rglob("results.json")
    metrics = json.loads(found.read_text())["metrics"]
    assert metrics[figure]["value"] == pytest.approx(value)


def test_the_option_that_names_the_root(
    put: Put, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    put("mine", choices())
    monkeypatch.delenv("LMUData")
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        "scenario_cfg: {dataset_name: mine}\neval_cfg: {inferencer_cfg: {inferencer_type: PPL}}"
    )
    command = ["eval", "--model_cfg", "tiny", "--recipe_cfg", str(recipe), "--dry-run"]
    assert main([*command, "--data_root", str(root)]) == 0
    assert "4 samples of mine, scored by Accuracy" in capsys.readouterr().out
    assert main([*command, "--data_root", str(tmp_path)]) == 2
    assert "mine" in capsys.readouterr().err


def test_likelihoods_of_options_are_scored_too(put: Put, tiny: Model, tmp_path: Path) -> None:
    put("MMStar", [choice_row(number) for number in range(12)])
    ppl = "eval_cfg={inferencer_cfg: {inferencer_type: PPL}}"
    content = {"scenario_cfg": {"dataset_name": "MMStar", "check_md5": False}, "eval_cfg": {}}
    recipe = load_recipe(content, [ppl])
    report = run_recipe(recipe, tiny, tmp_path / "run", 12)
    assert report.metrics["match_ratio"].value == 100
    assert report.metrics["ACC"].value > 25


def test_the_names_are_listed_described_and_completed(capsys: Any) -> None:
    from chef.cli import completion

    assert main(["list", "benchmarks"]) == 0
    listed = capsys.readouterr().out
    for name in table().benchmarks:
        assert f"  {registered_name(name)} " in listed
    assert main(["list"]) == 0
    assert "VLMEvalKit/mcq_circular  MMBench_DEV_EN, " in capsys.readouterr().out
    assert main(["list", "MMBench_DEV_EN"]) == 0
    described = capsys.readouterr().out
    for part in ("data_root: text or null", "b6caf1133a01c6bb705cf753bb527ed8", "mcq_circular"):
        assert part in described
    assert {"MMBench_DEV_EN", "VLMEvalKit/MME"} <= {*completion.all_names()}
    assert "MMBench_DEV_EN" in completion.source_names()
