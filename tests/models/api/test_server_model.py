"""A class of one's own behind a server: a few lines, in a file beside the model file."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.cli import main

MINE = '''\
from chef.models.api import Received, ServerModel
from chef.types import Generated


class Mine(ServerModel):
    """Answers the first option."""

    async def attempt(self, request):
        return Received(Generated("(A)"), prompt_tokens=10, completion_tokens=1)
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    path = tmp_path / "mine.yaml"
    path.write_text("plugins: [mine.py]\nmodel_name: Mine\n")
    monkeypatch.chdir(tmp_path)
    return path


def evaluate(path: Path, recipe: str) -> int:
    return main(["eval", "--model_cfg", str(path), "--recipe_cfg", recipe, "--limit", "8"])


def test_the_shortest_class_is_evaluated(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(mine, "Shapes/direct") == 0
    told = capsys.readouterr()
    assert "8 requests, 80 tokens in, 8 out" in told.err
    assert "8 of 8 samples scored" in told.out + told.err


def test_a_class_that_only_writes_scores_no_options(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(mine, "Shapes/ppl") == 2
    told = capsys.readouterr().err
    assert "the model 'Mine' cannot score options" in told
    assert "scores_options = True" in told
    assert not list(mine.parent.glob("results/**/predictions.jsonl"))
