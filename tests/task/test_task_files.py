"""Task files: their keys, overrides, and the recipes and models that they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chef.config import load_model, load_recipe
from chef.config.lookup import find_model
from chef.config.shipped import shipped_names
from chef.config.task import read_task, shipped_runs
from chef.config.tasks import model_ids, shipped_tasks
from chef.errors import ConfigError

TASK = """\
dataset_id: confaide-text
model_id: tiny
generation_kwargs: {max_new_tokens: 50, do_sample: false}
evaluator_seq_cfgs:
  - rule_match_and_score_eval:
      metrics_cfg: {pearson_corr: }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(TASK)
    return path


def values(file: Path, *overrides: str) -> dict[str, Any]:
    return read_task(file, overrides).document.values


def test_an_override_of_one_key_leaves_its_siblings(file: Path) -> None:
    given = values(file, "generation_kwargs.max_new_tokens=7", "generation_kwargs.top_p=0.5")
    assert given["generation_kwargs"] == {"max_new_tokens": 7, "do_sample": False, "top_p": 0.5}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a b c", "a b c"),
        ("one, two", "one, two"),
        ("'1'", "1"),
        ("1", 1),
        ("{a: 1}", {"a": 1}),
        ("[1, 2]", [1, 2]),
        ("true", True),
        ("null", None),
    ],
)
def test_values_are_read_as_yaml_and_spaces_stay(file: Path, text: str, value: Any) -> None:
    found = values(file, f"method_cfg.m.key={text}")["method_cfg"]["m"]["key"]
    assert (found, type(found)) == (value, type(value))


def test_keys_within_lists_are_named_by_their_place(file: Path) -> None:
    key = "evaluator_seq_cfgs.0.rule_match_and_score_eval.fail_id"
    given = values(file, f"{key}=0")
    assert given["evaluator_seq_cfgs"][0]["rule_match_and_score_eval"] == {
        "metrics_cfg": {"pearson_corr": None},
        "fail_id": 0,
    }


def test_items_and_keys_are_plain_keys(file: Path) -> None:
    given = values(file, "method_cfg.items.keys=3")
    assert given["method_cfg"] == {"items": {"keys": 3}}


