"""results.json and the object of it are one: a field stands in one place and is seen everywhere."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import pytest

from chef.document.outline import as_csv, as_latex, as_markdown, as_text
from chef.errors import DataError
from chef.metric import Coverage, Estimate
from chef.metric.coverage import StoppedEarly
from chef.metric.groups import Group
from chef.report.page.figures import figures_table
from chef.scoring.result import RunResult, read_result, result_tables, table, write_result
from chef.suite.members.file import read_suite
from chef.suite.members.result import Outcome, SuiteResult
from chef.suite.members.sections import members_table
from chef.suite.race.result import Race
from chef.suite.sweep.page import sweep_page, sweep_table
from chef.suite.sweep.running import analysed
from chef.suite.sweep.samples import StoredFactor, StoredRun, StoredSweep, relative, write_sweep

ACC = Estimate(80.0, 10, 12.6, 49.0, 94.3, "%")


class Wider(RunResult, frozen=True, kw_only=True):
    """Results with one field more: this line is all that is written for it."""

    seconds: Annotated[float | None, msgspec.Meta(title="s a sample")] = None


def result(kind: type[RunResult], file: Path, **more: object) -> RunResult:
    return kind(
        recipe="ppl", scenario="Shapes", model="tiny", file=file, metrics={"ACC": ACC},
        primary="ACC", coverage=Coverage(10, 10), chance_for=("ACC",), random_accuracy=0.25,
        **more,
    )  # type: ignore[arg-type]  # fmt: skip


def test_a_field_that_is_added_in_one_place_is_shown_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "tiny" / "Shapes" / "ppl-1" / "results.json"
    file.parent.mkdir(parents=True)
    write_result(result(Wider, file, seconds=0.4321))
    assert json.loads(file.read_text())["seconds"] == 0.4321
    read = read_result(file, kind=Wider)
    assert isinstance(read, Wider)
    assert read.seconds == 0.4321
    sections = result_tables([read])
    (page, *_) = (dict(zip(figures_table(read).headers, figures_table(read).rows[0], strict=True)),)
    assert page["s a sample"] == "0.4321"
    for shown in (as_text(sections), as_markdown(sections), as_latex(sections), as_csv(sections)):
        assert "s a sample" in shown
        assert "0.4321" in shown
    (figures,) = sections
    assert figures.rows[0][figures.headers.index("s a sample")] == "0.4321"
    # Without it all stays as it was.
    assert "s a sample" not in table([result(RunResult, file)])


def test_the_field_is_shown_of_races_and_suites_too(tmp_path: Path) -> None:
    run = result(Wider, tmp_path / "tiny" / "Shapes" / "ppl-1" / "results.json", seconds=0.4321)
    race = Race("Shapes/ppl", "questions", 10, 10, 10, None, [], [run])
    assert "s a sample" in race.table()
    assert race.to_json()["runs"][0]["seconds"] == 0.4321
    figures = {"score": {"score": {"field": "accuracy", "of": "a"}}}
    suite = read_suite({"members": {"a": {"recipe": "Shapes/ppl"}}, "figures": figures})
    found = SuiteResult.of(suite, "tiny", {}, {"a": Outcome("a", run)})
    assert found.to_json()["members"]["a"]["seconds"] == 0.4321
    members = members_table(found, {})
    assert members.rows[0][members.headers.index("s a sample")] == "0.4321"


def test_the_field_is_shown_of_sweeps_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tiny" / "Shapes" / "ppl+a.0-s" / "results.json"
    file.parent.mkdir(parents=True)
    write_result(result(Wider, file, seconds=0.4321))
    (file.parent / "scores.jsonl").write_text("")
    (file.parent / "predictions.jsonl").write_text("")
    folder = tmp_path / "sweeps" / "s"
    runs = [StoredRun({"a": "0"}, "tiny", "ppl+a.0", relative(file, folder))]
    write_sweep(folder, StoredSweep("s", [StoredFactor("a", "choice", ["0"])], runs))
    monkeypatch.setattr("chef.suite.sweep.samples.RunResult", Wider)
    found = analysed(folder)
    assert found.to_json()["combinations"][0]["seconds"] == 0.4321
    (row,) = csv.DictReader(found.as_csv().splitlines())
    assert (row["score"], row["seconds"]) == ("80.0", "0.4321")
    shown = [*sweep_page(found).sections]
    for text in (sweep_table(found), as_markdown(shown), as_latex(shown)):
        assert "s a sample" in text
        assert "0.4321" in text
    # sweep.json holds no figures of its own: those of a run that is scored again are shown.
    write_result(result(Wider, file, seconds=0.75))
    assert "0.75" in sweep_table(analysed(folder))
    assert "figure" not in json.loads((folder / "sweep.json").read_text())["combinations"][0]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "m" / "S" / "r-1" / "results.json"
    file.parent.mkdir(parents=True)
    groups = {"category": {"a": Group({"ACC": ACC}, Coverage(4, 4), 0.5)}}
    stopped = StoppedEarly(10, 40, 5.0, reached=True, figure="ACC", half_width=4.5)
    made = result(
        RunResult, file, by=groups, left_out={"id": 3}, stopped=stopped, metric_type="Accuracy",
        details={"policy": "rules-2"}, answer_path="predictions.jsonl", worded_by=("a",),
    )  # fmt: skip
    write_result(made)
    read = read_result(file)
    assert read is not None
    for name in RunResult.__struct_fields__:
        if name not in ("model", "samples", "further", "chance_for", "worded_by"):
            assert getattr(read, name) == getattr(made, name), name
    assert (read.model, list(read.chance_for), list(read.worded_by)) == ("m", ["ACC"], ["a"])
    keys = json.loads(file.read_text())
    assert keys["result"] == {"ACC": 80.0}
    assert {"judge", "errors", "further_results"}.isdisjoint(keys)
    assert {"by_left_out", "stopped_early"} <= keys.keys()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "m" / "S" / "r-1" / "results.json"
    file.parent.mkdir(parents=True)
    assert read_result(file) is None
    file.write_text("{}")
    assert read_result(file) is None
    file.write_text(json.dumps({"metrics": {"ACC": {"value": 1}}, "recipe": "r"}))
    with pytest.raises(DataError, match="the scores are damaged"):
        read_result(file)


def test_one_error_is_no_errors() -> None:
    one = result(RunResult, Path("r/results.json"))
    for count, said in ((1, "1 error (not scored)"), (2, "2 errors (not scored)")):
        coverage = msgspec.structs.replace(one.coverage, errors=count)
        assert f", {said}." in table([msgspec.structs.replace(one, coverage=coverage)])


def test_one_sentence_says_what_the_intervals_are_of() -> None:
    item = Estimate(80.0, 400, 2.0, 75.8, 83.6, "%", clusters=100, effective_n=150.0)
    one = result(RunResult, Path("r/results.json"))
    known = msgspec.structs.replace(one, metrics={"ACC": item})
    said = "Intervals: of questions like these, 100 clusters; differences of 13 points show."
    assert [line for line in table([known], 80).splitlines() if "Interval" in line] == [said]
    # What it says of all figures is no column, so that the table fits 80 columns also in a file.
    assert "│ clusters │" not in table([known])
    # Several recipes share the sentence; those of unlike sizes show unlike differences.
    large = replace(item, n=4000, clusters=1000, effective_n=4000.0)
    other = msgspec.structs.replace(one, metrics={"ACC": large})
    said = "Intervals: of questions like these; differences of 2.4-13 points show."
    assert table([known, other]).count("Intervals") == 1
    assert said in table([known, other])
    assert "│ clusters │" in table([known, other])
    # Figures that are no shares have an interval, and nothing is known of their differences.
    assert "Intervals: of questions like these.\n" in table([one]) + "\n"
    # That of a run which stopped early is of this benchmark; where there is none, nothing is said.
    stopped = StoppedEarly(10, 40, 5.0, reached=True, figure="ACC", half_width=4.5)
    bare = {"ACC": replace(ACC, low=None, high=None)}
    for fields in ({"stopped": stopped}, {"metrics": bare}):
        assert "Intervals:" not in table([msgspec.structs.replace(one, **fields)])
