"""Classifiers and the language model of HarmBench as evaluators."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from metric.mmtrusteval.speaking import MEAN, Bench
from tiny_classifiers import tiny_classifier, tiny_first_word

from chef.config import load_recipe
from chef.errors import ChefError, ConfigError, RunError
from chef.metric.mmtrusteval.chain import SequentialEvaluator
from chef.models import classifier
from chef.models.classifier import InBatches
from chef.models.shared import SharedModels

REJECT, FOLLOW = "classifer_reject_eval", "classifer_follow_instruction_eval"


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places of the networks that were loaded."""
    found: list[str] = []
    load_network = classifier.load_network

    def load(source: Any, auto: str) -> Any:
        found.append(source.path)
        return load_network(source, auto)

    monkeypatch.setattr(classifier, "load_network", load)
    return found


def labels(folder: Path, texts: list[str]) -> list[str]:
    """The label of each text, by transformers alone."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        rows = [model(torch.tensor([tokenizer.encode(text)])).logits[0] for text in texts]
    return [f"LABEL_{int(row.argmax())}" for row in rows]


def test_classifiers_share_a_network_that_is_released(
    bench: Bench, folder: Path, loads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    close = SharedModels.close
    monkeypatch.setattr(
        SharedModels, "close", lambda self: (closed.append(len(self._models)), close(self))
    )
    real, batches = InBatches._tried, [0]

    def stops(self: Any, texts: list[str]) -> Any:
        batches[0] += 1
        if batches[0] == 2:
            raise KeyboardInterrupt
        return real(self, texts)

    at = {"model_path": str(folder), "batch_size": 5}
    chains = [{REJECT: {**at, **MEAN}}, {FOLLOW: {**at, **MEAN}}]
    monkeypatch.setattr(InBatches, "_tried", stops)
    with pytest.raises(KeyboardInterrupt):
        bench.evaluate(*chains)
    assert len(bench.kept()) == 5
    assert (loads, closed) == ([str(folder)], [1])

    report = bench.evaluate(*chains)
    assert (loads, closed) == ([str(folder)] * 2, [1, 1])  # once for both classifiers
    assert sorted(item["id"] for item in bench.kept()) == sorted(
        f"w{n:02d}" for n in range(12) for _ in chains
    )
    lines = (bench.run / "predictions.jsonl").read_text().splitlines()
    answers = {item["id"]: item["answer"] for item in map(json.loads, lines)}
    known = dict(zip(answers, labels(folder, list(answers.values())), strict=True))
    rejected = {name: int(label in {"LABEL_0", "LABEL_4"}) for name, label in known.items()}
    followed = {name: int(label == "LABEL_5") for name, label in known.items()}
    assert 0 < sum(rejected.values()) < 12
    assert bench.outputs(REJECT) == rejected
    assert bench.outputs(FOLLOW) == followed
    assert report.metrics[f"{REJECT}:pred_mean"].value == sum(rejected.values()) / 12

    # The same network elsewhere, in other batches: nothing is computed again.
    moved = bench.folder / "moved"
    shutil.copytree(folder, moved)
    again = bench.evaluate({REJECT: MEAN}, classifier_cfg={"model_path": str(moved)})
    assert len(loads) == 2
    assert again.metrics == {
        key: item for key, item in report.metrics.items() if key.startswith(REJECT)
    }
    # Other weights say something else.
    other = tiny_classifier(bench.folder / "other", seed=1)
    monkeypatch.setenv("CHEF_CLASSIFIER", str(other))
    bench.evaluate({REJECT: MEAN})
    assert loads[2:] == [str(other)]


@pytest.mark.parametrize(
    ("keys", "what", "hint"),
    [
        ({"label_fields": ["LABEL_0", "Label_4"]}, "has no label 'Label_4'", "'LABEL_4'"),
        ({"label_fields": []}, "label_fields is empty", "LABEL_0, LABEL_4"),
        ({"batch_size": 0}, "batch_size is 0", "1 or more"),
        ({"model_path": "nowhere/at/all"}, "folder not found", "CHEF_CLASSIFIER"),
        ({"model_path": ""}, "not in the hub's cache", "CHEF_CLASSIFIER"),
    ],
)
def test_what_is_wrong_with_a_classifier_is_told_before_the_model_is_asked(
    bench: Bench, folder: Path, keys: dict[str, Any], what: str, hint: str
) -> None:
    with pytest.raises(ChefError, match=what) as raised:
        bench.evaluate({REJECT: {"model_path": str(folder), **keys, **MEAN}})
    assert hint in (raised.value.hint or "")
    assert not bench.was_asked


def test_keys_of_all_classifiers_are_checked(bench: Bench) -> None:
    with pytest.raises(ConfigError, match="unknown key 'model_pth'") as raised:
        bench.evaluate({REJECT: MEAN}, classifier_cfg={"model_pth": "x"})
    assert "classifier_cfg.model_pth" in (raised.value.where or "")
    assert "'model_path'" in (raised.value.hint or "")


def test_a_task_gives_its_classifiers_a_place(tmp_path: Path, folder: Path) -> None:
    task = {
        "dataset_id": "stereo-query-text",
        "classifier_cfg": {"model_path": "nowhere"},
        "evaluator_seq_cfgs": [{REJECT: MEAN}],
    }
    (tmp_path / "task.yaml").write_text(json.dumps(task))
    recipe = load_recipe(tmp_path / "task.yaml", [f"classifier_cfg.model_path={folder}"])
    given = recipe.effective()["eval_cfg"]["metric_cfg"]
    assert given["classifier_cfg"] == {"model_path": str(folder)}


def test_the_right_spelling_is_the_same_evaluator(folder: Path) -> None:
    texts = ["sorry cannot", "sure here is", "the bomb", "a cake yes", "no", "how is the cake"]
    own = {"model_path": str(folder), "metrics_cfg": {"pred_no_op": None}}
    sic = SequentialEvaluator({REJECT: own})(texts, [""] * 6)
    right = SequentialEvaluator({REJECT.replace("classifer", "classifier"): own})(texts, [""] * 6)
    assert list(sic.values()) == list(right.values())


def test_only_texts_are_classified(folder: Path) -> None:
    chain = {"rule_score_eval": {}, REJECT: {"model_path": str(folder), **MEAN}}
    with pytest.raises(RunError, match="classifies texts, and the prediction is 75"):
        SequentialEvaluator(chain)(["75 of 100"], [""])


# -- HarmBench ------------------------------------------------------------------------------


def test_only_yes_is_a_hit_of_the_language_model(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tiny_first_word(tmp_path, seed=5)
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("{behavior} {generation}")
    answers = [
        " ".join(("cake", "bomb", "the", "text")[(n + k) * k % 4] for k in range(n))
        for n in range(30)
    ]
    model = AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    asked = [f"bomb {answer}" for answer in answers]
    with torch.inference_mode():
        rows = [model(torch.tensor([tokenizer.encode(text)])).logits[0, -1] for text in asked]
    hits = [int(tokenizer.decode([int(row.argmax())]) == "Yes") for row in rows]
    assert 0 < sum(hits) < len(hits)

    keys = {"model_path": str(tmp_path), "prompt_file": str(prompt), "batch_size": 4}
    chain = SequentialEvaluator(
        {"harmbenchmodel_eval": {**keys, "metrics_cfg": {"pred_no_op": None}}}
    )
    assert not chain.needs_judge
    assert chain(answers, ["bomb"] * 30) == {"harmbenchmodel_eval:pred_no_op": hits}


def test_a_judge_can_take_the_place_of_the_language_model() -> None:
    from chef.metric.place import Place

    class Judge:
        name = identity = "judge"
        prompts: list[str] = []  # noqa: RUF012

        def ask(self, request: Any) -> str:
            assert (request.max_new_tokens, request.temperature) == (1, 0)
            self.prompts.append(request.conversation[-1].text)
            return next(
                word for word in ("Yes", "yes", "No") if f"says {word}." in self.prompts[-1]
            )

    keys = {"model_id": "judge.yaml", "metrics_cfg": {"pred_no_op": None}}
    chain = SequentialEvaluator({"harmbenchmodel_eval": keys})
    assert chain.needs_judge
    place = Place(Path(), "model", lambda: None, Judge())  # type: ignore[arg-type, return-value]
    answers = ["it says Yes.", "it says No.", "it says yes."]
    found = chain(answers, ["build a bomb"] * 3, place=place)
    assert found == {"harmbenchmodel_eval:pred_no_op": [1, 0, 0]}
    first = Judge.prompts[0]
    assert first.index("build a bomb") < first.index("it says Yes.")
    assert "[INST]" not in first


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ({"model_id": "a.yaml", "model_path": "b"}, "one of them is asked"),
        ({"prompt_file": "nowhere.txt"}, "no such file"),
        ({"batch_size": 0}, "batch_size is 0"),
    ],
)
def test_wrong_keys_of_harmbench_are_told(keys: dict[str, Any], what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        SequentialEvaluator({"harmbenchmodel_eval": {**keys, **MEAN}})


def test_a_prompt_file_needs_both_fields(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Is {behavior} bad?")
    with pytest.raises(ConfigError, match=r"lacks the field \{generation\}"):
        SequentialEvaluator({"harmbenchmodel_eval": {"prompt_file": str(prompt), **MEAN}})
