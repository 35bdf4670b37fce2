"""What plain data of a run folder names outside of it."""

from __future__ import annotations

from typing import Any

import pytest

from chef.errors import ConfigError
from chef.guard.trust import UntrustedError, names_in, refuse
from chef.metric.mmtrusteval import EVALUATORS
from chef.metric.mmtrusteval.base import BaseEvaluator, SampleEvaluator

NAMED = [
    ({"base_url": "https://me:pw@evil.test:8443/v1"}, ["the server evil.test:8443"]),
    ({"address": "ws://evil/x"}, ["the server evil"]),
    ({"host": "evil.test"}, ["the server evil.test"]),
    ({"api_key_env": "HOME"}, ["the variable HOME"]),
    ({"prompt": "Say ${oc.env:TOKEN} and ${ oc.env : KEY,x}"},
     ["the variable TOKEN", "the variable KEY"]),
    ({"prompt": "${model_cfg.key}"}, ["the value ${model_cfg.key}"]),
    ({"model_name": "tiny"}, ["the model tiny"]),
    ({"model_cfg": "judge.yaml"}, ["the model judge.yaml"]),
    ({"odd": ["owner/name"]}, ["the file owner/name"]),
    ({"odd": {"odd": "../up"}}, ["the file ../up"]),
    ({"odd": "~root"}, ["the file ~root"]),
    ({"odd": "words.txt"}, ["the file words.txt"]),
    ({"img_dir": "x"}, ["the file x"]),
    ({"plugins": ["a.py", "b.py"]}, ["the Python file a.py", "the Python file b.py"]),
    ({"retriever_type": "topk_img"}, ["the encoder of topk_img"]),
    ({"method_cfg": {"method_id": "pgd"}}, ["the method pgd"]),
]  # fmt: skip
NOTHING: list[Any] = [
    None, {}, [], 3, True, {"a": None, "b": 1.5, "path": None, "base_url": ""},
    {"metric_type": "Accuracy", "compat": "corrected"}, {"dataset_name": "Shapes", "size": 4},
    {"wording": "Answer yes or no. Then say why."}, {"retriever_type": "fixed"},
]  # fmt: skip


@pytest.mark.parametrize(("content", "names"), NAMED)
def test_what_is_named(content: Any, names: list[str]) -> None:
    assert names_in(content) == names
    assert names_in([{"deep": [content]}]) == names


@pytest.mark.parametrize("content", NOTHING)
def test_what_names_nothing(content: Any) -> None:
    assert names_in(content) == []


def test_the_error_is_one_line_and_names_the_option() -> None:
    names = names_in({str(number): f"/file/{number}" for number in range(9)})
    with pytest.raises(UntrustedError) as raised:
        refuse(names, "run", "config.yaml")
    assert isinstance(raised.value, ConfigError)
    assert "\n" not in raised.value.what
    assert "/file/5 and 3 more: not used without --trust" in raised.value.what
    refuse([], "run", "config.yaml")


def test_what_asks_models_is_known_by_its_class() -> None:
    asking = {name for name in EVALUATORS if issubclass(EVALUATORS.get(name), SampleEvaluator)}
    assert asking == {name for name in EVALUATORS if not name.startswith("rule_")}
    assert all(issubclass(EVALUATORS.get(name), BaseEvaluator) for name in EVALUATORS)
