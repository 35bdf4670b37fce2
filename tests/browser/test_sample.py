"""A sample in a real browser: what is shown of it, keys, links, and details in files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from page_content import random_page, rich_page

from chef.report.page import write
from chef.report.page.content import PageContent, RunCell, SampleRow
from chef.report.page.write import write_page
from chef.report.sample_view import AnswerView, ImageView, MessageView, OptionView, SampleView

RUN = random_page(130)
LOADED = "return [...document.querySelectorAll('#detail img')].every((e) => e.naturalWidth > 0)"


@pytest.fixture(scope="module")
def rich(write: Callable[..., Path]) -> Path:
    return write(rich_page(20))


@pytest.fixture(scope="module")
def run(write: Callable[..., Path]) -> Path:
    return write(RUN)


def has_focus(browser: Any, sample: str) -> bool:
    """Whether the link of a sample gets the focus; a key may be taken in a little later."""
    script = "return document.activeElement.dataset.sample === arguments[0]"
    return bool(browser.until(script, sample))


def test_everything_of_a_sample_is_shown(quiet: Any, rich: Path) -> None:
    quiet.open(rich, "#sample=rich")
    text = quiet.detail("rich")
    assert quiet.texts("#detail mark") == ["two"]  # by characters: an emoji stands before it
    rows = [" ".join(item.split()) for item in quiet.texts("#detail .options li")]
    assert rows == ["Aone18.0 %", "Btwo● chosen ✓ right42.0 %", "Cthree30.0 %", "D10.0 %"]
    widths = "return [...document.querySelectorAll('.options .fill')].map((e) => e.style.width)"
    assert quiet.run(widths) == ["18%", "42%", "30%", "10%"]
    for fact in ("partly", "score 0.50", "confidence 42.0 %", "status truncated", "number word",
                 "gpt-4o", "same meaning", "Score: 0.5", "chosen by another model", '{"page": 7}',
                 "This image is not there any more", "640 × 480",
                 "1.23 s in 2 requests (1 sent again)"):  # fmt: skip
        assert fact in text
    assert not quiet.run("return document.querySelector('.examples').open")
    quiet.click(".examples summary")
    assert quiet.texts(".examples .said") == ["How many dogs?", "One."]
    loaded = "return [...document.querySelectorAll('#detail img')].map((e) => e.naturalWidth)"
    quiet.until(LOADED)
    assert quiet.run(loaded) == [240, 240]
    assert quiet.links("#detail .source a") == ["images/cats.png", "file:///images/e1.png"]


def test_a_conversation_of_its_own_begins_with_a_line(
    quiet: Any, write: Callable[..., Path]
) -> None:
    messages = [
        MessageView("user", ["Think."]),
        MessageView("assistant", ["I think."], "reply"),
        MessageView("user", ["Which?"], begins=True),
        MessageView("assistant", ["It is", "(A)"], "chosen"),
    ]
    options = [OptionView("", "a long option", None), OptionView("", "another", None)]
    view = SampleView(
        "s", "ok", "unread", 0.0, messages, answers=[AnswerView("hm", options=options)],
        images=[ImageView("missing", "image 1 of sample 's'")],
    )  # fmt: skip
    row = SampleRow("s", "Which?", "(A) red", {}, [RunCell("unread", 0.0, None, "hm")])
    page = PageContent("run", "t", runs=["r"], rows=[row], views=lambda _: [view])
    quiet.open(write(page), "#sample=s")
    assert "read asnothing" in quiet.detail("s")
    order = quiet.run(
        "return [...document.querySelectorAll('#detail .message, #detail .begins')]"
        ".map((e) => e.matches('.begins') ? 'line' : e.querySelector('.said').textContent)"
    )
    assert order == ["Think.", "I think.", "line", "Which?", "It is (A)"]
    assert quiet.texts("#detail .given") == ["It is"]  # by chef, not by the model
    assert "the likeliest option" in quiet.texts("#detail .role")[-1]
    wide = "return document.querySelector('.option-text').getBoundingClientRect().width"
    assert quiet.run(wide) > 200  # no room is kept for bars and letters that are not there


def test_boxes_lie_over_the_image_and_it_grows(quiet: Any, rich: Path) -> None:
    quiet.open(rich, "#sample=rich")
    quiet.detail("rich")
    place = """
        const figure = document.querySelector(arguments[0]);
        const image = figure.querySelector('img').getBoundingClientRect();
        const box = figure.querySelector('rect.answered').getBoundingClientRect();
        return [(box.left - image.left) / image.width, (box.top - image.top) / image.height,
                (box.right - image.left) / image.width, (box.bottom - image.top) / image.height,
                image.width];"""
    quiet.until(LOADED)
    *corners, width = quiet.run(place, ".pictures .image")
    assert corners == pytest.approx([0.1, 0.15, 0.5, 0.7], abs=0.02)
    told = [
        "answer: cat 0.91 (10, 15, 50, 70 %), IoU 0.72", "reference: cat (12, 10, 55, 75 %)",
    ]  # fmt: skip
    assert quiet.texts(".pictures .box-list li") == told
    quiet.click(".pictures .thumbnail")
    *corners, large = quiet.run(place, "#stage .frame")
    assert large > 1.5 * width
    assert corners == pytest.approx([0.1, 0.15, 0.5, 0.7], abs=0.02)
    assert quiet.texts("#viewer-facts .box-list li") == told
    stroke = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    line = quiet.run(stroke, "#stage rect.answered", "stroke")
    assert line == "rgb(255, 210, 62)"  # the colour of the legend
    quiet.press("b")
    assert quiet.run(stroke, "#stage .boxes", "display") == "none"
    quiet.press(quiet.ESCAPE)
    assert quiet.run("return document.getElementById('detail').open")


def test_the_keyboard_is_enough(quiet: Any, run: Path) -> None:
    quiet.open(run)
    quiet.press("j")
    assert has_focus(quiet, "q0")
    quiet.press("j", quiet.DOWN, "k")
    assert has_focus(quiet, "q1")
    quiet.press(quiet.ENTER)
    quiet.detail("q1")
    assert quiet.run("return document.activeElement.id") == "detail-title"
    quiet.press("j", "j", "k")
    quiet.detail("q2")
    assert quiet.text("#position") == "3 of 130 shown"
    quiet.until("return location.hash === '#sample=q2'")
    quiet.press(quiet.ESCAPE)
    assert not quiet.run("return document.getElementById('detail').open")
    assert has_focus(quiet, "q2")
    quiet.press("/")
    quiet.press("q7")
    quiet.until("return document.getElementById('count').textContent === '11 of 130'")
    quiet.press(quiet.ESCAPE, "?")
    assert quiet.run("return document.getElementById('help').open")
    quiet.press(quiet.ESCAPE, "r")
    assert quiet.text("#count") == "130 samples"


def test_keys_cross_the_ends_of_pages(quiet: Any, run: Path) -> None:
    quiet.open(run, "#sample=q99")
    quiet.detail("q99")
    quiet.press("j")
    quiet.detail("q100")
    quiet.press(quiet.ESCAPE)
    assert has_focus(quiet, "q100")
    assert quiet.text("#pager span") == "Page 2 of 2"
    quiet.press("k")
    assert has_focus(quiet, "q99")


def test_a_link_opens_the_same_state(quiet: Any, run: Path) -> None:
    state = {
        "q": "red",
        "verdict": "right,wrong",
        "category": "count",
        "sort": "id",
        "order": "down",
    }
    quiet.open(run, "#" + urlencode(state))
    shown = quiet.shown_ids()
    quiet.click(f"a[data-sample='{shown[1]}']")
    text = quiet.detail(shown[1])
    link = quiet.run("return location.href")
    quiet.click("#copy-sample")
    quiet.until("return document.getElementById('said').textContent !== ''")
    quiet.driver.get("about:blank")
    quiet.driver.get(link)
    quiet.until("return document.documentElement.dataset.ready === 'true'")
    assert quiet.detail(shown[1]) == text
    assert quiet.text("#position") == f"2 of {len(shown)} shown"
    quiet.click("#close-sample")
    assert quiet.shown_ids() == shown
    assert quiet.run("return document.getElementById('search').value") == "red"
    quiet.run("history.back()")
    assert quiet.detail(shown[1]) == text
    quiet.run("history.forward()")
    quiet.until("return !document.getElementById('detail').open")


def test_a_sample_that_is_not_there_is_said(quiet: Any, run: Path) -> None:
    quiet.open(run, "#sample=gone")
    assert quiet.detail("gone") == "This page has no sample of this id."


def test_details_in_files_are_read_on_demand(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "INLINE", 100_000)
    monkeypatch.setattr(write, "PIECE", 30_000)
    page, *files = write_page(RUN, tmp_path / "a #1 %41.html")
    assert len(files) > 5
    browser.complaints()
    browser.open(page)
    assert browser.text("#count") == "130 samples"
    browser.requests()
    for sample in ("q0", "q129", "q60", "q61"):
        browser.run("location.hash = `sample=${arguments[0]}`", sample)
        assert f"of sample '{sample}'" in browser.detail(sample)
    asked = [url.rpartition("/")[2] for url in browser.requests() if url.endswith(".js")]
    assert asked[:2] == [files[0].name, files[-1].name]
    assert 2 < len(asked) < len(files)
    assert browser.complaints() == []
    files[1].unlink()
    starts = browser.run("return JSON.parse(document.getElementById('index').textContent).starts")
    lost = RUN.rows[starts[1]].id
    browser.run("location.hash = `sample=${arguments[0]}`", lost)
    assert f"{files[1].name} cannot be read" in browser.detail(lost)


def test_an_answer_of_ten_megabytes_does_not_block_the_page(
    quiet: Any, write: Callable[..., Path]
) -> None:
    text = "the cat sat on <b>a</b> mat " * 400_000
    messages = [MessageView("user", ["What?"]), MessageView("assistant", [text], "reply")]
    answers = [AnswerView(text, span=(4, 7))]
    view = SampleView("s", "ok", "wrong", 0.0, messages, answers=answers)
    row = SampleRow("s", "What?", "a cat", {}, [RunCell("wrong", 0.0, None, text[:200])])
    file = write(PageContent("run", "t", runs=["r"], rows=[row], views=lambda _: [view]))
    quiet.open(file)
    busy = """
        const tasks = [];
        new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)))
            .observe({ type: "longtask" });
        window.tasks = tasks;
        location.hash = "sample=s";"""
    quiet.run(busy)
    assert len(quiet.detail("s")) < 60_000
    assert quiet.texts("#detail mark") == ["cat"]
    assert "characters are left out here" in quiet.text("#detail .answer-text")
    assert quiet.texts("#detail .wholes a") == [f"{len(text):,} characters"]
    (link,) = quiet.links("#detail .wholes a")
    assert (file.parent / link).read_text() == text
    assert sum(quiet.run("return window.tasks")) < 3_000  # ms
