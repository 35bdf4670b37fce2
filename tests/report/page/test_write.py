"""Pages as files: what is in them, what is beside them, and what a crash leaves."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_content import HOSTILE, random_page, rich_page, suite_page

from chef.common.redaction import remember
from chef.common.writing import write_parts
from chef.errors import RunError
from chef.report.page import write
from chef.report.page.content import Plot
from chef.report.page.write import write_page


def element(html: str, tag: str) -> str:
    """The content of the only element of a kind."""
    (found,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
    return str(found)


def data(html: str, name: str) -> Any:
    """The JSON of one element."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html)
    assert found
    return json.loads(found[1])


@pytest.fixture
def in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few details are many."""
    monkeypatch.setattr(write, "INLINE", 50_000)
    monkeypatch.setattr(write, "PIECE", 20_000)


def test_a_page_is_one_file_whose_policy_names_its_code(tmp_path: Path) -> None:
    page = tmp_path / "new" / "folder" / "report.html"
    assert write_page(rich_page(5), page) == [page]
    html = page.read_text()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', html)
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        own = base64.b64encode(hashlib.sha256(element(html, tag).encode()).digest()).decode()
        assert f"{rule} 'sha256-{own}'" in policy
    assert policy.startswith("default-src 'none';")
    for refused in ("unsafe", "http", "*", "self"):
        assert refused not in policy
    assert "style=" not in html
    assert not re.search(r"<[a-z][^<>]*\son\w+=", html[: html.index("<script>")])
    # No address but the names of namespaces, and those that the content itself holds.
    known = {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}
    assert set(re.findall(r"https?://[^\"'\s<)]+", html)) == known


def test_no_text_of_the_content_ends_an_element(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_page(rich_page(0), page)
    html = page.read_text()
    assert html.count("</script>") == html.count("<script")
    assert html.count("<!--") == 0
    index = data(html, "index")
    shown = [row[1] for row in index["rows"][1:]]
    assert shown == [text.replace("\ud800", "\ufffd") for text in HOSTILE]
    assert [name for name, _ in index["fields"]] == ["category", "level", "page", "__proto__"]
    assert [row[3][1] for row in index["rows"]] == [0] + [-1] * len(HOSTILE)
    (first,) = data(html, "piece-0")["views"][0]
    assert first["images"][2]["thumbnail"] is None
    assert first["answers"][0]["span"] == [8, 11]


def test_each_thumbnail_stands_once_in_a_piece(tmp_path: Path) -> None:
    asked: list[str] = []
    content = random_page(20)

    def thumbnail(key: str) -> bytes:
        asked.append(key)
        return key.encode()

    page = tmp_path / "report.html"
    write_page(replace(content, thumbnail=thumbnail), page)
    piece = data(page.read_text(), "piece-0")
    assert len(asked) == len(set(asked)) == len(piece["thumbnails"]) == 60
    image = piece["views"][7][0]["images"][1]
    assert base64.b64decode(piece["thumbnails"][image["thumbnail"]]) == b"q7-1"


def test_many_details_are_in_files_that_the_page_names(tmp_path: Path, in_files: None) -> None:
    content = random_page(40)
    page, *files = write_page(content, tmp_path / "report.html")
    index = data(page.read_text(), "index")
    assert [file.name for file in files] == index["files"]
    assert {file.parent for file in files} == {tmp_path / "report_files"}
    assert len(files) > 3
    found: list[str] = []
    for file, start in zip(files, index["starts"], strict=True):
        match = re.fullmatch(r'chefChunk\("(.*?)",(.*)\);\n', file.read_text())
        assert match
        assert match[1] == file.name
        assert len(found) == start
        found += [views[0]["id"] for views in json.loads(match[2])["views"]]
    assert found == [row.id for row in content.rows]


def test_a_new_page_removes_the_files_of_the_old_and_no_others(
    tmp_path: Path, in_files: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, *old = write_page(random_page(40), tmp_path / "report.html")
    note = old[0].with_name("notes.txt")
    note.write_text("mine")
    _, *new = write_page(random_page(30, 2), page)
    assert {path.name for path in note.parent.iterdir()} == {"notes.txt", *(f.name for f in new)}
    note.unlink()
    monkeypatch.setattr(write, "INLINE", 10_000_000)
    assert write_page(random_page(30), page) == [page]
    assert list(tmp_path.iterdir()) == [page]


def test_a_crash_leaves_the_old_page_complete(tmp_path: Path, in_files: None) -> None:
    page, *old = write_page(random_page(40), tmp_path / "report.html")
    before = {path: path.read_bytes() for path in (page, *old)}
    content = random_page(60)

    def views(name: str) -> Any:
        if name == "q55":
            raise KeyboardInterrupt
        return content.views(name)

    with pytest.raises(KeyboardInterrupt):
        write_page(replace(content, views=views), page)
    assert {path: path.read_bytes() for path in before} == before
    # What the crash left goes with the next page.
    _, *new = write_page(content, page)
    assert set((tmp_path / "report_files").iterdir()) == set(new)


def test_an_interrupt_while_the_page_is_written_leaves_the_old_one(tmp_path: Path) -> None:
    (page,) = write_page(random_page(3), tmp_path / "report.html")
    before = page.read_bytes()

    def parts() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_parts(page, parts())
    assert page.read_bytes() == before
    assert list(tmp_path.iterdir()) == [page]


def test_two_pages_written_at_once_are_each_complete(tmp_path: Path, in_files: None) -> None:
    """Neither removes the files that the other is about to name."""
    page = tmp_path / "report.html"
    content, after = random_page(60), random_page(40, 2)
    other = threading.Thread(target=write_page, args=(after, page))

    def views(name: str) -> Any:
        if name == content.rows[-1].id:
            other.start()
            other.join(0.5)  # it is written in less, unless it waits
        return content.views(name)

    _, *files = write_page(replace(content, views=views), page)
    assert files
    other.join()
    named = data(page.read_text(), "index")["files"]
    assert {file.name for file in files[0].parent.iterdir()} == set(named)


def test_details_are_made_one_piece_at_a_time(tmp_path: Path, in_files: None) -> None:
    """Before the last view is asked for, the first are on disk."""
    content = random_page(60)
    written: list[int] = []

    def views(name: str) -> Any:
        written.append(len(list(tmp_path.glob("report_files/*.js"))))
        return content.views(name)

    write_page(replace(content, views=views), tmp_path / "report.html")
    assert len(written) == 60
    assert written[0] == 0
    assert written[30] > 1
    assert written == sorted(written)


def test_no_secret_gets_into_a_page_and_its_code_stays(tmp_path: Path) -> None:
    content = random_page(3)
    plain = tmp_path / "plain.html"
    write_page(content, plain)
    words = ["polyline", "stroke", "circle"]  # the names of elements of a drawing
    remember(["What colour is shape 1", "largest shape", "Reliability", "replaceChildren", *words])
    page = tmp_path / "report.html"
    write_page(content, page)
    html = page.read_text()
    for secret in ("What colour is shape 1", "largest shape", "Reliability"):
        assert secret in plain.read_text()
        assert secret not in html
    assert element(html, "script") == element(plain.read_text(), "script")


@pytest.mark.parametrize(
    "svg",
    [
        "<svg><rect></svg>",
        "<svg><script>1</script></svg>",
        '<svg onload="x()"/>',
        '<svg><text style="fill: red">a</text></svg>',
        '<svg xmlns:x="http://www.w3.org/1999/xlink"><rect x:href="http://a.b"/></svg>',
        '<svg><image href="http://a.b/c.png"/></svg>',
    ],
)
def test_a_drawing_that_the_policy_would_refuse_is_an_error(tmp_path: Path, svg: str) -> None:
    content = replace(suite_page(), sections=[Plot("a drawing", svg, "")])
    with pytest.raises(ValueError, match="'a drawing'"):
        write_page(content, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_permission_has_a_page_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(name: str, flags: int, *rest: Any, **more: Any) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied", name)
        return original(name, flags, *rest, **more)

    original = os.open
    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(RunError) as caught:
        write_page(suite_page(), tmp_path / "report.html")
    assert caught.value.what == "the file cannot be written (Permission denied)"
    assert caught.value.hint is not None
    assert f"make {tmp_path} writable; or write the page elsewhere" in caught.value.hint
    assert "chef show RUN --page -o FILE" in caught.value.hint


def test_a_page_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="folder of the page cannot be made"):
        write_page(suite_page(), tmp_path / "file" / "report.html")
    (tmp_path / "report.html").mkdir()
    with pytest.raises(RunError, match=r"report\.html: the file cannot be written"):
        write_page(suite_page(), tmp_path / "report.html")
