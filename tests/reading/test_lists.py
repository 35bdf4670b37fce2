"""Lists and tables in which each option has a verdict: forms x words of verdicts x places."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from chef.reading.options import extract_option

#: Questions with their options, what lists call these instead, and what they say of each.
LISTS = (
    (
        "Which statement about the chart is true?",
        ["Sales fell in Q2", "Sales peaked in Q3", "Sales never passed 40", "Q1 and Q4 were equal"],
        ["Fell in Q2", "Highest in Q3", "Never above 40", "Q1 = Q4"],
        ["they rose from 22 to 31", "Q4 is higher", "the maximum is 38", "22 vs 38"],
    ),
    (
        "What is the animal on the left?",
        ["a horse", "a donkey", "a cow", "a zebra"],
        ["Horse", "Donkey", "Cow", "Zebra"],
        ["the ears are long", "long ears and grey coat", "no horns", "there are no stripes"],
    ),
)  # fmt: skip
VERDICTS = (
    ("✅", "❌"), ("✓", "✗"), ("Yes", "No"), ("True", "False"), ("correct", "wrong"),
    ("Supported", "Contradicted"), ("plausible", "not plausible"), ("Matches", "Does not match"),
    ("possible", "ruled out"), ("consistent", "inconsistent"),
)  # fmt: skip
FORMS: dict[str, Callable[[str, str, str, str], str]] = {
    "reason behind": lambda key, text, said, why: f"{key}. {text} – {said}: {why}.",
    "bold": lambda key, text, said, why: f"- **{key}) {text}**: {said} – {why}",
    "brackets": lambda key, text, said, why: f"{key}. {text} ({said}, {why})",
    "brackets at the end": lambda key, text, said, why: f"{key}. {text}: {why} ({said})",
    "arrow": lambda key, text, said, why: f"* {key}: {why} → {said}",
    "verdict first": lambda key, text, said, why: f"{key}: {said}, {why}.",
    "cell": lambda key, text, said, why: f"| {key} | {text} | {said} |",
    "cell before the reason": lambda key, text, said, why: f"| {key} | {text} | {said} | {why} |",
    "cell behind the reason": lambda key, text, said, why: f"| {key} | {text} | {why} | {said} |",
    "cell with the reason": lambda key, text, said, why: f"| {key}. {text} | {said} – {why} |",
    "sentence": lambda key, text, said, why: f"Option {key}: {why}. {said}.",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_option_that_a_list_approves_is_read(form: str) -> None:
    misread = []
    for (question, options, names, reasons), verdict, place in product(LISTS, VERDICTS, range(4)):
        for texts in (options, names):
            rows = zip("ABCD", texts, reasons, strict=True)
            lines = [
                FORMS[form](key, text, verdict[at != place], why)
                for at, (key, text, why) in enumerate(rows)
            ]
            if lines[0].startswith("|"):
                count = lines[0].count("|") - 1
                lines = ["|" + " head |" * count, "|" + "---|" * count, *lines]
            answer = "\n".join(lines)
            value = extract_option(answer, options, question=question).value
            if value != place:
                misread.append((answer, value))
    assert misread == []
