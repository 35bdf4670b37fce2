"""Every control by keyboard, enough contrast in both themes, and a phone's width."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from page_content import random_page, rich_page, suite_page
from runs_by_hand import outcomes, write_run

import chef

#: Each visible text with too little contrast; what is wider than the window; what is wrong with
#: names and roles. Their files say how.
CONTRAST, TOO_WIDE, MARKUP = (
    Path(__file__).with_name(name).read_text()
    for name in ("contrast.js", "too_wide.js", "markup.js")
)
#: What axe-core finds, as texts. It is run where a package that holds it is installed.
AXE = """
const done = arguments[arguments.length - 1];
axe.run().then((found) => done(found.violations.flatMap(
  (one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`))));
"""


@pytest.fixture(scope="module")
def rich(write: Callable[..., Path]) -> Path:
    return write(rich_page(4))


@pytest.fixture(scope="module")
def comparison(write: Callable[..., Path]) -> Path:
    return write(random_page(8, 2, "comparison"))


@pytest.fixture(scope="module")
def overview(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of three models and three recipes, which are too many to be compared on one page."""
    results = tmp_path_factory.mktemp("overview") / "results"
    for model, answers in {"one": "RRWWU", "two": "RRRRR", "three": "WRWWE"}.items():
        for recipe in ("ppl-1", "direct-1", "cot-1"):
            write_run(results, outcomes(answers), model=model, name=recipe)
    return chef.view(results)[0]


def views_of(rich: Path, comparison: Path, overview: Path) -> Iterator[tuple[Path, str]]:
    """Pages and addresses that show everything a page has, once."""
    yield from ((rich, ""), (rich, "#sample=rich"), (rich, "#look=gallery"))
    yield from ((comparison, ""), (comparison, "#sample=q1"))
    yield from ((overview, ""), (overview, "#run=2&against=1&flip=any"))


def open_all(browser: Any, page: Path, address: str) -> None:
    """Open a page with all that is folded, and of an overview two cells as a comparison."""
    browser.open(page, address)
    browser.until("return !document.getElementById('detail').open"
                  " || document.querySelector('#detail .view') !== null")  # fmt: skip
    browser.run("for (const e of document.querySelectorAll('details')) e.open = true")
    browser.run("for (const e of [...document.querySelectorAll('.pick')].slice(0, 2)) e.click()")


def test_names_and_roles(quiet: Any, rich: Path, comparison: Path, overview: Path) -> None:
    for page, address in views_of(rich, comparison, overview):
        open_all(quiet, page, address)
        assert quiet.run(MARKUP) == [], (page, address)


def test_axe_finds_nothing(
    browser: Any, rich: Path, comparison: Path, overview: Path, write: Callable[..., Path]
) -> None:
    package = pytest.importorskip("axe_core_python", reason="axe-core is not installed")
    code = Path(package.__file__).with_name("axe.min.js").read_text("utf-8")
    views = [*views_of(rich, comparison, overview), (write(suite_page()), "")]
    for page, address in views:
        for theme in ("light", "dark"):
            browser.theme(theme)
            open_all(browser, page, address)
            browser.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": code})
            assert browser.driver.execute_async_script(AXE) == [], (page, address, theme)
    browser.theme("light")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(quiet: Any, rich: Path, comparison: Path, overview: Path, theme: str) -> None:
    quiet.theme(theme)
    colours = set()
    try:
        for page, address in (
            (rich, ""),
            (rich, "#sample=rich"),
            (rich, "#verdict=wrong,right"),
            (comparison, ""),
            (comparison, "#sample=q1&verdict=error"),
            (overview, ""),
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


def test_nothing_is_wider_than_a_phone(
    quiet: Any, rich: Path, comparison: Path, overview: Path
) -> None:
    quiet.size(375, 800)
    try:
        for page, address in (
            (rich, ""),
            (comparison, ""),
            (rich, "#sample=rich"),
            (comparison, "#sample=q1"),
            (overview, ""),
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
