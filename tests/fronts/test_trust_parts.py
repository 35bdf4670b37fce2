"""Parts of MMTrustEval alone, and the order of its logs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from upstream_expected import expected

import chef.fronts  # noqa: F401 (the modules of MMTrustEval)
from chef.cli import main
from chef.config.document import read_document
from chef.config.plugins import load_plugins
from chef.config.tasks import model_ids
from chef.errors import ConfigError

FILES = ROOT / "tests" / "upstream_files" / "mmte"
CASES = expected("mmte")["evaluators_alone"]

#: Where both rules give the same.
BOTH = [case for case in CASES if "both" in case]


@pytest.fixture(autouse=True)
def _plugins(tmp_path: Path) -> None:
    recipe = tmp_path / "plugins.yaml"
    names = [str(FILES / "evaluators" / name) for name in ("toy_eval.py", "toy_metrics.py")]
    recipe.write_text(f"plugins: {names}\n")
    load_plugins(names, read_document(recipe))


def plain(value: Any) -> list[float]:
    """Values without None, which is what chef says of an answer that a rule cannot decide."""
    items = value if isinstance(value, list) else [value]
    return [math.nan if item is None else float(item) for item in items]


@pytest.mark.parametrize("case", BOTH, ids=lambda case: case["id"])
def test_an_evaluator_alone(case: dict[str, Any]) -> None:
    """``registry.get_evaluator_class(id)(id, metrics_cfg)(preds, labels)``, worked out by hand."""
    from mmte.utils.registry import registry

    kind = registry.get_evaluator_class(case["evaluator"])
    evaluator = kind(case["evaluator"], case["metrics_cfg"], **case.get("kwargs", {}))
    found = evaluator(case["preds"], case["labels"])
    assert evaluator.eval(case["preds"], case["labels"]) == found or "nan" in str(found)
    for name, value in case["both"].items():
        assert plain(found[name]) == pytest.approx(plain(value), abs=1e-4, nan_ok=True), name


def test_a_sequence_alone() -> None:
    from mmte.evaluators.base import SequentialEvaluator

    cfg = {
        "toy_shorten_eval": {"metrics_cfg": {}},
        "rule_score_eval": {"metrics_cfg": {"failure": {}}},
    }
    chain = SequentialEvaluator(cfg)
    assert [step.evaluator_id for step in chain.evaluator_seq] == [*cfg]
    assert chain.keyname_prefix_seq == ["toy_shorten_eval", "toy_shorten_eval->rule_score_eval"]
    preds, labels = ["75 of them", "none"], [1, 1]
    assert chain.eval(preds, labels)["toy_shorten_eval->rule_score_eval:failure"] == 0.5
    assert chain(preds, labels).keys() == chain.eval(preds, labels).keys()


def test_lists_and_models_of_the_registry() -> None:
    from mmte.models.base import BaseChat
    from mmte.utils.registry import registry

    assert len(model_ids()) == 38
    for name in model_ids():
        assert issubclass(registry.get_chatmodel_class(name), BaseChat)
    assert set(model_ids()) <= set(registry.list_chatmodels())
    assert {"safebench", "celebrities"} <= set(registry.list_datasets())
    assert "unrelated-image-color" in registry.list_methods()
    assert "rule_contain_eval" in registry.list_evaluators()
    assert isinstance(registry.list_tasks(), list)
    from mmte.models import load_chatmodel

    with pytest.raises(ConfigError, match=r"did you mean 'llava-1\.5-7b-hf'"):
        load_chatmodel("llava-v1.5-7b")
    with pytest.raises(ConfigError, match=r"llava-1\.5-7b-hf"):
        registry.get_chatmodel_class("llava-v1.5-7b")


@pytest.mark.parametrize("name", ["gpt-4o", "llava-1.5-7b-hf"])
def test_every_model_takes_a_device(name: str) -> None:
    """Tasks give all of them one, those behind a server too."""
    from mmte.models import load_chatmodel

    assert load_chatmodel(name, device="cpu").model_id == name


DATA = """\
from mmte import TxtSample, _OutputType
from mmte.datasets.base import BaseDataset


class Mixed(BaseDataset):
    dataset_ids = ["mixed-order"]

    def __init__(self, dataset_id, method_hook=None):
        super().__init__(dataset_id, method_hook)
        self.dataset = [TxtSample("why " * n, name) for name, n in
                        (("b", 9), ("10", 1), ("a", 5), ("9", 30))]

    def sample_id(self, index):
        return self.dataset[index].target
"""
METRIC = """\
from mmte.evaluators.metrics import _supported_metrics


def longest_label(y_true, y_pred, plus: int = 0):
    return max(len(item) for item in y_true) + plus


_supported_metrics["longest_label"] = longest_label
"""
TASK = """\
plugins: [data.py, metric.py]
dataset_id: mixed-order
model_id: tiny
evaluator_seq_cfgs:
  - rule_yes_or_no_eval: {metrics_cfg: {pred_no_op: , longest_label: {plus: 5}}}
log_file: log.json
"""


def test_a_log_is_in_the_order_of_the_data_set(tmp_path: Path, monkeypatch, capsys) -> None:
    """A plugin that only adds a metric is one; its figure stands in the log."""
    for name, text in {"data.py": DATA, "metric.py": METRIC, "t.yaml": TASK}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "t.yaml", "--save_dir", "r", "--time", "now"]) == 0
    log = json.loads((tmp_path / "log.json").read_text())
    assert [row["label"] for row in log["per_sample_results"]] == ["b", "10", "a", "9"]
    assert log["total_results"]["rule_yes_or_no_eval:longest_label"] == 7
    capsys.readouterr()
