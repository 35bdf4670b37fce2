"""Texts that want to run, to lead away or to break the page are shown as texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page_content import HOSTILE, rich_page, suite_page


@pytest.fixture(scope="module")
def page(write: Callable[..., Path]) -> Path:
    return write(rich_page(3))


def as_shown(text: str) -> str:
    """What a reader sees: a picture of each control, the sign for what is no character."""
    text = re.sub("[\x00-\x08\x0b-\x1f\x7f]", lambda found: chr(0x2400 + ord(found[0])), text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def test_every_text_is_shown_and_none_runs(quiet: Any, page: Path) -> None:
    quiet.open(page)
    clean = [as_shown(text) for text in HOSTILE]
    assert quiet.text("h1") == f"Shapes/ppl · tiny {HOSTILE[0]}"
    assert quiet.text(".subtitle") == HOSTILE[1]
    assert quiet.text(".figures tbody th") == f"accuracy of {HOSTILE[2]}"
    for name in ("question", "truth", "answer"):
        assert quiet.texts(f"#list td.{name}")[1 : len(HOSTILE) + 1] == clean
    for number, text in enumerate(HOSTILE):
        quiet.run("document.querySelectorAll('#list a.open')[arguments[0]].click()", number + 1)
        quiet.until("return document.querySelector('#detail .view') !== null")
        assert quiet.text("#detail h2") == as_shown(f"h{number} {text}")
        shown = quiet.text("#detail .view")
        assert shown.count(as_shown(text)) >= 15  # question, answer, rule, judge, fields, error ...
        assert quiet.texts("#detail mark") == [as_shown(text)]
        quiet.click("#close-sample")
    assert quiet.run("return window.hacked ?? null") is None
    assert (
        quiet.run(
            "return document.querySelectorAll('main script, dialog script, img[src=x]').length"
        )
        == 0
    )


def test_links_lead_only_to_files_and_pages(
    quiet: Any, page: Path, write: Callable[..., Path]
) -> None:
    quiet.open(page)
    quiet.run("document.querySelectorAll('#list a.open')[1].click()")
    quiet.until("return document.querySelector('#detail .view') !== null")
    assert quiet.links("#detail .view a") == ["file:///images/safe.png"]
    shown = quiet.text("#detail .view")
    assert "javascript:window.hacked=6" in shown
    assert "java\nscript:window.hacked=7" in shown
    quiet.open(write(suite_page()))
    assert quiet.links("main a") == [f"model{n}/report.html" for n in range(4)]


def test_marks_of_direction_stay_where_they_are(quiet: Any, page: Path) -> None:
    """A text that is written from right to left moves nothing of the page around it."""
    quiet.open(page)
    loose = quiet.run("""
        return [...document.querySelectorAll('#list td, #list th[scope=row]')]
          .filter((cell) => /[\\u202e\\u0627]/.test(cell.textContent))
          .flatMap((cell) => [...cell.querySelectorAll('*')])
          .filter((e) => e.children.length === 0 && /[\\u202e\\u0627]/.test(e.textContent))
          .filter((e) => e.dir !== 'auto' || getComputedStyle(e).unicodeBidi === 'normal')
          .map((e) => e.outerHTML)""")
    assert loose == []
