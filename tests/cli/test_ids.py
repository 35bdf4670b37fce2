"""``--ids`` asks some samples alone, and ``--save-ids`` writes their ids."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from conftest import process_restored
from fakes import Hashing

import chef
from chef.cli import main
from chef.cli.arguments import parse
from chef.cli.show import sample_ids, save_ids
from chef.errors import ConfigError
from chef.report.load import load_run
from chef.report.page.opened import Looked, OpenedRun
from chef.report.views import Views
from chef.run.configuration import read_config
from chef.run.environment import ASKED_WITH, ids_command
from chef.run.subset import stored_ids
from chef.session.replay import RunReplay

RECIPE = {
    "scenario_cfg": {"dataset_name": "Shapes", "task": "mcq", "size": 12},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
}


def asked(model: Hashing, save_dir: Path, *ids: str, **options: object) -> chef.RunResult:
    with process_restored():
        return chef.evaluate(
            model, RECIPE, ids=ids or None, save_dir=save_dir, on_progress=lambda _: None, **options
        )


def answers(folder: Path) -> dict[str, object]:
    lines = map(json.loads, (folder / "predictions.jsonl").read_text().splitlines())
    return {line["id"]: line["answer"] for line in lines}


def test_only_the_named_samples_are_asked(tmp_path: Path) -> None:
    whole = asked(Hashing(), tmp_path)
    expected = answers(whole.folder)
    ids = [*expected][5:1:-2]
    report = asked(Hashing(), tmp_path, *ids, ids[0])
    assert report.folder != whole.folder  # on the same day, without a name
    assert report.coverage.total == report.coverage.scored == len(ids) == 2
    assert answers(report.folder) == {name: expected[name] for name in ids}
    config = read_config(report.folder)
    assert config["run"]["sample_len"] == 2
    assert stored_ids(report.folder, config) is not None
    assert {*(stored_ids(report.folder, config) or ())} == {*ids}
    assert stored_ids(whole.folder, read_config(whole.folder)) is None
    again = Hashing()
    assert asked(again, tmp_path, *reversed(ids)).folder == report.folder
    assert again.calls == []
    assert asked(again, tmp_path).folder == whole.folder
    assert again.calls == []


def test_an_interrupted_run_goes_on_and_scores_again(tmp_path: Path) -> None:
    ids = [*answers(asked(Hashing(), tmp_path / "whole").folder)][:3]
    report = asked(Hashing(), tmp_path, *ids)
    journal = report.folder / "predictions.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:1]))
    (report.folder / "results.json").unlink()
    resumed = Hashing()
    assert asked(resumed, tmp_path, *ids).coverage.scored == 3
    assert sum(map(len, resumed.calls)) == 2
    (report.folder / "results.json").unlink()
    assert chef.score(report.folder).coverage.total == 3
    run = load_run(report.folder)
    assert Views(run, RunReplay(run.record)).of(ids[2]).messages


def test_another_choice_of_samples_under_the_same_name_is_refused(tmp_path: Path) -> None:
    one, other, *_ = answers(asked(Hashing(), tmp_path, name="n").folder)
    asked(Hashing(), tmp_path, one, name="some")
    for ids in ([other], []):
        with pytest.raises(ConfigError, match=r"run\.ids"):
            asked(Hashing(), tmp_path, *ids, name="some")


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        (["mcq-test-0-x", "b", "c"], r"has no sample 'mcq-test-0-x', nor 2 others"),
        (["mcq-test-O-3"], "did you mean 'mcq-test-0-"),
        (["@"], "its ids are mcq-test-0-"),
        ("mcq", "is no list of ids"),
        ([3], "has no sample '3'"),
        ([True], "is no list of ids"),
        ([], "there are no ids"),
    ],
)
def test_unknown_ids_are_refused(ids: object, says: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=says):
        chef.evaluate(Hashing(), RECIPE, ids=ids, save_dir=tmp_path)
    assert not [*tmp_path.rglob("predictions.jsonl")]


def test_the_id_of_a_question_with_several_answers(tmp_path: Path) -> None:
    keys = ["scenario_cfg.samples=2", "eval_cfg.inferencer_cfg.inferencer_type=Direct",
            "eval_cfg.inferencer_cfg.temperature=1.0"]  # fmt: skip
    with pytest.raises(ConfigError, match=r"did you mean 'mcq-test-0-5#1'\?"):
        chef.evaluate(
            Hashing(), chef.load_recipe(RECIPE, keys), ids=["mcq-test-0-5"], save_dir=tmp_path
        )


def test_ids_and_other_choices_exclude_each_other(tmp_path: Path) -> None:
    for other in ({"limit": 3}, {"precision": 2.0}):
        with pytest.raises(ConfigError, match="named already"):
            chef.evaluate(Hashing(), RECIPE, ids=["a"], save_dir=tmp_path, **other)


def test_a_group_that_is_asked_in_part_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    circular = {**RECIPE, "scenario_cfg": {**RECIPE["scenario_cfg"], "circular": True}}
    with process_restored():
        whole = chef.evaluate(
            Hashing(), circular, limit=4, save_dir=tmp_path, on_progress=lambda _: None
        )
        first = next(iter(answers(whole.folder)))
        caplog.clear()
        chef.evaluate(
            Hashing(), circular, ids=[first], save_dir=tmp_path, on_progress=lambda _: None
        )
    assert "1 group(s) of samples" in caplog.text


def test_words_files_and_overrides_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text("\ufeffa b\r\n\r\nc\n", encoding="utf-8")
    options = parse(["eval", "tiny", "Shapes/ppl", "--ids", str(file), "d", "scenario_cfg.size=9"])
    assert options.overrides == ("scenario_cfg.size=9",)
    assert sample_ids(options.ids) == ("a b", "c", "d")
    assert sample_ids(()) is None
    (tmp_path / "none.txt").write_text("\n")
    for name, says in {"none.txt": "has no ids", "absent.txt": "No such file"}.items():
        with pytest.raises(ConfigError, match=says):
            sample_ids([str(tmp_path / name)])


def test_the_wrong_ones_are_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    report = asked(Hashing(), tmp_path / "results")
    wrong = {str(item["id"]) for item in report.samples if not item["metric_result"]}
    assert len(wrong) > 1
    command = f"show {shlex.quote(str(report.folder))} --wrong -n 1 --save-ids wrong.txt"
    assert main(shlex.split(command)) == 0
    assert f"written: wrong.txt ({len(wrong)} ids)" in capsys.readouterr().err
    assert {*(sample_ids(["wrong.txt"]) or ())} == wrong
    assert asked(Hashing(), tmp_path, *sample_ids(["wrong.txt"]) or ()).coverage.total == len(wrong)
    assert main([*shlex.split(command), "--sample", "a"]) == 2
    assert main([*shlex.split(command)[:-1], "wrong.csv"]) == 2
    assert "write wrong.txt" in capsys.readouterr().err


def test_an_id_with_a_line_break_is_no_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no line of its own"):
        save_ids(tmp_path / "x.txt", ["a\nb"])


def command_of(folder: Path) -> str:
    run = load_run(folder)
    opened = OpenedRun("x", Views(run, RunReplay(run.record)))
    (command,) = Looked([opened], [], lambda: None).commands
    return command


def test_the_page_has_the_command_that_asks_a_sample_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    key = "scenario_cfg.size=9"
    with process_restored():
        assert main(["eval", "tiny", "Shapes/ppl", key, "--limit", "3", "--seed", "2"]) == 0
        (first,) = (tmp_path / "results").glob("*/*/*")
        command = command_of(first)
        assert command == f"chef eval tiny Shapes/ppl {key} --seed 2 --ids"
        name = next(iter(answers(first)))
        assert main([*shlex.split(command)[1:], name]) == 0
    assert "1 of 1 samples scored" in capsys.readouterr().out
    (other,) = {*(tmp_path / "results").glob("*/*/*")} - {first}
    assert answers(other) == {name: answers(first)[name]}


def test_words_of_a_run_are_quoted_and_those_of_others_are_not_used(tmp_path: Path) -> None:
    assert ids_command({ASKED_WITH: ["a; b", "$(c)"]}) == "chef eval 'a; b' '$(c)' --ids"
    assert ids_command({ASKED_WITH: "a"}) == ids_command({ASKED_WITH: [1]}) == ids_command({}) == ""
    folder = asked(Hashing(), tmp_path).folder  # of an object: no file names it
    assert command_of(folder) == f"chef show {folder} --sample"
    environment = json.loads((folder / "environment.json").read_text())
    (folder / "environment.json").write_text(json.dumps({**environment, ASKED_WITH: ["a", "b"]}))
    assert command_of(folder) == "chef eval a b --ids"
    (folder / ".seal").unlink()
    assert command_of(folder) == f"chef show {folder} --sample"


def test_a_sweep_of_some_samples(tmp_path: Path) -> None:
    """Every run asks them alone, in folders of their own."""
    file = {"name": "s", "recipe": "Shapes/ppl", "model": "tiny", "vary": {"rotation": [0, 1]}}
    ids = ["mcq-test-0-3", "mcq-test-0-7"]
    result = chef.sweep(file, ids=ids, save_dir=tmp_path, on_progress=lambda _: None)
    assert [one.figure.n for one in result.combinations] == [2, 2]
    (folder,) = (tmp_path / "sweeps").iterdir()
    assert folder.name.startswith("s_")
    assert {*answers(result.combinations[0].folder)} == {*ids}
