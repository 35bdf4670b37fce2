"""Quantities and short mathematics: one value however it is written, and no value of another."""

from __future__ import annotations

import pytest

from chef.metric.vqa.open_answers import VQAAccuracy
from chef.reading.boxes import parse_boxes
from chef.reading.free_answers import compare
from chef.reading.mathematics import expression_value, term
from chef.reading.numbers import extract_number
from chef.reading.options import extract_option

DEGREES = ["45°", "30°", "60°", "90°"]
MULTIPLES = [r"$8\pi$", r"$4\pi$", "16π", "2"]
ROOTS = ["3√2", "2√3", "6", "√6"]
LENGTHS = ["14 cm", "12 cm", "16 cm", "18 cm"]
READ = [
    (DEGREES, [r"\boxed{30^\circ}", r"$30^\circ$", "30 degrees", "30", r"30^{\circ}"]),
    (MULTIPLES, [r"4\pi", "4π", r"\boxed{4\pi}", "4 pi", r"The answer is $4\pi$."]),
    (ROOTS, [r"2\sqrt{3}", r"$2\sqrt{3}$", r"\boxed{2\sqrt{3}}", "2√3", r"$\sqrt{12}$"]),
    (LENGTHS, ["12", "12cm", r"\boxed{12}", "The length is 12.", r"$12\text{ cm}$"]),
]


@pytest.mark.parametrize(
    ("options", "answer"), [(options, answer) for options, answers in READ for answer in answers]
)
def test_an_option_in_mathematics_is_read_however_it_is_written(
    options: list[str], answer: str
) -> None:
    for shift in range(len(options)):
        turned = [*options[shift:], *options[:shift]]
        assert extract_option(answer, turned).value == turned.index(options[1])


def test_a_result_with_its_calculation_in_brackets_is_the_result() -> None:
    question = "What is the difference between the two bars?"
    answer = "The difference between the two bars is approximately 0.57 (1.23 - 0.66)."
    assert compare(answer, ["0.57"], question).right
    assert extract_number(answer, question).value == 0.57


def test_a_decimal_point_without_a_zero_is_no_whole_number() -> None:
    sample = {"id": "1", "question": "How much?", "gt_answers": ["5"] * 10}
    scores = [
        VQAAccuracy("").score_sample({**sample, "answer": answer})["metric_result"]
        for answer in ("5", ".5")
    ]
    assert scores == [1, 0]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("He doesn't have one.", None), ("There weren't 4, only 3.", 3),
        ("Unlike the 54 of last year, it is 31.", 31), ("It is 31, compared with 54 before.", 31),
        ("Rather than 6, I see 5.", 5), ("I see 5 instead of 6.", 5), ("3 is wrong. It is 4.", 4),
        ("There are not 3 dogs but 5 dogs.", 5), ("No fewer than 6.", 6),
    ],
)  # fmt: skip
def test_a_number_that_is_denied_or_compared_with_does_not_count(
    answer: str, value: float | None
) -> None:
    assert extract_number(answer).value == value


@pytest.mark.parametrize("words", ["Therefore", "Thus", "Donc", "Portanto", "Значит", "In the end"])
def test_what_a_conclusion_names_is_the_number(words: str) -> None:
    assert extract_number(f"I see 3 cups here and 4 cups there. {words} 7 cups.").value == 7


@pytest.mark.parametrize("words", ["Wait", "Scrap that", "Correction", "Sorry", "Hmm, actually"])
def test_a_box_is_corrected_by_the_words_that_correct_every_answer(words: str) -> None:
    text = f"The dog is at [1, 2, 3, 4]. {words}, the dog is at [5, 6, 7, 8]."
    assert [box.bbox for box in parse_boxes(text)] == [(5.0, 6.0, 7.0, 8.0)]


def test_boxes_of_an_invented_turn_are_none_of_the_answer() -> None:
    assert (
        len(parse_boxes("dog [1, 2, 3, 4]\nUser: and the cat?\nAssistant: cat [5, 6, 7, 8]")) == 1
    )


def test_boxes_of_xml_have_the_label_before_or_behind_them_and_images_a_size() -> None:
    box = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox>"
    size = "<size><width>500</width><height>300</height><depth>3</depth></size>"
    for inner in (f"<name>dog</name>{box}", f"{box}<name>dog</name>"):
        found = parse_boxes(f"<annotation>{size}<object>{inner}</object></annotation>")
        assert [(item.label, item.bbox) for item in found] == [("dog", (1.0, 2.0, 3.0, 4.0))]


def test_one_form_and_one_value_of_a_term() -> None:
    assert term(r"\frac{\sqrt{3}}{2}") == "√3/2"
    assert expression_value(r"\frac{\sqrt{3}}{2}") == pytest.approx(3**0.5 / 2)
    assert expression_value("4x") is None
