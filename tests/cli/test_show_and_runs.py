"""``chef show`` and ``chef runs``, as they are typed."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import process_restored
from fakes import Hashing

import chef
from chef.cli import main
from chef.report.runs import list_runs
from chef.run.configuration import run_hint, run_place
from chef.run.reading import lock

RECIPE = {
    "scenario_cfg": {"dataset_name": "Shapes", "task": "mcq", "size": 12},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of results with one run of twelve samples."""
    results = tmp_path_factory.mktemp("shown") / "results"
    with process_restored():
        chef.evaluate(Hashing(), RECIPE, save_dir=results, name="n1", on_progress=lambda _: None)
    return results


@pytest.fixture
def results(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it in the current folder."""
    shutil.copytree(made, tmp_path / "results")
    monkeypatch.chdir(tmp_path)
    return Path("results")


def run_of(results: Path) -> Path:
    return next(results.glob("*/Shapes/*"))


def typed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


def lines_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "predictions.jsonl").read_text().splitlines()]


def test_a_sample_is_printed(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(results)
    first = lines_of(run)[0]
    code, out, err = typed(capsys, "show", run, "--sample", first["id"])
    assert (code, err) == (0, "")
    assert "note:" not in out  # exactly as it was sent
    assert f"  [image 1: {first['id']}, 72 x 72]\n  Question: " in out
    probability = f"{100 * first['scores']['prob']:5.1f}%"
    (chosen,) = [line for line in out.splitlines() if line.startswith("  > ")]
    assert probability in chosen
    assert chosen.count("█") == round(20 * first["scores"]["prob"])
    assert "\x1b" not in out
    assert typed(capsys, "show", run, first["id"])[1] == out  # without --sample, too


def test_what_is_hostile_is_printed_as_an_escape(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of(results)
    lines = lines_of(run)
    lines[0] |= {"answer": "\x1b[2J(B) \u202egpj", "scores": {}}
    lines[0]["trace"] = {"query": "\x1b]0;title\x07 <image>?"}
    (run / "predictions.jsonl").write_text("".join(json.dumps(item) + "\n" for item in lines))
    entry = {"id": lines[0]["id"], "status": "ok", "metric_result": 0, "parsed": 1,
             "evidence": {"rule": "opening", "span": [5, 6]}}  # fmt: skip
    (run / "scores.jsonl").write_text(json.dumps(entry) + "\n")
    code, out, _ = typed(capsys, "show", run, lines[0]["id"])
    assert code == 0
    assert "\\x1b[2J(»B«) \\u202egpj" in out
    assert "\\x1b]0;title\\x07" in out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)
    data = json.loads(typed(capsys, "show", run, lines[0]["id"], "--json")[1])
    assert data[0]["answers"][0]["text"] == "\x1b[2J(B) \u202egpj"


def test_samples_are_listed_by_verdict(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(results)
    scores = [json.loads(line) for line in (run / "scores.jsonl").read_text().splitlines()]
    wrong = [item["id"] for item in scores if item["metric_result"] == 0]
    assert 2 < len(wrong) < 12
    order = [item["id"] for item in lines_of(run) if item["id"] in wrong]
    _, out, _ = typed(capsys, "show", run, "-n", 2)
    assert f"{12 - len(wrong)} right, {len(wrong)} wrong" in out
    assert [name for name in order if name in out] == order[:2]
    assert f"{len(wrong) - 2} more: -n {len(wrong)} lists all" in out
    assert f"chef show {run} --sample {order[0]}" in out
    listed = json.loads(typed(capsys, "show", run, "--wrong", "--right", "--json", "-n", 99)[1])
    assert len(listed) == 12
    _, out, _ = typed(capsys, "show", run, "--unread")
    assert "none is unread; list others with --right --wrong" in out


def test_a_run_without_scores_has_no_right_or_wrong_answers(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of(results)
    for file in ("results.json", "scores.jsonl"):
        (run / file).unlink()
    _, out, err = typed(capsys, "show", run)
    assert "12 unscored" in out
    assert "none is scored; list others with --unscored" in out
    assert f"`chef score {run}`" in err


def test_errors_are_listed_with_their_causes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("question,A,B,answer\nWhich?,red,blue,A\nAnd this?,red,blue,Q\n")
    with process_restored():
        chef.evaluate(Hashing(), "t.csv", save_dir="results", name="n", on_progress=lambda _: None)
    _, out, _ = typed(capsys, "show", "t-n", "--error")
    assert "the answer 'Q' is not among the options A, B" in out
    assert "-> give a label or the text of an option" in out


def test_what_show_refuses(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(results)
    code, _, err = typed(capsys, "show", run, "--sample", "mcq-test-0-99")
    assert (code, "there is no answer to a sample 'mcq-test-0-99'" in err) == (2, True)
    assert typed(capsys, "show", run, "-n", 0)[0] == 2
    code, _, err = typed(capsys, "show", results, "--wrong")
    assert (code, str(run) in err) == (2, True)  # the runs that may be meant


def test_a_run_by_the_end_of_its_path(results: Path) -> None:
    run = run_of(results)
    assert run_place(Path(run.name)) == run
    assert run_place(Path(*run.parts[-2:])) == run
    assert run_place(run) == run
    recipe = Path(run.parent.name, run.name.rpartition("-")[0])
    assert run_place(recipe) == run
    assert run_place(Path("*")) == Path("*")
    assert run_place(Path("other")) == Path("other")
    (Path("results") / "sweeps" / "s").mkdir(parents=True)
    assert run_place(Path("sweeps", "s")) == Path("results", "sweeps", "s")
    assert chef.load_run(run.name).folder == run
    assert run_hint(Path(run.name + "x")) == f"did you mean '{run}'?"
    assert run_hint(Path("nothing")).startswith(f"give the folder of a run: {run}")
    shutil.copytree(run, run.parent.parent / "Other" / run.name)
    assert run_hint(Path(run.name)).startswith("several runs end like that; write more of one: ")
    assert run_place(Path(run.name)) == Path(run.name)  # two have that name
    assert run_place(Path(recipe.name)) == Path(recipe.name)
    assert run_place(Path("Other", run.name)) == run.parent.parent / "Other" / run.name


def test_every_run_that_is_listed_is_opened_by_the_end_of_its_path(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of sweeps have folders of their own, deeper than others."""
    deep = results / "sweeps" / "Shapes" / "runs" / "n1" / "Shapes" / "ppl-deep"
    shutil.copytree(run_of(results), deep)
    listed = json.loads(typed(capsys, "show", "--json")[1])
    assert str(deep) in {item["path"] for item in listed}
    assert run_place(Path("ppl-deep")) == deep
    assert typed(capsys, "show", "ppl-deep")[0] == 0
    assert run_hint(Path("ppl-dep")) == f"did you mean '{deep}'?"


def test_folders_that_are_no_run_say_what_they_are(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, sweep, suite = run_of(results), results / "sweeps" / "s", results / "suites" / "vision"
    for folder, file in ((sweep, "sweep.json"), (suite, "tiny.json")):
        folder.mkdir(parents=True)
        (folder / file).write_text("{}")
    assert f"it is of a sweep: chef show {sweep}" in typed(capsys, "score", str(sweep))[2]
    shards = results / "shards"
    shards.mkdir()
    for file in ("run.json", "manifest.json"):
        (shards / file).write_text("{}")
    assert f"file://{shards.absolute()}" in typed(capsys, "show", str(shards))[1]
    assert f"file://{shards.absolute()}" in typed(capsys, "score", str(shards))[2]
    assert "the figures of a suite: the call that asked it" in typed(capsys, "show", str(suite))[1]
    assert run_hint(Path("s")) == f"did you mean '{Path('results') / 'sweeps' / 's'}'?"
    config = (run / "config.yaml").rename(results / "aside.yaml")
    assert f"chef score {run / 'predictions.jsonl'} --recipe_cfg" in run_hint(run)
    config.rename(run / "config.yaml")
    (run / "predictions.jsonl").unlink()
    assert "put it back from a copy" in typed(capsys, "show", str(run))[2]


def test_what_is_shown_of_one_run_names_its_option(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of(results)
    shutil.copytree(run, other := run.with_name("other-1"))
    for option, shown in (("--to", "--to PLACE"), ("--sample", "--sample ID")):
        code, _, said = typed(capsys, "show", run, other, option, "x")
        assert code == 2
        assert f"for example: chef show {run} {shown}; of several, `chef compare`" in said


def test_the_states_of_runs(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of(results)

    def copy(name: str) -> Path:
        shutil.copytree(run, run.with_name(name))
        return run.with_name(name)

    part = copy("part-1")
    (part / "results.json").unlink()
    journal = (part / "predictions.jsonl").read_text().splitlines(keepends=True)
    (part / "predictions.jsonl").write_text("".join(journal[:5]))
    text = (part / "config.yaml").read_text()
    assert "sample_len: null" in text
    (part / "config.yaml").write_text(text.replace("sample_len: null", "sample_len: 8"))
    failed = copy("failed-1")
    (failed / "results.json").unlink()
    (failed / "traceback.txt").write_text("Traceback")
    changed = copy("changed-1")
    lines = lines_of(changed)
    lines[3]["answer"] = "another"
    (changed / "predictions.jsonl").write_text("".join(json.dumps(item) + "\n" for item in lines))
    later = time.time() + 60
    os.utime(changed / "predictions.jsonl", (later, later))
    touched = copy("touched-1")  # the same answers: only the time of the file is another
    os.utime(touched / "predictions.jsonl", (later, later))
    locked = copy("locked-1")
    held = lock(locked)
    broken = copy("broken-1")
    (broken / "results.json").write_text("{")
    empty = copy("empty-1")
    (empty / "predictions.jsonl").unlink()
    copy("ppl-n1.old1")
    (run.parent / "link-1").symlink_to(run.name, target_is_directory=True)
    (run.parent / "loop").symlink_to("..", target_is_directory=True)
    (results / "notes.txt").write_text("mine")

    found = list_runs(results)
    try:
        states = {line.path.name: (line.state, line.what) for line in found.runs}
    finally:
        assert held is not None
        os.close(held)
    assert found.aside == 1
    assert states.pop("broken-1")[0] == "damaged"
    assert states == {
        run.name: ("finished", ""),
        "touched-1": ("finished", ""),
        "part-1": ("unfinished", "5 of 8"),
        "failed-1": ("failed", "12 asked"),
        "changed-1": ("changed", "score it again"),
        "locked-1": ("running", ""),
        "empty-1": ("damaged", "it has no predictions.jsonl"),
    }

    code, out, err = typed(capsys, "show")
    assert (code, err) == (0, "")
    assert "1 run(s) that were moved aside by --fresh are not shown (--all)" in out
    assert "empty-1: damaged: it has no predictions.jsonl" in out
    listed = json.loads(typed(capsys, "show", "--state", "unfinished", "--json")[1])
    assert [Path(item["path"]).name for item in listed] == ["part-1"]
    everything = json.loads(typed(capsys, "show", "--all", "--json")[1])
    assert "ppl-n1.old1" in {Path(item["path"]).name for item in everything}


def test_a_line_has_the_figures_of_the_results(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of(results)
    stored = json.loads((run / "results.json").read_text())
    (line,) = json.loads(typed(capsys, "show", "--json")[1])
    assert line["estimate"]["value"] == stored["metrics"]["ACC"]["value"]
    assert (line["model"], line["scenario"], line["coverage"]) == ("hashing", "Shapes", 1.0)
    _, out, _ = typed(capsys, "show", "--model", "HASH*", "--recipe", "shapes")
    assert f"{stored['metrics']['ACC']['value']:.1f}%" in out
    code, _, err = typed(capsys, "show", "--model", "hashin")
    assert (code, "did you mean 'hashing'?" in err) == (2, True)


def test_the_names_of_runs_are_whole_in_a_pipe_and_told_apart_at_a_terminal(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = [f"mine+inferencer.{way}+wording.{n}" for way in ("PPL", "Direct") for n in (0, 1)]
    for way in ways:
        shutil.copytree(run_of(results), results / "Hashing" / "Numbers" / f"{way}-sweep")
    _, out, _ = typed(capsys, "show")
    assert all(f" Hashing/Numbers/{way}-sweep " in out for way in ways)
    monkeypatch.setattr("chef.cli.terminal.terminal_width", lambda: 80)
    _, out, _ = typed(capsys, "show")
    names = [line.split()[1] for line in out.splitlines() if line.startswith("│") and "…" in line]
    assert len({*names}) == len(names) > len(ways)
    assert max(map(len, out.splitlines())) <= 80


def test_no_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, "show", tmp_path)
    assert (code, f"there are no runs in {tmp_path}" in out) == (0, True)
    code, _, err = typed(capsys, "show", tmp_path / "none")
    assert (code, "no such folder" in err) == (2, True)


def test_a_thousand_runs_are_listed_quickly(results: Path) -> None:
    run = run_of(results)
    for number in range(200):
        target = run.with_name(f"ppl-{number}")
        target.mkdir()
        for file in run.iterdir():
            os.link(file, target / file.name)
    before = time.process_time()
    assert len(list_runs(results).runs) == 201
    assert time.process_time() - before < 20  # 1,000 take under 2 s where nothing else runs


def test_a_matrix_of_models_and_recipes(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, "show", "--matrix")
    assert code == 0
    (run,) = list_runs(results).runs
    assert run.estimate is not None
    row = next(line for line in out.splitlines() if "│ hashing │" in line)
    assert f"{run.estimate.value:.1f}%" in row
    assert f"Models and recipes: {run.scenario}, {run.recipe}, {run.figure}" in out


def test_pages_are_served_until_the_end(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chef.suite.pages.server.PageServer.serve_forever", interrupted)
    code, out, _ = typed(capsys, "show", "--serve")
    assert code == 0
    assert out.startswith("http://127.0.0.1:")
    code, _, err = typed(capsys, "show", "nowhere", "--serve")
    assert (code, "no such folder" in err) == (2, True)
    assert typed(capsys, "show", "--serve", "--sample", "q1")[0] == 2


def test_a_folder_of_chef_tells_its_file_of_answers(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("model_cfg: {model_name: LLaVA}\nrecipe_cfg: {}\n")
    (tmp_path / "results.json").write_text("{}")
    assert run_hint(tmp_path).startswith("there is no run in it")
    answers = tmp_path / "ScienceQA_20240301120000.json"
    answers.write_text('[{"id": "1", "answer": "(A)", "gt_choice": 0, "choices": ["x", "y"]}]')
    told = f"ChEF wrote it: give its file of answers, {answers}, and --metric NAME"
    assert run_hint(tmp_path) == told
    assert main(["compare", str(answers), str(answers), "--metric", "VQA"]) == 0