@pytest.mark.parametrize(
    ("override", "what", "hint"),
    [
        ("dataset_id=confaide-txt", "unknown data set 'confaide-txt'", "confaide-text"),
        ("datset_cfg={}", "unknown key", "dataset_cfg"),
        ("generation_kwargs.max_new_token=3", "unknown key", "max_new_tokens"),
        ("generation_kwargs.num_beams=4", "beams", "remove it"),
        ("generation_kwargs.max_new_tokens=many", "many", ""),
        ("dataset_cfg.force_promt=true", "unknown key", "force_prompt"),
        ("method_cfg={unrelated-image-colour: {}}", "unknown method", "unrelated-image-color"),
        ("method_cfg={noise: {}, unrelated-image-color: {}}", "2 methods", "keep one"),
        (
            "evaluator_seq_cfgs=[{rule_yes_no_eval: {metrics_cfg: {pred_mean: }}}]",
            "rule_yes_no_eval",
            "rule_yes_or_no_eval",
        ),
    ],
)
def test_what_is_wrong_is_told_with_the_nearest_name_before_anything_runs(
    file: Path, override: str, what: str, hint: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        load_recipe(file, [override])
    assert what in raised.value.what
    assert hint in (raised.value.hint or "")


def test_errors_spell_the_keys_as_the_task_does(file: Path) -> None:
    file.write_text(TASK.replace("pearson_corr", "pearson_cor"))
    with pytest.raises(ConfigError) as raised:
        load_recipe(file)
    assert f"{file}:6" in (raised.value.where or "") or f"{file}:5" in (raised.value.where or "")
    assert "evaluator_seq_cfgs.0" in (raised.value.where or "")
    assert "eval_cfg" not in (raised.value.where or "")


def test_a_task_is_a_recipe(file: Path) -> None:
    recipe = load_recipe(file, ["dataset_cfg.force_prompt=false"]).effective()
    assert recipe["scenario_cfg"]["dataset_name"] == "MMTrustEval"
    assert recipe["scenario_cfg"]["dataset_id"] == "confaide-text"
    assert recipe["scenario_cfg"]["force_prompt"] is False
    inferencer = recipe["eval_cfg"]["inferencer_cfg"]
    assert (inferencer["inferencer_type"], inferencer["max_new_tokens"]) == ("Direct", 50)
    assert inferencer["temperature"] == 0


def test_sampling_keeps_its_temperature(file: Path) -> None:
    changes = ["generation_kwargs.do_sample=true", "generation_kwargs.stop_sequences=[END]"]
    inferencer = load_recipe(file, changes).effective()["eval_cfg"]["inferencer_cfg"]
    assert (inferencer["temperature"], inferencer["stop"]) == (1.0, ["END"])


def test_the_36_files_make_the_32_tasks_in_139_runs() -> None:
    known = shipped_tasks()
    assert sorted(known) == shipped_names("tasks")
    assert len(known) == 36
    assert len({name for task in known.values() for name in task.task.split()}) == 32
    assert sum(len(shipped_runs(name)) for name in known) == 139


@pytest.mark.parametrize("name", shipped_names("tasks"))
def test_every_file_is_read_on_every_data_set(name: str) -> None:
    for overrides in shipped_runs(name):
        task = read_task(name, overrides)
        load_recipe(task.document.source, task.document.overrides)


def test_the_38_models_stand_for_model_files() -> None:
    assert len(model_ids()) == 38
    for name in model_ids():
        content = find_model(name)
        assert isinstance(content, dict)
        assert content["model_name"] in ("OpenAI", "HuggingFace", "MMTrustEval")
    assert str(find_model("tiny")).endswith("tiny.yaml")
    with pytest.raises(ConfigError, match="any more"):
        find_model("llava-v1.5-7b")
    with pytest.raises(ConfigError) as raised:
        find_model("llava-1.5-7b")
    assert "llava-1.5-7b-hf" in (raised.value.hint or "")


def test_the_judge_is_the_one_that_the_evaluators_name() -> None:
    recipe = load_recipe("configs/tasks/truthfulness/t5-text-misleading.yaml")
    assert recipe.judge is not None
    assert recipe.judge.names == "gpt-4-1106-preview"
    other = load_recipe(
        "configs/tasks/truthfulness/t5-text-misleading.yaml",
        ["evaluator_seq_cfgs.0.chatmodel_eval.model_id=tiny"],
    )
    assert other.judge is not None
    assert other.judge.names == "tiny"


def test_logs_lie_by_aspect_task_and_model(file: Path) -> None:
    celebrities = read_task("privacy/p4-pii-query")
    assert celebrities.log("tiny") == Path(
        "logs/privacy/p4-pii-query/tiny/celebrities-personal-email-name-occupation.json"
    )
    assert read_task(file).log("tiny") == Path("logs/mine/tiny/confaide-text.json")
    assert read_task(file, ["log_file=here.json"]).log("tiny") == Path("here.json")


def test_a_task_is_asked_as_a_recipe() -> None:
    recipe = load_recipe("Privacy/P3-infoflow", ["scenario_cfg.data_root=here"])
    assert recipe.name == "p3-infoflow"
    assert recipe.scenario.options["data_root"] == "here"


@pytest.mark.parametrize(
    ("content", "label"),
    [
        ({"model_name": "MMTrustEval", "model_id": "a-1b"}, "a-1b"),
        ({"model_name": "HuggingFace", "model_path": "models/b-2b/"}, "b-2b"),
        ({"model_name": "HuggingFace", "model_path": "models/b-2b", "name": "c/d"}, "c/d"),
    ],
)
def test_a_judge_is_called_by_its_model_and_not_by_the_class(
    content: dict[str, str], label: str
) -> None:
    assert load_model(content).label == label
