"""Random answers, rich in what the rules look at."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

LETTERS = "ABCDEFGH"
NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve nineteen twenty none "
    "twenty-one hundred"
)
PLAIN = (
    "a an the A An The dog cat ship man car dogs cars puppy person diningtable I it this that "
    "know knows nothing nobody yesterday note not No NO no yes Yes YES Nope cannot isn't dont "
    "don't wont well-known black-and-white Mr. U.S. D.C. e.g. image photo there left right "
    "smiling beach driver and or but of cm kg km/h m. % degrees"
)
VERDICTS = ("no", "not", "No", "NO", "yes", "Yes", "Yes,", "No,", "no.", "know", "nothing")
INDICATORS = ("is", "so", "So", "thus", "Thus", "therefore", "Therefore", "answer", "final")
FRAMES = (
    "The answer is {}",
    "the answer is {}.",
    "The answer is ({}).",
    "The answer is ({})",
    "ANSWER: {}",
    "Answer: {}.",
    "Assistant: {}",
    "{} ### {}",
    "It is {}, not {}",
    "{} or {}",
    "Option {} is right",
    "is {} so {}",
    "x = {}",
    "therefore {}",
    'A caption: "{}"',
    "'{}' and '{}'",
    'He said "{}" and "{}".',
    "The {} object is at {}",
    "It is classified as {}",
    "I don't know, {}",
)
LETTER_FORMS = (
    "{}",
    "({})",
    "({}",
    "({}).",
    "{}.",
    "{},",
    "{}:",
    "{})",
    "{}).",
    ":{}",
    ":{},",
    ": {}.",
    "[{}]",
    "({}){}",
    "{},{}",
)
MARKS = (";", "/", "[", "]", "{", "}", "(", ")", "=", "+", "\\", "_", "-", "<", ">", "@")
MARKS_2 = ("`", ",", "?", "!", "'", '"', ".", ":", "###", "...", "Assistant:")
JOINS = (" ", " ", " ", " ", ". ", ", ", "\n", "\t", "", "  ", "\n\n", ".\n", "-", " - ", ": ")


def letter(rng: random.Random) -> str:
    """A letter in one of the forms that answers give it, sometimes in lower case."""
    form = rng.choice(LETTER_FORMS)
    text = form.replace("{}", "\0").replace("\0", rng.choice(LETTERS), 1)
    text = text.replace("\0", rng.choice(LETTERS))
    return text.lower() if rng.random() < 0.1 else text


def number(rng: random.Random) -> str:
    """A number as digits, with commas, scientific, with a decimal part, or as a word."""
    whole = rng.randrange(30)
    forms: list[Callable[[], str]] = [
        lambda: str(whole),
        lambda: f"{whole}.",
        lambda: f"-{whole}",
        lambda: f"{rng.uniform(0, 30):.{rng.randrange(1, 5)}f}",
        lambda: f".{whole}",
        lambda: f"{rng.randrange(1, 100)},{rng.randrange(1000):03d}",
        lambda: f"{whole}e{rng.randrange(-3, 6)}",
        lambda: f"{whole}.5E+{rng.randrange(4)}",
        lambda: f"{whole}{rng.choice(('cm', ' kg', '%', ' dollars'))}",
        lambda: in_any_case(rng, rng.choice(NUMBER_WORDS.split())),
    ]
    return rng.choice(forms)()


def in_any_case(rng: random.Random, word: str) -> str:
    """A word as it is, with a capital, or in capitals."""
    return rng.choice((word, word, word.capitalize(), word.upper()))


def box(rng: random.Random) -> str:
    """Two to six coordinates in brackets, in order or not, or as patches."""
    if rng.random() < 0.15:
        first, second = rng.randrange(1057), rng.randrange(1057)
        return f"<object><patch_index_{first:04d}><patch_index_{second:04d}></object>"
    count = rng.choice((2, 3, 4, 4, 4, 4, 4, 6))
    values = [rng.random() for _ in range(count)]
    if count == 4 and rng.random() < 0.6:
        x1, x2 = sorted(values[::2])
        y1, y2 = sorted(values[1::2])
        values = [x1, y1, x2, y2]
    separator = rng.choice((", ", ", ", ",", " "))
    text = separator.join(f"{value:.{rng.randrange(1, 4)}f}" for value in values)
    opening, closing = rng.choice(("[]", "[]", "()", "  ", "[)", "<>"))
    return f"{opening}{text}{closing}"


def part_of(rng: random.Random, text: str) -> str:
    """A text in another case, a run of its words or letters, or a text that holds it."""
    words = text.split()
    start = rng.randrange(len(words)) if words else 0
    cut = rng.randrange(len(text) + 1)
    return rng.choice(
        (
            text,
            text,
            text.lower(),
            text.upper(),
            f"{text}.",
            f'"{text}"',
            f"({text})",
            f"un{text}s",
            " ".join(words[start : start + 2]),
            text[:cut],
        )
    )


def kinds(rng: random.Random, choices: Sequence[str]) -> list[Callable[[], str]]:
    """The ways to one small piece of an answer."""
    plain = PLAIN.split()
    ways: list[Callable[[], str]] = [
        lambda: letter(rng),
        lambda: letter(rng),
        lambda: number(rng),
        lambda: in_any_case(rng, rng.choice(plain)),
        lambda: rng.choice(plain),
        lambda: rng.choice(INDICATORS),
        lambda: rng.choice(VERDICTS),
        lambda: rng.choice(("5", "3", "12", "42", "no 5")),
        lambda: rng.choice(MARKS + MARKS_2),
        lambda: box(rng),
    ]
    if choices:
        ways += [lambda: part_of(rng, rng.choice(choices))] * 3
    return ways


def framed(rng: random.Random, ways: Sequence[Callable[[], str]]) -> str:
    """A usual phrase about small pieces."""
    text = rng.choice(FRAMES)
    while "{}" in text:
        # Pieces may hold braces themselves: two of them in a row are never left standing.
        text = text.replace("{}", rng.choice(ways)().replace("{}", "{ }"), 1)
    return text


def answer(rng: random.Random, choices: Sequence[str]) -> str:
    """One answer: now and then empty or a single piece, mostly several pieces joined."""
    return joined(rng, kinds(rng, choices))


def joined(rng: random.Random, ways: Sequence[Callable[[], str]]) -> str:
    """An answer of pieces, each made in one of these ways."""
    count = rng.choice((0, 1, 1, 1, 2, 2, 3, 4, 5, 8, 12))
    pieces = []
    for _ in range(count):
        pieces.append(framed(rng, ways) if rng.random() < 0.3 else rng.choice(ways)())
        pieces.append(rng.choice(JOINS))
    text = "".join(pieces[:-1])
    if rng.random() < 0.1:
        text = rng.choice((f" {text}", f"{text}\n", f"{text}.", f"{text} "))
    return text


def answers(seed: int, count: int, choices: Sequence[str] = ()) -> list[str]:
    """So many answers, the same for the same seed; some name the choices or parts of them."""
    rng = random.Random(seed)
    ways = kinds(rng, choices)
    return [joined(rng, ways) for _ in range(count)]
