"""`compat: upstream`: chains of thought and choices as ChEF makes them."""

from __future__ import annotations

import math

import msgspec
import pytest
from fakes import Numbers
from inferencer.test_cot import run

from chef.errors import SampleError
from chef.inferencer.ppl import choose
from chef.inferencer.upstream.rules import choose_as_chef
from chef.instruction import Instruction
from chef.instruction.retriever import RETRIEVERS, ExamplePool
from chef.types import Generated, Scored


def with_one_example() -> Instruction:
    retriever = RETRIEVERS.get("fixed")(ice_num=1, ice_assigned_ids=[6])
    retriever.prepare(ExamplePool(Numbers()))
    return Instruction("VQA", "", retriever)


@pytest.mark.parametrize("name", ["Direct", "PPL"])
def test_a_chain_of_thought_is_256_tokens_long_and_drives_out_the_examples(name: str) -> None:
    options = {"CoT": True, "cot_max_new_tokens": 9, "upstream": True}
    requests, answer = run(name, Generated("Hm."), with_one_example(), **options)
    assert requests[0].max_new_tokens == 256
    assert [len(request.conversation) for request in requests] == [1, 1]
    assert "ices" not in answer.trace


@pytest.mark.parametrize("name", ["Direct", "PPL"])
def test_without_reasoning_the_examples_stay(name: str) -> None:
    (only,), answer = run(name, Generated(""), with_one_example(), upstream=True)
    assert len(only.conversation) == 3
    assert answer.trace["ices"] == ["n6"]


def scored(*means: float) -> list[Scored]:
    return [Scored(mean, 1) for mean in means]


def test_a_score_that_is_no_number_wins() -> None:
    found = choose_as_chef(scored(-1.0, math.nan, -0.5, math.nan))
    assert found["choice"] == 1
    assert found["ppl_results"] == [-1.0, None, -0.5, None]
    assert found["prob"] is None
    assert msgspec.json.decode(msgspec.json.encode(found)) == found
    assert choose_as_chef(scored(math.nan, math.nan))["choice"] == 0
    with pytest.raises(SampleError, match="not finite"):
        choose(scored(-1.0, math.nan), "s")


def test_ties_are_exact_and_not_marked() -> None:
    near = scored(-1.0 - 1e-6, -1.0, -1.0)
    assert choose_as_chef(near)["choice"] == 1
    assert "ties" not in choose_as_chef(near)
    assert choose(near, "s")["choice"] == 0
    assert choose_as_chef(scored(-math.inf, -2.0))["choice"] == 1


def test_finite_scores_have_the_same_figures() -> None:
    means = scored(-1.0, -0.25)
    assert choose_as_chef(means) == choose(means, "s")
