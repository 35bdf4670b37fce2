"""The pages of the documentation in parts: fenced blocks, headings, links, inline code."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conftest import ROOT

PAGES = tuple(sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]))
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# (\S+\.\w+)\n")


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the number of its first line, its language and its text."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def file(self) -> str | None:
        """The file that the block prints: its first line is a comment with the name."""
        found = _FILE.match(self.text)
        return found[1] if found else None

    @property
    def commands(self) -> list[str]:
        """The commands of a block of shell, without comments; continued lines are one command."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [words for line in lines if (words := shlex.join(shlex.split(line, comments=True)))]

    @property
    def printed(self) -> re.Pattern[str]:
        """What a command prints that the block quotes.

        `...` stands for any text of a line, and on a line of its own for any lines.
        """
        parts = re.split(r"^\.\.\.$\n?", self.text.rstrip("\n") + "\n", flags=re.MULTILINE)
        within = (
            ".*".join(map(re.escape, part.rstrip("\n").split("..."))) for part in parts if part
        )
        return re.compile(r"\n(?:.*\n)*?".join(within))


@cache
def text_of(page: Path) -> str:
    return page.read_text("utf-8")


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    text = text_of(page)
    return tuple(
        Block(page, text.count("\n", 0, found.start()) + 1, found[2],
              re.sub(rf"^{found[1]}", "", found[3], flags=re.MULTILINE))
        for found in _FENCE.finditer(text)
    )  # fmt: skip


@cache
def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", text_of(page))


def inline(page: Path) -> Iterator[str]:
    """The pieces of inline code; a line break within one is a space."""
    for found in re.findall(r"`([^`]+)`", prose(page)):
        yield " ".join(found.split())


def anchors(page: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in titles)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in plain}


def links(page: Path) -> Iterator[tuple[str, str]]:
    """The links to files: path (empty for this page) and anchor."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            yield path, anchor
