"""Runs for pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from conftest import FAKES, process_restored
from report.page.reading_pages import COLOURS, HOSTILE, SHAPES

import chef


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Path]]:
    """Runs 24 questions with four options, whose ids and categories are hostile."""
    top = tmp_path_factory.mktemp("contents")
    (top / "questions.tsv").write_text(
        "index\tquestion\tA\tB\tC\tD\tanswer\tcategory\n"
        + "".join(
            f"{HOSTILE}{number}\tQuestion {number}?\tred\tblue\tgreen\tpink\t{'ABCD'[number % 4]}\t"
            f"{COLOURS if number % 3 else SHAPES}\n"
            for number in range(24)
        )
    )
    made: dict[str, Path] = {}

    def run(inferencer: str = "PPL", broken: str = "~") -> Path:
        name = f"{inferencer}{broken}".replace(" ", "_").replace("?", "").replace("~", "")
        if name in made:
            return made[name]
        model = {"plugins": [str(FAKES)], "model_name": "Hashing"}
        if broken != "~":
            model["broken"] = broken
        recipe = {
            "scenario_cfg": {"dataset_name": "Tsv", "path": str(top / "questions.tsv")},
            "eval_cfg": {"inferencer_cfg": {"inferencer_type": inferencer}},
        }
        for file, content in ((f"{name}_model.yaml", model), (f"{name}.yaml", recipe)):
            (top / file).write_text(yaml.safe_dump(content))
        report = chef.evaluate(
            top / f"{name}_model.yaml", top / f"{name}.yaml", save_dir=top / "r", name="t"
        )
        made[name] = report.folder
        return report.folder

    with process_restored():
        yield run
