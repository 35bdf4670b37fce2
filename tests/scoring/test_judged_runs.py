"""A run that two judges have read: its files, its table, and what is loaded of them again."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from document import text_of

import chef
from chef.cli import main
from chef.metric.verdicts import JudgeSummary

PAGE = ROOT / "docs" / "reference" / "run_folder.md"
JUDGES = '''
import re

from chef.models import Model
from chef.types import Generated


class Letters(Model):
    """Reads the letter of the answer; of a B it writes no verdict."""

    def generate(self, requests):
        return [Generated(self.reply(item)) for item in requests]

    def reply(self, request):
        letter = re.findall(r"\\(([A-D])\\)", str(request.conversation[0]))[-1]
        return "Hm." if letter == "B" else f"Verdict: [[{letter}]]"


class AlwaysA(Letters):
    """Finds that every answer means A."""

    def reply(self, request):
        return "Verdict: [[A]]"
'''


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the embedded model, all of whose answers two judges have read."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "judges.py").write_text(JUDGES)
    for name in ("Letters", "AlwaysA"):
        (folder / f"{name}.yaml").write_text(f"model_name: {name}\nplugins: [judges.py]\n")
    recipe = (ROOT / "configs/recipes/Shapes/direct.yaml").read_text()
    section = "  judge_cfg: {model_cfg: [Letters.yaml, AlwaysA.yaml], when: always}\n"
    (folder / "direct.yaml").write_text(recipe + section)
    where = ["--save_dir", str(folder / "results"), "--run_name", "a", "--limit", "16"]
    tiny = str(ROOT / "configs/models/tiny.yaml")
    main(["eval", "--model_cfg", tiny, "--recipe_cfg", str(folder / "direct.yaml"), *where])
    return folder / "results" / "tiny" / "Shapes" / "direct-a"


@pytest.fixture
def run(judged: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(judged, tmp_path / "tiny" / "Shapes" / "direct-a"))


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def letter(answer: str) -> str:
    return answer[1]


def expected(run: Path) -> Counter[str]:
    """What has to become of the answers, from their letters alone."""
    return Counter(
        # AlwaysA alone reads a B, so that it says A; otherwise the two agree on an A alone.
        "judged" if letter(item["answer"]) in "AB" else "disagreed"
        for item in lines(run / "predictions.jsonl")
    )


def test_results_say_who_judged_how_much_and_how_far_they_agree(run: Path) -> None:
    results = json.loads((run / "results.json").read_text())
    judge, letters = (
        results["judge"],
        Counter(letter(item["answer"]) for item in lines(run / "predictions.jsonl")),
    )
    assert [item["name"] for item in judge["judges"]] == ["Letters", "AlwaysA"]
    assert all(len(item["fingerprint"]) == 32 for item in judge["judges"])
    assert (judge["kinds"], judge["when"], judge["by_rule"]) == (["option"], "always", 0)
    found = expected(run)
    assert found["judged"] > 0 < found["disagreed"]  # the draw has both
    assert (judge["judged"], judge["disagreed"]) == (found["judged"], found["disagreed"])
    first, second = judge["judges"]
    assert (first["ok"], first["unparsed"]) == (16 - letters["B"], letters["B"])
    assert (second["ok"], second["unparsed"]) == (16, 0)
    counts = results["coverage"]
    assert (counts["scored"], counts["unjudged"]) == (found["judged"], found["disagreed"])
    parts = ("scored", "errors", "no_truth", "unjudged", "missing")
    assert sum(counts[key] for key in parts) == counts["total"] == 16
    pairs = {
        tuple(item["raters"]): item
        for item in judge["agreement"]["option"]
        if item["measure"] == "Cohen's kappa"
    }
    # The rule reads letters, too, as the first judge does.
    assert pairs["Letters", "rule"]["percent_agreement"] == 100
    assert pairs["Letters", "rule"]["value"] == 1
    # A judge that always says the same agrees with the other one as chance would.
    both = pairs["Letters", "AlwaysA"]
    assert both["n"] == 16 - letters["B"]
    assert both["value"] == pytest.approx(0, abs=1e-9)
    assert both["percent_agreement"] == pytest.approx(100 * letters["A"] / (16 - letters["B"]))


def test_the_page_names_every_field(run: Path) -> None:
    page = text_of(PAGE).partition("\n`judge`:\n")[2].partition("\n\n[")[0]
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    judge = json.loads((run / "results.json").read_text())["judge"]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    assert named == set(judge)
    within = {row[0].strip("| `"): set(re.findall(r"`(\w+)`", row[1])) for row in rows}
    assert within["judges"] == set(judge["judges"][0])
    assert within["agreement"] == {*judge["agreement"]["option"][0], "reason"}


def test_the_page_names_every_field_of_a_judgement(run: Path) -> None:
    page = text_of(PAGE).partition("\n## judgements.jsonl\n")[2]
    rows = [line.split(" | ") for line in page.partition("\n## ")[0].splitlines()]
    named = {name for row in rows if row[0].startswith("| `")
             for name in re.findall(r"`(\w+)`", row[0])}  # fmt: skip
    assert named == set(lines(run / "judgements.jsonl")[0])


def test_scores_tell_what_each_judge_said(run: Path) -> None:
    entries = lines(run / "scores.jsonl")
    unjudged = [entry for entry in entries if "unjudged" in entry]
    assert {entry["unjudged"].partition(":")[0] for entry in unjudged} == {"the judges disagree"}
    assert {entry["score"] for entry in unjudged} == {None}
    (first, second) = unjudged[0]["judgements"]
    assert (first["judge"], second["judge"]) == ("Letters", "AlwaysA")
    assert second["reading"] == 0
    assert second["reply"] == "Verdict: [[A]]"
    read_as_a = [entry for entry in entries if "unjudged" not in entry]
    assert {entry["parsed"] for entry in read_as_a} == {0}
    assert all(entry["evidence"]["rule"].startswith("judge") for entry in read_as_a)


def test_the_table_names_the_judges_and_scoring_again_gives_the_same(run: Path, capsys) -> None:
    before = json.loads((run / "results.json").read_text())
    main(["score", str(run)])
    shown = capsys.readouterr().out
    found, marks = expected(run), [item["fingerprint"][:8] for item in before["judge"]["judges"]]
    assert (
        f"Judged by Letters ({marks[0]}), AlwaysA ({marks[1]}): {found['judged']} of 16 answers, "
        f"{found['disagreed']} without a majority (kind option, when: always)"
    ) in shown
    assert f"{found['disagreed']} without a judgement (not scored)" in shown
    assert "2 judges" in shown  # beside each figure
    assert "Cohen's kappa" in shown
    assert "Krippendorff's alpha (nominal)" in shown
    assert json.loads((run / "results.json").read_text()) == before


def test_another_metric_keeps_the_judgements_that_it_uses(run: Path) -> None:
    main(["score", str(run), "--metric", "JudgedAccuracy"])
    results = json.loads((run / "results_JudgedAccuracy.json").read_text())
    main_results = json.loads((run / "results.json").read_text())
    assert results["judge"]["judges"] == main_results["judge"]["judges"]
    assert results["result"]["ACC"] == main_results["result"]["ACC"]


def test_a_metric_of_another_kind_is_refused_and_nothing_is_written(run: Path, capsys) -> None:
    assert main(["score", str(run), "--metric", "JudgedRating"]) != 0
    assert "none of the 16 answers has a judgement" in capsys.readouterr().err
    assert not (run / "results_JudgedRating.json").exists()


def test_a_report_that_is_loaded_knows_its_judges(run: Path) -> None:
    report = chef.load_run(run).report
    results = json.loads((run / "results.json").read_text())
    assert report.judge is not None
    assert report.judge.to_json() == results["judge"]
    assert report.coverage.unjudged == results["coverage"]["unjudged"]
    assert "Judged by Letters" in str(report)
    assert set(report.to_frame()["judge"]) == {report.judge.label}
    assert "judged by Letters" in repr(report)


def test_results_of_earlier_versions_without_the_new_counts_are_loaded(run: Path) -> None:
    results = json.loads((run / "results.json").read_text())
    for key in ("unjudged", "skipped"):
        del results["coverage"][key]
    del results["judge"]
    (run / "results.json").write_text(json.dumps(results))
    report = chef.load_run(run).report
    assert (report.judge, report.coverage.unjudged) == (None, 0)


def test_groups_name_the_judges_and_count_what_is_not_judged(run: Path, capsys) -> None:
    main(["score", str(run), "--by", "category"])
    shown = capsys.readouterr().out
    assert "judged by Letters (" in shown
    groups = json.loads((run / "results.json").read_text())["by"]["category"]
    counted = sum(group["coverage"].get("unjudged", 0) for group in groups.values())
    assert counted == expected(run)["disagreed"]


def test_exports_tell_what_the_judges_said(run: Path, tmp_path: Path) -> None:
    main(["show", str(run), "--output", str(tmp_path / "x.csv"), "--export"])
    with (tmp_path / "x.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["judged_by"] for row in rows} == {'["Letters", "AlwaysA"]'}
    assert sum(row["unjudged"] != "" for row in rows) == expected(run)["disagreed"]
    assert {json.loads(row["judge_reply"])[1] for row in rows} == {"Verdict: [[A]]"}
    assert all(json.loads(row["judge_reading"])[1] == 0 for row in rows)


def test_a_run_whose_judge_was_not_asked_is_not_scored_by_a_rule(run: Path, capsys) -> None:
    (run / "judgements.jsonl").unlink()
    environment = json.loads((run / "environment.json").read_text())
    del environment["judging"]
    (run / "environment.json").write_text(json.dumps(environment))
    before = (run / "results.json").read_bytes()
    assert main(["score", str(run)]) != 0
    assert "no judge was asked about it" in capsys.readouterr().err
    assert (run / "results.json").read_bytes() == before


def test_a_summary_survives_json() -> None:
    summary = JudgeSummary([], ("option",), "unread", 1, 2, not_asked=3)
    data = json.loads(json.dumps(summary.to_json()))
    assert JudgeSummary.from_json(data).to_json() == data
    assert (summary.total, summary.label) == (6, "")
