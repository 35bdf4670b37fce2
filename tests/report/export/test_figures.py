"""Drawings and tables that leave the page, and results that are sent to trackers."""

from __future__ import annotations

import csv
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Self
from xml.etree import ElementTree as ET

import pytest
import yaml
from conftest import process_restored
from fakes import Hashing
from huggingface_hub.repocard_data import model_index_to_eval_results

import chef
from chef.cli import main
from chef.document.sections import Plot
from chef.errors import ConfigError, DependencyError
from chef.report.export.figures import send, stand_alone

RECIPE = {
    "scenario_cfg": {"dataset_name": "Shapes", "task": "mcq", "size": 24},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> chef.Run:
    results = tmp_path_factory.mktemp("figures")
    with process_restored():
        report = chef.evaluate(
            Hashing(), RECIPE, save_dir=results, name="n1", on_progress=lambda _: None
        )
    return chef.load_run(report.folder)


def test_several_runs_have_one_table(run: chef.Run, tmp_path: Path) -> None:
    other = shutil.copytree(run.folder, tmp_path / "other" / run.folder.parent.name / "r-n1")
    out = tmp_path / "out"
    assert main(["show", str(run.folder), str(other), "--figures", str(out)]) == 0
    assert sorted(file.name for file in out.iterdir()) == [
        "figures.csv", "figures.md", "figures.tex",
    ]  # fmt: skip
    rows = list(csv.DictReader((out / "figures.csv").open()))
    labels = [row["recipe"] for row in rows if row["recipe"]]
    assert labels == [f"hashing: {run.report.label}", f"other: {run.report.label}"]
    text = (out / "figures.tex").read_text()
    assert text.count(r"\toprule") == 1
    assert "2 runs" in text


def test_drawings_stand_alone_and_tables_have_the_numbers(run: chef.Run, tmp_path: Path) -> None:
    assert main(["show", str(run.folder), "--figures", str(tmp_path / "out")]) == 0
    files = {file.name: file for file in (tmp_path / "out").iterdir()}
    drawings = [file for name, file in files.items() if name.endswith(".svg")]
    assert drawings
    for file in drawings:
        root = ET.fromstring(file.read_text())
        for element in root.iter():
            assert "class" not in element.attrib
            assert "currentColor" not in element.attrib.values()
        said = " ".join(root.itertext())
        assert "n = 24" in said
        item = run.report.metrics[run.report.primary]
        assert f"[{item.low:.1f}, {item.high:.1f}]" in said
        assert float(root.get("height", 0)) > 0
    rows = list(csv.DictReader(files["figures.csv"].open()))
    assert rows[0]["n"] == "24"
    assert rows[0]["value"] == f"{run.report.value:.1f}%"
    assert "| Shapes/" in files["figures.md"].read_text()
    assert r"\toprule" in files["figures.tex"].read_text()
    index = yaml.safe_load(files["model-index.yaml"].read_text())
    name, (result, *_) = model_index_to_eval_results(index["model-index"])
    assert (name, result.metric_type) == (run.report.model, run.report.primary)
    assert result.metric_value == run.report.value


def test_a_title_is_text_in_a_drawing() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 10" class="plot"></svg>'
    root = ET.fromstring(stand_alone(Plot("<b> & a", svg, ""), "</svg><script>"))
    assert [one.text for one in root.iter() if one.tag.endswith("}text")] == [
        "<b> & a", "</svg><script>",
    ]  # fmt: skip


def test_pdf_where_cairosvg_is_installed(
    run: chef.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bytes] = []
    fake = ModuleType("cairosvg")
    fake.svg2pdf = lambda bytestring: drawn.append(bytestring) or b"%PDF-1.5 \xff"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cairosvg", fake)
    assert main(["show", str(run.folder), "--figures", str(tmp_path)]) == 0
    pdfs = list(tmp_path.glob("*.pdf"))
    assert len(pdfs) == len(drawn) > 0
    assert pdfs[0].read_bytes() == b"%PDF-1.5 \xff"


class _Session(SimpleNamespace):
    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ended = True


def test_figures_go_to_trackers(run: chef.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    item = run.report.metrics[run.report.primary]
    sent: dict[str, Any] = {}
    session = _Session(summary={})
    wandb = ModuleType("wandb")
    wandb.init = lambda **given: (sent.update(given), session)[1]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    assert send(run, "wandb").endswith("to Weights & Biases, project chef")
    assert session.summary[run.report.primary] == item.value
    assert session.summary[f"{run.report.primary}_n"] == item.n
    assert session.ended
    assert (sent["name"], sent["config"]["scenario"]) == (run.folder.name, "Shapes")
    mlflow = ModuleType("mlflow")
    mlflow.start_run = lambda run_name: _Session(name=run_name)  # type: ignore[attr-defined]
    mlflow.set_tags = lambda tags: sent.update(tags=tags)  # type: ignore[attr-defined]
    mlflow.log_dict = lambda data, name: sent.update({name: data})  # type: ignore[attr-defined]
    mlflow.log_metrics = lambda numbers: sent.update(numbers=numbers)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    send(run, "mlflow")
    assert sent["numbers"] == session.summary
    assert sent["tags"]["model"] == run.report.model
    assert "recipe_cfg" in sent["config.json"]


def test_samples_go_to_a_data_set(run: chef.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    pushed: list[Any] = []
    monkeypatch.setattr(
        datasets.Dataset, "push_to_hub", lambda self, name, private: pushed.append((self, name))
    )
    assert send(run, "hf:me/answers") == "24 samples to the private data set me/answers"
    ((data, name),) = pushed
    assert (name, data.num_rows, data["id"]) == ("me/answers", 24, [row["id"] for row in run.rows])
    with pytest.raises(ConfigError, match="is no data set"):
        send(run, "hf:answers")


def test_what_is_missing_is_told(run: chef.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="cannot be sent to 'wandbb'"):
        send(run, "wandbb")
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(DependencyError, match="wandb, which is not installed"):
        send(run, "wandb")
