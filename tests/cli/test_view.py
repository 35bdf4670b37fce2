"""``chef show --page`` and ``chef eval --page``: which pages are written, and what is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import chef
from chef.cli import main
from chef.errors import RunError

Chef = Callable[..., tuple[int, str, str]]
Runs = Callable[..., Path]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Chef:
    """A command, and what it prints."""

    def say(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return say


@pytest.fixture
def run(model_file: Path, recipe_file: Callable[..., Path], tmp_path: Path, say: Chef) -> Runs:
    """Makes a run of ten questions; the words go to ``chef eval``."""

    def run(*words: object, name: str = "t") -> Path:
        recipe = recipe_file(size=10)
        code, _, told = say(
            "eval", "--model_cfg", model_file, "--recipe_cfg", recipe,
            "--save_dir", tmp_path / "results", "--time", name, *words,
        )  # fmt: skip
        assert code == 0, told
        return tmp_path / "results" / "hashing" / "Numbers" / f"r-{name}"

    return run


def test_a_run_has_its_page_in_its_folder(run: Runs, say: Chef, tmp_path: Path) -> None:
    folder = run()
    code, out, _ = say("show", "--page", folder)
    page = folder / "report.html"
    assert code == 0
    assert out.splitlines() == [
        f"written: {page} ({page.stat().st_size / 1000:.1f} kB)",
        page.resolve().as_uri(),
    ]
    html = page.read_text("utf-8")
    assert "<title>Numbers/r · hashing</title>" in html
    assert all(f'"n{number}"' in html for number in range(10))
    # The run goes on as if there were no page, and the page can be written again.
    assert run() == folder
    assert say("show", "--page", folder, "-o", tmp_path / "my.html")[0] == 0
    assert (tmp_path / "my.html").is_file()


def test_runs_of_the_same_questions_are_compared_and_others_have_an_overview(
    run: Runs, say: Chef
) -> None:
    first, second = run(), run(name="u")
    code, out, err = say("show", "--page", first, second)
    assert code == 0, err
    page = first.parent / "comparison.html"
    assert str(page) in out
    assert '<body class="comparison">' in page.read_text("utf-8")
    # A third run is asked fewer of them: no comparison, and why.
    third = run("--limit", 4, name="v")
    code, out, err = say("show", "--page", first.parent)
    assert code == 0
    assert "not compared" in err
    html = (first.parent / "overview.html").read_text("utf-8")
    assert '<body class="suite">' in html
    for folder in (first, second, third):
        assert (folder / "report.html").is_file()
        assert f'href="{folder.name}/report.html"' in html
    code, _, err = say("show", "--page", first, third, "--allow", "judges")
    assert code == 2
    assert "subset" in err or "samples" in err


def test_mistakes_are_explained(run: Runs, say: Chef, tmp_path: Path) -> None:
    folder = run()
    code, _, err = say("show", "--page", folder, "-o", folder / "results.json")
    assert code == 2
    assert "ends in .html" in err
    assert json.loads((folder / "results.json").read_text())["recipe"] == "r"
    code, _, err = say("show", "--page", folder.with_name("r-s"))
    assert code == 2
    assert f"did you mean '{folder}'" in err
    code, _, err = say("show", "--page", folder / "scores.jsonl")
    assert code == 2
    assert f"give the folder of the run: {folder}" in err
    code, _, err = say("show", "--page", folder, "--by", "colour")
    assert code == 2
    assert "no field 'colour'" in err
    assert not (folder / "report.html").exists()
    (tmp_path / "empty").mkdir()
    assert say("show", "--page", tmp_path / "empty")[0] == 2


def test_open_shows_the_page_and_says_where_no_browser_is(
    run: Runs, say: Chef, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def none(url: str) -> bool:
        opened.append(url)
        return False

    monkeypatch.setattr("webbrowser.open", none)
    folder = run("--open")
    address = (folder / "report.html").resolve().as_uri()
    assert opened == [address]
    code, out, err = say("show", "--page", folder, "--open")
    assert (code, opened) == (0, [address] * 2)
    assert address in out
    assert "no browser could be opened" in err


def test_a_page_that_cannot_be_written_leaves_the_run_as_it_is(
    run: Runs, say: Chef, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model_file: Path
) -> None:
    def full(*_: object) -> None:
        raise RunError("the disk is full", where="report.html")

    monkeypatch.setattr("chef.suite.pages.pages.write_page", full)
    recipe = run().parents[3] / "r.yaml"
    code, out, err = say(
        "eval", "--model_cfg", model_file, "--recipe_cfg", recipe, "--save_dir",
        tmp_path / "other", "--time", "t", "--page",
    )  # fmt: skip
    assert code == 1
    assert "10 of 10 samples scored" in out
    assert "no page could be written" in err
    assert "the disk is full" in err
    folder = tmp_path / "other" / "hashing" / "Numbers" / "r-t"
    assert f"chef show {folder} --page" in err
    assert chef.load_run(folder).report.coverage.scored == 10


def test_report_of_several_recipes_has_an_overview(
    run: Runs, say: Chef, recipe_file: Callable[..., Path], model_file: Path, tmp_path: Path
) -> None:
    recipes = [recipe_file(size=6, name=name) for name in ("a", "b")]
    code, out, err = say(
        "eval", "--model_cfg", model_file, "--recipe_cfg", *recipes, "--save_dir",
        tmp_path / "two", "--time", "t", "--page",
    )  # fmt: skip
    assert code == 0, err
    folder = tmp_path / "two" / "hashing" / "Numbers"
    assert f"written: {folder / 'overview.html'}" in out
    assert sorted(path.parent.name for path in folder.glob("*/report.html")) == ["a-t", "b-t"]


def test_a_score_sheet_has_a_page(say: Chef, tmp_path: Path) -> None:
    def score(name: str, value: float | None, parts: list[object]) -> dict[str, object]:
        known = None if value is None else {"value": value, "n": 9, "low": 1.0, "high": 99.0}
        return {"name": name, "title": name.title(), "score": known, "missing": {}, "parts": parts}

    aspects = [score(name, 50.0, []) for name in ("safety", "privacy", "fairness")]
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps({"tiny": score("total", None, list(aspects))}))
    assert say("show", "--page", file)[0] == 0
    html = (tmp_path / "sheet.html").read_text("utf-8")
    assert "Safety 50.0%" in html
    assert "<svg" in html
    file.write_text(json.dumps({"tiny": score("total", None, [{"parts": 1}])}))
    code, _, err = say("show", "--page", file)
    assert code == 2
    assert "the score sheet is damaged" in err


def test_python_returns_the_files(run: Runs, tmp_path: Path) -> None:
    folder = run()
    assert chef.view(folder) == [folder / "report.html"]
    assert chef.view(chef.load_run(folder), tmp_path) == [tmp_path / "report.html"]
    assert chef.view([chef.load_run(folder).report])[0] == folder / "report.html"
