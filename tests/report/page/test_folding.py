"""Very long texts are folded: both ends in the page, and the whole in a file beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from chef.common.redaction import remember
from chef.report.page.content import PageContent, RunCell, SampleRow
from chef.report.page.render import END, LONGEST
from chef.report.page.write import write_page
from chef.report.sample_view import AnswerView, MessageView, SampleView

#: A megabyte that a model repeated itself in, with what was read of it at one of three places.
LONG = "\U0001f408 <b>so</b> " * 100_000


def page(text: str, span: tuple[int, int] | None = None) -> PageContent:
    messages = [MessageView("user", ["What?"]), MessageView("assistant", [text], "reply")]
    answers = [AnswerView(text, span)]
    view = SampleView("s", "ok", "wrong", 0.0, messages, answers=answers)
    row = SampleRow("s", "What?", "a cat", {}, [RunCell("wrong", 0.0, None, text[:200])])
    return PageContent("run", "t", runs=["r"], rows=[row], views=lambda _: [view])


def details(file: Path) -> dict[str, object]:
    (piece,) = re.findall(r'id="piece-0">(.*)</script>', file.read_text())
    return json.loads(piece)["views"][0][0]


def test_a_page_stays_small_and_names_the_whole_text(tmp_path: Path) -> None:
    file, whole = write_page(page(LONG), tmp_path / "report.html")
    assert file.stat().st_size < 300_000
    assert whole.parent == tmp_path / "report_files"
    assert whole.read_text() == LONG
    view = details(file)
    assert view["wholes"] == [[whole.name, len(LONG)]]  # of the answer and of the message: one
    (answer,) = view["answers"]
    assert len(answer["text"]) < 2 * END + 100
    assert answer["text"].startswith(LONG[:END])
    assert answer["text"].endswith(LONG[-END:])
    assert f"{len(LONG) - 2 * END:,} characters are left out here" in answer["text"]
    assert view["messages"][1]["parts"] == [answer["text"]]


@pytest.mark.parametrize(
    ("start", "is_shown"), [(5, True), (END - 4, True), (END - 3, False), (300_000, False),
                            (len(LONG) - END, True), (len(LONG) - 9, True)],
)  # fmt: skip
def test_what_was_read_is_marked_where_it_is_shown(
    start: int, is_shown: bool, tmp_path: Path
) -> None:
    file, _ = write_page(page(LONG, (start, start + 4)), tmp_path / "report.html")
    (answer,) = details(file)["answers"]
    if not is_shown:
        assert answer["span"] is None
        return
    assert answer["text"][slice(*answer["span"])] == LONG[start : start + 4]


def test_a_text_that_a_browser_shows_at_once_is_whole(tmp_path: Path) -> None:
    text = "a" * LONGEST
    (file,) = write_page(page(text), tmp_path / "report.html")
    assert details(file)["answers"][0]["text"] == text
    assert details(file)["wholes"] == []


def test_a_whole_text_has_no_secret_and_goes_with_its_page(tmp_path: Path) -> None:
    remember(["hunter2-of-mine"])
    _, whole = write_page(page("a hunter2-of-mine b" * 5_000), tmp_path / "report.html")
    assert "hunter2" not in whole.read_text()
    assert "<redacted>" in whole.read_text()
    (other := whole.with_name("text-of-mine.txt")).write_text("mine")
    write_page(page("short"), tmp_path / "report.html")
    assert not whole.exists()
    assert other.exists()
