"""Classes that a notebook or a script defines, where a recipe or a command names them."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

import chef


class Parrot(chef.Model):
    def generate_one(self, conversation, max_new_tokens):
        return "A"


class Mean(chef.Metric):
    def metric_func(self, answers):
        return {"mean": 1.0}


class Few(chef.Scenario):
    pass


def recipe_with(scenario: str = "Shapes", metric: str = "basic") -> dict[str, object]:
    ways = {"inferencer_cfg": {"inferencer_type": "Direct"}, "metric_cfg": {"metric_type": metric}}
    return {"scenario_cfg": {"dataset_name": scenario}, "eval_cfg": ways}


@pytest.mark.parametrize(
    ("kind", "call", "further"),
    [
        (
            Parrot,
            lambda: chef.evaluate("Parrot", "Shapes/direct"),
            "of the name: Parrot()",
        ),
        (Parrot, lambda: chef.load_model({"model_name": "Parrot"}), "Parrot()"),
        (
            Mean,
            lambda: chef.load_recipe(recipe_with(metric="Mean")),
            "(RUN, metric=Mean)",
        ),
        (Few, lambda: chef.load_recipe(recipe_with("Few")), ""),
        (Few, lambda: chef.evaluate("tiny", "Few"), ""),
    ],
)
def test_a_class_of_the_session_by_its_name(
    kind: type, call: Callable[[], object], further: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["__main__"], kind.__name__, kind, raising=False)
    with pytest.raises(chef.ConfigError) as caught:
        call()
    assert f"'{kind.__name__}' is a class of this session" in str(caught.value)
    assert "plugins: [FILE.py]" in str(caught.value)
    assert further in str(caught.value)
