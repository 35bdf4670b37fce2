"""What a model is sent, part by part, against layouts written by hand.

The sentences are those of the pools; everything around them is stated here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures._draw import scene as drawn
from lmu_data import encoded, open_row, two_images

from chef.config.instruction import pool_of
from chef.errors import SampleError
from chef.image import Image
from chef.instruction import Instruction
from chef.instruction.pools import load_pool
from chef.scenario import SCENARIOS, Scenario
from chef.types import Conversation, Text

Put = Callable[..., Path]
ROW = {"index": "1", "question": "What is it?", "hint": "It purrs.", "A": "cat", "B": "dog"}
IMAGE = "image"


def benchmark(name: str, **keys: Any) -> Scenario:
    return SCENARIOS.get(name)(check_md5=False, **keys)  # type: ignore[call-arg]


def suffix(pool: str, form: str = "") -> str:
    """The words that a pool adds after the question."""
    found = load_pool(pool)
    prompt = found.forms[form][0] if form else found.prompts[0]
    assert prompt.startswith("{question}")
    return prompt.removeprefix("{question}")


def told(conversation: Conversation, scenario: Scenario, index: int = 0) -> list[object]:
    """The parts of the last turn: texts, and for images their places among the sample's."""
    digests = [image.digest for image in scenario[index].images]
    return [
        part.text if isinstance(part, Text) else (IMAGE, digests.index(part.digest) + 1)
        for part in conversation[-1].parts
        if isinstance(part, Text | Image)
    ]


def asked(scenario: Scenario, index: int = 0) -> list[object]:
    query = Instruction(pool_of(scenario)).query(scenario[index])
    return told(query.conversation, scenario, index)


def one_image(number: int = 0) -> str:
    return encoded(drawn(number))


def test_multiple_choice_with_and_without_hint(put: Put) -> None:
    put("MMStar", [{**ROW, "image": one_image()}, {**ROW, "index": "2", "image": "1", "hint": ""}])
    scenario, end = benchmark("MMStar"), suffix("vlmevalkit_mcq")
    lines = "Question: What is it?\nOptions:\nA. cat\nB. dog"
    assert end.startswith("\n")
    assert end.endswith(" \n")
    assert asked(scenario) == [(IMAGE, 1), f"Hint: It purrs.\n{lines}{end}"]
    assert asked(scenario, 1) == [(IMAGE, 1), f"{lines}{end}"]


def test_a_row_without_options_ends_after_the_question(put: Put) -> None:
    row = {**ROW, "image": one_image(), "A": "", "B": "", "hint": "", "answer": "a cat"}
    put("MMStar", [row, {**ROW, "index": "2", "image": "1"}])
    scenario = benchmark("MMStar")
    assert asked(scenario) == [(IMAGE, 1), "Question: What is it?\n"]
    assert scenario[0].answer == ["a cat"]


def test_options_of_all_letters_and_texts_that_look_missing(put: Put) -> None:
    """Defect V01: None and NA are options, and only an empty cell is none."""
    texts = {"A": "None", "B": "NA", "C": "", "D": "N/A", "E": "null", "F": "nan", "Z": "7"}
    put("MMStar", [{"index": "1", "question": "Q?", "image": one_image(), **texts, "answer": "Z"}])
    sample = benchmark("MMStar")[0]
    assert sample.question == (
        "Question: Q?\nOptions:\nA. None\nB. NA\nD. N/A\nE. null\nF. nan\nZ. 7"
    )
    assert sample.options == ("A", "B", "D", "E", "F", "Z")
    assert (sample.answer, sample.fields["gt_choice"]) == ("Z", 5)
    content = benchmark("MMStar", option_content=True)[0]
    assert (content.options[:2], content.answer) == (("None", "NA"), "7")


def test_mmmu_shows_images_where_the_text_names_them(put: Put) -> None:
    question = "<image 2> is like <image 1><image 2>, not <image>?"
    row = {**ROW, "image": two_images(0), "question": question, "A": "<image 1>"}
    put("MMMU_DEV_VAL", [{**row, "category": "Art", "answer": "B"}])
    scenario, end = benchmark("MMMU_DEV_VAL"), suffix("vlmevalkit_mcq")
    assert asked(scenario) == [
        "Hint: It purrs.\nQuestion: ",
        (IMAGE, 2),
        " is like ",
        (IMAGE, 1),
        (IMAGE, 2),
        ", not <image>?\nOptions:\nA. ",
        (IMAGE, 1),
        f"\nB. dog{end}",
    ]
    fields = scenario[0].fields
    assert (fields["subject"], fields["question_type"]) == ("Art", "multiple-choice")


