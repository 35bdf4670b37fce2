"""The page of metrics is what the classes and `chef list` say, and names every figure of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import FAKES, ROOT
from document import text_of
from reference.metrics import own_metrics

from chef.cli import main

PAGE = ROOT / "docs" / "reference" / "metrics.md"
#: Another metric whose figures a metric gives too, as its section says.
INCLUDED = {
    "MMBench_Calibration": "MMBenchVQA",
    "POPE_Metric": "YesNo",
    "KOSMOS_Detection": "Detection",
}
#: The shortest recipe of chef for each kind of answers to score; the data sets are drawn.
RECIPES = (
    "CIFAR10/ppl", "CIFAR10/direct", "Ch3Ef/Helpful_ppl", "Digits/ppl", "FSC147/direct",
    "FSC147/ppl", "Flickr30k/direct", "Flickr30k/random_ppl", "LAMM/AI2D", "LAMM/CIFAR10",
    "LAMM/CelebA_hair", "LAMM/CelebA_smile", "LAMM/Flickr30k", "LAMM/locating_LSP", "LAMM/SVT",
    "LAMM/UCMerced", "LAMM/VOC2012", "LAMM/locating_VOC2012", "MMBench/ppl", "MME/ppl",
    "MMMU/default", "Omnibenchmark/direct",
    "POPE/random", "SEEDBench/default", "ScienceQA/ppl", "Shapes/caption_direct",
    "Shapes/caption_ppl", "Shapes/counting_ppl", "Shapes/detection_direct",
    "Shapes/detection_multi_ppl", "Shapes/ppl", "Shapes/yesno_ppl", "VOC2012/direct",
    "Winoground/default", "Winoground_Cap/default",
)  # fmt: skip

#: How a section says that one of its figures is in a unit.
UNITS = {
    "%": re.compile("%"),
    "0-1": re.compile(r"\b0 to 1\b|\b0\.\.1\b"),
    "0-100": re.compile(r"\b0 to 100\b"),
    "0-1000": re.compile(r"\b0 to 1000\b"),
    "points": re.compile(r"\(0 to 2000\)"),  # of MME
    "count": re.compile("count"),
}


def section(name: str) -> str:
    return text_of(PAGE).partition(f"\n## {name}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("name", own_metrics())
def test_keys_are_those_that_describe_shows(name: str, capsys) -> None:
    assert main(["list", name]) == 0
    # A benchmark may have the name of its metric.
    shown = capsys.readouterr().out.partition(f"{name}: a metric\n")[2]
    keys = re.findall(r"^  (\w+): (.*?) (?:= (.*)|\(required\))$", shown, re.MULTILINE)
    listed = re.findall(r"^- `(\w+)` \((.*?); (?:default `(.*?)`|required)\):",
                        section(name), re.MULTILINE)  # fmt: skip
    assert listed == [key for key in keys if key[0] not in {"dataset_name", "compat"}]


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_figure_of_a_run_is_in_its_section(
    recipe: str, drawn_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(drawn_data)
    model = tmp_path / "hashing.yaml"
    model.write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    given = ["--model_cfg", str(model), "--recipe_cfg", recipe, "--limit", "3"]
    assert main(["eval", *given, "--save_dir", str(tmp_path / "results")]) == 0
    (file,) = (tmp_path / "results").rglob("results.json")
    found = json.loads(file.read_text())
    name = found["metric_type"]
    text = section(name) + section(INCLUDED.get(name, name))
    for figure, item in found["metrics"].items():
        assert _named(figure, text), figure
        assert UNITS[item["unit"]].search(text), (figure, item["unit"])


def _named(figure: str, text: str) -> bool:
    """Whether the text has the figure; ``{subtask}``, ``_1`` and ``@0.50`` stand for others."""
    names = re.findall(r"`([^`\n]+)`", text)
    number = re.sub(r"@0\.25$", "@0.50", re.sub(r"_\d$", "_1", figure))
    outer, _, inner = figure.rpartition("/")
    templates = [re.escape(name).replace(r"\{subtask\}", ".+") for name in names if "{" in name]
    return (
        figure in names or number in names or (bool(outer) and inner in names)
        or any(re.fullmatch(template, figure) for template in templates)
    )  # fmt: skip
