"""Chain of thought: two requests, the reasoning before the answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fakes import Numbers

from chef.inferencer import INFERENCERS
from chef.instruction import Instruction
from chef.instruction.retriever import RETRIEVERS, ExamplePool
from chef.types import Generate, Generated, Request, Score, Scored


def run(
    name: str,
    reasoning: Generated,
    instruction: Instruction | None = None,
    *,
    upstream: bool = False,
    **options,
):
    """The requests of one program, and its answer."""
    inferencer = INFERENCERS.get(name, upstream=upstream)(
        instruction or Instruction("VQA"), **options
    )
    program, requests = inferencer.infer(Numbers()[1]), []
    replies: Sequence[object] = (
        reasoning,
        tuple(Scored(-float(n != 1), 1) for n in range(4)) if name == "PPL" else Generated("one"),
    )
    request: Request = next(program)
    try:
        for reply in replies[0 if options.get("CoT") else 1 :]:
            requests.append(request)
            request = program.send(reply)
    except StopIteration as stop:
        return requests, stop.value
    raise AssertionError("the program asked for more")


@pytest.mark.parametrize("name", ["Direct", "PPL"])
def test_the_reasoning_begins_the_answer(name: str) -> None:
    (first, second), answer = run(name, Generated(" I think. "), CoT=True, cot_max_new_tokens=9)
    assert isinstance(first, Generate)
    assert first.max_new_tokens == 9
    # the bare question: the suffix of the pool belongs to the second pass
    assert first.conversation[-1].text == "1? long\nLet's think step by step."
    assert second.conversation[-1].text == "1? long\nThe answer is"
    prefix = "I think.\nThe answer is " if isinstance(second, Score) else "I think.\n"
    assert second.answer_prefix == prefix
    assert answer.answer == "one"  # the reasoning is no part of the answer
    assert answer.trace["CoT_answer"] == "I think."
    assert "CoT_truncated" not in answer.trace


def test_a_truncated_chain_of_thought_is_used_and_marked() -> None:
    _, answer = run("PPL", Generated("I thi", "length"), CoT=True)
    assert answer.trace["CoT_truncated"] is True


def test_an_empty_chain_of_thought_changes_nothing() -> None:
    (_, second), _ = run("PPL", Generated("  "), CoT=True)
    (only,), _ = run("PPL", Generated(""), CoT=False)
    assert second == only


def test_reasoning_and_examples_combine() -> None:
    retriever = RETRIEVERS.get("fixed")(ice_num=1, ice_assigned_ids=[6])
    retriever.prepare(ExamplePool(Numbers()))
    instruction = Instruction("VQA", "", retriever)
    (first, second), answer = run("PPL", Generated("Hm."), instruction, CoT=True)
    for request in (first, second):
        assert len(request.conversation) == 3
        assert request.conversation[1].text == "The answer is two"
    assert answer.trace["ices"] == ["n6"]
