"""Answers of 160 kB: each is read in under a second, its start and its end, and that is said."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from chef.metric.counting import Counting
from chef.metric.detection.lamm import parse_sentences
from chef.metric.vqa.accuracy import Accuracy
from chef.reading.boxes import parse_boxes
from chef.reading.excerpt import HEAD, LONGEST, excerpt, left_out
from chef.reading.free_answers import compare
from chef.reading.names import mentioned_labels
from chef.reading.numbers import extract_number
from chef.reading.open_answers import open_matches
from chef.reading.options import extract_option
from chef.reading.points import parse_patches, parse_points
from chef.reading.rules import chef_boxes, chef_options, chef_texts
from chef.reading.rules.vqa_normal import chef_normal
from chef.reading.verdicts import extract_verdict
from chef.reading.words import quoted
from chef.types import Prediction, Status

SIZE = 160_000
#: An idle core needs less than half a second for each; the machine of a test may be busy.
SECONDS = 20.0
_RNG = random.Random(0)
_WORDS = """
    the cat sat on a red bus near two dogs and it is not yes no answer option but wait so B A (C)
    3 4.5 maybe actually
""".split()  # noqa: SIM905
PIECES = {
    "options": "(A) a cat (B) a dog (C) a bird (D) a fish ",
    "corrections": "The answer is A. No, wait, B. ",
    "digits": "1234567890",
    "numbers": "1, 2, 3 and ",
    "closed brackets": "[0.1,0.2,0.3,0.4] cat ",
    "open brackets": "[({",
    "objects": "<object><patch_index_0001>",
    "json": '{"answer": ',
    "not": "not ",
    "quotes": '"',
    "Chinese": "我选不是的红色答案是",
    "newlines": "\n",
    "commas": "red, ",
    "there is": "there is no dog but there is not a cat ",
}
TEXTS = {name: (piece * SIZE)[:SIZE] for name, piece in PIECES.items()} | {
    "babble": " ".join(_RNG.choice(_WORDS) for _ in range(SIZE))[:SIZE],
    "nested brackets": "[" * (SIZE // 2) + "]" * (SIZE // 2),
    "digits and a comma": "1" * SIZE + ",",
}
ANIMALS = ["a cat", "a dog", "a bird", "a fish"]
READERS: dict[str, Callable[[str], object]] = {
    "option": lambda text: extract_option(text, ANIMALS, question="What is it?"),
    "verdict": lambda text: extract_verdict(text, "Is there a dog?"),
    "number": lambda text: extract_number(text, "How many dogs are there?"),
    "free answer": lambda text: compare(text, ["red"], "What color is the bus?"),
    "quantity": lambda text: compare(text, ["5 km"], "How long is it?"),
    "open answer": lambda text: open_matches(text, ["red"]),
    "boxes": parse_boxes,
    "points": parse_points,
    "patches": parse_patches,
    "sentences": parse_sentences,
    "labels": lambda text: mentioned_labels(text, ["cat", "dog"]),
    "quotes": quoted,
    "ChEF's boxes": chef_boxes.boxes_in,
    "ChEF's patches": chef_boxes.patch_boxes,
    "ChEF's options": lambda text: chef_options.cascade(text, ANIMALS),
    "ChEF's open answers": lambda text: chef_texts.chef_open_answer(text, ["red", "5"]),
    "ChEF's quotes": chef_texts.quoted_by_any,
    "ChEF's verdicts": chef_texts.substring_verdict,
    "ChEF's normal form": chef_normal,
    "LAMM's words": chef_texts.lamm_words,
}


@pytest.mark.parametrize("reader", READERS)
def test_no_answer_takes_long(reader: str) -> None:
    read = READERS[reader]
    read("warm")  # patterns are compiled, and packages imported, on first use
    slow = {}
    for name, text in TEXTS.items():
        begin = time.process_time()
        read(text)
        if (took := time.process_time() - begin) > SECONDS:
            slow[name] = took
    assert not slow


def test_a_long_answer_is_read_at_its_start_and_at_its_end() -> None:
    noise = "cat and dog are here. " * 10_000
    assert extract_option(f"The answer is B.\n{noise}", ANIMALS).value == 1
    assert extract_number(f"{noise}\nThe answer is 7.").value == 7
    assert extract_verdict(f"{noise}\nThe answer is yes.").value == "yes"
    assert len(parse_boxes(f"{noise} dog [0.1, 0.2, 0.3, 0.4]")) == 1
    half = "the cat sat on a mat. " * 5_000
    assert extract_number(f"{half}\nThe answer is 7.\n{half}").value is None


def test_the_place_of_what_was_read_is_one_in_the_whole_answer() -> None:
    answer = "the cat sat on a mat. " * 5_000 + "\nThe answer is 7."
    span = extract_number(answer).span
    assert span is not None
    assert answer[slice(*span)] == "7"


def test_nothing_is_made_of_two_halves_where_the_middle_is_left_out() -> None:
    text = "1" * SIZE
    assert excerpt(text) == "1" * HEAD + "\n" + "1" * (LONGEST - HEAD)
    assert excerpt("x" * LONGEST) == "x" * LONGEST


def test_what_does_not_count_is_not_left_out_of_the_reading() -> None:
    answer = "7" + "\n" * SIZE
    assert left_out(answer) == 0
    assert extract_number(answer).value == 7


@pytest.mark.parametrize("metric", [Counting, Accuracy])
def test_the_evidence_says_how_much_was_not_read(metric: type[Counting | Accuracy]) -> None:
    sample = {"id": "1", "question": "How many?", "gt_answers": 7}
    long = "word and word " * 2_000 + "The answer is 7."
    answers = {"1": long, "2": "The answer is 7."}
    report = metric().evaluate(
        [Prediction(name, Status.OK, text, sample=sample) for name, text in answers.items()]
    )
    first, second = report.samples
    assert first["evidence"]["left_out"] == len(long) - LONGEST
    assert "left_out" not in second["evidence"]
    assert first["metric_result"] == second["metric_result"]
