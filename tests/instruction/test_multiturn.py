"""Wordings for several turns: pairs, what stands for {prefix}, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.config import load_recipe
from chef.errors import ConfigError, SampleError
from chef.evaluator import Evaluator
from chef.image import Image
from chef.instruction import Instruction
from chef.instruction.pools import load_pool
from chef.types import Sample, Text, Turn, TurnSpec

PICTURE = Image(b"not opened here")
SAMPLE = Sample("1", (PICTURE,))


def handler(task: str = "detection", **keys: object) -> Instruction:
    return Instruction(task, prompt_type="multiturn", **keys)


def asked(instruction: Instruction, turn: TurnSpec, sample: Sample = SAMPLE) -> str:
    return instruction.turn_query(sample, turn).conversation[-1].text


def test_the_turns_have_the_pairs_of_the_pool() -> None:
    pool = load_pool("detection")
    for number in range(3):
        instruction = handler(prompt_assigned_ids=number, template_assigned_ids=number)
        assert instruction.prompts == pool.multiturn_prompts[number]
        assert instruction.templates == pool.multiturn_templates[number]
    assert handler(prompt_assigned_ids=-1).prompts == pool.multiturn_prompts[2]


def test_a_turn_as_it_is_asked() -> None:
    instruction = handler()
    first = instruction.turn_query(SAMPLE, TurnSpec(0, options=("a cat", "a dog"), truth="a cat"))
    assert first.conversation == (Turn("user", (PICTURE, Text("The image shows"))),)
    assert (first.options, first.answer_prefix) == (("a cat", "a dog"), "The image shows ")
    later = instruction.turn_query(SAMPLE, TurnSpec(1, "red star"))
    assert later.conversation[0].images == (PICTURE,)
    assert "bounding boxes of every red star in" in later.conversation[0].text
    assert later.answer_prefix == "It is located at "


def test_with_a_history_the_image_is_not_shown_again() -> None:
    history = (Turn("user", (PICTURE, Text("?"))), Turn("assistant", (Text("a cat"),)))
    instruction = Instruction("detection", "Be brief.", prompt_type="multiturn")
    query = instruction.turn_query(SAMPLE, TurnSpec(1, "cat"), history)
    assert [turn.role for turn in query.conversation] == ["system", "user", "assistant", "user"]
    assert sum(len(turn.images) for turn in query.conversation) == 1


def test_a_task_with_pairs_of_prompts_only_uses_its_template_for_all_turns() -> None:
    instruction = handler("fine_grained_classification")
    (template,) = load_pool("fine_grained_classification").templates
    assert instruction.templates == (template, template)
    assert "is bird." in asked(instruction, TurnSpec(1, "bird"))


def test_own_wordings() -> None:
    pair = handler("VQA", defined_prompt=["{question}", "{prefix}. {question}"])
    sample = Sample("1", question="Why {prefix}?")
    assert asked(pair, TurnSpec(0), sample) == "Why {prefix}?"
    # braces of the question or of an answer are the data's own
    assert asked(pair, TurnSpec(1, "{question}"), sample) == "{question}. Why {prefix}?"
    one = handler(defined_prompt="Find {prefix}.", defined_template="Here: {option}")
    assert one.prompts == ("Find {prefix}.",) * 2
    assert one.templates == ("Here: {option}",) * 2
    assert asked(one, TurnSpec(1, "it")) == "Find it."


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"task": "VQA"}, ["pool 'VQA' has no wordings for several turns", "defined_prompt"]),
        ({"prompt_assigned_ids": 3}, ["id 3 is outside the multiturn_prompts", "0 to 2"]),
        ({"template_assigned_ids": 9}, ["outside the multiturn_templates"]),
        ({"defined_prompt": ["a", "b"]}, ["every later turn would ask the same: 'b'", "{prefix}"]),
        ({"defined_prompt": "Where?"}, ["every later turn would ask the same"]),
        (
            {"defined_prompt": ["{prefix}?", "What?"]},
            ["no answer precedes it", "first in the pair"],
        ),
        ({"defined_prompt": ["a", "b", "c"]}, ["a list of 3", "[first turn, later turns]"]),
        ({"defined_template": ["{option}", "It is {option}."]}, ["must end with {option}"]),
        ({"defined_template": ["{option}"]}, ["defined_template is a list of 1"]),
    ],
)
def test_what_is_refused(keys: dict[str, object], words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        handler(**keys)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("key", ["defined_prompt", "defined_template"])
def test_a_pair_is_refused_for_one_turn(key: str) -> None:
    with pytest.raises(ConfigError, match="one wording is needed"):
        Instruction("VQA", **{key: ["{option}", "{option}"]})


def test_a_question_without_a_place_is_an_error_of_the_sample() -> None:
    with pytest.raises(SampleError, match=r"has no \{question\}"):
        handler().turn_query(Sample("1", question="What?"), TurnSpec(0))


RECIPE = """\
scenario_cfg: {dataset_name: Shapes, task: detection, multi_turn: true}
eval_cfg:
  instruction_cfg:
    query_type: multiturn
    query_assigned_ids: 1
  inferencer_cfg:
    inferencer_type: Multi_PPL
"""


def test_a_recipe_says_multiturn_in_either_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(RECIPE)
    recipe = load_recipe(path)
    assert recipe.notices == (
        "query_type: multiturn, query_assigned_ids: 1 -> prompt_type: multiturn, "
        "prompt_assigned_ids: 1",
    )
    instruction = Evaluator(recipe).instruction
    assert instruction.prompts == load_pool("detection").multiturn_prompts[1]
    pair = ["What is there?", "Where is {prefix}?"]
    recipe = load_recipe(path, [f"eval_cfg.instruction_cfg.defined_prompt={pair}"])
    assert Evaluator(recipe).instruction.prompts == tuple(pair)


@pytest.mark.parametrize(
    ("override", "words"),
    [
        (
            "eval_cfg.instruction_cfg.incontext_cfg={retriever_type: random}",
            ["examples cannot be shown before several turns", "eval_cfg.instruction_cfg.incontext"],
        ),
        (
            "eval_cfg.inferencer_cfg.inferencer_type=PPL",
            ["PPL needs prompt_type: singleturn", "says multiturn"],
        ),
        (
            "eval_cfg.instruction_cfg.query_type=standard_query",
            ["Multi_PPL needs prompt_type: multiturn", "says singleturn"],
        ),
        ("scenario_cfg.task=caption", ["task 'caption' of Shapes has one turn"]),
        ("eval_cfg.instruction_cfg.defined_prompt=3", ["defined_prompt", "does not fit"]),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused(
    tmp_path: Path, override: str, words: list[str]
) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(RECIPE)
    with pytest.raises(ConfigError) as caught:
        Evaluator(load_recipe(path, [override]))
    for word in words:
        assert word in str(caught.value)


def test_no_example_wanted_is_no_example_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(RECIPE)
    none = "eval_cfg.instruction_cfg.incontext_cfg={retriever_type: random, ice_num: 0}"
    assert Evaluator(load_recipe(path, [none])).instruction.prompt_type == "multiturn"
