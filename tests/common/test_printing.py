"""What is printed with styles, and where styles would be signs that nobody wants."""

from __future__ import annotations

import io
import sys

import pytest

from chef.common.printing import say_styled


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "has_colours"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)],
)
def test_a_terminal_without_styles_gets_none(
    environment: dict[str, str], has_colours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    say_styled([("sample ", ""), ("7", "bold")])
    assert ("\x1b[" in terminal.getvalue()) is has_colours
