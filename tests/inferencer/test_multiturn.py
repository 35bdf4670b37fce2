"""Several turns: what is asked, teacher-forced and in conversation, and what is kept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from fakes import Hashing

from chef.engine.engine import Engine, Job
from chef.errors import ConfigError
from chef.image import Image
from chef.inferencer import INFERENCERS, Inferencer
from chef.instruction import Instruction
from chef.reading.listed_things import things_named
from chef.scenario.shapes.scenario import Shapes
from chef.types import Generate, Generated, Prediction, Request, Sample, Score, Scored, Status
from chef.types import TurnSpec as Spec

PICTURE = Image(b"not opened here")
WHERE = "Where is {prefix}?"
DETECTION = Instruction(
    "detection",
    prompt_type="multiturn",
    defined_prompt=["What is there?", WHERE],
    defined_template=["There is {option}", "At {option}"],
)
#: What there is, then where the two true classes are.
FREE = Sample(
    "free",
    (PICTURE,),
    turns=(
        Spec(truth=["cat", "dog"]),
        Spec(1, "cat", prefix_from=0, each=True),
        Spec(1, "dog", prefix_from=0, each=True),
    ),
)
#: Coarse to fine: every turn builds on the one before.
CHAIN = Sample(
    "chain",
    (PICTURE,),
    turns=(
        Spec(0, "", ("a cat", "a bird"), "a bird"),
        Spec(1, "bird", ("a crow", "a swan"), "a crow", prefix_from=0),
        Spec(1, "crow", ("a jay", "a rook"), "a rook", prefix_from=1),
    ),
)


def make(name: str, **keys: Any) -> Inferencer:
    return INFERENCERS.get(name)(DETECTION, **keys)


def run(
    inferencer: Inferencer, sample: Sample, reply: Callable[[Request], Any]
) -> tuple[list[Any], Any]:
    """The requests of one program, and its answer."""
    program, requests = inferencer.infer(sample), []
    try:
        request = next(program)
        while True:
            requests.append(request)
            request = program.send(reply(request))
    except StopIteration as stop:
        return requests, stop.value


def say(**texts: str) -> Callable[[Request], Generated]:
    """Answers the question that ends in a word with the text given for it."""

    def reply(request: Request) -> Generated:
        word = request.conversation[-1].text.rstrip("?").split()[-1]
        return Generated(texts.get(word, "nowhere"), tokens=2)

    return reply


def prefer(*options: str) -> Callable[[Request], tuple[Scored, ...]]:
    """Likes these options best."""

    def reply(request: Request) -> tuple[Scored, ...]:
        assert isinstance(request, Score)
        return tuple(Scored(-1.0 if item in options else -2.0, 1) for item in request.candidates)

    return reply


def texts(request: Request) -> list[str]:
    return [turn.text for turn in request.conversation]


def test_every_turn_stands_alone_by_default() -> None:
    requests, answer = run(make("Multi_Direct"), FREE, say(there="a fox", cat="[1]", dog="[2]"))
    assert [texts(item) for item in requests] == [
        ["What is there?"], ["Where is cat?"], ["Where is dog?"],
    ]  # fmt: skip
    assert all(item.conversation[0].images == (PICTURE,) for item in requests)
    assert answer.answer == ["a fox", "[1]", "[2]"]
    assert answer.scores["turn_answer"][1] == {
        "turn": 1, "prompt_idx": 1, "prefix": "cat", "question": "Where is cat?", "answer": "[1]",
    }  # fmt: skip
    assert (answer.status, answer.trace["tokens"]) == (Status.OK, 6)
    assert answer.trace["query"] == "<image>\nWhat is there?"


def test_a_conversation_asks_about_what_the_model_named() -> None:
    replies = say(there="A fox, a dog and a fox.", fox="[1]", dog="[2]")
    requests, answer = run(make("Multi_Direct", conversational=True), FREE, replies)
    assert [texts(item) for item in requests] == [
        ["What is there?"],
        ["What is there?", "A fox, a dog and a fox.", "Where is fox?"],
        ["What is there?", "A fox, a dog and a fox.", "Where is fox?", "[1]", "Where is dog?"],
    ]
    roles = [turn.role for turn in requests[2].conversation]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    for request in requests:
        shown = [len(turn.images) for turn in request.conversation]
        assert (shown[0], sum(shown)) == (1, 1)
    assert [item["prefix"] for item in answer.scores["turn_answer"]] == ["", "fox", "dog"]
    assert "[assistant] [1]" in answer.trace["query"]


def test_a_model_that_names_nothing_is_asked_nothing_more() -> None:
    requests, answer = run(make("Multi_Direct", conversational=True), FREE, say(there=" "))
    assert len(requests) == 1
    assert answer.answer == [" "]


def test_a_system_message_is_sent_once() -> None:
    instruction = Instruction("detection", "Be brief.", prompt_type="multiturn")
    inferencer = INFERENCERS.get("Multi_Direct")(instruction, conversational=True)
    requests, _ = run(inferencer, FREE, lambda _: Generated("a dog"))
    assert [turn.role for turn in requests[-1].conversation] == [
        "system", "user", "assistant", "user",
    ]  # fmt: skip


def test_scored_turns_take_their_prefix_from_the_truth() -> None:
    requests, answer = run(make("Multi_PPL"), CHAIN, prefer("a cat", "a swan", "a jay"))
    assert [texts(item) for item in requests] == [
        ["What is there?"], ["Where is bird?"], ["Where is crow?"],
    ]  # fmt: skip
    assert [item.answer_prefix for item in requests] == ["There is ", "At ", "At "]
    assert requests[1].candidates == ("a crow", "a swan")
    assert answer.answer == ["a cat", "a swan", "a jay"]
    turn = answer.scores["turn_answer"][1]
    assert (turn["choice"], turn["options"]) == (1, ["a crow", "a swan"])
    assert turn["ppl_results"] == [-2.0, -1.0]
    # softmax of -2 and -1
    assert turn["prob"] == turn["probs"][1] == pytest.approx(0.7311, abs=1e-4)


def test_scored_turns_of_a_conversation_build_on_the_own_choice() -> None:
    replies = prefer("a cat", "a swan", "a jay")
    requests, answer = run(make("Multi_PPL", conversational=True), CHAIN, replies)
    assert texts(requests[2]) == [
        "What is there?", "There is a cat", "Where is cat?", "At a swan", "Where is swan?",
    ]  # fmt: skip
    assert [item["prefix"] for item in answer.scores["turn_answer"]] == ["", "cat", "swan"]
    # the same first turn, and the same candidates, as teacher-forced
    forced, _ = run(make("Multi_PPL"), CHAIN, replies)
    assert requests[0] == forced[0]
    assert [item.candidates for item in requests] == [item.candidates for item in forced]


def test_a_conversation_that_is_always_right_asks_the_same_as_teacher_forcing() -> None:
    replies = prefer("a bird", "a crow", "a rook")
    own, _ = run(make("Multi_PPL", conversational=True), CHAIN, replies)
    forced, _ = run(make("Multi_PPL"), CHAIN, replies)
    assert [texts(item)[-1] for item in own] == [texts(item)[-1] for item in forced]


def test_det_asks_only_about_the_true_classes_it_recognised() -> None:
    requests, answer = run(make("Det"), FREE, say(there="Two dogs and a fox.", dog="[2]"))
    assert [texts(item) for item in requests] == [["What is there?"], ["Where is dog?"]]
    assert answer.answer == {"cat": None, "dog": "[2]"}
    assert [item["prefix"] for item in answer.scores["turn_answer"]] == ["", "dog"]
    twice = Sample("2", turns=(*FREE.turns, Spec(1, "dog", prefix_from=0)))
    assert run(make("Det"), twice, say(there="Two dogs", dog="[2]"))[1].answer == answer.answer
    assert len(run(make("Det"), twice, say(there="Two dogs"))[0]) == 2
    _, nothing = run(make("Det"), FREE, say(there="no cat, and not a dog"))
    assert nothing.answer == {"cat": None, "dog": None}


def test_det_ppl_sorts_the_answers_of_the_same_scoring() -> None:
    replies = prefer("a bird", "a swan", "a rook")
    forced, expected = run(make("Multi_PPL"), CHAIN, replies)
    requests, answer = run(make("Det_PPL"), CHAIN, replies)
    assert requests == forced
    assert answer.scores["classification_answer"] == ["a bird"]
    assert answer.scores["grounding_answer"] == ["a swan", "a rook"]
    assert answer.scores["grounding_ppl_results"] == [[-2.0, -1.0], [-2.0, -1.0]]
    assert answer.scores["turn_answer"] == expected.scores["turn_answer"]
    assert answer.answer == expected.answer


def test_ties_and_nan_are_those_of_ppl() -> None:
    _, answer = run(make("Multi_PPL"), CHAIN, prefer())
    assert answer.scores["turn_answer"][0]["ties"] == [0, 1]
    assert answer.answer[0] == "a cat"
    nan = Hashing()
    nan.score = lambda requests: [(Scored(float("nan"), 1),) * 2 for _ in requests]
    prediction = ask(nan, make("Multi_PPL"), [CHAIN_JOB])["chain"]
    assert "not finite" in prediction.error["message"]


def test_the_worst_turn_is_the_status_of_the_whole() -> None:
    def cut(request: Request) -> Generated:
        return Generated("...", "length" if "dog" in texts(request)[-1] else "stop")

    _, answer = run(make("Multi_Direct"), FREE, cut)
    assert answer.status is Status.TRUNCATED
    assert [item.get("status") for item in answer.scores["turn_answer"]] == [
        None, None, "truncated",
    ]  # fmt: skip


def test_decoding_keys_reach_the_model_and_every_turn_samples_its_own_stream() -> None:
    inferencer = make("Multi_Direct", max_new_tokens=7, stop=["x"], temperature=0.5, top_p=0.9)
    requests, _ = run(inferencer, FREE, say())
    assert all(isinstance(item, Generate) for item in requests)
    assert {(r.max_new_tokens, r.stop, r.temperature, r.top_p) for r in requests} == {
        (7, ("x",), 0.5, 0.9)
    }
    assert len({item.seed for item in requests}) == 3
    with pytest.raises(ConfigError, match="max_new_tokens"):
        make("Det", max_new_tokens=0)


def job(sample: Sample) -> Job:
    drawn = Sample(sample.id, question=sample.question, turns=sample.turns)  # a fake needs no image
    return Job(sample.id, lambda: drawn)


CHAIN_JOB = job(CHAIN)


def ask(
    model: Hashing, inferencer: Inferencer, jobs: list[Job], batch_size: int | None = None
) -> dict[str, Prediction]:
    return {item.sample_id: item for item in Engine(model, inferencer, batch_size, 16).run(jobs)}


def test_what_cannot_be_asked_turn_by_turn_is_an_error_of_the_sample() -> None:
    late = Sample("late", turns=(Spec(1, "x", prefix_from=0),))
    found = ask(Hashing(), make("Multi_PPL"), [job(Sample("none")), job(FREE), CHAIN_JOB])
    assert "has no turns" in found["none"].error["message"]
    assert "turn 0 has none" in found["free"].error["message"]
    assert found["chain"].status is Status.OK
    found = ask(Hashing(), make("Multi_Direct", conversational=True), [job(late)])
    assert "not asked before it" in found["late"].error["message"]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Multi_Direct", {}),
        ("Multi_Direct", {"conversational": True}),
        ("Multi_PPL", {}),
        ("Multi_PPL", {"conversational": True}),
        ("Det", {}),
        ("Det_PPL", {}),
    ],
)
def test_answers_do_not_depend_on_batches(name: str, keys: dict[str, Any]) -> None:
    scenario = Shapes(task="detection", multi_turn=True, ppl="PPL" in name, size=12)
    order = list(range(12))
    random.Random(1).shuffle(order)
    alone, mixed = (
        ask(
            Hashing(),
            make(name, **keys),
            [Job(scenario.sample_id(i), partial(scenario.__getitem__, i)) for i in indices],
            size,
        )
        for indices, size in ((range(12), 1), (order, 5))
    )
    assert mixed == alone
    assert all(item.status is Status.OK for item in alone.values())
    json.dumps([item.to_record() for item in alone.values()])  # fit for the journal


def test_things_named() -> None:
    assert things_named("a red star, 2 blue crosses\nand an Orange circle; the red star.") == [
        "red star", "blue crosses", "Orange circle",
    ]  # fmt: skip
    assert things_named("There are: the sandals and Anders") == ["sandals", "Anders"]
    assert things_named(" .\n") == []
    assert len(things_named(", ".join(f"thing{n}" for n in range(99)))) == 20
