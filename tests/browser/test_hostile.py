"""Texts that want to run, to lead away or to break the page are shown as texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_content import (
    HOSTILE,
    random_page,
    random_row,
    random_view,
    rich_page,
    suite_page,
)


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
        shown = quiet.text("#detail .detail-body")
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
    assert quiet.links("#detail .detail-body a") == ["file:///images/safe.png"]
    shown = quiet.text("#detail .detail-body")
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


ODD_ADDRESSES = (
    "#q=%3Cimg%20src=x%20onerror=%22window.hacked=8%22%3E",
    "#q=" + "a" * 50_000 + "!",
    "#q=(a%2B)%2B%24",
    "#verdict=" + "right," * 20_000,
    "#page=-7", "#page=1e400", "#page=999999999", "#below=Infinity", "#run=99&flip=any",
    "#sort=__proto__&order=down", "#sort=constructor", "#order=down&order=up&sort=id",
    "#sample=constructor", "#sample=%3Csvg%20onload=window.hacked=9%3E", "#sample=%00",
    "#%E0%A4%A=%ZZ&&&=", "#__proto__=x", "#__proto__=y&category=__proto__",
    "#field.=&field.field.=a", "#javascript:window.hacked=10", "#constructor=1&toString=2",
)  # fmt: skip


@pytest.mark.parametrize("address", ODD_ADDRESSES, ids=lambda address: address[:32])
def test_no_link_runs_or_breaks_anything(quiet: Any, page: Path, address: str) -> None:
    quiet.open(page, address)
    assert quiet.text("#list")  # samples, or that none is left
    assert quiet.run("return window.hacked ?? null") is None
    if quiet.run("return document.getElementById('detail').open"):
        assert quiet.text("#detail .problem") == "This page has no sample of this id."
        quiet.click("#close-sample")
    if not quiet.run("return document.getElementById('reset').disabled"):
        quiet.click("#reset")
    assert quiet.text("#count") == "14 samples"


CLOSE_IS_IN_SIGHT = """
const {top, bottom} = document.getElementById("close-sample").getBoundingClientRect();
return top >= 0 && bottom <= window.innerHeight;
"""


def test_samples_of_odd_ids_are_each_their_own(quiet: Any, write: Callable[..., Path]) -> None:
    """Ids that are alike up to case or normalisation, that mean something in links, or to JS."""
    ids = [
        "__proto__", "constructor", "toString", "a#b&c=d%25?e+f g", "%00", "../..", "é", "e\u0301",
        "É", "q", "Q", "q ", "field.q", "0", "00", "-1", "sample=q", "x" * 10_000, "\u202eabc", "",
    ]  # fmt: skip
    content = random_page(0)
    rows = [replace(random_row(number, 1), id=name) for number, name in enumerate(ids)]
    views = {
        row.id: [replace(view, error=f"this is {number}")] if (view := random_view(row, 0)) else []
        for number, row in enumerate(rows)
    }
    file = write(replace(content, rows=rows, views=views.__getitem__))
    quiet.open(file)
    assert quiet.shown_ids() == ids
    for number, name in enumerate(ids):
        quiet.run("document.querySelectorAll('#list a.open')[arguments[0]].click()", number)
        assert f"this is {number}" in quiet.detail(name)
        address = quiet.run("return location.hash")
        quiet.open(file, address)
        assert f"this is {number}" in quiet.detail(name)
        assert quiet.run(CLOSE_IS_IN_SIGHT), name[:20]
        quiet.click("#close-sample")


def test_a_script_that_is_put_into_the_file_does_not_run(
    browser: Any, page: Path, tmp_path: Path
) -> None:
    """The policy holds also where somebody changes the file, but not the policy."""
    put = (
        "<script>window.hacked = 11</script><img src=x onerror='window.hacked = 12'>"
        "<iframe srcdoc='<script>parent.hacked = 13</script>'></iframe>"
        "<base href='http://example.com/'><style>main { display: none }</style>"
        "<link rel='stylesheet' href='http://example.com/a.css'>"
        "<form action='http://example.com/'><input id='sent' type='submit'></form>"
    )
    file = tmp_path / "changed.html"
    file.write_text(page.read_text().replace("<main>", f"{put}<main>", 1))
    browser.complaints()
    browser.open(file)
    browser.run("document.getElementById('sent').click()")
    assert browser.run("return window.hacked ?? null") is None
    assert browser.run("return getComputedStyle(document.querySelector('main')).display") != "none"
    refused = [text for text in browser.complaints() if "Content Security Policy" in text]
    for what in ("script-src", "style-src", "base-uri", "form-action", "img", "a.css"):
        assert any(what in text for text in refused), what
