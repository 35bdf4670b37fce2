"""What recipes of one call share, and what they must not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chef.config import load_recipe
from chef.config.scenario import Shared
from chef.evaluator import Evaluator
from chef.inferencer.base import started
from chef.instruction.retriever.nearest import Nearest

EXAMPLES = "eval_cfg.instruction_cfg.incontext_cfg"
#: Overrides of recipes that are asked about the same 12 questions.
SMALL = ("scenario_cfg.size=12",)


def scenario_of(shared: Shared, *overrides: str) -> Any:
    return shared.scenario(load_recipe("Shapes/ppl", [*SMALL, *overrides]).scenario)


@pytest.mark.parametrize(
    "more",
    [
        ("scenario_cfg.seed=1",),
        ("scenario_cfg.rotation=1",),
        ("scenario_cfg.rotation=2",),
        ("scenario_cfg.circular=true",),
        ("scenario_cfg.method_cfg.noise.eps=0.03",),
        ("scenario_cfg.method_cfg.noise.eps=0.1",),
    ],
)
def test_only_equal_sections_share_a_scenario(more: tuple[str, ...]) -> None:
    shared = Shared()
    one = scenario_of(shared)
    assert scenario_of(shared, "eval_cfg.inferencer_cfg.CoT=true") is one
    assert scenario_of(shared, *more) is not one
    assert scenario_of(Shared()) is not one


def test_an_object_among_the_keys_is_not_taken_for_another() -> None:
    spec, shared = load_recipe("Shapes/ppl").scenario, Shared()
    odd = replace(spec, options={"size": _Number(3)})
    assert shared.scenario(odd) is not shared.scenario(odd)


class _Number:
    def __init__(self, value: int) -> None:
        self.value = value

    def __lt__(self, other: int) -> bool:
        return self.value < other

    def __repr__(self) -> str:
        return "a number"


def requests(evaluator: Evaluator) -> list[str]:
    scenario, inferencer = evaluator.scenario, evaluator.inferencer
    return [repr(started(inferencer, scenario[place])[1]) for place in range(len(scenario))]


@pytest.mark.usefixtures("small_pool")
def test_recipes_that_share_a_pool_ask_what_each_would_ask_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    embedded: list[str] = []
    grouped = Nearest._group

    def counted(self: Any, scenario: Any, indices: Any) -> Any:
        embedded.append(type(self).__name__)
        return grouped(self, scenario, indices)

    monkeypatch.setattr(Nearest, "_group", counted)
    recipes = [
        load_recipe("Shapes/ppl", [*SMALL, f"{EXAMPLES}={{{form}}}"])
        for form in (
            "retriever_type: topk_text, ice_num: 1",
            "retriever_type: topk_text, ice_num: 3",
            "retriever_type: topk_text, ice_num: 2, random_seed: 1",
            "retriever_type: random, ice_num: 2, random_seed: 1",
            "retriever_type: random, ice_num: 2, random_seed: 2",
        )
    ]
    shared = Shared()
    together = [Evaluator(recipe, None, shared) for recipe in recipes]
    assert embedded == ["TopkText"]
    asked = [requests(evaluator) for evaluator in together]
    for evaluator in reversed(together):  # in any order, and again
        evaluator.prefetch(evaluator.ids)
    assert [requests(evaluator) for evaluator in together] == asked
    assert [requests(Evaluator(recipe)) for recipe in recipes] == asked
    assert asked[3] != asked[4]
