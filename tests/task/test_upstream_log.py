"""The log of tasks with `compat: upstream`, key by key, against runs worked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mmtrusteval_data import write_mmtrusteval

from chef.cli import main

#: Says by the colour in the question what MMTrustEval's rule reads as 1, 0 and 0.
MODEL = """\
from chef.models import Model
from chef.types import Generated

SAYS = {"red": "Yesterday.", "green": "Not green.", "blue": "I see a thing."}


class Speaker(Model):
    def generate(self, requests):
        return [Generated(self.says(item.conversation[-1].text)) for item in requests]

    def says(self, text):
        return next((said for word, said in SAYS.items() if word in text), "I cannot say")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_mmtrusteval(tmp_path / "data")
    (tmp_path / "speaker.py").write_text(MODEL)
    (tmp_path / "speaker.yaml").write_text("plugins: [speaker.py]\nmodel_name: Speaker\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CHEF_MMTRUST_DATA", raising=False)
    return tmp_path


def log(folder: Path, task: str, *overrides: str) -> dict[str, Any]:
    """The log of a task by MMTrustEval's rules."""
    file = folder / "log.json"
    given = [f"log_file={file}", "compat=upstream", *overrides]
    assert main(["eval", task, "--model_id", "speaker.yaml", "--cfg-options", *given]) == 0
    found: dict[str, Any] = json.loads(file.read_text(), parse_constant=str)
    assert found["run"]["compat"] == "upstream"
    return found


def content(number: int) -> str:
    return f"data/truthfulness/basic_images/object/{number}.png"


def test_verdicts_of_whole_words_and_parts_of_them(folder: Path) -> None:
    found = log(folder, "truthfulness/t1-basic-object")
    assert found["total_results"] == {"rule_yes_or_no_eval:accuracy_score": pytest.approx(2 / 3)}
    rows = found["per_sample_results"]
    assert [row["content"].pop("image_path") for row in rows] == [content(i) for i in range(3)]
    assert all(list(row["content"]) == ["text"] for row in rows)
    key = "rule_yes_or_no_eval:pred_no_op"
    assert [{name: row[name] for name in row if name != "content"} for row in rows] == [
        {key: 1, "pred": "Yesterday.", "label": 1},
        {key: 0, "pred": "Not green.", "label": 0},
        {key: 0, "pred": "I see a thing.", "label": 1},
    ]


def test_what_is_undefined_is_nan(folder: Path) -> None:
    found = log(folder, "privacy/p3-infoflow", "dataset_id=confaide-text")
    key = "rule_match_and_score_eval"
    assert found["total_results"] == {f"{key}:pearson_corr": "NaN", f"{key}:failure": 1.0}
    assert len(found["per_sample_results"]) == 16
    for row in found["per_sample_results"]:
        assert list(row) == ["content", "pred", "label"]
        assert isinstance(row["content"], str)


def test_subjective_preference_has_no_pictures_and_no_labels(folder: Path) -> None:
    chain = "[{rule_reject_template_eval: {metrics_cfg: {pred_no_op: , pred_mean: }}}]"
    found = log(
        folder, "fairness/f7-subjective-preference", f"evaluator_seq_cfgs={chain}",
        "dataset_id=subjective-preference-plain-image",
    )  # fmt: skip
    key = "rule_reject_template_eval"
    subsets = {row["extra"]["subset"] for row in found["per_sample_results"]}
    assert subsets == {"ideology", "culture/lifestyle"}
    assert found["total_results"] == {
        f"{key}:pred_mean{end}": 1.0 for end in ("", *(f"_{name}" for name in subsets))
    }
    for row in found["per_sample_results"]:
        assert list(row) == [f"{key}:pred_no_op", "content", "pred", "extra"]
        assert isinstance(row["content"], str)


def test_without_evaluators_the_answers_are_written(folder: Path) -> None:
    for chains in ("[]", "[{}]"):
        found = log(folder, "truthfulness/t1-basic-object", f"evaluator_seq_cfgs={chains}")
        assert found["total_results"] == {}
        said = [(row["pred"], row["label"]) for row in found["per_sample_results"]]
        assert said == [("Yesterday.", 1), ("Not green.", 0), ("I see a thing.", 1)]


FAILING = """\
from mmte.models.base import BaseChat, Response
from mmte.utils.registry import registry


@registry.register_chatmodel()
class Failing(BaseChat):
    model_family = ["failing"]

    def __init__(self, model_id, device="cpu"):
        super().__init__(model_id)

    def chat(self, messages, **kwargs):
        text = messages[-1]["content"]["text"]
        said = "Error in generation: no reply" if "red" in text else "Yes."
        return Response(self.model_id, said, None, None)
"""


def test_the_text_of_a_failure_is_an_answer(folder: Path) -> None:
    (folder / "failing.py").write_text(FAILING)
    file = folder / "log.json"
    chain = "[{rule_reject_template_eval: {metrics_cfg: {pred_no_op: , pred_mean: }}}]"
    settings = [
        f"log_file={file}",
        "compat=upstream",
        "model_id=failing",
        f"plugins=[{folder}/failing.py]",
    ]
    task = ["eval", "truthfulness/t1-basic-object", "--cfg-options"]
    assert main([*task, *settings, f"evaluator_seq_cfgs={chain}"]) == 0
    found = json.loads(file.read_text())
    assert found["total_results"] == {"rule_reject_template_eval:pred_mean": pytest.approx(1 / 3)}
    said = [row["pred"] for row in found["per_sample_results"]]
    assert said == ["Error in generation: no reply", "Yes.", "Yes."]


def test_of_results_with_one_name_the_last_counts(folder: Path) -> None:
    first = (
        "{rule_yes_or_no_eval: {yes_template: [green], metrics_cfg: {pred_no_op: , pred_mean: }}}"
    )
    last = (
        "{rule_yes_or_no_eval: {yes_template: [thing], metrics_cfg: {pred_no_op: , pred_mean: }}}"
    )
    chains = f"evaluator_seq_cfgs=[{first}, {last}]"
    found = log(folder, "truthfulness/t1-basic-object", chains)
    key = "rule_yes_or_no_eval"
    # "Yesterday." begins with yes; "I see a thing." has the word of the last chain alone.
    assert found["total_results"] == {f"{key}:pred_mean": pytest.approx(2 / 3)}
    said = [row[f"{key}:pred_no_op"] for row in found["per_sample_results"]]
    assert said == [1, 0, 1]
