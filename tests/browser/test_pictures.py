"""Pictures in a real browser: in full, side by side, as a strip, in the list and as a gallery."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import PIL.Image
import pytest
from page_content import HOSTILE, random_page, rich_page

from chef.image import Image
from chef.report.page import write as writing
from chef.report.page.content import PageContent, RunCell, SampleRow
from chef.report.page.write import write_page
from chef.report.sample_view import AnswerView, ImageView, MessageView, OptionView, SampleView
from chef.report.views.thumbnails import Picture, full, thumbnail

QUESTION = "What does the last line say?"
#: Of each sample the sizes of its pictures, width x height.
SIZES = {
    "page": ["2400x3200"],
    "wide": ["6000x4000"],
    "tall": ["300x6000"],
    "pair": ["640x480", "480x640"],
    "frames": [f"64{number % 10}x360" for number in range(24)],
    "icon": ["40x30"],
    HOSTILE[1]: ["500x400"],
    "\u05e9\u05dc\u05d5\u05dd": ["501x400"],
    "none": [],
}


@cache
def image(size: str) -> Image:
    """A picture of such a size as an encoded file, as a table with base64 has it."""
    width, height = map(int, size.split("x"))
    encoded = io.BytesIO()
    pixels = PIL.Image.new("RGB", (width, height), (width % 251, height % 251, 90))
    pixels.save(encoded, "JPEG", quality=60)
    return Image(encoded.getvalue())


@cache
def small(size: str) -> bytes:
    return thumbnail(image(size))


@cache
def large(size: str) -> Picture:
    return full(image(size))


def view(name: str, answer: str = "an answer", **changed: Any) -> SampleView:
    images = []
    for number, size in enumerate(SIZES.get(name, [])):
        width, height = map(int, size.split("x"))
        images.append(
            ImageView(size, f"image {number + 1} of sample '{name}'", width=width, height=height)
        )
    messages = [
        MessageView("user", [*range(len(images)), QUESTION]),
        MessageView("assistant", [answer], "reply"),
    ]
    answers = changed.pop("answers", [AnswerView(answer)])
    return SampleView(name, "ok", "wrong", 0.0, messages, images=images, answers=answers, **changed)


def content(names: list[str], **views: SampleView) -> PageContent:
    rows = [SampleRow(name, QUESTION, "truth", {}, [RunCell("wrong", 0.0)]) for name in names]
    return PageContent(
        "run", "t", runs=["r"], rows=rows, thumbnail=small, picture=large,
        views=lambda name: [views.get(name) or view(name)],
    )  # fmt: skip


@pytest.fixture(scope="module")
def page(write: Callable[..., Path]) -> Path:
    return write(content([*SIZES]))


def shown(browser: Any, page: Path, name: str) -> None:
    browser.open(page)
    browser.run("location.hash = `sample=${encodeURIComponent(arguments[0])}`", name)
    browser.detail(name)


NATURAL = """
const image = document.querySelector('#stage img');
return image && image.complete && image.naturalWidth === arguments[0] && image.naturalHeight;"""
#: Left, top, width and height of the picture on the screen, and the size of the stage.
PLACE = """
const [box, stage] = ['#stage .frame', '#stage'].map((s) =>
    document.querySelector(s).getBoundingClientRect());
