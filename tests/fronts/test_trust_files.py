"""The stand-in files of MMTrustEval as its users run them: tasks, evaluators, metrics, sequences.

What they have to give stands in ``tests/upstream_files/mmte/expected.yaml``, worked out by hand
from descriptions by somebody who had not seen chef.
"""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Mapping
from hashlib import sha3_256
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image
from upstream_expected import FILES as ALL
from upstream_expected import alike, expected, printed_by

from chef.cli import main
from chef.config.document import read_document
from chef.config.plugins import load_plugins
from chef.fronts.mmte.parts import METRICS
from chef.metric.mmtrusteval.chain import SequentialEvaluator

FILES, EXPECTED = ALL / "mmte", expected("mmte")
#: Runs of a task that has no run before it.
RUNS = [run for run in EXPECTED["runs"] if "after" not in run]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A folder with the files, as a user's own."""
    folder = tmp_path_factory.mktemp("mmte") / "own"
    shutil.copytree(FILES, folder)
    return folder


def log_of(run: Mapping[str, Any], checkout: Path, compat: str, *more: str) -> dict[str, Any]:
    """Run a task with its plugins and the recipe's rules; return its log."""
    task = yaml.safe_load((checkout / run["config"]).read_text())
    task |= {"plugins": [f"../{name}" for name in run["plugins"]], "compat": compat}
    file = checkout / "tasks" / f"{run['id']}_{compat}.yaml"
    file.write_text(yaml.safe_dump(task, sort_keys=False))
    log = f"logs/{compat}/{run['id']}.json"
    overrides = [item for item in run.get("cfg_options", ()) if not item.startswith("log_file=")]
    overrides += [f"log_file={log}", *more]
    assert main(["eval", "--config", str(file), "--cfg-options", *overrides]) == 0
    return json.loads((checkout / log).read_text())


