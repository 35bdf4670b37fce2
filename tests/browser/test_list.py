"""The list of samples in a real browser: what filters, search, order and links show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from page_content import random_page

from chef.report.page.content import SampleRow

SAMPLES = 260
RUN, COMPARISON = random_page(SAMPLES), random_page(SAMPLES, 3, "comparison")


@pytest.fixture(scope="module")
def run(write: Callable[..., Path]) -> Path:
    return write(RUN)


@pytest.fixture(scope="module")
def comparison(write: Callable[..., Path]) -> Path:
    return write(COMPARISON)


def ids(rows: Sequence[SampleRow], holds: Callable[[SampleRow], Any]) -> list[str]:
    return [row.id for row in rows if holds(row)]


def first(row: SampleRow) -> Any:
    return row.runs[0]


def flip(row: SampleRow, run: int, against: int = 0) -> str:
    """Independently of the page: right against not right, where both have a score."""
    cells = [row.runs[at] for at in (against, run)]
    if any(cell is None or cell.score is None for cell in cells):
        return ""
    before, after = (cell.verdict for cell in cells if cell)
    if (before == "right") == (after == "right"):
        return ""
    return "gained" if after == "right" else "lost"


CHOICES: dict[str, tuple[dict[str, str], Callable[[SampleRow], Any]]] = {
    "wrong": ({"verdict": "wrong"}, lambda row: first(row).verdict == "wrong"),
    "two verdicts": (
        {"verdict": "unread,error"}, lambda row: first(row).verdict in ("unread", "error"),
    ),
    "refused": ({"verdict": "refused"}, lambda row: first(row).verdict == "refused"),
    "category": (
        {"category": "text & signs"}, lambda row: row.fields["category"] == "text & signs",
    ),
    "two fields": (
        {"category": "count", "level": "2"},
        lambda row: (row.fields["category"], row.fields["level"]) == ("count", "2"),
    ),
    "unsure": (
        {"below": "30"},
        lambda row: first(row).confidence is not None and first(row).confidence < 0.3,
    ),
    "id": ({"q": "Q25"}, lambda row: "q25" in row.id),
    "truth": (
        {"q": "(a) red"}, lambda row: "(a) red" in f"{row.truth}\n{first(row).answer}".lower(),
    ),
    "all at once": (
        {"q": "red", "verdict": "right", "below": "80", "level": "1"},
        lambda row: first(row).verdict == "right" and row.fields["level"] == "1"
        and (first(row).confidence or 1) < 0.8 and "red" in f"{row.truth} {first(row).answer}",
    ),
    "none": ({"q": "no such words"}, lambda row: False),
    "no such value": ({"category": "no such category"}, lambda row: False),
}  # fmt: skip
FLIPS: dict[str, tuple[dict[str, str], Callable[[SampleRow], Any]]] = {
    "any": ({"flip": "any"}, lambda row: flip(row, 1) or flip(row, 2)),
    "gained": ({"flip": "gained"}, lambda row: "gained" in (flip(row, 1), flip(row, 2))),
    "lost by the third": ({"flip": "lost", "run": "3"}, lambda row: flip(row, 2) == "lost"),
    "lost by the third against the second": (
        {"flip": "lost", "run": "3", "against": "2"},
        lambda row: flip(row, 2, 1) == "lost",
    ),
    "any against the third": (
        {"flip": "any", "against": "3"},
        lambda row: flip(row, 0, 2) or flip(row, 1, 2),
    ),
    "wrong in any": ({"verdict": "wrong"}, lambda row: "wrong" in [c.verdict for c in row.runs]),  # type: ignore[union-attr]
    "wrong in one": ({"verdict": "wrong", "run": "2"}, lambda row: row.runs[1].verdict == "wrong"),  # type: ignore[union-attr]
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_link_shows_the_samples_it_names(browser: Any, run: Path, name: str) -> None:
    chosen, holds = CHOICES[name]
    browser.open(run, "#" + urlencode(chosen))
    wanted = ids(RUN.rows, holds)
    assert browser.text("#count") == f"{len(wanted)} of {SAMPLES}"
    assert browser.shown_ids() == wanted[:100]
    assert len(wanted) < SAMPLES


@pytest.mark.parametrize("name", FLIPS)
def test_a_comparison_shows_flips(browser: Any, comparison: Path, name: str) -> None:
    chosen, holds = FLIPS[name]
    browser.open(comparison, "#" + urlencode(chosen))
    wanted = ids(COMPARISON.rows, holds)
    assert browser.text("#count") == f"{len(wanted)} of {SAMPLES}"
    assert browser.shown_ids() == wanted[:100]
    assert 0 < len(wanted) < SAMPLES


def test_controls_choose_step_by_step(quiet: Any, run: Path) -> None:
    quiet.open(run)
    assert quiet.text("#count") == f"{SAMPLES} samples"
    counts = {row: sum(first(r).verdict == row for r in RUN.rows) for row in ("right", "wrong")}
    for verdict, count in counts.items():
        assert quiet.text(f".chip.{verdict} .many") == str(count)
    quiet.click(".chip.wrong")
    assert quiet.text("#count") == f"{counts['wrong']} of {SAMPLES}"
    assert quiet.run("return location.hash") == "#verdict=wrong"
    quiet.pick("#field-0", "colour")
    both = ids(RUN.rows, lambda r: first(r).verdict == "wrong" and r.fields["category"] == "colour")
    assert quiet.text("#count") == f"{len(both)} of {SAMPLES}"
    # The counts of verdicts say what a click would show, within the other filters.
    right = ids(
        RUN.rows, lambda r: first(r).verdict == "right" and r.fields["category"] == "colour"
    )
    assert quiet.text(".chip.right .many") == str(len(right))
    quiet.click("#search")
    quiet.press(both[0])
    found = [name for name in both if both[0] in name]
    quiet.until("return document.getElementById('count').textContent === arguments[0]",
                f"{len(found)} of {SAMPLES}")  # fmt: skip
    quiet.run("history.back()")
    quiet.until("return document.querySelectorAll('.chip[aria-pressed=true]').length === 1")
    quiet.until("return document.getElementById('count').textContent === arguments[0]",
                f"{counts['wrong']} of {SAMPLES}")  # fmt: skip
    assert quiet.run("return document.getElementById('field-0').value") == ""
    quiet.click("#reset")
    assert quiet.text("#count") == f"{SAMPLES} samples"
    assert quiet.run("return document.getElementById('search').value") == ""


def test_headers_and_the_list_of_orders_sort(quiet: Any, run: Path) -> None:
    quiet.open(run)
    sure = [row for row in RUN.rows if first(row).confidence is not None]
    unsure = [row.id for row in RUN.rows if first(row).confidence is None]
    rising = [row.id for row in sorted(sure, key=lambda row: first(row).confidence)]
    quiet.click("th button[data-sort='confidence-1']")
    assert quiet.shown_ids() == rising[:100]
    assert (
        quiet.run("return document.querySelector('th.number:last-child').ariaSort") == "ascending"
    )
    quiet.click("th button[data-sort='confidence-1']")
    falling = [row.id for row in sorted(sure, key=lambda row: -first(row).confidence)]
    assert quiet.shown_ids() == falling[:100]
    # What has no confidence comes last either way.
    quiet.open(run, "#sort=confidence-1&order=down&page=3")
    assert quiet.shown_ids()[-len(unsure):] == unsure  # fmt: skip
    # Ids as people count: q2 before q10.
    quiet.pick("#sort", "id")
    assert quiet.shown_ids() == [f"q{number}" for number in range(100)]
    quiet.pick("#sort", "")
    assert quiet.run("return location.hash") == ""


def test_pages_follow_each_other(quiet: Any, run: Path) -> None:
    quiet.open(run, "#page=2")
    assert quiet.shown_ids() == [f"q{number}" for number in range(100, 200)]
    quiet.press("n")
    assert quiet.shown_ids() == [f"q{number}" for number in range(200, SAMPLES)]
    assert quiet.text("#pager span") == "Page 3 of 3"
    quiet.open(run, "#page=99&verdict=no&run=7&below=x&sort=no&nothing=at+all")
    assert quiet.text("#count") == f"{SAMPLES} samples"
    assert quiet.text("#pager span") == "Page 3 of 3"


def test_figures_lead_to_their_samples_and_sort(quiet: Any, run: Path) -> None:
    quiet.open(run)
    wrong = len(ids(RUN.rows, lambda row: first(row).verdict == "wrong"))
    quiet.click("a.to-samples[href='#verdict=wrong']")
    assert quiet.text("#count") == f"{wrong} of {SAMPLES}"
    assert quiet.run("return document.getElementById('samples').getBoundingClientRect().top") < 60
    column = "#overview .card:nth-child(2) tbody tr > :first-child"
    assert quiet.texts(column) == ["count", "colour", "position", "text & signs"]
    quiet.click("#overview .card:nth-child(2) thead th:nth-child(3) button")
    quiet.click("#overview .card:nth-child(2) thead th:nth-child(3) button")
    assert quiet.texts(column) == ["text & signs", "position", "colour", "count"]
    drawing = "return document.querySelector('.drawing svg title').textContent"
    assert quiet.run(drawing) == "Reliability: confidence against accuracy"
    colour = "return getComputedStyle(document.querySelector('.drawing .series-2')).fill"
    assert quiet.run(colour) == "rgb(182, 87, 8)"
