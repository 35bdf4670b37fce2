"""The lines of predictions.jsonl: one key for the id, images by place and digest, older lines."""

from __future__ import annotations

import base64
import io
import json
import shutil
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from conftest import ROOT

import chef
from chef.cli import main
from chef.image import Image
from chef.run.answers import Answers, decode, encode
from chef.types import Prediction, Status

TINY = "configs/models/tiny.yaml"
FULL = Prediction(
    "7", Status.TRUNCATED, "a", {"choice": 1}, {"query": "q"}, {"id": "7"}, None, ({"path": "x"},)
)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def encoded(color: str, kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    PIL.Image.new("RGB", (6, 4), color).save(stream, kind)
    return stream.getvalue()


def test_the_id_has_the_key_of_all_files() -> None:
    line = json.loads(encode(FULL))
    assert line["id"] == "7"
    assert "sample_id" not in line
    assert decode(encode(FULL)) == FULL


def test_a_line_of_an_earlier_version() -> None:
    old = {
        "sample_id": "7",
        "status": "ok",
        "answer": "a",
        "scores": {},
        "trace": {},
        "error": None,
    }
    assert decode(json.dumps(old).encode()) == Prediction("7", Status.OK, "a")


def test_a_run_of_an_earlier_version_goes_on(tmp_path: Path, monkeypatch) -> None:
    """Its answers are kept and its journal has both spellings afterwards."""
    monkeypatch.chdir(ROOT)
    call = ["eval", "--model_cfg", TINY, "--recipe_cfg", "Shapes/ppl", "--save_dir", str(tmp_path),
            "--run_name", "old", "--limit"]  # fmt: skip
    assert main([*call, "3"]) == 0
    (journal,) = tmp_path.rglob("predictions.jsonl")
    old = [{"sample_id": line.pop("id"), **line} for line in lines(journal)]
    assert [line.pop("images") for line in old] != [[]] * 3
    journal.write_text("".join(json.dumps({**line, "answer": "kept"}) + "\n" for line in old))
    assert main([*call, "5"]) == 0
    now = lines(journal)
    assert [line.get("sample_id") for line in now[:3]] == [line["sample_id"] for line in old]
    assert [line["answer"] for line in now[:3]] == ["kept"] * 3
    assert len(now) == 5
    assert all("id" in line for line in now[3:])
    assert main(["score", str(journal)]) == 2  # no metric; with one both spellings are read
    assert main(["score", str(journal), "--metric", "Accuracy"]) == 0
    (found,) = tmp_path.rglob("*_results_Accuracy.json")
    assert json.loads(found.read_text())["coverage"]["scored"] == 5


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A TSV with an image in the row, one of another row, a path and a missing file."""
    text = base64.b64encode(encoded("red")).decode()
    (tmp_path / "blue.png").write_bytes(encoded("blue"))
    rows = [("1", text, ""), ("2", "1", ""), ("3", "", "blue.png"), ("4", f'["{text}", "1"]', "")]
    lines = ["index\timage\timage_path\tquestion\tA\tB\tanswer"]
    lines += [f"{index}\t{image}\t{path}\tWhich?\tred\tblue\tA" for index, image, path in rows]
    file = tmp_path / "mine.tsv"
    file.write_text("\n".join(lines).replace('\t["', '\t"[""').replace('", "', '"", ""')
                    .replace('"]\t', '""]"\t') + "\n")  # fmt: skip
    return file


def test_images_of_a_table(table: Path, tmp_path: Path) -> None:
    recipe = {
        "scenario_cfg": {"dataset_name": "Tsv", "path": str(table)},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
    }
    report = chef.evaluate(ROOT / TINY, recipe, save_dir=tmp_path / "results")
    images = {line["id"]: line["images"] for line in lines(report.folder / "predictions.jsonl")}
    red, blue = (Image(encoded(color)).digest for color in ("red", "blue"))
    first = {"path": str(table), "row": 1}
    assert images == {
        "1": [{**first, "digest": red}],
        "2": [{**first, "digest": red}],
        "3": [{"path": str(table.parent / "blue.png"), "digest": blue}],
        "4": [{"path": str(table), "row": 4, "image": 1, "digest": red}, {**first, "digest": red}],
    }


def test_an_image_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"no image")
    (tmp_path / "mine.tsv").write_text(
        "index\timage_path\tquestion\tanswer\n1\tbad.png\tIs it?\tyes\n"
    )
    recipe = {
        "scenario_cfg": {"dataset_name": "Tsv", "path": str(tmp_path / "mine.tsv")},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
    }
    report = chef.evaluate(ROOT / TINY, recipe, save_dir=tmp_path / "results")
    (line,) = lines(report.folder / "predictions.jsonl")
    assert line["status"] == "error"
    assert line["images"] == [{"path": str(tmp_path / "bad.png")}]


def test_an_image_is_read_once(tmp_path: Path, monkeypatch) -> None:
    """Neither its digest nor its record reads it again, and neither reads one that is not used."""
    path = tmp_path / "a.png"
    path.write_bytes(encoded("red"))
    image = Image(path)
    assert image.to_record() == {"path": str(path)}
    image.load()
    path.unlink()
    assert image.to_record() == {"path": str(path), "digest": Image(encoded("red")).digest}


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("https://a.org/1.png", {"url": "https://a.org/1.png"}),
        ("data:image/png;base64,AA", {"name": "image in a data URL"}),
        (b"bytes", {"name": "image (bytes)"}),
        (Path("a/b.png"), {"path": "a/b.png"}),
    ],
)
def test_where_an_image_comes_from(source: Any, where: dict[str, str]) -> None:
    assert Image(source).to_record() == where


def test_the_question_of_a_chain_of_thought(tmp_path: Path) -> None:
    for name in ("direct_CoT", "ppl_CoT"):
        report = chef.evaluate(
            ROOT / TINY, ROOT / f"configs/recipes/Shapes/{name}.yaml", limit=2, save_dir=tmp_path
        )
        for line in lines(report.folder / "predictions.jsonl"):
            trace = line["trace"]
            assert trace["CoT_query"].endswith("Let's think step by step.")
            assert line["sample"]["question"] in trace["CoT_query"]
        shutil.rmtree(report.folder)


def test_answers_by_id_are_those_of_the_samples_that_are_asked_for() -> None:
    answers = Answers()
    for name in "abc":
        one = Prediction(name, Status.OK, name)
        answers.add(encode(one), one)
    assert answers.of(["c", "a", "x"]).by_id().keys() == {"a", "c"}
    every = answers.of(["c", "b", "a"])
    assert [one.sample_id for one in every] == ["c", "b", "a"]
    assert every.by_id() is answers, "which keeps nothing for each of them"
