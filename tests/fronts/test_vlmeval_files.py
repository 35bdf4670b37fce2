"""VLMEvalKit's stand-in files: runs, messages, scores of files, helpers, as worked out by hand.

What they have to give stands in ``tests/upstream_files/vlmeval/expected.yaml``.
"""

from __future__ import annotations

import ast
import json
import shutil
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import yaml
from upstream_expected import FILES as ALL
from upstream_expected import alike, expected, printed_by

from chef.cli import main
from chef.config.document import read_document
from chef.config.plugins import load_plugins, module_name
from chef.errors import ChefError
from chef.scenario.hooks.vlmevalkit.files import load

FILES, EXPECTED = ALL / "vlmeval", expected("vlmeval")
CLASSES = {"toy": "ToyVLM", "toy_prompted": "ToyPrompted"}
KINDS = ("vlm", "dataset")
RUNS = [run for run in EXPECTED["runs"] if run["id"] not in {"clips", "broken_table"}]


@pytest.fixture(autouse=True)
def _data(monkeypatch) -> None:
    monkeypatch.setenv("LMUData", str(FILES / "LMUData"))


def run_of(item: dict[str, Any], folder: Path, compat: str = "corrected") -> int:
    """Run a data set with a model, both of the files; return the exit code."""
    own = {kind: [str(FILES / f) for f in item["plugins"] if f"{kind}/" in f] for kind in KINDS}
    model = {"model_name": CLASSES[item["model"]], "plugins": own["vlm"]}
    recipe = {
        "plugins": own["dataset"],
        "compat": compat,
        "scenario_cfg": {"dataset_name": item["data"]},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct", "max_new_tokens": 16}},
    }
    if item["model"] == "toy_prompted":
        recipe["eval_cfg"]["instruction_cfg"] = {"prompt": "model"}
    for name, content in (("m.yaml", model), ("r.yaml", recipe)):
        (folder / name).write_text(yaml.safe_dump(content))
    command = ["eval", "--model_cfg", f"{folder}/m.yaml", "--recipe_cfg", f"{folder}/r.yaml"]
    return main([*command, "--save_dir", str(folder / "out"), "--time", "now"])


