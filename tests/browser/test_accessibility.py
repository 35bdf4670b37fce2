"""Every control by keyboard, enough contrast in both themes, and a phone's width."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from page_content import random_page, rich_page

#: Each visible text with too little contrast; what is wider than the window. Their files say how.
CONTRAST, TOO_WIDE = (
    Path(__file__).with_name(name).read_text() for name in ("contrast.js", "too_wide.js")
)


@pytest.fixture(scope="module")
def rich(write: Callable[..., Path]) -> Path:
    return write(rich_page(4))


@pytest.fixture(scope="module")
def comparison(write: Callable[..., Path]) -> Path:
    return write(random_page(8, 2, "comparison"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(quiet: Any, rich: Path, comparison: Path, theme: str) -> None:
    quiet.theme(theme)
    colours = set()
    try:
        for page, address in (
            (rich, ""),
            (rich, "#sample=rich"),
            (rich, "#verdict=wrong,right"),
            (comparison, ""),
            (comparison, "#sample=q1&verdict=error"),
        ):
            quiet.open(page, address)
            quiet.until("return !document.getElementById('detail').open"
                        " || document.querySelector('#detail .view') !== null")  # fmt: skip
            quiet.run("for (const e of document.querySelectorAll('details')) e.open = true")
            seen, poor = quiet.run(CONTRAST)
            assert seen > 50
            assert poor == []
            colours.add(quiet.run("return getComputedStyle(document.body).backgroundColor"))
    finally:
        quiet.theme("light")
    assert colours == {"rgb(246, 247, 248)" if theme == "light" else "rgb(17, 21, 27)"}


def test_the_reader_may_choose_the_theme(quiet: Any, rich: Path) -> None:
    quiet.open(rich)
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = quiet.run(ground)
    quiet.click("#theme")
    assert (quiet.text("#theme span"), quiet.run(ground)) == ("light", light)
    quiet.click("#theme")
    assert quiet.text("#theme span") == "dark"
    dark = quiet.run(ground)
    assert dark != light
    assert quiet.run(CONTRAST)[1] == []
    quiet.open(rich)  # remembered
    assert (quiet.text("#theme span"), quiet.run(ground)) == ("dark", dark)
    quiet.click("#theme")
    assert (quiet.text("#theme span"), quiet.run(ground)) == ("automatic", light)


def test_nothing_is_wider_than_a_phone(quiet: Any, rich: Path, comparison: Path) -> None:
    quiet.size(375, 800)
    try:
        for page, address in (
            (rich, ""),
            (comparison, ""),
            (rich, "#sample=rich"),
            (comparison, "#sample=q1"),
        ):
            quiet.open(page, address)
            quiet.run("for (const e of document.querySelectorAll('details')) e.open = true")
            if not address:
                quiet.click("#more")
            else:
                quiet.until("return document.querySelector('#detail .view') !== null")
            assert quiet.run("return innerWidth") == 375
            assert quiet.run(TOO_WIDE) == []
        for number in range(1, 11):  # very long words, among others
            quiet.open(rich)
            quiet.run("document.querySelectorAll('#list a.open')[arguments[0]].click()", number)
            quiet.until("return document.querySelector('#detail .view') !== null")
            assert quiet.run(TOO_WIDE) == []
    finally:
        quiet.size(1280)


#: Notes the controls inside an element, and then which of them get the focus, and how it shows.
WATCH = """
window.left = new Set([...document.querySelector(arguments[0])
  .querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter((e) => e.checkVisibility() && !e.disabled));
window.unmarked = [];
document.activeElement.blur();
document.addEventListener('focusin', ({target}) => {
  window.left.delete(target);
  const outline = getComputedStyle(target).outlineStyle;
  if (!target.matches(':focus-visible') || outline === 'none') window.unmarked.push(target);
});
return window.left.size;
"""


def reached(browser: Any, host: str) -> tuple[int, list[str]]:
    """How many controls there are; those that Tab does not reach, or marks by no outline."""
    count = browser.run(WATCH, host)
    browser.press(*[browser.TAB] * (count + 2))
    script = "return [...window.left, ...window.unmarked].map((e) => e.outerHTML)"
    return int(count), browser.run(script)


def test_tab_reaches_every_control_and_shows_where_it_is(quiet: Any, comparison: Path) -> None:
    quiet.open(comparison)
    count, left = reached(quiet, "body")
    assert count > 40
    assert left == []
    quiet.open(comparison, "#sample=q1")
    quiet.until("return document.querySelector('#detail .view') !== null")
    count, left = reached(quiet, "#detail")
    assert count > 6
    assert left == []


def test_names_landmarks_and_headings(quiet: Any, comparison: Path) -> None:
    quiet.open(comparison, "#sample=q1")
    quiet.until("return document.querySelector('#detail .view') !== null")
    assert quiet.run("return document.documentElement.lang") == "en"
    assert quiet.run("return ['header.top', 'main', 'footer', '[role=search]', 'nav'].map("
                     "(s) => document.querySelectorAll(s).length)") == [1, 1, 1, 1, 1]  # fmt: skip
    levels = quiet.run(
        "return [...document.querySelectorAll('h1, h2, h3, h4')].map((e) => +e.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    unnamed = quiet.run("""
        return [...document.querySelectorAll('button, a, input, select, img, summary, dialog')]
          .filter((e) => !(e.textContent.trim() || e.ariaLabel || e.alt || e.labels?.length
            || e.querySelector('img[alt]:not([alt=""])')
            || e.getAttribute('aria-labelledby'))).map((e) => e.outerHTML)""")
    assert unnamed == []
    assert quiet.run(
        "return [...document.querySelectorAll('thead th')].every((e) => e.scope === 'col')"
    )
    assert quiet.run(
        "return [...document.querySelectorAll('tbody th')].every((e) => e.scope === 'row')"
    )
