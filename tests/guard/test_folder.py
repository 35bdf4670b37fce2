"""The one way to the files of a run folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from chef.guard import folder
from chef.guard.files import NotAFileError, TooLargeError
from chef.guard.folder import LinkError


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(b"mine")
    (tmp_path / "run" / "inner").mkdir(parents=True)
    (tmp_path / "run" / "inner" / "file").write_bytes(b"a\r\nb")
    (tmp_path / "run" / "file").write_bytes(b"text")
    (tmp_path / "run" / "link").symlink_to(tmp_path / "outside" / "file")
    (tmp_path / "run" / "way").symlink_to(tmp_path / "outside")
    (tmp_path / "run" / "nowhere").symlink_to(tmp_path / "new")
    (tmp_path / "latest").symlink_to(tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("name", "below"), [("link", 1), ("nowhere", 1), ("way/file", 2), ("way", 1), ("way/new", 2)]
)
def test_no_link_below_the_folder_is_followed(run: Path, name: str, below: int) -> None:
    path = run / name
    with pytest.raises(LinkError):
        folder.read_bytes(path, below=below)
    for flags in (os.O_RDWR | os.O_CREAT, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_TRUNC):
        with pytest.raises(LinkError):
            folder.open_descriptor(path, flags, below=below)
    with pytest.raises(LinkError):
        folder.state_of(path, below=below)
    assert not folder.has_file(path, below=below)
    assert (run.parent / "outside" / "file").read_bytes() == b"mine"
    assert sorted(item.name for item in (run.parent / "outside").iterdir()) == ["file"]
    assert not (run.parent / "new").exists()


def test_a_link_is_replaced_and_removed_itself(run: Path) -> None:
    with folder.replaced(run / "link") as stream:
        stream.write(b"new")
    assert (run / "link").read_bytes() == b"new"
    assert not (run / "link").is_symlink()
    folder.remove(run / "nowhere")
    with pytest.raises(LinkError):
        folder.remove(run / "way" / "file", below=2)
    with pytest.raises(LinkError), folder.replaced(run / "way" / "file", below=2):
        pass
    for call in (folder.make_folder, lambda path: folder.names_in(path, below=1)):
        with pytest.raises(LinkError):
            call(run / "way")
    assert (run.parent / "outside" / "file").read_bytes() == b"mine"


def test_links_above_the_folder_are_the_users_own(run: Path) -> None:
    latest = run.parent / "latest"
    assert folder.read_text(latest / "file") == "text"
    assert folder.read_bytes(latest / "inner" / "file", below=2) == b"a\r\nb"
    assert folder.names_in(latest)[:2] == ["file", "inner"]
    with folder.replaced(latest / "file") as stream:
        stream.write(b"new")
    assert (run / "file").read_bytes() == b"new"


def test_a_failed_replacement_leaves_the_file_and_nothing_else(run: Path) -> None:
    before = sorted(item.name for item in run.iterdir())
    with suppress(KeyboardInterrupt), folder.replaced(run / "file") as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert (run / "file").read_bytes() == b"text"
    assert sorted(item.name for item in run.iterdir()) == before


def test_what_is_no_file_is_refused_at_once(run: Path) -> None:
    os.mkfifo(run / "pipe")
    for name in ("pipe", "inner"):
        for flags in (os.O_RDONLY, os.O_RDWR):
            with pytest.raises(NotAFileError):
                folder.open_descriptor(run / name, flags)
    with pytest.raises(TooLargeError):
        folder.read_bytes(run / "file", 3)
    assert folder.state_of(run / "absent") is None
    assert folder.state_of(run / "file" / "below") is None


def test_no_name_leads_out_of_the_folder(run: Path) -> None:
    for path, below in ((run / "..", 1), (run / ".." / "outside" / "file", 3), (run / "a\0b", 1)):
        with pytest.raises(FileNotFoundError):
            folder.read_bytes(path, below=below)
    assert folder.read_bytes(run.parent / "run" / ".." / "run" / "file") == b"text"


def test_links_in_place_of_own_files_are_seen(run: Path) -> None:
    folder.refuse_links(run)  # these have no name of chef's
    assert folder.holds_links(run)
    assert not folder.holds_links(run / "inner")
    (run / "scores.jsonl").symlink_to("file")
    with pytest.raises(LinkError, match=r"scores\.jsonl"):
        folder.refuse_links(run)
