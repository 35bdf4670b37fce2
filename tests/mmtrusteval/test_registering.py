"""The names of `chef.mmtrusteval`: the registry, chats by id, and MMTrustEval's module names."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import chef.mmtrusteval
import pytest
from chef.mmtrusteval import (
    METRICS,
    BaseChat,
    BaseDataset,
    BaseEvaluator,
    BaseMethod,
    BaseTask,
    ImageTxtSample,
    TxtSample,
    collate_fn,
    get_abs_path,
    load_chatmodel,
    model_zoo,
    registry,
)
from mmtrusteval.conftest import loaded

from chef.errors import ConfigError, DataError, SampleError


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="did you mean 'BaseDataset'"):
        chef.mmtrusteval.BaseDatset  # noqa: B018


def test_a_file_that_imports_relatively_is_a_plugin(tmp_path: Path) -> None:
    file = tmp_path / "relative.py"
    file.write_text(
        "from ..utils.registry import registry\n"
        "from .base import BaseDataset\n"
        "@registry.register_dataset()\n"
        "class Few(BaseDataset):\n"
        "    dataset_ids = ['few']\n"
    )
    assert loaded(file).Few is registry.get_dataset_class("few")


def test_a_wrong_name_is_told_with_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("from mmte.datasets.base import BaseDatasets\n")
    with pytest.raises(ConfigError) as raised:
        loaded(file)
    assert "did you mean 'BaseDataset'?" in str(raised.value)
    assert "MMTrustEval" in str(raised.value)


def test_classes_are_found_by_their_ids(own: ModuleType) -> None:
    assert registry.get_dataset_class("odd-numbers-long") is own.Numbers
    assert registry.get_method_class("red-dot") is own.Dot
    assert registry.get_evaluator_class("first_letter") is own.FirstLetter
    assert registry.get_chatmodel_class("parrot-2") is own.Parrot
    assert registry.get_evaluator_class("rule_yes_or_no_eval").evaluator_ids
    assert registry.get_dataset_class("confaide-text").dataset_ids


@pytest.mark.parametrize(
    ("look_up", "wrong", "hint"),
    [
        ("get_dataset_class", "odd-number", "odd-numbers"),
        ("get_dataset_class", "confaide-txt", "confaide-text"),
        ("get_method_class", "red-dots", "red-dot"),
        ("get_evaluator_class", "first_leter", "first_letter"),
        ("get_chatmodel_class", "parot-1", "parrot-1"),
        ("get_task_class", "mine", "known"),
    ],
)
def test_an_unknown_id_is_told(own: ModuleType, look_up: str, wrong: str, hint: str) -> None:
    with pytest.raises(ConfigError) as raised:
        getattr(registry, look_up)(wrong)
    assert hint in (raised.value.hint or "")


BODIES: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "register_dataset": (BaseDataset, {"dataset_ids": ["odd-numbers"]}),
    "register_method": (BaseMethod, {"method_ids": ["red-dot"]}),
    "register_evaluator": (BaseEvaluator, {"evaluator_ids": ["rule_yes_or_no_eval"]}),
    "register_chatmodel": (BaseChat, {"model_family": ["parrot-1"]}),
    "register_task": (BaseTask, {"task_ids": ["taken"]}),
}


@pytest.mark.parametrize("register", BODIES)
def test_an_id_is_taken_once(own: ModuleType, register: str) -> None:
    base, body = BODIES[register]
    if base is BaseTask:
        registry.register_task()(type("First", (base,), body))
    with pytest.raises(KeyError, match="registered already"):
        getattr(registry, register)()(type("Second", (base,), body))
    with pytest.raises(ConfigError, match="names no"):
        getattr(registry, register)()(type("Nameless", (base,), dict.fromkeys(body, ())))
    with pytest.raises(ConfigError, match=f"is no {base.__name__}"):
        getattr(registry, register)()(type("Else", (), body))


def test_an_id_of_the_133_is_taken() -> None:
    with pytest.raises(KeyError, match="confaide-text"):
        registry.register_dataset()(
            type("Mine", (BaseDataset,), {"dataset_ids": ["confaide-text"]})
        )


def test_a_user_makes_objects_by_hand(own: ModuleType, tmp_path: Path) -> None:
    method = own.Dot("red-dot", img_dir=str(tmp_path / "dots"))
    plain, changed = own.Numbers("odd-numbers"), own.Numbers("odd-numbers", method)
    assert [item.target for item in plain] == [0, 1, 0, 1]
    assert Path(changed[1].image_path).read_bytes()
    assert collate_fn([plain[1], changed[1]]) == [
        {
            "message": [{"role": "user", "content": content}],
            "target": 1,
            "extra": {"subset": "small"},
        }
        for content in ("Is 1 odd?", {"image_path": changed[1].image_path, "text": "Is 1 odd?"})
    ]
    for wrong in (
        lambda: own.Numbers("odd-number"),
        lambda: own.Numbers("odd-numbers", openin="Are"),
        lambda: own.Parrot("parrot-3"),
    ):
        with pytest.raises(ConfigError, match=r"did you mean|known"):
            wrong()


def test_a_data_set_without_samples_says_so() -> None:
    class Empty(BaseDataset):
        dataset_ids = ("empty",)

    with pytest.raises(DataError, match=r"self\.dataset"):
        len(Empty("empty"))


def test_chat_models_by_id(own: ModuleType) -> None:
    mine = load_chatmodel("parrot-1", device="cpu")
    assert (type(mine), mine.where) == (own.Parrot, "cpu")  # type: ignore[attr-defined]
    assert "parrot-1" in model_zoo()
    assert "gpt-4o" in model_zoo()
    tiny = load_chatmodel("tiny")
    asked = [{"role": "user", "content": "Is 1 odd? Answer yes or no."}]
    reply = tiny.chat(asked, max_new_tokens=3, do_sample=False)
    assert (reply.model_id, reply["content"]) == ("tiny", reply.content)
    assert reply.content
    with pytest.raises(ConfigError) as raised:
        tiny.chat(asked, max_new_token=3)
    assert "max_new_tokens" in (raised.value.hint or "")
    with pytest.raises(SampleError, match="no message"):
        tiny.chat([{"role": "judge", "content": "Is it?"}])


def test_the_metric_table_is_called_with_the_truth_first() -> None:
    assert METRICS["precision_score"]([1, 0, 0], [1, 1, 1]) == pytest.approx(1 / 3)
    assert METRICS["pred_mean"]([], [1, 0]) == 0.5


def test_files_next_to_the_caller_are_found() -> None:
    assert Path(get_abs_path("conftest.py")) == Path(__file__).with_name("conftest.py")
    assert Path(get_abs_path("no_such_file")) == Path.cwd() / "no_such_file"
    assert get_abs_path("/tmp") == "/tmp"


def test_samples_have_items() -> None:
    assert TxtSample("a", 1)["target"] == 1
    assert ImageTxtSample("a.png", "b").to_dict()["image_path"] == "a.png"


def test_a_class_of_a_notebook_may_be_run_again() -> None:
    def cell(target: int) -> type[BaseDataset]:
        body = {"dataset_ids": ["cell"], "dataset": [TxtSample("Is it?", target)]}
        return type("Cell", (BaseDataset,), {**body, "__module__": "__main__"})

    for target in (0, 1):
        registry.register_dataset()(cell(target))
        assert registry.get_dataset_class("cell")("cell")[0].target == target
    other = type("Other", (BaseDataset,), {"dataset_ids": ["cell"], "__module__": "__main__"})
    with pytest.raises(KeyError):
        registry.register_dataset()(other)
