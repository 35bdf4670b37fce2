"""Whatever stands before it, a marked answer is read; and what only repeats the prompt is none."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from chef.reading.numbers import extract_number
from chef.reading.options import extract_option
from chef.reading.verdicts import extract_verdict

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "fresh").glob("answers*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
#: Answers with a mark of their own, or with further questions, which contradict a second one.
MARKED = re.compile(
    r"boxed|<\w|\|>|[{`#?？]|\banswer|final|conclusion|correct|choice"
    r"|\boption|so the|resp|答|正|답",
    re.IGNORECASE,
)
FORMS = (
    "\n\nFinal answer: {}",
    "\n\nThe answer is {}.",
    "\n\n\\boxed{{{}}}",
    "\n\n**Answer: {}**",
    "\n\n<answer>{}</answer>",
    "\n\nSo the final answer is **{}**.",
    "\n\n### Final Answer\n{}",
    "\n\nTherefore, the correct answer is {}.",
)
ECHOES = (
    "{question}\n{options}",
    "Question: {question}\nOptions:\n{options}\nAnswer:",
    "{question}\n{options}\nAnswer with the option's letter from the given choices directly.",
)


def read(row: dict[str, Any], answer: str) -> Any:
    """The key, the verdict or the number that an answer to the question of a row gives."""
    if row["kind"] == "options":
        keys, texts = list(row["options"]), list(row["options"].values())
        place = extract_option(answer, texts, labels=keys, question=row["question"]).value
        return None if place is None else keys[place]
    if row["kind"] == "yes_no":
        return extract_verdict(answer, question=row["question"]).value
    return extract_number(answer, question=row["question"]).value


def other(row: dict[str, Any], rng: random.Random) -> tuple[str, Any]:
    """Another answer than that of a row, as text and as reading."""
    if row["kind"] == "options":
        key = rng.choice([key for key in row["options"] if key != row["reading"]])
        return key, key
    if row["kind"] == "yes_no":
        return ("No", "no") if row["reading"] == "yes" else ("Yes", "yes")
    number = rng.choice([7, 23, 1450, 3.5])
    return str(number), number


@pytest.mark.parametrize("kind", ["options", "yes_no", "number"])
def test_a_marked_answer_is_read_behind_any_words(kind: str) -> None:
    rng = random.Random(kind)
    rows = [row for row in ROWS if row["kind"] == kind and not MARKED.search(row["answer"])]
    misread = []
    for row in rng.sample(rows, 120):
        for form in FORMS:
            text, reading = other(row, rng)
            answer = row["answer"] + form.format(text)
            if read(row, answer) != reading:
                misread.append((answer, reading, read(row, answer)))
    assert misread == []


def test_the_repeated_prompt_is_no_answer() -> None:
    rng = random.Random(3)
    rows = [row for row in ROWS if row["kind"] == "options"]
    misread = []
    for row in rng.sample(rows, 400):
        options = "\n".join(f"{key}. {text}" for key, text in row["options"].items())
        for form in ECHOES:
            answer = form.format(question=row["question"], options=options)
            if read(row, answer) is not None:
                misread.append((answer, read(row, answer)))
            key = rng.choice(list(row["options"]))
            if read(row, f"{answer}\n{key}") != key:
                misread.append((f"{answer}\n{key}", read(row, f"{answer}\n{key}")))
    assert misread == []


#: What prompts ask for behind their question, by kind.
REQUESTS = {
    "options": (
        "\n{options}\nAnswer with the option's letter from the given choices directly.",
        "\nOptions:\n{options}\nPlease select the correct answer from the options above.\n",
        "\nChoices:\n{options}\nHint: Please answer the question and provide the correct letter.",
        "\nAnswer the question using a single word or phrase.",
    ),
    "yes_no": (" Please answer yes or no.", "\nAnswer with Yes or No only, and explain briefly."),
    "number": (
        " Reply with a number.",
        "\nPlease provide the final value, e.g., 1, 2, 3, at the end.",
    ),
}


@pytest.mark.parametrize("kind", sorted(REQUESTS))
def test_what_a_prompt_asks_for_changes_no_reading(kind: str) -> None:
    rows = [row for row in ROWS if row["kind"] == kind]
    changed = []
    for place, row in enumerate(random.Random(4).sample(rows, 250)):
        options = "\n".join(f"{key}. {text}" for key, text in (row.get("options") or {}).items())
        request = REQUESTS[kind][place % len(REQUESTS[kind])].format(options=options)
        asked = {**row, "question": row["question"] + request}
        if read(asked, row["answer"]) != read(row, row["answer"]):
            changed.append((row["question"], request, row["answer"]))
    assert changed == []


def test_a_repeated_question_is_no_answer() -> None:
    assert read({"kind": "yes_no", "question": "Is the door open?"}, "Is the door open?") is None
    assert read({"kind": "yes_no", "question": "Is the door open?"}, "Is the door open? No") == "no"
    row = {"kind": "number", "question": "How many of the 5 cups are red?"}
    assert read(row, "How many of the 5 cups are red?") is None
    assert read(row, "Question: How many of the 5 cups are red?\n2") == 2


def test_options_without_labels_are_no_list() -> None:
    cars = ["a red car", "a blue car"]
    assert extract_option("Please choose the blue one", cars, labels=[]).value == 1
    assert extract_option("Answer: a red car", cars, labels=[]).value == 0
