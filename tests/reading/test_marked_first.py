"""What an answer marks itself is read first, whatever words stand in the list before it."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from chef.reading.options import extract_option
from chef.reading.verdicts import extract_verdict

TEXTS = ["the cat", "the dog", "the bird", "the fish"]
FORMS = [
    "- **{letter}. {text}**: {said}",
    "{letter}) {text} - {said}",
    "| {letter} | {text} | {said} |",
]
#: Words that approve an option elsewhere, as the last of its line.
SAID = {
    "right": "on the right", "fits": "only a small one fits", "best": "it is seen best",
    "true": "the colours look true", "match": "lit by a match", "ok": "the light is ok",
}  # fmt: skip
CLOSINGS = [
    "The correct answer is **{letter}**.", "\\boxed{{{letter}}}", "<answer>{letter}</answer>",
    "Final Answer: {letter}", "**{letter}**", "So the answer is {letter}.", "Answer: ({letter})",
    '{{"answer": "{letter}"}}',
]  # fmt: skip
ORDERS = list(permutations(range(4)))[::6]
LETTERS = "ABCD"


def listed(form: str, order: tuple[int, ...], last: str, place: int) -> str:
    """A list of the options in an order, the one at ``place`` with ``last`` behind it."""
    return "\n".join(
        form.format(
            letter=LETTERS[at], text=TEXTS[item], said=last if at == place else "on the left side"
        )
        for at, item in enumerate(order)
    )


@pytest.mark.parametrize("word", SAID)
def test_a_word_in_a_list_overrules_no_statement(word: str) -> None:
    misread = []
    for form, order, closing, chosen in product(FORMS, ORDERS, CLOSINGS, range(4)):
        texts = [TEXTS[item] for item in order]
        place = (chosen + 1 + ORDERS.index(order) % 3) % 4
        for end in ("", "."):
            answer = listed(form, order, SAID[word] + end, place)
            answer += "\n\n" + closing.format(letter=LETTERS[chosen])
            if extract_option(answer, texts).value != chosen:
                misread.append(answer)
    assert misread == []


@pytest.mark.parametrize("word", SAID)
@pytest.mark.parametrize("form", FORMS)
def test_such_a_word_alone_marks_no_line(word: str, form: str) -> None:
    for order, place in product(ORDERS, range(4)):
        answer = listed(form, order, f"{SAID[word]}.", place)
        assert extract_option(answer, [TEXTS[item] for item in order]).value is None


SIGNS = ["✓", "✔", "✅", "☑", "[x]"]
CROSSES = ["✗", "", "❌", "☐", "[ ]"]


@pytest.mark.parametrize(("sign", "cross"), zip(SIGNS, CROSSES, strict=True))
@pytest.mark.parametrize("form", [*FORMS, "- {said} {letter}. {text}"])
def test_a_check_mark_is_one(sign: str, cross: str, form: str) -> None:
    for order, place in product(ORDERS, range(4)):
        lines = [
            form.format(letter=LETTERS[at], text=TEXTS[item], said=sign if at == place else cross)
            for at, item in enumerate(order)
        ]
        answer = "\n".join(lines)
        assert extract_option(answer, [TEXTS[item] for item in order]).value == place, answer


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("\\boxed{A}. Hmm, B has whiskers, too.", 0),
        ("<answer>A</answer> Wait, let me look again: it is B.", 0),
        ("\\boxed{A} No, wait: \\boxed{B}", 1),
        ("The answer is A. Scrap that, B.", 1),
        ("The answer is A. Scrap that, it is the dog.", 1),
        ("Final answer: A\n\nThe dog fits the chair best.", 0),
        ("\\boxed{A} \\boxed{B}", None),
    ],
)
def test_only_a_mark_of_the_same_strength_overrules_one(answer: str, value: int | None) -> None:
    assert extract_option(answer, TEXTS).value == value


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("<answer>yes</answer> Actually, there is no dog.", "yes"),
        ("There is no dog on the left.\nThe answer is yes.", "yes"),
        ("The answer is yes. Scrap that, no.", "no"),
        ("I see no cat.\n\nFinal answer: Yes", "yes"),
    ],
)
def test_verdicts_keep_the_same_order(answer: str, value: str) -> None:
    assert extract_verdict(answer, "Is there a dog?").value == value
