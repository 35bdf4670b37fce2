"""No text from outside takes more time than in proportion to its length.

Every function of `linear.py` reads an eighth of a megabyte of the character, and of the pattern,
that it takes longest over. Where half a megabyte could take long, it reads that too, and is held
against the eighth. Only the processor's time counts, so a busy machine changes nothing. Which text
is the worst is measured on short ones: what grows with the square of the length is far ahead there.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest
from attack.linear import CHARACTERS, READERS, Reader, Worst, text_of

SHORT, QUARTER, WHOLE = 4_000, 125_000, 500_000
#: How many times as long the whole takes as a quarter where time grows with the square of it.
SQUARE = (WHOLE / QUARTER) ** 2
#: A linear function takes four times as long over four times the text, and a quadratic one sixteen
#: times; what a cache no longer holds takes longer.
GROWTH = 8.0
#: Seconds of the processor for the whole; those of an idle core are far below.
SECONDS = 20.0
#: What takes less is not compared: half a million steps squared take an hour.
COMPARED = 1.5
#: How often a growth that is too much is measured.
TRIES = 4


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """In place of the limit of the other tests: seconds of the processor, not of the clock."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"took more than {SECONDS} s of the processor")

    before = signal.signal(signal.SIGPROF, stop)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def seconds(reader: Reader, worst: Worst, size: int) -> float:
    text = text_of(worst, size)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    begin = time.process_time()
    reader.read(text)
    took = time.process_time() - begin
    signal.setitimer(signal.ITIMER_PROF, 0)
    return took


def growth(reader: Reader, worst: Worst, compared: float = COMPARED) -> float:
    """How many times as long a text takes as a quarter of it; 0 where it takes no time.

    That is no more than ``compared`` seconds of the processor; a quarter that takes a sixteenth of
    them is enough to know, even where the time grows with the square of the length.

    What is too much is measured again, each length at its fastest: a machine that runs short of
    memory or is shared with others lengthens one of them now and then, and a square both.
    """
    whole, quarter = float("inf"), float("inf")
    for _ in range(TRIES):
        quarter = min(quarter, seconds(reader, worst, QUARTER))
        if quarter <= compared / SQUARE:
            return 0.0
        whole = min(whole, seconds(reader, worst, WHOLE))
        if whole <= compared:
            return 0.0
        if whole < GROWTH * quarter:
            break
    return whole / quarter


def slowest(reader: Reader, texts: tuple[Worst, ...]) -> Worst:
    return max(texts, key=lambda worst: seconds(reader, worst, SHORT))


@pytest.mark.parametrize("name", READERS)
def test_a_text_takes_four_times_as_long_as_a_quarter_of_it(name: str) -> None:
    reader = READERS[name]
    reader.read("warm")  # patterns are compiled, and packages imported, on first use
    for texts in (CHARACTERS, reader.worst):
        if texts:
            worst = slowest(reader, texts)
            assert (grown := growth(reader, worst)) < GROWTH, f"{worst!r}: {grown:.1f} times"


def test_what_is_quadratic_is_found() -> None:
    def quadratic(text: str) -> object:
        return sum(text[place:].count("b") for place in range(0, len(text), 100))

    assert growth(Reader(quadratic), "a", compared=0.0) > GROWTH


def test_every_text_has_its_length() -> None:
    for reader in READERS.values():
        for worst in reader.worst:
            assert len(text_of(worst, SHORT)) == SHORT