def test_images_that_no_text_names_stand_first(put: Put) -> None:
    put("MMMU_DEV_VAL", [{**ROW, "image": two_images(0), "hint": "", "question": "See <image 2>."}])
    parts = asked(benchmark("MMMU_DEV_VAL"))
    assert parts[:3] == [(IMAGE, 1), "Question: See ", (IMAGE, 2)]
    put("MMMU_TEST", [{**ROW, "image": two_images(0)}])
    assert asked(benchmark("MMMU_TEST"))[:2] == [(IMAGE, 1), (IMAGE, 2)]


def test_a_text_that_names_an_image_that_is_not_there(put: Put) -> None:
    put("MMMU_DEV_VAL", [{**ROW, "image": one_image(), "question": "Is <image 3> it?"}])
    with pytest.raises(SampleError, match="names image 3, and the row has one image") as caught:
        benchmark("MMMU_DEV_VAL")[0]
    assert "row 1 (index '1')" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        ("MMMU_Pro_10c", "vlmevalkit_mmmu_pro"),
        ("MMMU_Pro_10c_COT", "vlmevalkit_mmmu_pro_steps"),
        ("MME-RealWorld", "vlmevalkit_realworld_en"),
        ("MME-RealWorld-CN", "vlmevalkit_realworld_zh"),
    ],
)
def test_layouts_without_a_hint(put: Put, name: str, pool: str) -> None:
    put(name, [{**ROW, "image": one_image()}])
    text = f"Question: What is it?\nOptions:\nA. cat\nB. dog{suffix(pool)}"
    assert asked(benchmark(name)) == [(IMAGE, 1), text]


def test_the_steps_of_mmmu_pro_end_in_a_line_with_the_letter() -> None:
    for pool in ("vlmevalkit_mmmu_pro_steps", "vlmevalkit_mmmu_pro_vision_steps"):
        assert "'Answer: $LETTER'" in load_pool(pool).prompts[0]


def test_a_question_in_the_picture(put: Put) -> None:
    columns = {"index": "1", "image": one_image(), "question": "placeholder", "answer": "J"}
    put("MMMU_Pro_V", [columns])
    scenario = benchmark("MMMU_Pro_V")
    assert asked(scenario) == [(IMAGE, 1), load_pool("vlmevalkit_mmmu_pro_vision").prompts[0]]
    assert (scenario[0].options[-1], scenario[0].answer) == ("J", "J")


def test_muir_takes_images_in_order_and_has_no_head_over_its_options(put: Put) -> None:
    row = {**ROW, "hint": "", "question": "Is <image> on <image>?", "image": two_images(0)}
    put("MUIRBench", [{**row, "answer": "A"}, {**row, "index": "2", "A": "<image>"}])
    scenario, end = benchmark("MUIRBench"), suffix("vlmevalkit_mcq")
    assert asked(scenario) == [
        "Question: Is ",
        (IMAGE, 1),
        " on ",
        (IMAGE, 2),
        f"?\nA. cat\nB. dog{end}",
    ]
    with pytest.raises(SampleError, match="names image 3, and the row has 2 images"):
        scenario[1]


def test_natural_bench_says_how_to_answer_by_the_type_of_the_row(put: Put) -> None:
    rows = [
        {"type": "yes_no", "question": "Is it red?", "answer": "No"},
        {"type": "multiple_choice", "question": "Red?\nOption: A: yes; B: no;", "answer": "B"},
        {"type": "essay", "question": "Why?", "answer": "B"},
    ]
    shown = [{"index": str(n), "image": one_image(), **row} for n, row in enumerate(rows)]
    put("NaturalBenchDataset", shown)
    scenario = benchmark("NaturalBenchDataset")
    yes_no, choose = (suffix("vlmevalkit_natural", form) for form in ("yes_no", ""))
    assert yes_no != choose
    assert asked(scenario) == [(IMAGE, 1), f"Is it red?{yes_no}"]
    assert asked(scenario, 1) == [(IMAGE, 1), f"Red?\nOption: A: yes; B: no;{choose}"]
    assert scenario[0].options == ("Yes", "No")
    assert (scenario[1].options, scenario[1].answer) == (("A", "B"), "B")
    with pytest.raises(SampleError, match="the type 'essay' is not known"):
        scenario[2]


