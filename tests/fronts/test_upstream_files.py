"""Files in the manner of ChEF, MMTrustEval and VLMEvalKit load and run unchanged.

They were written from descriptions of the three systems by somebody who had not seen chef; what
they have to give stands beside them in ``expected.yaml``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT

from chef.cli import main
from chef.config.document import read_document
from chef.config.plugins import load_plugins
from chef.errors import ConfigError

FILES = ROOT / "tests" / "upstream_files"
#: Parts of files of their own: they bring no ingredient, and others import them.
PARTS = {
    "chef/evaluator/toy_evaluator.py",
    "vlmeval/configs/toy_presets.py",
    "vlmeval/configs/toy_registry.py",
    "vlmeval/configs/toy_series.py",
    "vlmeval/dataset/toy_metrics.py",
    "vlmeval/dataset/utils/toy_judging.py",
}
PLUGINS = sorted(
    str(path.relative_to(FILES)) for path in FILES.glob("*/**/*.py") if "scripts" not in path.parts
)


def expected(system: str) -> dict[str, Any]:
    return yaml.safe_load((FILES / system / "expected.yaml").read_text("utf-8"))


def test_there_are_files_of_every_system() -> None:
    assert {name.partition("/")[0] for name in PLUGINS} == {"chef", "mmte", "vlmeval"}
    assert set(PLUGINS) >= PARTS


@pytest.mark.parametrize("name", PLUGINS)
def test_a_file_loads(name: str, tmp_path: Path) -> None:
    recipe = tmp_path / "r.yaml"
    recipe.write_text(f"plugins: [{FILES / name}]\n")
    document = read_document(recipe)
    if name not in PARTS:
        load_plugins([str(FILES / name)], document)
        return
    with pytest.raises(ConfigError, match="defines no scenario"):
        load_plugins([str(FILES / name)], document)


RUNS = {item["id"]: item for item in expected("chef")["runs"] if "recipe" in item}


@pytest.mark.parametrize(
    "run",
    [
        "colours_direct", "colours_ppl", "colours_old_keys", "colours_hooks",
        "colours_first_generation", "colours_first_generation_ppl", "count", "science_ppl_cot",
    ],
)  # fmt: skip
@pytest.mark.parametrize("compat", ["corrected", "upstream"])
def test_a_run_of_chefs_files(run: str, compat: str, tmp_path: Path, monkeypatch) -> None:
    wanted = RUNS[run]
    monkeypatch.chdir(FILES / "chef")
    model = yaml.safe_load(Path(wanted["model"]).read_text())
    spelled = {"ToyColour": "TestToyColour", "ToyHooks": "TestToyHooks"}
    spelled |= {"ToyFirstGeneration": "TestToyFirstGeneration"}
    here = os.path.relpath(FILES / "chef", tmp_path)
    own = [f"{here}/{name}" for name in wanted["plugins"]]
    model |= {"model_name": spelled[model["model_name"]], "plugins": own[:1]}
    recipe = yaml.safe_load(Path(wanted["recipe"]).read_text())
    recipe |= {"plugins": own[1:], "compat": compat}
    for name, content in (("m.yaml", model), ("r.yaml", recipe)):
        (tmp_path / name).write_text(yaml.safe_dump(content))
    assert main(
        ["eval", "--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg", str(tmp_path / "r.yaml"),
         "--save_dir", str(tmp_path / "out"), "--time", "now"]
    ) == 0  # fmt: skip
    (journal,) = (tmp_path / "out").rglob("predictions.jsonl")
    answers = [json.loads(line)["answer"] for line in journal.read_text().splitlines()]
    assert sorted(answers) == sorted(wanted["answers"])
    result = json.loads((journal.parent / "results.json").read_text())["result"]
    for name, value in {**wanted.get("both", {}), **wanted.get(compat, {})}.items():
        assert result[name] == pytest.approx(value, abs=1e-4), name


@pytest.mark.parametrize(
    "script",
    sorted(
        str(path.relative_to(FILES))
        for path in FILES.glob("*/scripts/*.py")
        if path.parts[-3] != "chef"
    ),
)
def test_a_script_runs_once_fronts_are_imported(script: str, tmp_path: Path) -> None:
    code = (
        f"import chef.fronts, runpy; runpy.run_path({str(FILES / script)!r}, run_name='__main__')"
    )
    variables = {"PYTHONPATH": str(ROOT / "src"), "LMUData": str(FILES / "vlmeval" / "LMUData")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, **variables},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])
