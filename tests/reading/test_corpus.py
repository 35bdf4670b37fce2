"""Answers are read as careful people read them, whatever letter they choose."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def _benchmark() -> ModuleType:
    """``benchmarks/reading.py``, which reads the corpus and compares."""
    spec = importlib.util.spec_from_file_location(
        "reading_benchmark", ROOT / "benchmarks" / "reading.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its own module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


bench = _benchmark()
CASES = bench.corpus()


@cache
def verdicts(kind: str) -> list[tuple[str | None, bool, str]]:
    """For each reading: the right letter, whether there is an answer, and the verdict."""
    return [
        (case.right if kind == "option" else None, case.right not in (None, []), found)
        for first in CASES
        if first.kind == kind
        for case in bench.rotations(first)
        for found in [bench.verdict(case, bench.reading(case))]
    ]


@pytest.mark.parametrize(
    ("kind", "wrong", "unread"),
    # The bounds are a little above what was measured when the rules were last changed.
    [
        ("option", 0.005, 0.05),
        ("yesno", 0.01, 0.03),
        ("number", 0.01, 0.02),
        ("boxes", 0.02, 0.03),
        ("open", 0.05, 0.05),
    ],
)
def test_few_answers_are_read_wrong_or_not_at_all(kind: str, wrong: float, unread: float) -> None:
    found = verdicts(kind)
    count = Counter(verdict for _, _, verdict in found)
    answered = sum(has_answer for _, has_answer, _ in found)
    assert count["wrong"] / len(found) <= wrong
    assert count["unread"] / answered <= unread


def test_no_letter_is_read_better_than_another() -> None:
    rates = []
    for letter in "ABCD":
        found = [verdict for right, _, verdict in verdicts("option") if right == letter]
        assert len(found) > 400
        rates.append(found.count("right") / len(found))
    assert max(rates) - min(rates) <= 0.01


def test_the_corpus_is_large_and_has_answers_of_every_kind() -> None:
    count = Counter(case.kind for case in CASES)
    assert sum(count.values()) >= 1000
    assert set(count) == {"option", "yesno", "number", "boxes", "open"}
    assert len({case.id for case in CASES}) == len(CASES)


def test_permuting_the_options_and_their_letters_permutes_the_reading() -> None:
    for case in CASES:
        if case.kind != "option" or case.fixed or not case.labels:
            continue
        before = bench.reading(case)
        for seed in range(3):
            places = list(range(len(case.options)))
            random.Random(f"{case.id} {seed}").shuffle(places)
            moved = bench.permuted(case, places)
            index = None if before is None else places[case.labels.index(before)]
            expected = None if index is None else case.labels[index]
            assert bench.reading(moved) == expected, moved
