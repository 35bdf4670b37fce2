"""Every recipe that ChEF ships, as it ships it, end to end on drawn data and the embedded model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_recipes import check_whole
from test_tiny import Brief, run_recipe
from upstream import first_generation, second_generation

from chef.config import Recipe, load_recipe
from chef.errors import ConfigError
from chef.models import Model
from chef.run.folder import load_predictions
from chef.scenario import SCENARIOS
from chef.scoring.answer_file import score_file
from chef.scoring.override import MetricOverride
from chef.scoring.result import RESULTS, score_file_of
from chef.scoring.run_folder import rescore_run

TABLE = {f"second: {name}": recipe for name, recipe in second_generation().items()} | {
    f"first: {name}": recipe for name, recipe in first_generation().items()
}
SAMPLES = 2
CHEFS_TURN = ("prompt_idx", "question", "answer", "probs", "prob", "options")


def dataset(recipe: dict[str, Any]) -> str:
    name: str = recipe["scenario_cfg"]["dataset_name"]
    return name


def is_3d(recipe: dict[str, Any]) -> bool:
    inferencer: str = recipe["eval_cfg"]["inferencer_cfg"]["inferencer_type"]
    return inferencer == "Direct3D"


REFUSED = {
    **{name: "is about point clouds" for name, recipe in TABLE.items() if is_3d(recipe)},
    # ChEF's own fails as well: the pictures of CIFAR10 come without a question.
    "first: CIFAR10/icl_ppl": "no sample of the pool has any question",
}
RUNNABLE = [name for name in TABLE if name not in REFUSED]


@pytest.fixture(scope="module")
def brief() -> Model:
    return Brief(dtype="float32")


@pytest.fixture
def write(tmp_path: Path, drawn_data: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes a recipe file; paths in it start where both ``data`` and ``../data`` lead to data."""
    monkeypatch.chdir(drawn_data)
    # The folder of MME had another name then.
    older = drawn_data / "data" / "MME_Benchmark_release_version"
    if not older.exists():
        older.symlink_to("MME", target_is_directory=True)

    def write(name: str) -> Path:
        path = tmp_path / f"{name.rsplit('/', maxsplit=1)[-1]}.yaml"
        path.write_text(yaml.safe_dump(TABLE[name], sort_keys=False))
        return path

    return write


def test_the_tables_of_recipes_are_complete() -> None:
    assert len(second_generation()) == 69
    assert len(first_generation()) == 39
    missing = {dataset(recipe) for recipe in TABLE.values() if not is_3d(recipe)} - {*SCENARIOS}
    assert not missing


@pytest.mark.parametrize("name", RUNNABLE)
def test_recipes_of_chef_run_as_they_are(name: str, brief: Model, write, tmp_path: Path) -> None:
    report = run_recipe(load_recipe(write(name)), brief, tmp_path / "run", SAMPLES)
    check_whole(report)
    check_scored_again(tmp_path / "run")
    check_scored_from_chefs_own_file(tmp_path / "run", load_recipe(write(name)))


def check_scored_again(folder: Path) -> None:
    """Without the model: the same bytes; and the same figures where the run was killed before."""
    names = (RESULTS, score_file_of(folder / RESULTS).name)
    before = {name: (folder / name).read_bytes() for name in names}
    # No command has made this folder, so what its recipe names is used only where that is allowed.
    assert rescore_run(folder, MetricOverride(), trust=True).file == folder / RESULTS
    assert {name: (folder / name).read_bytes() for name in before} == before
    (folder / RESULTS).unlink()
    assert rescore_run(folder, MetricOverride(), trust=True).file == folder / RESULTS
    old, new = json.loads(before[RESULTS]), json.loads((folder / RESULTS).read_bytes())
    for key in ("metric_type", "metrics", "coverage", "random_accuracy", "details"):
        assert new[key] == old[key]


def _values(results: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {key: (item["value"], item["n"]) for key, item in results["metrics"].items()}


def check_scored_from_chefs_own_file(folder: Path, recipe: Recipe) -> None:
    """The answers as ChEF would have written them, and the truth from the scenario."""
    records = []
    for prediction in load_predictions(folder / "predictions.jsonl").values():
        record = {**prediction.to_record(), "answer": prediction.answer}
        thought = record.get("CoT_answer", "")
        if "turn_answer" in record:
            del record["answer"]
        elif "choice" not in record:
            record["answer"] = thought + record["answer"]
        turns = [
            {key: turn[key] for key in CHEFS_TURN if key in turn}
            for turn in record.pop("turn_answer", [])
        ]
        ours = ("status", "choice", "logprob_sums", "option_tokens", "sum_probs", "ties")
        kept = {key: value for key, value in record.items() if key not in ours}
        records.append({**kept, **({"turn_answer": turns} if turns else {})})
    file = folder / "Set_20240301120000.json"
    file.write_text(json.dumps(records))
    found = json.loads(score_file(file, MetricOverride(recipe=recipe)).file.read_text())
    expected = json.loads((folder / RESULTS).read_text())
    # Such a file does not tell which samples share an image, so intervals may be narrower.
    assert _values(found) == _values(expected)
    assert found["coverage"]["scored"] == expected["coverage"]["scored"]


@pytest.mark.parametrize("name", REFUSED)
def test_recipes_that_cannot_run_are_refused(
    name: str, brief: Model, write, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=REFUSED[name]):
        run_recipe(load_recipe(write(name)), brief, tmp_path / "run", SAMPLES)
