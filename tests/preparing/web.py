"""A server of this machine's own, broken in every way that the web is."""

from __future__ import annotations

import zipfile
from pathlib import Path


class Web:
    """What the server holds, what it does, and what was asked of it."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut: dict[str, int] = {}  # after so many bytes the connection breaks, once
        self.asked: list[tuple[str, str | None]] = []
        self.tokens: list[str | None] = []
        self.gated: set[str] = set()
        self.address = ""


CONTENT = bytes(range(256)) * 400


def zipped(members: dict[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path
