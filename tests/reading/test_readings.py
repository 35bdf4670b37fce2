"""Short answers with their readings: numbers, verdicts and open questions.

They were written with the rules at hand, to find what these miss; `corpus` is the fair sample.
"""

import json
import time
from pathlib import Path

import pytest

from chef.reading.final import final_text
from chef.reading.numbers import extract_number
from chef.reading.verdicts import extract_verdict

READERS = {
    "number": lambda answer, question: extract_number(answer, question).value,
    "yesno": lambda answer, question: extract_verdict(answer, question).value,
    "open": final_text,
}
LINES = [
    json.loads(line)
    for line in Path(__file__).with_name("readings.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("kind", READERS)
def test_answers_are_read_as_a_person_reads_them(kind):
    lines = [line for line in LINES if line["kind"] == kind]
    read = [READERS[kind](line["answer"], line["question"]) for line in lines]
    wrong = [
        (line["answer"], line["question"], value, line["right"])
        for line, value in zip(lines, read, strict=True)
        if value != line["right"] and value != pytest.approx(line["right"])
    ]
    assert not wrong


BABBLE = [
    "a ", "1 ", "1 and ", "no ", "not yes, but ", "if ", "maybe. ", "1. a\n", "=1+", "1/", "12:",
    "there is ", "is ", "( ", "\n", " .", '{"a": 1, ', "\\boxed{1} ", "没有", "三只", "answer: ",
    "wait ", "I cannot see ", "dog ", "x=1\n", "| 1 ", "(1) ", "Sorry, ", "neither ",
]  # fmt: skip


@pytest.mark.parametrize("unit", BABBLE)
def test_a_model_that_babbles_costs_no_more_than_a_moment(unit):
    text = (unit * 20_000)[:20_000]
    start = time.process_time()
    extract_number(text, "How many dogs are there?")
    extract_verdict(text, "Is there a red dog in the image?")
    final_text(text, "What is it?")
    assert time.process_time() - start < 60
