"""docs/reference/run_folder.md names every field that runs write, and none that no run writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT
from document import text_of
from models.api.scripted_server import Answer, completion, serve

from chef.cli import main

PAGE = text_of(ROOT / "docs" / "reference" / "run_folder.md")
TSV = """\
index\tquestion\tA\tB\tanswer\timage_path\tcategory\tl2-category\tsplit
1\tWhich?\tred\tblue\tA\t\tcolor\tshade\tdev
2\tWhich?\tred\tblue\tC\t\tcolor\tshade\tdev
3\tWhich?\tred\tblue\t\t\tcolor\tshade\tdev
"""
RECIPE = """\
scenario_cfg: {dataset_name: Tsv, path: rows.tsv}
eval_cfg:
  inferencer_cfg: {inferencer_type: PPL}
"""
#: A metric of the reader's that fails.
PLUGIN = """\
from chef.metric import Metric


class Broken(Metric):
    def score_sample(self, record):
        return {"metric_result": record["no_such_field"]}

    def metric_func(self, answers):
        return {"broken": 0}
"""
#: A recipe for every kind of field; ``broken.yaml`` and ``rows.yaml`` have failing samples.
RECIPES = (
    "rows.yaml", "broken.yaml", "Shapes/ppl", "Shapes/direct_CoT", "Shapes/yesno_icl_random_ppl",
    "Shapes/caption_direct", "Shapes/detection_multi_ppl", "Digits/ppl",
)  # fmt: skip
#: Fields that scenarios and metrics add for themselves; the page says that there are such.
OWN = {
    "sample": {"multi_turn_prefix", "image_size"},
    "scores": {"classification_answer", "grounding_answer"},
    "lines of scores.jsonl": {
        "rouge_l", "bleu4", "objects_named", "kind", "boxes_true", "turns_right", "hits",
        "boxes_predicted", "classes", "classes_right",
    },
}  # fmt: skip
#: What only other circumstances bring: a tie, a text that no file can hold, several metrics, judges
#: (whose fields `tests/scoring/test_judged_runs.py` compares with the page).
RARE = {
    "scores": {"ties"}, "trace": {"replaced_characters"}, "sample": {"replaced_characters"},
    "results.json": {"further_results", "judge", "cut"},
    "environment.json": {"judging", "taken_answers"},
    "lines of scores.jsonl": {"judgements", "unjudged", "skipped"},
}  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    top = tmp_path_factory.mktemp("runs")
    files = {"rows.tsv": TSV, "rows.yaml": RECIPE, "broken.py": PLUGIN}
    broken = f"plugins: [broken.py]\n{RECIPE}  metric_cfg: {{metric_type: Broken}}\n"
    for name, text in (files | {"broken.yaml": broken.replace("rows.tsv", "other.tsv"),
                                "other.tsv": TSV}).items():  # fmt: skip
        (top / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        code = main(
            [
                "eval",
                "--model_cfg",
                "tiny",
                "--recipe_cfg",
                *RECIPES,
                "--limit",
                "3",
                "--log_prompts",
            ]
        )
        assert code == 1  # some samples failed
        with serve(Answer(completion("(A)"))) as server:
            model = f"model_name: OpenAI\nmodel: some\nbase_url: {server.base_url}\n"
            Path("served.yaml").write_text(model)
            words = "--model_cfg served.yaml --recipe_cfg Shapes/direct --limit 3 --log_prompts"
            assert main(["eval", *words.split()]) == 0
        yield [file.parent for file in sorted(top.glob("results/*/*/*/config.yaml"))]


def table(after: str) -> set[str]:
    """The first column of the first table after a text: names in backticks, several in a cell."""
    rows = PAGE.partition(f"\n{after}\n")[2].partition("\n|---|---")[2].partition("\n\n")[0]
    cells = [line.split(" | ")[0] for line in rows.splitlines() if line.startswith("| ")]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def keys(items: list[Mapping[str, Any]]) -> set[str]:
    return {key for item in items for key in item}


def found(folders: list[Path], what: str) -> set[str]:
    """The fields of all runs at one place of the page."""

    def documents(name: str) -> list[dict[str, Any]]:
        return [json.loads((folder / name).read_text()) for folder in folders
                if (folder / name).exists()]  # fmt: skip

    answers = [line for folder in folders for line in lines(folder / "predictions.jsonl")]
    scores = [line for folder in folders for line in lines(folder / "scores.jsonl")]
    results, environments = documents("results.json"), documents("environment.json")
    configs = [yaml.safe_load((folder / "config.yaml").read_text()) for folder in folders]
    places: dict[str, list[Mapping[str, Any]]] = {
        "lines of predictions.jsonl": answers,
        "scores": [line["scores"] for line in answers],
        "trace": [line["trace"] for line in answers],
        "sample": [line["sample"] for line in answers],
        "lines of scores.jsonl": scores,
        "results.json": results,
        "metrics": [item for result in results for item in result["metrics"].values()],
        "coverage": [result["coverage"] for result in results],
        "config.yaml": configs,
        "environment.json": environments,
        "sessions": [item for one in environments for item in one["sessions"]],
        "server": [
            session["server"]
            for one in environments
            for session in one["sessions"]
            if "server" in session
        ],
        "rows.json": documents("rows.json"),
    }
    return keys(places[what])


#: The place, and the line of the page that stands before its table.
PLACES = {
    "lines of predictions.jsonl": "## predictions.jsonl",
    "scores": "`scores`, where options were scored:",
    "trace": "`trace`:",
    "sample": "`sample`, which is what a metric sees of the data:",
    "lines of scores.jsonl": "## scores.jsonl",
    "results.json": "## results.json",
    "metrics": "Each entry of `metrics`:",
    "coverage": "`coverage`:",
    "config.yaml": "## config.yaml",
    "environment.json": "## environment.json",
    "sessions": "An entry of `sessions`:",
    "server": "`server`, of a session:",
    "rows.json": "## rows.json",
}


@pytest.mark.parametrize("place", PLACES)
def test_the_fields_are_those_of_runs(place: str, folders: list[Path]) -> None:
    written = found(folders, place)
    assert written - OWN.get(place, set()) == table(PLACES[place]) - RARE.get(place, set())


def test_errors_have_the_fields_that_the_page_gives(folders: list[Path]) -> None:
    results = [json.loads((folder / "results.json").read_text()) for folder in folders]
    errors = [item for result in results for item in result.get("errors", ())]
    (row,) = re.findall(r"^\| `errors` \|(.*)\|$", PAGE, re.MULTILINE)
    assert {"run", "metric"} == {item["stage"] for item in errors}
    assert keys(errors) == set(re.findall(r"`(\w+)`", row))


def test_the_files_are_those_of_runs(folders: list[Path]) -> None:
    # Files that are there for chef alone have no section.
    written = {path.name for folder in folders for path in folder.iterdir()} - {".lock", ".seal"}
    links = set(re.findall(r"^\| \[`([^`]+)`\]", PAGE, re.MULTILINE))
    # Those of judges and of evaluators that ask have runs of their own.
    assert written == links - {"judgements.jsonl", "evaluations.jsonl"}


def test_titles_of_files_have_sections() -> None:
    for name in re.findall(r"^\| \[`([^`]+)`\]", PAGE, re.MULTILINE):
        assert f"\n## {name}\n" in PAGE
