"""Fetching data: from a server of this machine's own, broken in every way that the web is."""

from __future__ import annotations

import hashlib
import tarfile
import zipfile
from pathlib import Path

import pytest
from preparing.web import CONTENT, Web, zipped

from chef.errors import DataError
from chef.preparing import convert
from chef.scenario import download


def test_a_broken_connection_goes_on_where_it_broke(web: Web, tmp_path: Path) -> None:
    web.files["/a.bin"], web.cut["/a.bin"] = CONTENT, 70_000
    digest = download.download(f"{web.address}/a.bin", tmp_path / "a.bin")
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert digest == hashlib.sha256(CONTENT).hexdigest()
    assert web.asked == [("/a.bin", None), ("/a.bin", "bytes=70000-")]
    assert [file.name for file in tmp_path.iterdir()] == ["a.bin"]  # nothing is left over


def test_another_process_goes_on_from_half_a_file(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.files["/a.bin"], web.cut["/a.bin"] = CONTENT, 70_000
    monkeypatch.setattr(download, "TRIES", 1)
    with pytest.raises(DataError, match="broke after 70,000 of 102,400 bytes") as error:
        download.download(f"{web.address}/a.bin", tmp_path / "a.bin")
    assert "the same command again" in str(error.value)
    assert not (tmp_path / "a.bin").exists()
    download.download(f"{web.address}/a.bin", tmp_path / "a.bin")
    assert web.asked[-1] == ("/a.bin", "bytes=70000-")
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_half_of_an_older_file_is_not_continued(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.files["/a.bin"], web.cut["/a.bin"] = CONTENT, 70_000
    monkeypatch.setattr(download, "TRIES", 1)
    with pytest.raises(DataError):
        download.download(f"{web.address}/a.bin", tmp_path / "a.bin")
    web.files["/a.bin"] = CONTENT[::-1]
    download.download(f"{web.address}/a.bin", tmp_path / "a.bin")
    assert (tmp_path / "a.bin").read_bytes() == CONTENT[::-1]


def test_a_whole_part_is_not_fetched_again(web: Web, tmp_path: Path) -> None:
    web.files["/a.bin"] = CONTENT
    (tmp_path / "a.bin.part").write_bytes(CONTENT)
    (tmp_path / "a.bin.part.version").write_text(f'"{hashlib.md5(CONTENT).hexdigest()}"')
    download.download(f"{web.address}/a.bin", tmp_path / "a.bin")
    assert web.asked == [("/a.bin", f"bytes={len(CONTENT)}-")]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_another_content_than_the_publisher_says_is_refused(web: Web, tmp_path: Path) -> None:
    web.files["/a.bin"] = CONTENT
    wrong = download.Digest("md5", "0" * 32)
    with pytest.raises(DataError, match=r"its md5 is .* but the publisher states 000"):
        download.download(f"{web.address}/a.bin", tmp_path / "a.bin", wrong)
    assert not list(tmp_path.glob("a.bin*part"))
    right = download.Digest("md5", hashlib.md5(CONTENT).hexdigest())
    download.download(f"{web.address}/a.bin", tmp_path / "a.bin", right)


def test_what_the_server_refuses_is_said_at_once(web: Web, tmp_path: Path) -> None:
    web.files["/gated"], web.gated = CONTENT, {"/gated"}
    with pytest.raises(DataError, match="answers 404"):
        download.download(f"{web.address}/nothing", tmp_path / "a")
    with pytest.raises(DataError, match="answers 401") as error:
        download.download(f"{web.address}/gated", tmp_path / "a")
    assert "HF_TOKEN" in str(error.value)
    assert len(web.asked) == 2


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/evil.txt", "a/../../evil.txt", "..\\evil.txt", "C:\\evil.txt"]
)
def test_names_that_lead_out_of_the_folder_are_refused(name: str, tmp_path: Path) -> None:
    archive = zipped({"good.txt": b"good", name: b"bad"}, tmp_path / "a.zip")
    with pytest.raises(DataError, match="leads out of its folder"):
        convert.unpack(archive, tmp_path / "in" / "target")
    assert not list(tmp_path.rglob("evil*"))
    assert not (tmp_path / "in" / "target").exists()


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr(link, "/etc/passwd")
    member = tarfile.TarInfo("link")
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.addfile(member)
    with pytest.raises(DataError, match="contains the link 'link'"):
        convert.unpack(tmp_path / "a.zip", tmp_path / "target")
    with pytest.raises(DataError, match="contains 'link', not a plain file"):
        convert.unpack(tmp_path / "a.tar", tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_a_damaged_archive_leaves_nothing(tmp_path: Path) -> None:
    whole = zipped({"a.txt": CONTENT}, tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(whole.replace(CONTENT[:300], CONTENT[300:600][::-1], 1))
    (tmp_path / "b.zip").write_bytes(b"no archive")
    with pytest.raises(DataError, match="cannot be unpacked"):
        convert.unpack(tmp_path / "a.zip", tmp_path / "target")
    with pytest.raises(DataError, match="neither zip nor tar"):
        convert.unpack(tmp_path / "b.zip", tmp_path / "target")
    assert {file.name for file in tmp_path.iterdir()} == {"a.zip", "b.zip"}


@pytest.mark.parametrize(
    ("members", "within"),
    [
        ({"x.png": b"1", "sub/y.png": b"2"}, ""),
        ({"pictures/x.png": b"1", "pictures/sub/y.png": b"2", "__MACOSX/x": b"3"}, ""),
        ({"a/b/x.png": b"1", "a/b/sub/y.png": b"2", "a/tool.py": b"3"}, "a/b"),
    ],
)
def test_a_lone_folder_stands_for_its_content(
    members: dict[str, bytes], within: str, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    convert.unpack(zipped(members, tmp_path / "a.zip"), target, within)
    found = {str(file.relative_to(target)) for file in target.rglob("*") if file.is_file()}
    assert found == {"x.png", "sub/y.png"}
