"""Options that tie and questions without an image are told with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

import chef
from chef.report.page.figures import _coverage
from chef.types import Conversation

TIED = "questions have the same score for all options: the first one was chosen"


class Even(chef.Model):
    """Scores all options alike but for the questions that it likes."""

    def __init__(self, likes: str = "none") -> None:
        self.likes = likes

    def score_one(self, conversation: Conversation, candidates: Sequence[str]) -> list[float]:
        step = 1.0 if any(self.likes in turn.text for turn in conversation) else 0.0
        return [-1.0 - step * place for place, _ in enumerate(candidates)]


def asked(tmp_path: Path, model: Even, images: int) -> Any:
    picture = PIL.Image.new("RGB", (4, 4), "red")
    rows = [
        {"question": f"Q{n}?", "image": picture if n < images else None, "A": "red", "B": "blue",
         "answer": "A"}
        for n in range(4)
    ]  # fmt: skip
    inferencer = {"inferencer_cfg": {"inferencer_type": "PPL"}}
    recipe = {"scenario_cfg": {"dataset_name": "Records", "path": rows}, "eval_cfg": inferencer}
    return chef.evaluate(model, recipe, save_dir=tmp_path, name=f"{model.likes}{images}")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))


def test_options_that_tie_are_a_warning(tmp_path: Path) -> None:
    report = asked(tmp_path, Even(likes="Q3"), 4)
    assert report.warning == f"3 of 4 {TIED}"
    assert report.warning in str(report)
    assert "without an image" not in str(report)
    assert chef.score(report).warning == report.warning
    assert asked(tmp_path, Even(likes="Q"), 4).warning == ""


def test_most_questions_without_an_image_are_noted(tmp_path: Path) -> None:
    report = asked(tmp_path, Even(likes="Q"), 1)
    note = "3 of 4 questions were asked without an image."
    assert note in str(report).splitlines()
    assert note in [*_coverage(report)]
    for images in (0, 2):
        assert "without an image" not in str(asked(tmp_path, Even(likes="Q"), images))
