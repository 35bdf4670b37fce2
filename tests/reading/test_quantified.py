"""Questions of all things of a kind, and answers of some of them."""

from __future__ import annotations

import pytest

from chef.reading.verdicts import extract_verdict

CASES = [
    (
        "Are both skiers wearing helmets?",
        "The one on the left is wearing a helmet. So only one of the skiers is wearing a helmet.",
        "no",
    ),
    ("Are both skiers wearing helmets?", "So only one of the skiers is wearing a helmet.", "no"),
    ("Are both skiers wearing helmets?", "Only one of them is wearing a helmet.", "no"),
    ("Are both skiers wearing helmets?", "Just one skier wears a helmet.", "no"),
    ("Are both skiers wearing helmets?", "The two skiers are wearing helmets.", "yes"),
    ("Are both skiers wearing helmets?", "Each of them wears a helmet.", "yes"),
    ("Are all the lights on?", "Only two of the lights are on.", "no"),
    ("Are all the lights on?", "Two of the three lights are on; the third is off.", "no"),
    ("Are all the lights on?", "Every light is on.", "yes"),
    ("Are all the lights on?", "Most of the lights are on.", "no"),
    ("Are all the windows closed?", "One window is open.", "no"),
    ("Are all the windows closed?", "All of them are closed.", "yes"),
    ("Sind alle Fenster geschlossen?", "Nur zwei Fenster sind geschlossen.", "no"),
    ("Is everyone wearing a hat?", "Only the man on the left is wearing a hat.", "no"),
    ("Do all of the bars exceed 50?", "Three of the four bars exceed 50.", "no"),
]


@pytest.mark.parametrize(("question", "answer", "verdict"), CASES)
def test_what_holds_of_some_does_not_hold_of_all(
    question: str, answer: str, verdict: str | None
) -> None:
    assert extract_verdict(answer, question).value == verdict


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the dog black?", "Only one of the dogs is black."),
        ("Are two of the windows closed?", "Two of the three windows are closed."),
    ],
)
def test_other_questions_may_be_of_some(question: str, answer: str) -> None:
    assert extract_verdict(answer, question).value != "no"