return [box.left - stage.left, box.top - stage.top, box.width, box.height,
        stage.width, stage.height];"""


@pytest.mark.parametrize("name", ["page", "wide", "tall"])
def test_every_pixel_is_there_on_demand(quiet: Any, page: Path, name: str) -> None:
    width, height = map(int, SIZES[name][0].split("x"))
    shown(quiet, page, name)
    quiet.click(".pictures .thumbnail")
    assert quiet.until(NATURAL, width) == height
    *_, wide, high, stage_wide, stage_high = quiet.run(PLACE)
    assert wide <= stage_wide + 1
    assert high <= stage_high + 1
    assert max(wide / stage_wide, high / stage_high) == pytest.approx(1, abs=0.01)  # it fits
    quiet.press("1")
    assert quiet.text("#viewer-zoom") == "100 %"
    left, top, wide, high, *_ = quiet.run(PLACE)
    assert (wide, high) == pytest.approx((width, height), abs=1)
    quiet.press("\ue012", "\ue013")  # left, up: the picture follows
    assert quiet.run(PLACE)[:2] != [left, top]
    quiet.press("w")
    assert quiet.run(PLACE)[2] == pytest.approx(stage_wide, abs=1)
    quiet.press("0")
    assert quiet.run(PLACE)[2] <= stage_wide + 1
    quiet.press(quiet.ESCAPE)
    assert quiet.run("return [document.getElementById('viewer').open,"
                     " document.getElementById('detail').open]") == [False, True]  # fmt: skip


def test_the_wheel_zooms_at_the_pointer(quiet: Any, page: Path) -> None:
    shown(quiet, page, "page")
    quiet.click(".pictures .thumbnail")
    quiet.until(NATURAL, 2400)
    before = quiet.run(PLACE)
    x, y = before[0] + 0.25 * before[2], before[1] + 0.75 * before[3]
    quiet.run("""
        const stage = document.querySelector('#stage').getBoundingClientRect();
        document.querySelector('.pane').dispatchEvent(new WheelEvent('wheel', {
          deltaY: -600, clientX: stage.left + arguments[0], clientY: stage.top + arguments[1],
          bubbles: true, cancelable: true}));""", x, y)  # fmt: skip
    left, top, wide, high, *_ = quiet.run(PLACE)
    assert wide > 2 * before[2]
    assert ((x - left) / wide, (y - top) / high) == pytest.approx((0.25, 0.75), abs=0.01)


def test_several_pictures_side_by_side(quiet: Any, page: Path) -> None:
    shown(quiet, page, "pair")
    assert quiet.run("return document.querySelectorAll('.pictures.of-2 .image').length") == 2
    quiet.click(".pictures .image:last-child .thumbnail")
    assert quiet.until(NATURAL, 480) == 640
    quiet.press("n")
    assert quiet.until(NATURAL, 640) == 480
    quiet.click("#viewer-all")
    assert quiet.run("return document.querySelectorAll('#stage .pane').length") == 2
    quiet.press("+")
    scales = "return [...document.querySelectorAll('.frame')].map((e) => e.style.transform)"
    assert all("scale(" in item for item in quiet.run(scales))


def test_many_pictures_leave_the_question_in_sight(quiet: Any, page: Path) -> None:
    shown(quiet, page, "frames")
    numbers = quiet.texts(".strip .badge")
    assert numbers == [str(number + 1) for number in range(24)]
    bottom = "return document.querySelector('.message .said').getBoundingClientRect().bottom"
    assert quiet.run(bottom) < 500
    assert quiet.texts(".picture-marks .mark") == ["images 1–24"]
    quiet.run("document.querySelectorAll('.strip .thumbnail')[17].click()")
    assert "18 of 24" in quiet.text("#viewer-facts")
    assert quiet.until(NATURAL, 647) == 360


def test_the_list_and_the_gallery_have_pictures(quiet: Any, page: Path) -> None:
    quiet.open(page)
    loaded = "return [...document.querySelectorAll('#list .sight img')].map((e) => e.alt)"
    quiet.until(f"return (() => {{ {loaded} }})().length >= 5")
    assert quiet.run(loaded)[:2] == ["picture of page", "picture of wide"]
    quiet.press("g")
    assert quiet.run("return location.hash") == "#look=gallery"
    assert quiet.shown_ids() == [*SIZES]
    quiet.until("return document.querySelectorAll('.gallery .sight img').length >= 5")
    assert "24" in quiet.texts(".gallery .sample-card .badge")
    quiet.press("j", "j", quiet.ENTER)
    quiet.detail("wide")
    quiet.press(quiet.ESCAPE)
    assert quiet.run("return document.activeElement.dataset.sample") == "wide"
    assert quiet.run("return window.hacked ?? null") is None


def test_a_name_that_wants_to_run_is_a_text(quiet: Any, page: Path) -> None:
    shown(quiet, page, HOSTILE[1])
    quiet.click(".pictures .thumbnail")
    assert quiet.until(NATURAL, 500) == 400
    assert HOSTILE[1] in quiet.run("return document.querySelector('#stage img').alt")
    assert quiet.run("return window.hacked ?? null") is None


def test_pictures_in_files_are_read_on_demand(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "INLINE", 10_000)
    monkeypatch.setattr(writing, "PICTURES", 10_000)
    page, *files = write_page(content([*SIZES]), tmp_path / "a #1.html")
    pictures = [file.name for file in files if file.name.startswith("p")]
    assert len(pictures) > 3
    browser.complaints()
    browser.open(page)
    browser.requests()
    shown(browser, page, "wide")
    browser.click(".pictures .thumbnail")
    assert browser.until(NATURAL, 6000) == 4000
    asked = [url.rpartition("/")[2] for url in browser.requests() if url.endswith(".js")]
    assert len([name for name in asked if name in pictures]) == 1
    assert browser.complaints() == []


def test_a_picture_that_is_left_out_is_told(
    quiet: Any, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "ROOM", -1)
    shown(quiet, write(content(["pair", "icon"])), "pair")
    quiet.click(".pictures .thumbnail")
    quiet.until("return document.querySelector('.pane-note').textContent")
    assert quiet.text(".pane-note") == "Only this small version is in the page"
    quiet.press(quiet.ESCAPE, "j")
    quiet.detail("icon")
    quiet.click(".pictures .thumbnail")
    assert quiet.until(NATURAL, 40) == 30  # its thumbnail has every pixel
    assert quiet.text(".pane-note") == ""


THINKING = (
    "<think>" + "The cat sits. " * 300 + "</think>So **B** is $\\frac{1}{2}$ right:\n\n- one\n- two"
)


def test_answers_are_raw_or_rendered_and_thoughts_folded(
    quiet: Any, write: Callable[..., Path]
) -> None:
    at = THINKING.index("B** is")
    answers = [AnswerView(THINKING, (at, at + 1))]
    page = write(content(["none"], none=view("none", THINKING, answers=answers)))
    shown(quiet, page, "none")
    assert not quiet.run("return document.querySelector('.thoughts').open")
    assert quiet.texts("#detail mark") == ["B"]
    assert "**B**" in quiet.text(".thoughts + .answer-text")
    quiet.run("[...document.querySelectorAll('.answer-tools button')][0].click()")
    assert quiet.texts(".rendered strong") == ["B"]
    assert quiet.texts(".rendered mfrac mi, .rendered mfrac mn") == ["1", "2"]
    assert quiet.texts(".rendered li") == ["one", "two"]


def test_what_was_read_of_a_long_answer_is_in_view(quiet: Any, write: Callable[..., Path]) -> None:
    text = "word " * 8_000
    at = 30_000
    options = [OptionView(chr(65 + n), f"option {n}", 0.03) for n in range(26)]
    answers = [AnswerView(text, (at, at + 4), options=options)]
    page = write(content(["none"], none=view("none", text, answers=answers)))
    shown(quiet, page, "none")
    inside = """
        const [mark, box] = ['mark', '.answer-text.long'].map((s) =>
            document.querySelector(`#detail ${s}`).getBoundingClientRect());
        return mark.top >= box.top && mark.bottom <= box.bottom;"""
    quiet.until(inside)
    assert len(quiet.texts("#detail .options li")) == 26


def test_runs_share_the_question_and_show_how_they_differ(
    quiet: Any, write: Callable[..., Path]
) -> None:
    rows = [SampleRow("s", QUESTION, "t", {}, [RunCell("right", 1.0), RunCell("wrong", 0.0)])]
    views = [view("pair", "the red cat"), view("pair", "the blue cat sits")]
    page = write(
        PageContent(
            "comparison",
            "t",
            runs=["a", "b"],
            rows=rows,
            thumbnail=small,
            picture=large,
            views=lambda _: views,
        )
    )
    shown(quiet, page, "s")
    assert quiet.texts("#detail .message .said") == [QUESTION]
    assert quiet.run("return document.querySelectorAll('#detail .pictures').length") == 1
    assert quiet.texts("#detail .answer-text") == ["the red cat", "the blue cat sits"]
    quiet.run("document.querySelector('.view:last-child .answer-tools button').click()")
    assert quiet.texts("#detail del") == ["red"]
    assert quiet.texts("#detail ins") == ["blue", " sits"]


def test_prompt_answer_and_command_are_copied(quiet: Any, write: Callable[..., Path]) -> None:
    content_ = random_page(3)
    page = write(PageContent("run", "t", runs=["r"], rows=content_.rows, views=content_.views,
                             commands=["chef show 'a b' --sample"]))  # fmt: skip
    shown(quiet, page, "q1")
    quiet.run("""
        window.copied = [];
        const writeText = (text) => { window.copied.push(text); return Promise.resolve(); };
        Object.defineProperty(navigator, 'clipboard', {value: {writeText}});""")
    for button in ("#copy-prompt", "#copy-command", ".answer-tools button"):
        quiet.click(button)
    prompt, command, answer = quiet.run("return window.copied")
    assert "system:\nYou answer questions" in prompt
    assert "[image 1]" in prompt
    assert command == "chef show 'a b' --sample q1"
    cell = content_.rows[1].runs[0]
    assert cell is not None
    assert answer == cell.answer


def test_a_served_page_gives_the_path_of_a_file_that_browsers_do_not_open(
    browser: Any, write: Callable[..., Path]
) -> None:
    page = write(rich_page(4))
    handler = partial(SimpleHTTPRequestHandler, directory=str(page.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        browser.driver.get(f"http://127.0.0.1:{server.server_port}/{page.name}#sample=rich")
        browser.detail("rich")
        links = browser.links("#detail .source a")
        titles = browser.run("return [...document.querySelectorAll('#detail .source button')]"
                             ".map((e) => e.title)")  # fmt: skip
        assert (links, titles) == (["images/cats.png"], ["file:///images/e1.png"])
        server.shutdown()
    browser.complaints()
    browser.requests()