def rows_of(folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The lines of a journal in the order of ids, and the results."""
    (journal,) = (folder / "out").rglob("predictions.jsonl")
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    results = json.loads((journal.parent / "results.json").read_text())
    return sorted(lines, key=lambda line: line["id"]), results


@pytest.mark.parametrize("compat", ["corrected", "vlmevalkit"])
@pytest.mark.parametrize("item", RUNS, ids=lambda item: item["id"])
def test_a_run(item, compat: str, tmp_path: Path, capsys) -> None:
    assert run_of(item, tmp_path, compat) == 0
    rules = "corrected" if compat == "corrected" else "upstream"
    wanted = {**item.get("both", {}), **item.get(rules, {})}
    lines, results = rows_of(tmp_path)
    found = results["result"]
    if "predictions" in wanted and (compat == "corrected" or "both" in item):
        # By VLMEvalKit's own rules an option that is called None is not offered; chef offers it,
        # and does not count it.
        assert [line["answer"] for line in lines] == wanted["predictions"]
    for name, value in wanted.get("result", {}).items():
        assert alike(found[name], value), name
    if compat == "corrected" and "Overall" in wanted:
        by = {**results["by"]["split"], **results["by"]["category"]}
        found = {name: group["metrics"]["ACC"]["value"] / 100 for name, group in by.items()}
        found["all"] = results["result"]["ACC"] / 100
    elif compat == "vlmevalkit" and "Overall" in wanted:
        found = {"all": found["Overall"], **{n: found[f"{n}/Overall"] for n in ("dev", "test")}}
    for name, value in {**wanted.get("Overall", {}), **wanted.get("categories", {})}.items():
        assert name not in found or alike(found[name], value), name
    if compat == "vlmevalkit" and "result_share" in wanted:
        assert alike({name: item / 100 for name, item in found.items()}, wanted["result_share"])
    capsys.readouterr()


def test_videos_are_refused(tmp_path: Path, capsys) -> None:
    item = next(run for run in EXPECTED["runs"] if run["id"] == "clips")
    assert run_of(item, tmp_path) == 2
    said = capsys.readouterr().err
    assert "chef asks no video" in said
    assert "Traceback" not in said


def test_a_table_with_another_digest_is_refused(tmp_path: Path, monkeypatch, capsys) -> None:
    """The digest of a class of one's own holds as those of chef's benchmarks do."""
    run = next(run for run in RUNS if run["id"] == "mcq")
    shutil.copytree(FILES / "LMUData", tmp_path / "LMUData")
    table = tmp_path / "LMUData" / f"{run['data']}.tsv"
    monkeypatch.setenv("LMUData", str(table.parent))
    assert run_of(run, tmp_path) == 0
    shutil.rmtree(tmp_path / "out")
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines[:-1], lines[-1].replace("mislabelled", "changed")]) + "\n")
    capsys.readouterr()
    assert run_of(run, tmp_path) == 2
    said = capsys.readouterr().err
    assert table.name in said
    assert "md5" in said


def message(case: dict[str, Any], folder: Path) -> tuple[int, str]:
    """How many images a row is asked with, and the text."""
    files = {"ToyColourMCQ": "toy_colour_mcq", "ToyColourVQA": "toy_colour_vqa"}
    files |= {"ToyColourYN": "toy_colour_yn", "ToyWords": "toy_words", "ToyPaths": "toy_shades"}
    model = "toy_prompted" if "model" in case else "toy"
    plugins = [f"dataset/{files[case['dataset']]}.py", f"vlm/{'toy_vlm'}.py", f"vlm/{model}.py"]
    item = {"data": case["dataset"], "model": model, "plugins": list(dict.fromkeys(plugins))}
    if model == "toy":
        item["plugins"] = plugins[:2]
    assert run_of(item, folder) == 0
    lines, _ = rows_of(folder)
    query = lines[case["row"]]["trace"]["query"]
    images = len(lines[case["row"]]["images"])
    return images, query.replace("<image>\n", "").replace("<image>", "")


@pytest.mark.parametrize("case", EXPECTED["prompts"], ids=lambda c: f"{c['dataset']}-{c['row']}")
def test_a_message(case, tmp_path: Path, capsys) -> None:
    images, text = message(case, tmp_path)
    told = case.get("both", case.get("corrected"))
    written = told.partition("then the text: ")[2] or told.partition("begins: ")[2]
    written = written or told.partition("one text: ")[2]
    assert text.startswith(written)
    assert images == {"ToyWords": 0, "ToyColourVQA": 2}.get(case["dataset"], 1)
    if "options A." in told:
        assert all(option in text for option in ("A. red", "B. blue", "C. None"))
    capsys.readouterr()


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, Any]:
    return printed_by(FILES / "scripts" / "use_parts.py", tmp_path_factory.mktemp("parts"))


@pytest.mark.parametrize("name", [key for key in EXPECTED["parts"] if key != "silent"])
def test_a_helper(name: str, printed: dict[str, Any]) -> None:
    wanted = EXPECTED["parts"][name]
    if name == "matching":  # a helper follows VLMEvalKit's own rule
        wanted = wanted["upstream"]
    assert alike(printed[name], wanted)


def module_of(name: str) -> Any:
    """The module that a file becomes; one that is a part of others has no ingredient."""
    file = str(FILES / name)
    with nullcontext() if "Dataset)" in Path(file).read_text() else pytest.raises(ChefError):
        load_plugins([file], read_document({"plugins": [file]}))
    return sys.modules[module_name(Path(file))]


@pytest.mark.parametrize("case", EXPECTED["metrics_alone"], ids=lambda case: case["call"])
def test_a_metric_alone(case: dict[str, Any]) -> None:
    call = ast.parse(case["call"], mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    function = getattr(module_of(case["file"]), call.func.id)
    assert function(*map(ast.literal_eval, call.args)) == case["both"]


def test_an_evaluator_alone() -> None:
    case = EXPECTED["evaluators_alone"][0]
    assert module_of(case["file"]).ToyJudgeEvaluator()(case["lines"]) == case["both"]


def test_choices_of_a_file_are_scored_alone(tmp_path: Path) -> None:
    """A class without scores of its own, outside of a run: by VLMEvalKit's rules."""
    (case,) = (item for item in EXPECTED["evaluators_alone"] if "ColourMCQ" in item["call"])
    file = tmp_path / "answers.json"
    shutil.copy(FILES / "scripts" / "toy_predictions.json", file)
    data_set = module_of("dataset/toy_colour_mcq.py").ToyColourMCQ("ToyColourMCQ")
    table = data_set.evaluate(str(file), model="exact_matching").set_index("split")
    found = {f"Overall_{split}": table["Overall"][split] for split in ("dev", "test")}
    (result,) = tmp_path.glob("answers_result.*")
    hits = [row["hit"] for row in load(str(result))]
    assert hits == case["hits"]
    assert alike({**found, "mean_of_all": sum(hits) / len(hits)}, case["both"])
    assert table["easy"]["dev"] == pytest.approx(2 / 3)
    assert (tmp_path / "answers_acc.csv").is_file()


def test_a_data_set_evaluates_a_file_alone(tmp_path: Path) -> None:
    """Its own scores need no run: the four rows of its table with other answers."""
    (case,) = (item for item in EXPECTED["evaluators_alone"] if "ColourVQA" in item["call"])
    data_set = module_of("dataset/toy_colour_vqa.py").ToyColourVQA("ToyColourVQA")
    table = data_set.data.drop(columns="image")
    table["prediction"] = ["Red.", "navy", "blue", "white"]
    file = tmp_path / "answers.tsv"
    table.to_csv(file, sep="\t", index=False)
    found = data_set.evaluate(str(file)).iloc[0]
    assert alike(dict(found), case["both"])
    assert (tmp_path / "answers_acc.csv").is_file()
