"""Runs of the served model and of the same model in this process, to be compared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from serving.shown import shown

from chef.models.api import gate
from chef.models.tiny import Tiny
from chef.run.folder import JOURNAL
from chef.types import Generate, Generated

SHAPES = ROOT / "configs" / "recipes" / "Shapes"
#: The most seconds before any attempt, and of a pause of all: a server comes back at once here.
WAITS = dict.fromkeys(("LONGEST_DELAY", "LONGEST_PAUSE", "LONGEST_OUTAGE_PAUSE"), 0.1)
#: The program of the command, which waits no longer either.
COMMAND = f"""\
import sys
from chef.cli import main
from chef.models.api import gate

vars(gate).update({WAITS})
sys.exit(main(sys.argv[1:]))
"""


def wait_shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let models in this process wait no longer than that."""
    for name, seconds in WAITS.items():
        monkeypatch.setattr(gate, name, seconds)


def served(base_url: str, **keys: object) -> dict[str, object]:
    """The content of a model file that reaches the embedded model behind a server."""
    return {"model_name": "OpenAI", "model": "tiny", "base_url": base_url, **keys}


def lines(run: Path) -> dict[str, dict[str, Any]]:
    """The last whole line of the journal for each sample, by its id."""
    data = (run / JOURNAL).read_bytes() if (run / JOURNAL).exists() else b""
    whole = data[: data.rfind(b"\n") + 1].splitlines()
    return {line["id"]: line for line in map(json.loads, whole)}


def said(line: dict[str, Any]) -> object:
    """Everything that the model said for a sample, and how the sample ended."""
    return line["status"], line["answer"], line["scores"], line["trace"].get("query")


class Recording(Tiny):
    """The embedded model, which remembers its answers by what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, str] = {}

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        replies = super().generate(requests)
        for request, reply in zip(requests, replies, strict=True):
            self.answers[shown(request.conversation, request.answer_prefix)] = reply.text
        return replies
