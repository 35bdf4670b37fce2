"""Fingerprints of checkpoints: what is read for them, and when it is read again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chef.models.huggingface import fingerprint as room
from chef.models.huggingface.fingerprint import folder_fingerprint


def write(file: Path, content: bytes, seconds: float) -> None:
    """Write a file so many seconds after 1970."""
    file.write_bytes(content)
    os.utime(file, (seconds, seconds))


def test_a_file_is_read_once_until_it_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    open_file = room.open_file
    monkeypatch.setattr(room, "open_file", lambda file: opened.append(file) or open_file(file))
    # A file that was changed just now may be written again within one tick of the clock.
    monkeypatch.setattr(room, "_SETTLED", 0)
    weights = tmp_path / "model.bin"
    write(weights, b"first", 1000)
    first = folder_fingerprint(tmp_path)
    assert folder_fingerprint(tmp_path) == first
    assert opened == [weights]
    write(weights, b"other", 2000)
    assert folder_fingerprint(tmp_path) != first
    monkeypatch.undo()
    write(weights, b"third", 2000)
    third = folder_fingerprint(tmp_path)
    write(weights, b"forth", 2000)
    assert folder_fingerprint(tmp_path) != third