@pytest.mark.parametrize("compat", ["corrected", "upstream"])
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["id"])
def test_a_task(run, compat: str, checkout: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(checkout)
    with warnings.catch_warnings(record=True) as said:
        log = log_of(run, checkout, compat)
    assert "warning" not in run or any("gone.png" in str(item.message) for item in said)
    rows, both = log["per_sample_results"], run["both"]
    assert len(rows) == run.get("samples", len(rows))
    if "answers" in run:
        assert [row["pred"] for row in rows] == run["answers"]
    if "labels" in run:
        assert [row["label"] for row in rows] == run["labels"]
    for name, values in both.get("per_sample", {}).items():
        assert alike([row[name] for row in rows], values), name
    for name, value in both.get("total_results", {}).items():
        assert alike(log["total_results"][name], value), name
    check_rows(rows, both)
    capsys.readouterr()


def check_rows(rows: list[dict[str, Any]], both: Mapping[str, Any]) -> None:
    """What else is expected of the lines of a log."""
    if "per_sample_keys" in both:
        assert [key for key in rows[0] if key != "extra"] == [
            key for key in both["per_sample_keys"] if key != "extra"
        ]
    first, wanted = rows[0]["content"], both.get("content_of_first")
    if isinstance(wanted, str):
        assert first == wanted
    elif wanted:
        assert first["text"] == wanted["text"]
        assert Path(first["image_path"]).as_posix().endswith(wanted["image_path"])
    if "extra" in both:
        assert [row["extra"] for row in rows] == both["extra"]
    for row in rows:
        assert row["pred"] in both.get("every_answer_is_one_of", [row["pred"]])
    for index in both.get("per_sample_zero", ()):
        assert rows[index]["rule_contain_eval:pred_no_op"] == 0


def test_a_task_that_is_finished_asks_nothing(checkout: Path, monkeypatch, capsys) -> None:
    """``after``: the log stays as it is, and nothing is an error."""
    (again,) = [run for run in EXPECTED["runs"] if "after" in run]
    run = next(run for run in RUNS if run["id"] == again["after"])
    monkeypatch.chdir(checkout)
    first = log_of(run, checkout, "corrected")
    file = checkout / "logs" / "corrected" / f"{run['id']}.json"
    capsys.readouterr()
    assert log_of(run, checkout, "corrected") == first == json.loads(file.read_text())
    assert "this run is finished" in capsys.readouterr().err


def test_a_method_draws_its_pictures_once(checkout: Path, monkeypatch, capsys) -> None:
    run = next(run for run in RUNS if run["id"] == "titles_swatch")
    monkeypatch.chdir(checkout)
    log = log_of(run, checkout, "corrected")
    drawn = {file: file.stat().st_mtime_ns for file in Path("logs/toy/titles/swatches").iterdir()}
    titles = [row["content"]["text"] for row in log["per_sample_results"]]
    names = {f"{sha3_256(title.encode()).hexdigest()}.png" for title in titles}
    assert {file.name for file in drawn} == names
    for row in log["per_sample_results"]:
        assert Image.open(row["content"]["image_path"]).size == (12, 8)
    log_of({**run, "id": "titles_again"}, checkout, "corrected")
    assert {file: file.stat().st_mtime_ns for file in drawn} == drawn
    capsys.readouterr()


def test_what_the_judge_is_asked(checkout: Path, monkeypatch, capsys) -> None:
    run = next(run for run in RUNS if run["id"] == "judge")
    monkeypatch.chdir(checkout)
    log_of({**run, "id": "judge_prompt"}, checkout, "upstream")
    wanted = run["both"]["judge_prompt_of_first"].replace(
        run["answers"][0], "(the answer of the model)"
    )
    capsys.readouterr()
    assert main(["eval", "tasks/judge_prompt_upstream.yaml", "--dry-run"]) == 0
    assert wanted in " ".join(capsys.readouterr().out.split())


@pytest.fixture
def parts(checkout: Path) -> None:
    """The evaluators and metrics of the files."""
    names = ["../evaluators/toy_eval.py", "../evaluators/toy_metrics.py"]
    recipe = checkout / "tasks" / "parts.yaml"
    recipe.write_text(yaml.safe_dump({"plugins": names}))
    load_plugins(names, read_document(recipe))


@pytest.mark.parametrize("compat", ["corrected", "upstream"])
@pytest.mark.parametrize("case", EXPECTED["evaluators_alone"], ids=lambda case: case["id"])
def test_an_evaluator(case, compat: str, parts: None) -> None:
    keys = {"metrics_cfg": case["metrics_cfg"], **case.get("kwargs", {})}
    chain = SequentialEvaluator({case["evaluator"]: keys}, compat)
    found = chain.eval(case["preds"], case["labels"])
    found = {name.partition(":")[2]: value for name, value in found.items()}
    wanted = case.get(compat, case.get("both", {}))
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            assert alike(found[name], value), (name, found[name])
        return
    for item in wanted:
        value = found["pred_no_op"][item["sample"]]
        assert "not" not in item or not alike(value, item["not"])
        assert "value" not in item or alike(value, item["value"]), item


@pytest.mark.parametrize("case", EXPECTED["metrics_alone"], ids=lambda case: case["metric"])
def test_a_metric(case) -> None:
    found = METRICS[case["metric"]](case["y_true"], case["y_pred"], **case.get("kwargs", {}))
    assert alike(found, case["both"]), found


@pytest.mark.parametrize("case", EXPECTED["sequences"], ids=lambda case: case["id"])
def test_a_sequence(case, parts: None) -> None:
    chain = SequentialEvaluator(case["cfg"])
    found = chain.eval(case["preds"], case["labels"], extras=case["extras"])
    assert found.keys() == case["both"].keys()
    for name, value in case["both"].items():
        assert alike(found[name], value), name
    wanted = case.get("attributes", {})
    assert chain.keyname_prefix_seq == wanted.get("keyname_prefix_seq", chain.keyname_prefix_seq)
    assert [step.evaluator_id for step in chain.evaluator_seq] == [*case["cfg"]]


@pytest.mark.parametrize("name", ["use_parts", "list_datasets"])
def test_a_script(name: str, tmp_path: Path) -> None:
    printed = printed_by(FILES / "scripts" / f"{name}.py", tmp_path)
    wanted = EXPECTED[f"script_{name}"]
    if name == "use_parts":
        for key, value in wanted["prints"].items():
            assert alike(printed[key], value), key
        return
    counts = {kind: len(ids) for kind, ids in printed.items()}
    assert counts == wanted["number_of_ids_by_class"]
    assert (len(counts), sum(counts.values())) == (wanted["classes"], wanted["ids"])
