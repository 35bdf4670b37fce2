"""``--log_prompts``: the journal holds what each kind of model is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import chef
from chef.cli import main

TINY = ROOT / "configs/models/tiny.yaml"
SHAPES = ROOT / "configs/recipes/Shapes"


def traces(folder: Path) -> list[dict[str, Any]]:
    (journal,) = folder.rglob("predictions.jsonl")
    return [json.loads(line)["trace"] for line in journal.read_text().splitlines()]


def evaluate(folder: Path, recipe: str, **options: Any) -> list[dict[str, Any]]:
    chef.evaluate(TINY, SHAPES / f"{recipe}.yaml", limit=2, save_dir=folder, **options)
    return traces(folder)


def test_only_on_request(tmp_path: Path) -> None:
    assert all("prompts" not in trace for trace in evaluate(tmp_path, "ppl"))


def test_a_scored_option_without_the_option(tmp_path: Path) -> None:
    for trace in evaluate(tmp_path, "ppl", log_prompts=True):
        question = trace["query"].removeprefix("<image>\n")
        sent = f"<|user|><image>{question}<|end|><|assistant|>{trace['answer_prefix']}"
        assert trace["prompts"] == [sent]


def test_both_requests_of_a_chain_of_thought(tmp_path: Path) -> None:
    for trace in evaluate(tmp_path, "direct_CoT", log_prompts=True):
        first, second = trace["prompts"]
        assert first.endswith("Let's think step by step.<|end|><|assistant|>")
        assert second.endswith(f"<|assistant|>{trace['CoT_answer']}\n")


HOOKS = """
from chef.models.base import TestBase

class Hooked(TestBase):
    def build_conversation(self, idx, image_list, prompt, CoT_answer_list=None,
                           batch_answers=None, **kwargs):
        return f"USER[{len(image_list)}]: {prompt} BOT: {(batch_answers or [''])[idx]}"
    def do_generate(self, input_images, conversations, max_new_tokens):
        return ["A"] * len(conversations)
    def do_ppl(self, input_images, conversations, batch_options):
        return [-1.0] * len(conversations)

class Plain(TestBase):
    def generate_one(self, conversation, max_new_tokens):
        return "A"
"""


@pytest.mark.parametrize(("recipe", "end"), [("ppl", " BOT: The answer is "), ("direct", " BOT: ")])
def test_the_text_of_chefs_hooks(tmp_path: Path, recipe: str, end: str, monkeypatch) -> None:
    (tmp_path / "hooked.py").write_text(HOOKS)
    (tmp_path / "hooked.yaml").write_text("plugins: [hooked.py]\nmodel_name: Hooked\n")
    call = ["eval", "--model_cfg", str(tmp_path / "hooked.yaml"), "--recipe_cfg",
            str(SHAPES / f"{recipe}.yaml"), "--limit", "2", "--log-prompts"]  # fmt: skip
    assert main([*call, "--save_dir", str(tmp_path / "results")]) == 0
    for trace in traces(tmp_path / "results"):
        (sent,) = trace["prompts"]
        assert sent.startswith("USER[1]: Question: ")
        assert sent.endswith(end)


def test_a_model_that_makes_its_prompts_itself_says_so_once(tmp_path: Path, caplog) -> None:
    (tmp_path / "hooked.py").write_text(HOOKS)
    model = {"plugins": [str(tmp_path / "hooked.py")], "model_name": "Plain"}
    chef.evaluate(
        model, SHAPES / "direct.yaml", limit=3, save_dir=tmp_path / "results", log_prompts=True
    )
    assert all("prompts" not in trace for trace in traces(tmp_path / "results"))
    assert caplog.text.count("Plain makes its prompts itself: none are recorded") == 1


LOOP = """
from chef.inferencer import Direct_inferencer

class Loop(Direct_inferencer):
    def inference(self, model, dataset):
        predictions = []
        for batch in dataset.batches(2):
            prompts = self.instruction_handler.generate(batch)
            texts = model.batch_generate(batch["image_path"], prompts, 4)
            predictions += [{"id": i, "answer": t} for i, t in zip(batch["id"], texts)]
            self._after_inference_step(predictions)
        return predictions, ""
"""


def test_an_inferencer_with_its_own_loop(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    recipe = {
        "plugins": [str(tmp_path / "loop.py")],
        "scenario_cfg": {"dataset_name": "Shapes", "size": 4},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Loop"}},
    }
    chef.evaluate(TINY, recipe, save_dir=tmp_path / "results", log_prompts=True)
    found = traces(tmp_path / "results")
    assert len(found) == 4
    for trace in found:
        (sent,) = trace["prompts"]
        assert sent.startswith("<|user|><image>Question: ")
        assert sent.endswith("<|assistant|>")
