"""Pages on paper: all samples that were asked for, or how many are left out; nothing is cut off."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_content import random_page, rich_page, suite_page

from chef.report.page.content import PageContent, Table

#: What a printout holds is noted while it is made: afterwards the page is as it was.
WATCH = """
window.printed = null;
addEventListener('beforeprint', () => {
  window.printed = {
    ids: [...document.querySelectorAll('#list a.open')].map((e) => e.dataset.sample),
    words: document.getElementById('printed').textContent,
  };
});
"""
#: Shapes that a browser may print without their colours, and wide things that paper cuts off.
ON_PAPER = """
const exact = [...document.querySelectorAll('svg rect, svg .span, .outcomes rect, .verdict')]
  .filter((e) => getComputedStyle(e).printColorAdjust !== 'exact').length;
const edge = document.documentElement.clientWidth + 1;
const cut = [...document.querySelectorAll('.scroll, table, .card, svg')]
  .filter((e) => e.checkVisibility() && (e.getBoundingClientRect().right > edge
    || (getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)))
  .map((e) => e.outerHTML.slice(0, 80));
return [exact, cut];
"""


@pytest.fixture
def printing(browser: Any) -> Callable[..., dict[str, Any]]:
    """Prints a page at an address, and returns what it held."""

    def printed(page: Path, address: str = "") -> dict[str, Any]:
        browser.open(page, address)
        browser.run(WATCH)
        shown = browser.shown_ids()
        # The page is laid out as a whole; one sheet of it is drawn.
        how = {"printBackground": False, "pageRanges": "1"}
        reply = browser.driver.execute_cdp_cmd("Page.printToPDF", how)
        assert base64.b64decode(reply["data"]).startswith(b"%PDF-")
        browser.until("return window.printed !== null")
        browser.until("return document.querySelectorAll('#list a.open').length === arguments[0]",
                      len(shown))  # fmt: skip
        return dict(browser.run("return window.printed"))

    return printed


def test_all_samples_that_were_chosen_are_printed(
    printing: Callable[..., dict[str, Any]], write: Callable[..., Path]
) -> None:
    content = random_page(230)
    page = write(content)
    held = printing(page, "#page=2")
    assert len(set(held["ids"])) == 230
    assert held["words"] == "230 samples of 230."
    right = [row.id for row in content.rows if row.runs[0] and row.runs[0].verdict == "right"]
    held = printing(page, "#verdict=right")
    assert held["ids"] == right
    assert held["words"] == f"{len(right)} samples of 230."


def test_what_is_left_out_is_told(browser: Any, write: Callable[..., Path]) -> None:
    """The page is made ready as for printing; laying out 2,000 samples on paper takes long."""
    browser.open(write(random_page(2100)))
    browser.run(WATCH)
    held = browser.run(
        "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'));"
        "return window.printed"
    )
    assert len(held["ids"]) == 2000
    assert held["words"] == "2,000 samples of 2,100; 100 that were chosen are left out."


@pytest.mark.parametrize("kind", ["run", "comparison", "suite"])
def test_colours_stay_and_nothing_is_cut_off(
    browser: Any, write: Callable[..., Path], kind: str
) -> None:
    contents = {
        "run": rich_page(30), "comparison": random_page(30, 3, "comparison"), "suite": suite_page(),
    }  # fmt: skip
    page = write(with_wide_table(contents[kind]))
    browser.open(page)
    browser.size(718)  # A4 less the margins
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.run(ON_PAPER) == [0, []]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.theme("light")
        browser.size(1280)


def with_wide_table(content: PageContent) -> PageContent:
    """The page with a table of twelve columns first."""
    names = [f"a column {place}" for place in range(12)]
    table = Table("Wide", names, [[f"model-{place} of many" for place in range(12)]] * 3)
    return replace(content, sections=[table, *content.sections])