@pytest.mark.parametrize(
    ("name", "pool"),
    [
        ("POPE", "vlmevalkit_plain"),
        ("AMBER", "vlmevalkit_yes_no"),
        ("TextVQA_VAL", "vlmevalkit_vqa"),
        ("SimpleVQA", "vlmevalkit_short"),
        ("MMVet", "vlmevalkit_plain"),
    ],
)
def test_the_question_and_at_most_an_instruction(put: Put, name: str, pool: str) -> None:
    put(name, [open_row(0, question="Is it?", hint="not shown", answer="Yes")])
    assert asked(benchmark(name)) == [(IMAGE, 1), f"Is it?{suffix(pool)}"]
    assert bool(suffix(pool)) is (pool != "vlmevalkit_plain")


def test_several_images_stand_before_a_text_without_places(put: Put) -> None:
    put("TextVQA_VAL", [open_row(0, image=two_images(0), question="Is <image> it?")])
    assert asked(benchmark("TextVQA_VAL"))[:2] == [(IMAGE, 1), (IMAGE, 2)]
    assert "Is <image> it?" in str(asked(benchmark("TextVQA_VAL"))[2])


def test_a_caption_is_asked_for_by_the_wording_alone(put: Put) -> None:
    put("COCO_VAL", [{"index": "1", "image": one_image(), "answer": json.dumps(["a", "b"])}])
    scenario = benchmark("COCO_VAL")
    assert asked(scenario) == [(IMAGE, 1), load_pool("vlmevalkit_caption").prompts[0]]
    assert scenario[0].answer == ["a", "b"]


def test_a_conversation_shows_each_image_in_its_turn(put: Put) -> None:
    questions = ["<ImageHere> What is it?", "And <ImageHere>?", "Which is larger?"]
    row = {"index": "1", "image": two_images(0), "question": json.dumps(questions)}
    put("MMDU", [{**row, "answer": json.dumps(["a", "b", "c"])}])
    scenario = benchmark("MMDU")
    sample = scenario[0]
    instruction = Instruction(pool_of(scenario), prompt_type="multiturn")
    history: Conversation = ()
    turns = []
    for turn in sample.turns:
        history = instruction.turn_query(sample, turn, history).conversation
        turns.append(told(history, scenario))
    assert turns == [
        [(IMAGE, 1), " What is it?"],
        ["And ", (IMAGE, 2), "?"],
        ["Which is larger?"],
    ]
    assert [turn.truth for turn in sample.turns] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question": "What?"}, "the column 'question' holds no list of texts"),
        ({"question": "[1, 2]"}, "the column 'question' holds no list of texts"),
        ({"question": "[__import__('os')]"}, "the column 'question' holds no list of texts"),
        ({"answer": '["one"]'}, "2 questions, and 1 answers"),
    ],
)
def test_malformed_conversations(put: Put, changes: dict[str, str], message: str) -> None:
    row = {"index": "1", "image": two_images(0), "question": '["a", "b"]', "answer": ""}
    put("MMDU", [{**row, **changes}])
    with pytest.raises(SampleError, match=message):
        benchmark("MMDU")[0]


def test_a_prompt_of_the_recipe_is_for_every_form_of_question(put: Put) -> None:
    put("MMStar", [{**ROW, "image": one_image(), "A": "", "B": ""}])
    scenario = benchmark("MMStar")
    own = Instruction(pool_of(scenario), defined_prompt="{question} Hm?")
    parts = told(own.query(scenario[0]).conversation, scenario)
    assert parts[-1] == "Hint: It purrs.\nQuestion: What is it? Hm?"


def test_the_forms_of_a_pool_are_among_the_wordings_that_a_run_is_known_by() -> None:
    pool = load_pool("vlmevalkit_natural")
    wordings = Instruction("vlmevalkit_natural").wordings
    assert {*pool.prompts, *pool.forms["yes_no"]} <= {*wordings}
    own = Instruction("vlmevalkit_natural", defined_prompt="{question}!").wordings
    assert own == ("{question}!", "{option}")
