"""The code in docs/ runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FAKES, ROOT
from PIL import ImageStat

from chef.cli import main
from chef.config import load_recipe
from chef.errors import ConfigError

DOCS = ROOT / "docs"
OWN_PARTS = "guide/own_parts.md"
DETAIL = "background/own_parts.md"
MODELS = "guide/models.md"


def test_the_examples_of_docstrings_are_collected() -> None:
    """`pytest` runs them itself: ``testpaths`` names src, and ``addopts`` asks for doctests."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-v"]
    settings = (ROOT / "pyproject.toml").read_text()
    assert re.search(r'^testpaths = .*"src"', settings, re.MULTILINE)
    listed = subprocess.run(
        [*command, "src/chef/metric", "src/chef/stats"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "chef.stats.estimate.Estimate.scaled" in listed
    assert listed.count("<DoctestItem chef.metric.") > 15


def run(
    page: str,
    folder: Path,
    recipe: str | Path,
    model: str = "fake.yaml",
    *overrides: str,
    code: int = 0,
) -> list[dict]:
    """Write the page's files and run one of its recipes; the lines of the journal."""
    text = (DOCS / page).read_text()
    for name, content in re.findall(r"```\w+\n# (\S+\.\w+)\n(.*?)```", text, re.DOTALL):
        (folder / name).write_text(content)
    (folder / "fake.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    returned = main(
        ["eval", "--model_cfg", str(folder / model), "--recipe_cfg", str(folder / recipe),
         *overrides, "--save_dir", str(folder / "results"), "--time", "now"]
    )  # fmt: skip
    assert returned == code
    (journal,) = (folder / "results").rglob("predictions.jsonl")
    return [json.loads(line) for line in journal.read_text().splitlines()]


def results(folder: Path) -> dict:
    (path,) = (folder / "results").rglob("results.json")
    return json.loads(path.read_text())["result"]


def test_the_page_on_metrics(tmp_path: Path) -> None:
    lines = run(OWN_PARTS, tmp_path, "long_answers.yaml")
    assert len(lines) == 20
    assert results(tmp_path) == {"long": 0.0}  # the fake model answers with one word


def test_the_page_on_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / OWN_PARTS).read_text()
    (script,) = re.findall(r"```python\n# make_signs.py\n(.*?)```", text, re.DOTALL)
    exec(compile(script, "make_signs.py", "exec"), {})
    (tmp_path / "signs" / "5.png").unlink()  # one error, and the run goes on
    lines = run(OWN_PARTS, tmp_path, "signs.yaml", code=1)
    assert [line["status"] for line in lines].count("error") == 1
    assert {line["answer"] for line in lines} <= {"(A)", "(B)", None}
    assert 0 <= results(tmp_path)["ACC"] <= 100


def test_the_page_on_instructions_pool(tmp_path: Path) -> None:
    lines = run(OWN_PARTS, tmp_path, "own_pool.yaml")
    assert all(line["trace"]["query"].startswith("<image>\nLook closely.") for line in lines)
    assert lines[0]["trace"]["answer_prefix"] == "Letter "


def test_the_page_on_instructions_class(tmp_path: Path) -> None:
    lines = run(OWN_PARTS, tmp_path, "own_class.yaml")
    endings = {line["trace"]["query"].rsplit(" There", 1)[1] for line in lines}
    assert endings == {" are 4 possible answers."}


def test_the_page_on_inferencers_program(tmp_path: Path) -> None:
    lines = run(OWN_PARTS, tmp_path, "ask_twice.yaml")
    assert {line["answer"] for line in lines} == {""}  # the fake model never repeats itself
    assert all(len(set(line["trace"]["texts"])) == 2 for line in lines)


def test_the_page_on_inferencers_groups(tmp_path: Path) -> None:
    lines = run(DETAIL, tmp_path, "vote.yaml")
    assert all(sum(line["trace"]["votes"].values()) == 5 for line in lines)
    assert all(line["answer"] in line["trace"]["votes"] for line in lines)  # one vote is enough
    path = tmp_path / "vote.yaml"
    path.write_text(path.read_text().replace("quorum: 1", "quorum: 6"))
    with pytest.raises(ConfigError, match=r"vote.yaml:7: .*quorum: a quorum above the number"):
        load_recipe(path)


def test_the_page_on_inferencers_loop(tmp_path: Path) -> None:
    lines = run(DETAIL, tmp_path, "polite.yaml")
    assert len({line["answer"] for line in lines}) == 20
    assert all(re.fullmatch(r"0\.\d{6}", line["answer"]) for line in lines)
    assert "Options:" in lines[0]["trace"]["query"]


@pytest.mark.parametrize("recipe", ["ppl", "direct"])
def test_the_page_on_models(tmp_path: Path, recipe: str) -> None:
    path = ROOT / f"configs/recipes/Shapes/{recipe}.yaml"
    lines = run(MODELS, tmp_path, path, "my_model.yaml", "scenario_cfg.size=12")
    assert len(lines) == 12
    if recipe == "direct":
        scenario = load_recipe(path, ["scenario_cfg.size=12"]).scenario.build()
        means = {
            one.id: ImageStat.Stat(one.images[-1].view().convert("L")).mean[0] for one in scenario
        }
        assert [line["answer"] for line in lines] == [
            "bright" if means[line["id"]] >= 128 else "dark" for line in lines
        ]
