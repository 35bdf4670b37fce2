"""Suites from the file to the figures: every member a run, asked once, resumed as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import process_restored
from fakes import Hashing

import chef
from chef.cli import main
from chef.config.lookup import find_what, form_of
from chef.errors import ConfigError
from chef.suite.members.file import read_suite

SUITE: dict[str, Any] = {
    "title": "a small suite",
    "limit": 12,
    "members": {
        "plain": {"recipe": "Shapes/ppl"},
        "again": {"recipe": "Shapes/ppl"},
        "level{n}": {
            "recipe": "Shapes/ppl",
            "each": {"n": [1, 5]},
            "keys": ["scenario_cfg.method_cfg={gaussian-noise: {severity: {n}}}"],
        },
        "rated": {
            "recipe": "Shapes/caption_direct",
            "judged": True,
            "keys": ["eval_cfg.metric_cfg={metric_type: JudgedRating}"],
        },
    },
    "figures": {
        "mean": {
            "score": {"times": [100, {"mean": [{"field": "accuracy", "of": "level1"},
                                               {"field": "accuracy", "of": "level5"}]}]},
            "shown": {"same": {"field": "same", "of": "again", "subset": "plain"}},
        },
        "language": {"score": {"field": "score", "of": "rated"}},
    },
}  # fmt: skip


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(SUITE, sort_keys=False))
    return path


def ask(path: Path, folder: Path, *more: str) -> int:
    return main(["eval", "tiny", str(path), "--save_dir", str(folder), "--device", "cpu", *more])


def test_recipes_beside_the_suite_are_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From whatever folder it is asked; and the folder stands once in the errors of its members."""
    folder = tmp_path / "a" / "folder"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(
        "scenario_cfg: {dataset_name: Shapes, size: 4}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    members: dict[str, Any] = {"one": {"recipe": "mine.yaml"}, "two": {"recipe": "mine.yaml"}}
    figures = {"mean": {"score": {"field": "accuracy", "of": "one"}}}
    path = folder / "own.yaml"
    suite: dict[str, Any] = {"title": "own", "members": members, "figures": figures}
    monkeypatch.chdir(tmp_path)
    path.write_text(yaml.safe_dump(suite, sort_keys=False))
    assert ask(path, tmp_path / "results") == 0
    (folder / "none.csv").write_text("question,answer\nWho?,me\n")
    (folder / "mine.yaml").write_text(
        f"scenario_cfg: {{dataset_name: Records, path: {folder / 'none.csv'}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    for name, method in (("two", "fog: {}"), ("three", "fog: {severity: 1}")):
        members[name] = {
            "recipe": "mine.yaml",
            "keys": [f"scenario_cfg.method_cfg=[{{{method}}}]"],
        }
    path.write_text(yaml.safe_dump(suite, sort_keys=False))
    capsys.readouterr()
    assert ask(path, tmp_path / "results") == 2
    said = capsys.readouterr().err.splitlines()
    lines = [line for line in said if not line.startswith("note")]
    assert sum(str(folder) in line for line in lines) == 1
    assert [line for line in lines if line.startswith("  in ")] == [
        "  in one", "  in two, three",
    ]  # fmt: skip


def test_a_suite_is_a_what_like_any_other(
    suite_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The judged member is missing by name; what asks the same is one run."""
    folder = tmp_path / "results"
    assert ask(suite_file, folder) == 1  # a member is missing
    shown = capsys.readouterr().out
    assert "a small suite: tiny" in shown
    assert "rated is missing: no judge" in shown
    assert "language is withheld: rated is missing" in shown
    runs = sorted(path.parent.name for path in folder.rglob("results.json"))
    assert runs == ["level1-small", "level5-small", "plain-small"]
    found = json.loads((folder / "suites" / "small" / "tiny.json").read_text())
    mean = found["figures"]["mean"]
    each = [found["members"][name]["figure"]["value"] for name in ("level1", "level5")]
    assert mean["value"] == pytest.approx(sum(each) / 2)
    assert mean["low"] < mean["value"] <= mean["high"]
    assert mean["shown"]["same"]["value"] == 1.0
    assert found["figures"]["language"]["missing"] == ["rated"]
    # The same command again asks nothing, and finds the same.
    journals = {path: path.stat().st_mtime_ns for path in folder.rglob("predictions.jsonl")}
    assert ask(suite_file, folder) == 1
    assert journals == {path: path.stat().st_mtime_ns for path in folder.rglob("predictions.jsonl")}
    assert json.loads((folder / "suites" / "small" / "tiny.json").read_text()) == found


def test_a_member_that_is_gone_is_asked_again_alone(suite_file: Path, tmp_path: Path) -> None:
    """As after a kill: what is there stays, and the rest is asked."""
    folder = tmp_path / "results"
    ask(suite_file, folder)
    before = (folder / "suites" / "small" / "tiny.json").read_text()
    (run,) = folder.rglob("level5-small")
    lines = (run / "predictions.jsonl").read_text().splitlines(keepends=True)
    (run / "predictions.jsonl").write_text("".join(lines[:5]))
    for name in ("results.json", "scores.jsonl"):
        (run / name).unlink()
    ask(suite_file, folder)
    assert len((run / "predictions.jsonl").read_text().splitlines()) == 12
    assert (folder / "suites" / "small" / "tiny.json").read_text() == before


def test_the_plan_is_shown_without_asking(
    suite_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(suite_file, tmp_path / "results", "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "5 members, 3 runs" in shown
    assert "again: 12 samples, the run of plain" in shown
    assert not (tmp_path / "results").exists()


def test_what_is_a_suite(suite_file: Path, tmp_path: Path) -> None:
    assert form_of(str(suite_file)) == "suite"
    assert form_of("Desiderata") == "suite"
    assert form_of("Shapes/ppl") == "recipe"
    assert form_of("configs/recipes/Shapes/ppl.yaml") == "recipe"
    assert form_of("nothing") == "recipe"
    assert find_what("desiderata", ("suites",)).kind == "suites"


@pytest.mark.parametrize("name", ["desiderata", "desiderata_chef"])
def test_the_suites_of_chef_are_complete(name: str) -> None:
    from chef.config import load_recipe

    suite = read_suite(name)
    assert [item.name for item in suite.figures] == [
        "calibration", "in-context learning", "instruction following", "language",
        "hallucination", "robustness",
    ]  # fmt: skip
    for member in suite.members.values():
        assert load_recipe(member.recipe, member.keys)
    verbalizers = [member for member in suite.members if "natural" in member or "neutral" in member]
    assert len(verbalizers) in (6, 12)


@pytest.mark.parametrize(
    ("change", "what", "hint"),
    [
        ({"membres": {}}, "unknown key", "members"),
        ({"members": {}}, "needs 'members'", ""),
        ({"members": {"a": {"recipee": "Shapes/ppl"}}}, "recipee", ""),
        ({"figures": {"f": {"score": {"field": "acuracy", "of": "plain"}}}}, "no figure", "accur"),
        ({"figures": {"f": {"score": {"field": "accuracy", "of": "plane"}}}}, "no member", "plain"),
        ({"figures": {"f": {"score": {"maen": []}}}}, "no formula", "many_runs.md"),
    ],
)  # fmt: skip
def test_mistakes(change: dict[str, Any], what: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=what) as caught:
        read_suite({**SUITE, **change})
    assert hint in (caught.value.hint or "")


def varied(**more: Any) -> dict[str, Any]:
    return {
        "title": "of {recipe}",
        "values": {"recipe": "Shapes/ppl", "levels": [1, 5]},
        "members": {
            "level{n}": {
                "recipe": "{recipe}",
                "each": {"n": "levels"},
                "keys": ["scenario_cfg.method_cfg={gaussian-noise: {severity: {n}}}"],
            }
        },
        "figures": {
            "at {n}": {"each": {"n": "levels"}, "score": {"field": "accuracy", "of": "level{n}"}}
        },
        **more,
    }


def test_values_that_the_command_replaces() -> None:
    plain = read_suite(varied())
    assert (plain.name, plain.title, [*plain.members]) == (
        "suite", "of Shapes/ppl", ["level1", "level5"],
    )  # fmt: skip
    changed = read_suite(
        varied(), ["recipe=Digits/ppl", "levels=[2, 3, 4]", "scenario_cfg.rotation=1"]
    )
    assert [item.name for item in changed.figures] == ["at 2", "at 3", "at 4"]
    assert {item.recipe for item in changed.members.values()} == {"Digits/ppl"}
    assert changed.overrides == ("scenario_cfg.rotation=1",)
    assert changed.title == "of Digits/ppl"
    assert changed.name.startswith("suite-Digits-ppl-")  # another suite: nothing is overwritten
    with pytest.raises(ConfigError, match="'level' is no list"):
        read_suite(varied(figures={"f": {"each": {"n": "level"}, "score": {}}}))


def test_does_it_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The embedded model looks: far above its blind score, which is near chance."""
    assert ask(Path("vision"), tmp_path, "--limit", "60", "recipe=Shapes/color_ppl") == 0
    shown = capsys.readouterr().out
    assert "does it look? Shapes/color_ppl: tiny" in shown
    folder = tmp_path / "suites" / "vision-Shapes-color_ppl"
    found = json.loads((folder / "tiny.json").read_text())
    gain = found["figures"]["multimodal gain"]
    assert gain["low"] > 50
    blind = gain["shown"]["without image"]
    assert blind["low"] < gain["shown"]["chance"]["value"] < blind["high"]
    assert gain["value"] == pytest.approx(gain["shown"]["as they are"]["value"] - blind["value"])
    ids = {
        name: (folder / f"tiny_{name}.txt").read_text().splitlines()
        for name in ("needs_no_image", "needs_image")
    }
    assert sum(map(len, ids.values())) == len({*ids["needs_no_image"], *ids["needs_image"]}) == 60
    right = [
        {line["id"] for line in scored(tmp_path, name) if line["score"] == 1}
        for name in ("blind", "color")
    ]
    assert {*ids["needs_no_image"]} == right[0] & right[1]


def scored(folder: Path, name: str) -> list[dict[str, Any]]:
    (path,) = folder.rglob(f"{name}-vision-Shapes-color_ppl/scores.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_curves_of_any_methods() -> None:
    from chef.config import load_recipe

    suite = read_suite("robustness", ["recipe=Digits/ppl", "methods=[rotate, fog]"])
    assert len(suite.members) == 1 + 2 * 5
    assert [item.name for item in suite.figures] == ["accuracy of clean images"]
    for curve in suite.curves:
        assert curve.over == "severity"
        assert {name: [*line] for name, line in curve.lines.items()} == {
            name: [1, 2, 3, 4, 5] for name in ("rotate", "fog")
        }
    for member in suite.members.values():
        assert load_recipe(member.recipe, member.keys)


def test_a_member_that_failed_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Digits has no question of its own that could be left out."""
    suite: dict[str, Any] = {
        "limit": 4,
        "members": {
            "plain": {"recipe": "Digits/ppl"},
            "options": {
                "recipe": "Digits/ppl", "keys": ["scenario_cfg.method_cfg={without-question: {}}"],
            },
        },
        "figures": {"f": {"score": {"mean": [{"field": "accuracy", "of": "plain"},
                                             {"field": "accuracy", "of": "options"}]}}},
    }  # fmt: skip
    path = tmp_path / "some.yaml"
    path.write_text(yaml.safe_dump(suite))
    assert ask(path, tmp_path / "results") == 1
    shown = capsys.readouterr().out
    assert "f is withheld: options is missing" in shown
    assert "options is missing:" in shown
    assert "the sample has no question of its own" in shown
    # Where it may be left out, that is no failure.
    suite["members"]["options"]["optional"] = "there is no question"
    path.write_text(yaml.safe_dump(suite))
    assert ask(path, tmp_path / "results", "--dry-run") == 0
    assert "options: left out: there is no question" in capsys.readouterr().out
    assert ask(path, tmp_path / "results") == 0
    shown = capsys.readouterr().out
    assert "options is missing: there is no question" in shown
    assert "withheld" not in shown


def test_a_run_whose_samples_all_failed_says_why(tmp_path: Path) -> None:
    """They fail while they are asked; why a member may be left out is not why the model failed."""

    class Failing(Hashing):
        def score(self, requests: Any) -> Any:
            raise ValueError("no memory for this")

    content = {
        "members": {"plain": {"recipe": "Shapes/ppl", "optional": "there are no images"}},
        "figures": {"f": {"score": {"field": "accuracy", "of": "plain"}}},
    }
    with process_restored():
        result = chef.evaluate(
            Failing(), content, limit=3, save_dir=tmp_path, on_progress=lambda _: None
        )
    assert isinstance(result, chef.SuiteResult)
    assert "│ figure " in str(result)
    assert all(item.name in str(result) for item in result.file.figures)
    assert result.figures["f"].missing == ("plain",)
    why = result.members["plain"].why
    assert "no memory for this" in why
    assert f"{Path(__file__).name}:" in why
    assert why.endswith("errors.txt)")
    assert not result.members["plain"].is_left_out


def test_other_keys_leave_the_figures_of_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_one = {key: SUITE[key] for key in ("title", "limit")} | {
        "members": {"plain": SUITE["members"]["plain"]},
        "figures": {"share": {"score": {"field": "accuracy", "of": "plain"}}},
    }
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump(of_one))
    assert ask(path, tmp_path / "out") == 0
    written = tmp_path / "out" / "suites" / "one" / "tiny.json"
    before = written.read_bytes()
    capsys.readouterr()
    assert ask(path, tmp_path / "out", "scenario_cfg.seed=3") == 1
    shown = capsys.readouterr()
    assert written.read_bytes() == before
    assert str(written) not in shown.out
    assert "scenario_cfg.seed" in shown.err
    assert "--fresh" in shown.err


def test_some_samples_alone(tmp_path: Path) -> None:
    """In folders of their own, so that the whole suite stays."""
    ids = tmp_path / "some.txt"
    ids.write_text("mcq-test-0-3\nmcq-test-0-7\n")
    suite = {**SUITE, "members": {"plain": {"recipe": "Shapes/ppl"}},
             "figures": {"a": {"score": {"field": "accuracy", "of": "plain"}}}}  # fmt: skip
    path = tmp_path / "few.yaml"
    path.write_text(yaml.safe_dump(suite))
    assert ask(path, tmp_path / "results", "--ids", str(ids)) == 0
    (file,) = (tmp_path / "results" / "suites").rglob("tiny.json")
    assert file.parent.name.startswith("few_")
    assert json.loads(file.read_text())["figures"]["a"]["n"] == 2


def test_the_page_has_the_lists_and_links_to_the_runs(tmp_path: Path) -> None:
    assert ask(Path("vision"), tmp_path, "--limit", "8", "--page") == 0
    folder = tmp_path / "suites" / "vision"
    page = (folder / "tiny.html").read_text()
    assert "needs no image" in page
    assert "needs image" in page
    for name in (folder / "tiny_needs_image.txt").read_text().splitlines():
        assert f"../../tiny/Shapes/seen-vision/report.html#sample={name}" in page
    assert (tmp_path / "tiny" / "Shapes" / "seen-vision" / "report.html").exists()


def test_options_that_a_suite_has_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(Path("vision"), tmp_path, "--by", "category") == 2
    assert "a suite takes no --by" in capsys.readouterr().err


def test_the_score_against_the_limit_from_python(tmp_path: Path) -> None:
    """A limit of 8 tokens cuts what one of 64 does not."""
    content = yaml.safe_load((find_what("tokens", ("suites",)).source).read_text())
    content["values"]["limits"] = [8, 64]
    result = chef.evaluate("tiny", content, limit=6, save_dir=tmp_path, on_progress=lambda _: None)
    assert isinstance(result, chef.SuiteResult)
    score, cut = result.curves
    assert {number: one.estimate.value for number, one in cut.lines[""].items()} == {8: 100, 64: 0}
    assert (score.lines[""][8].estimate.value or 0) > 50
    assert (tmp_path / "suites" / result.file.name / "tiny.json").exists()
