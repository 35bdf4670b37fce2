"""ChEF's stand-in files used one by one: helpers, metrics, a retriever, an evaluator of one's own.

What they have to give stands in ``tests/upstream_files/chef/expected.yaml``.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from upstream_expected import FILES as ALL
from upstream_expected import alike, expected, printed_by

import chef
from chef.cli import main
from chef.common import front_modules
from chef.fronts.lamm.builders import build_instructionhandler
from chef.instruction.batch import record_of

FILES, EXPECTED = ALL / "chef", expected("chef")


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, Any]:
    return printed_by(FILES / "scripts" / "use_parts.py", tmp_path_factory.mktemp("parts"))


@pytest.mark.parametrize("name", EXPECTED["parts"]["helpers"])
def test_a_helper(name: str, printed: dict[str, Any]) -> None:
    wanted, found = EXPECTED["parts"]["helpers"][name], printed["helpers"][name]
    if name == "clean":
        found = [" ".join(text.split()) for text in found]
    assert alike(found, wanted.get("both", wanted.get("upstream")))


def test_options(printed: dict[str, Any]) -> None:
    """The helper follows ChEF's rule; chef's own is that of the metrics."""
    assert alike(printed["options"], EXPECTED["parts"]["options"]["upstream"])


@pytest.mark.parametrize("name", EXPECTED["parts"]["metrics"])
def test_a_metric_by_builder(name: str, printed: dict[str, Any]) -> None:
    wanted = EXPECTED["parts"]["metrics"][name]
    for figure, value in (wanted.get("both") or wanted["corrected"]).items():
        assert alike(printed["metrics"][name][figure], value), figure


def test_a_scenario_gives_items(printed: dict[str, Any]) -> None:
    wanted, found = EXPECTED["parts"]["scenario"], printed["scenario"]
    for key in ("length", "task_name", "dataset_name", "options", "gt_answers"):
        assert found[key] == wanted[key]
    assert all(text in found["question"] for text in wanted["question_holds"])
    assert not any(text in found["question"] for text in wanted["question_lacks"])


@pytest.fixture
def module() -> Iterator[Any]:
    """A file as a module of the package that it was written for."""
    front_modules.install(every=True)
    names: list[str] = []

    def loaded(file: str) -> Any:
        path = FILES / file
        package = ".".join(["ChEF", *path.parent.relative_to(FILES).parts])
        names.append(f"{package}.{path.stem}")
        spec = importlib.util.spec_from_file_location(names[-1], path)
        made = importlib.util.module_from_spec(spec)
        sys.modules[names[-1]] = made
        spec.loader.exec_module(made)
        return made

    yield loaded
    for name in names:
        del sys.modules[name]


ANSWERS = [item for item in EXPECTED["metrics_alone"] if "file" in item]


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case["file"])
def test_a_metric_alone(case, module, tmp_path: Path) -> None:
    kind, _, rest = case["call"].partition("(")
    arguments = rest.partition(")")[0].split(", threshold=")
    keys = {"threshold": float(arguments[1])} if len(arguments) > 1 else {}
    metric = getattr(module(case["file"]), kind)(arguments[0].strip('"'), **keys)
    answers = [dict(item) for item in case["answers"]]
    assert alike(metric.metric_func(answers), case["both"])
    assert [int(item["metric_result"]) for item in answers] == case["per_sample_metric_result"]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(case["answers"]))
    assert alike(metric.metric(path), case["both"])
    assert json.loads(path.read_text()) == case["answers"]


def test_a_retriever_alone(module) -> None:
    case = EXPECTED["retriever_alone"]
    dataset = module("scenario/toy_colours.py").ToyColoursDataset(str(FILES / "data/colours"))
    retriever = module(case["file"]).ToyNextRetriever(dataset, dataset, ice_num=2)
    assert [list(map(int, places)) for places in retriever.retrieve()] == case["both"]


@pytest.mark.parametrize("compat", ["corrected", "upstream"])
def test_an_evaluator_alone(compat: str, module, tmp_path: Path) -> None:
    case = EXPECTED["evaluator_alone"]
    dataset = module("scenario/toy_counting.py").ToyCountDataset(str(FILES / "data/counting"))
    cfg = {**case["given"]["cfg"]}
    cfg["metric_cfg"] = {**cfg["metric_cfg"], "compat": compat}
    evaluator = module(case["file"]).ToyEvaluator(dataset, str(tmp_path), cfg)
    path, result = evaluator.score(case["given"]["answers"])
    for name, value in case[compat].items():
        assert alike(result[name], value)
    assert json.loads((tmp_path / "results.json").read_text())["answer_path"] == path
    assert isinstance(evaluator.inferencer, chef.Inferencer)


RUNS = {item["id"]: item for item in EXPECTED["runs"]}
#: As model files spell the classes, and as the classes are called.
SPELLED = {"ToyColour": "TestToyColour", "ToyHooks": "TestToyHooks"}
SPELLED |= {"ToyFirstGeneration": "TestToyFirstGeneration"}


def in_order(lines: list[dict[str, Any]], key: str) -> list[Any]:
    """The values of a key in the order of ids, which is that of the data."""
    return [line[key] for line in sorted(lines, key=lambda line: line["id"])]


@pytest.mark.parametrize("compat", ["corrected", "upstream"])
@pytest.mark.parametrize("name", [name for name in RUNS if name not in {"api", "count_wrapper"}])
def test_a_run(name: str, compat: str, tmp_path: Path, monkeypatch, capsys) -> None:
    wanted, run = RUNS[name], RUNS[name]
    if "the same as" in str(run.get("both")):
        wanted = RUNS[run["both"].removeprefix("the same as ")]
    monkeypatch.chdir(FILES)
    model = yaml.safe_load(Path(run["model"]).read_text())
    here = os.path.relpath(FILES, tmp_path)
    own = [f"{here}/{file}" for file in wanted["plugins"]]
    model |= {"model_name": SPELLED[model["model_name"]], "plugins": own[:1]}
    recipe = yaml.safe_load(Path(run["recipe"]).read_text())
    recipe |= {"plugins": own[1:], "compat": compat}
    for file, content in (("m.yaml", model), ("r.yaml", recipe)):
        (tmp_path / file).write_text(yaml.safe_dump(content))
    command = ["eval", "--model_cfg", f"{tmp_path}/m.yaml", "--recipe_cfg", f"{tmp_path}/r.yaml"]
    more = ["--save_dir", str(tmp_path / "out"), "--time", "now", *run.get("arguments", [])]
    assert main([*command, *more]) == 0
    (journal,) = (tmp_path / "out").rglob("predictions.jsonl")
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert in_order(lines, "answer") == wanted["answers"]
    if "ppl_results" in wanted:
        scores = [item["ppl_results"] for item in in_order(lines, "scores")]
        assert alike(scores, wanted["ppl_results"])
    traces = in_order(lines, "trace")
    if "CoT_answer" in wanted:
        assert [trace["CoT_answer"] for trace in traces] == wanted["CoT_answer"]
    first = f"{compat}_query_of_first" if compat == "corrected" else ""
    asked = wanted.get("query_of_first", wanted.get(first))
    assert asked is None or traces[0]["query"].removeprefix("<image>\n") == asked
    results = json.loads((journal.parent / "results.json").read_text())["result"]
    for figure, value in {**wanted.get("both", {}), **wanted.get(compat, {})}.items():
        assert alike(results[figure], value), figure
    if "metric_result" in wanted:
        text = (journal.parent / "scores.jsonl").read_text()
        scored = [json.loads(line) for line in text.splitlines()]
        assert in_order(scored, "score") == wanted["metric_result"]
    if "query_of_second_holds" in wanted:
        # Who says what, and where images stand, is marked in a journal.
        plain = re.sub(r"\[(user|assistant)\] |<image>\n", "", traces[1]["query"])
        for text in wanted["query_of_second_holds"]:
            # By ChEF's own rules there is no line break before the question.
            assert (text if compat == "corrected" else text.replace(")\nQ", ")Q")) in plain
    said = capsys.readouterr().err
    if "notice" in wanted:
        assert all(key in said for key in ("query_type", "query_assigned_ids", "Calibration"))


@pytest.mark.parametrize("beside", [False, True])
def test_a_file_that_names_model_and_recipe(
    beside: bool, tmp_path: Path, monkeypatch, capsys
) -> None:
    """ChEF's first generation was asked with one file; its paths begin here or beside it."""
    wrapper = yaml.safe_load((FILES / "recipes" / "toy_count_wrapper.yaml").read_text())
    count = RUNS["count"]
    for key, name, plugins in (("model", "TestToyColour", 0), ("recipe", "", 1)):
        content = yaml.safe_load((FILES / wrapper[key]).read_text())
        content |= {"model_name": name} if name else {}
        content["plugins"] = [str(FILES / count["plugins"][plugins])]
        if key == "recipe":
            content["scenario_cfg"]["base_data_path"] = str(FILES / "data" / "counting")
        file = tmp_path / "files" / wrapper[key]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(content))
    (tmp_path / "files" / "evaluation.yaml").write_text(yaml.safe_dump(wrapper))
    monkeypatch.chdir(tmp_path if beside else tmp_path / "files")
    asked = "files/evaluation.yaml" if beside else "evaluation.yaml"
    assert main(["eval", asked, "--time", "now", "--sample_len", "2"]) == 0
    (file,) = Path("results").rglob("results.json")  # its save_dir
    assert json.loads(file.read_text())["result"]["ACC"] == 50
    assert main(["eval", asked, "--time", "now", "--save_dir", "elsewhere"]) == 0
    (file,) = Path("elsewhere").rglob("results.json")
    found = json.loads(file.read_text())["result"]
    assert all(alike(found[name], value) for name, value in count["corrected"].items())
    capsys.readouterr()


@pytest.mark.parametrize("as_lists", [False, True])
def test_examples_alone(as_lists: bool) -> None:
    """``generate_ices``: the examples of each row of a batch, as text."""
    science = chef.scenario.SCENARIOS.get("ScienceQA")(str(FILES / "data" / "science"))
    rows: Any = [record_of(science[index]) for index in (1, 0)]
    if as_lists:
        rows = {key: [row[key] for row in rows] for key in ("id", "question", "options")}
    ids = {"prompt_assigned_ids": 2, "template_assigned_ids": 2}
    cfg = {"retriever_type": "fixed", "ice_num": 1, "ice_assigned_ids": [2]}
    handler = build_instructionhandler("VQA", science, incontext_cfg=cfg, **ids)
    shown = "Question: Which colour is shown?\nOptions: (A) blue (B) green\n(A)"
    assert handler.generate_ices(rows) == [shown, shown]
    assert build_instructionhandler("VQA", science, **ids).generate_ices(rows) == ["", ""]
