"""A data root with drawn tables, and plugins as VLMEvalKit's development guide describes them."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

import chef
from chef.scenario.shapes.scenario import Shapes
from chef.scoring.result import RunResult
from chef.types import Sample

Rows = Sequence[Mapping[str, str]]
Put = Callable[[str, Rows], Path]
Run = Callable[..., RunResult]

RECIPE = """\
plugins: [{plugin}]
scenario_cfg: {{dataset_name: {name}{keys}}}
eval_cfg:
  inferencer_cfg: {{inferencer_type: {inferencer}}}
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with an empty data root that ``$LMUData`` names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "LMUData").mkdir()
    monkeypatch.setenv("LMUData", str(tmp_path / "LMUData"))
    return tmp_path


@pytest.fixture
def put(desk: Path) -> Put:
    """``put(name, rows)``: a table in the data root."""

    def put(name: str, rows: Rows) -> Path:
        names = list(dict.fromkeys(key for row in rows for key in row))
        path = desk / "LMUData" / f"{name}.tsv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([row.get(key, "") for key in names] for row in rows)
        return path

    return put


@pytest.fixture
def run(desk: Path) -> Run:
    """``run(source, name)``: the report of the embedded model on a data set of a plugin."""

    def run(
        source: str, name: str, *, keys: str = "", inferencer: str = "Direct", **options: object
    ) -> RunResult:
        (desk / "mine.py").write_text(source)
        recipe = desk / "recipe.yaml"
        text = RECIPE.format(plugin="mine.py", name=name, keys=keys, inferencer=inferencer)
        recipe.write_text(text + str(options.pop("more", "")))
        return chef.evaluate("tiny", recipe, save_dir=desk / "results", **options)  # type: ignore[arg-type]

    return run


def drawn(number: int) -> Sample:
    """A drawn scene with a question of multiple choice."""
    return Shapes(size=number + 1)[number]


def encoded(sample: Sample) -> str:
    """The image of a drawn scene in base64, PNG."""
    content = io.BytesIO()
    sample.images[0].load().save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def choice_row(number: int, **changes: str) -> dict[str, str]:
    """A row of multiple choice about a drawn scene."""
    sample = drawn(number)
    texts = sample.fields["choices"]
    return {
        "index": str(number),
        "image": encoded(sample),
        "question": sample.question.removeprefix("Question: ").partition("\n")[0],
        **dict(zip("ABCD", texts, strict=True)),
        "answer": "ABCD"[sample.fields["gt_choice"]],
        "category": sample.fields["category"],
        **changes,
    }
