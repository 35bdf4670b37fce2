"""MMMU (sections 9.6 and 15)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Open: these are the reference's examples. The published code of the benchmark, which the rule
# comes from, has others, each with the space behind it.
INDICATORS = ("is", "so", "thus", "therefore", "answer")
PUBLISHED_INDICATORS = (
    "could be ",
    "so ",
    "is ",
    "thus ",
    "therefore ",
    "final ",
    "answer ",
    "result ",
)

COMMA_NUMBER = r"-?\b\d{1,3}(?:,\d{3})+\b"
SCIENTIFIC_NUMBER = r"-?\d+(?:\.\d+)?[eE][+-]?\d+"
# Open: a simple number is not the start of one of the other two forms, and a whole one ends
# where a word would ("5cm" holds none), as in the published code of the benchmark.
SIMPLE_NUMBER = r"-?(?:\d+\.\d+|\.\d+|\d+\b)(?![eE][+-]?\d+)(?![,\d])"


class MMMURow(NamedTuple):
    """One question: `gold` is a letter where there are options."""

    subject: str
    answer: str
    options: Sequence[str]
    gold: str


def mmmu_choice(answer: str, options: Sequence[str], rng: random.Random) -> str:
    """9.6, multiple choice: `rng` is the one stream of random letters, seeded with 42 (D31)."""
    # Open: the marks are stripped from both ends one after the other in the order listed, and
    # the text is padded, so that a letter at either end has its spaces.
    text = answer
    for mark in ",.!?;:'":
        text = text.strip(mark)
    text = f" {text} "
    letters = NAMES[: len(options)]
    for form in ("({})", " {} "):
        held = [letter for letter in letters if form.format(letter) in text]
        if held:
            return max(held, key=lambda letter: text.rfind(form.format(letter)))
    if len(text.split()) > 5:
        # Open: contents are compared without regard to case.
        lowered = text.lower()
        places = [place for place, option in enumerate(options) if option.lower() in lowered]
        if places:
            return NAMES[max(places, key=lambda place: lowered.rfind(options[place].lower()))]
    return rng.choice(letters)


def tails(answer: str, indicators: Sequence[str] = INDICATORS) -> list[str]:
    """9.6 and 15: per line the shortest tail after an indicator; the text if there is none."""
    # Open: the text is lower-cased before it is looked at, so that its sentence ends can no
    # longer be told by a capital: lines alone are split (15 speaks of lines, 9.6 of sentence
    # ends too).
    text = answer.strip().strip(".").lower()
    lines = text.split("\n")
    kept = []
    for place, line in enumerate(lines):
        words = [*indicators, "="] if place == len(lines) - 1 else list(indicators)
        found = [line.split(word)[-1].strip() for word in words if word in line]
        # Open: an empty tail gives way to the next one (as in the published code), and one that
        # is a mark alone is no answer.
        if found:
            shortest = found[0]
            for tail in found[1:]:
                if not shortest or len(tail) < len(shortest):
                    shortest = tail
            if shortest and shortest not in [":", ",", ".", "!", "?", ";", "'"]:
                kept.append(shortest)
    return kept or [text]


def numbers_in(text: str) -> list[str]:
    """9.6: every number with commas, in scientific form, or simple."""
    return [
        number
        for form in (COMMA_NUMBER, SCIENTIFIC_NUMBER, SIMPLE_NUMBER)
        for number in re.findall(form, text)
    ]


def normalised(text: str) -> list[str | float]:
    """9.6: a number to two decimals; else lower case, one character padded on either side."""
    text = text.strip()
    try:
        return [round(float(text.replace(",", "")), 2)]
    except ValueError:
        lowered = text.lower()
    return [f" {lowered}", f"{lowered} "] if len(lowered) == 1 else [lowered]


def mmmu_open_predictions(answer: str, indicators: Sequence[str] = INDICATORS) -> list[str | float]:
    """9.6 and 15, open questions: all that the answer may mean, each once."""
    parts = tails(answer, indicators)
    parts = parts + [number for part in parts for number in numbers_in(part)]
    every = [form for part in parts for form in normalised(part)]
    return list(dict.fromkeys(every))


def mmmu_open_right(
    answer: str, gold: str | Sequence[str], indicators: Sequence[str] = INDICATORS
) -> bool:
    """9.6, open questions: a gold text is in a predicted one, or the numbers are equal.

    A gold that is the text of a list is not parsed (D31): pass it as the string it is.
    """
    golds = [gold] if isinstance(gold, str) else list(gold)
    wanted = [form for text in golds for form in normalised(text)]
    for prediction in mmmu_open_predictions(answer, indicators):
        for form in wanted:
            if isinstance(form, str) and isinstance(prediction, str):
                if form in prediction:
                    return True
            elif form == prediction:
                return True
    return False


def mmmu_figures(rows: Sequence[MMMURow], rng: random.Random) -> dict[str, dict[str, float]]:
    """9.1 and 9.6: per subject and overall; questions without options are open."""
    verdicts: dict[str, list[bool]] = {}
    for row in rows:
        if row.options:
            right = mmmu_choice(row.answer, row.options, rng) == row.gold
        else:
            right = mmmu_open_right(row.answer, row.gold)
        verdicts.setdefault(row.subject, []).append(right)
    figures: dict[str, dict[str, float]] = {}
    for subject, rights in verdicts.items():
        figures[subject] = {
            "acc": sum(rights) / len(rights) * 100,
            "correct_nums": sum(rights),
            "sample_nums": len(rights),
        }
    # Open: the overall accuracy is over samples, not over subjects.
    every = [right for rights in verdicts.values() for right in rights]
    figures["Overall"] = {"acc": sum(every) / len(every) * 100, "sample_nums": len(every)}
    return figures
