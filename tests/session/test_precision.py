"""``--precision``: where a run stops, what it says, and how it goes on."""

from __future__ import annotations

import json
import logging
import random
import re
import statistics
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import FAKES
from fake_servers import Served
from fakes import Hashing
from knowing import Knowing

import chef
from chef.cli import main
from chef.errors import ConfigError
from chef.models.api.traffic import TrafficStatistics
from chef.report.runs import line_of
from chef.run.folder import JOURNAL
from chef.run.subset import draw_indices

Write = Callable[..., Path]
SIZE = 600


@pytest.fixture
def recipe(recipe_file: Write) -> Path:
    return recipe_file(size=SIZE)


@pytest.fixture
def ask(recipe: Path, tmp_path: Path):
    """Asks a model that knows 0.9 of the answers; returns the report and how many were asked."""

    def ask(what: Path = recipe, **options: object) -> tuple[chef.RunResult, int]:
        model = Knowing(share=0.9)
        report = chef.evaluate(model, what, save_dir=tmp_path / "results", **options)
        return report, sum(map(len, model.calls))

    return ask


def own_recipe(
    folder: Path, code: str, metric: str = "Accuracy", scenario: str = "Numbers"
) -> Path:
    """A recipe with ingredients in a plugin."""
    (folder / "own.py").write_text(
        f"import sys; sys.path.insert(0, {str(FAKES.parent)!r})\n"
        f"from fakes import Numbers\nfrom chef.metric.vqa.accuracy import Accuracy\n{code}"
    )
    path = folder / "own.yaml"
    path.write_text(
        f"plugins: [own.py, {FAKES}]\nscenario_cfg: {{dataset_name: {scenario}, size: {SIZE}}}\n"
        f"eval_cfg:\n  inferencer_cfg: {{inferencer_type: PPL}}\n"
        f"  metric_cfg: {{metric_type: {metric}}}\n"
    )
    return path


def test_it_stops_and_says_so_everywhere(ask, tmp_path: Path) -> None:
    report, asked = ask(precision=4)
    assert asked == report.coverage.total == report.stopped.asked < SIZE // 2
    # The samples are those that --limit draws.
    drawn = {f"n{index}" for index in draw_indices(SIZE, asked, 0)}
    assert {entry["id"] for entry in report.samples} == drawn
    truth = 100 * sum(map(Knowing(share=0.9).knows, range(SIZE))) / SIZE
    figure = report.metrics["ACC"]
    assert figure.method == "betting, without replacement"
    assert figure.low <= truth <= figure.high
    reach = max(figure.high - figure.value, figure.value - figure.low)
    assert reach == pytest.approx(report.stopped.half_width)
    assert report.stopped.half_width <= 4
    assert report.metrics["match_ratio"].method == "wilson"
    sentence = f"Stopped early at {asked} of {SIZE} samples: ACC of all {SIZE} is known within "
    assert sentence in str(report)
    written = json.loads(report.file.read_text())["stopped_early"]
    assert written["why"].startswith(sentence)
    assert (written["asked"], written["total"]) == (asked, SIZE)
    assert line_of(report.folder).what == f"early ({asked} of {SIZE})"
    assert sentence in chef.view(report.folder)[0].read_text()
    again = chef.score(report.folder)
    assert again.metrics == report.metrics
    assert sentence in str(again)
    assert chef.load_run(report.folder).report.stopped == report.stopped
    # By another metric that is a mean, the interval is that of this one.
    other = chef.score(report.folder, "VQA")
    assert other.metrics["ACC"].low == pytest.approx(figure.low)


def test_the_same_call_asks_nothing_and_a_smaller_one_goes_on(ask) -> None:
    first, asked = ask(precision=5)
    assert ask(precision=5) == (first, 0)
    second, more = ask(precision=3)
    assert second.folder == first.folder
    assert second.coverage.total == asked + more
    # A larger one does not forget what is known.
    assert ask(precision=10)[0].coverage == second.coverage
    whole, rest = ask()
    assert (whole.folder, whole.stopped) == (first.folder, None)
    assert asked + more + rest == whole.coverage.total == SIZE
    assert not (whole.folder / "stopped_early.json").exists()
    assert "stopped_early" not in json.loads(whole.file.read_text())
    assert whole.metrics["ACC"].method == "wilson"
    assert ask(precision=5) == (whole, 0)


@pytest.mark.parametrize("lines", [1, 40, 64, 100])
def test_a_killed_run_stops_where_it_would_have(ask, lines: int) -> None:
    whole, asked = ask(precision=4)
    journal = whole.folder / JOURNAL
    answered = journal.read_bytes().splitlines(keepends=True)
    kept = answered[:lines]
    random.Random(0).shuffle(kept)  # replies come in any order
    journal.write_bytes(b"".join(kept) + answered[lines][:20])
    (whole.folder / "results.json").unlink()
    (whole.folder / "stopped_early.json").unlink()
    again, more = ask(precision=4)
    assert more == asked - lines
    assert (again.metrics, again.stopped) == (whole.metrics, whole.stopped)


def test_the_end_does_not_depend_on_what_a_full_run_has_asked(ask) -> None:
    """Answers in the order of the data, of a run that was broken off, decide nothing."""
    wanted = ask(precision=4, name="a")[0]
    whole, _ = ask(name="b")
    journal = whole.folder / JOURNAL
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:300]))
    found, _ = ask(precision=4, name="b")
    assert found.metrics["ACC"] == wanted.metrics["ACC"]
    assert chef.score(found.folder).coverage.total == wanted.coverage.total
    assert chef.load_run(found.folder).report.stopped == wanted.stopped


def test_the_limit_ends_it_first(ask) -> None:
    report, asked = ask(precision=1, limit=100)
    assert asked == 100
    assert not report.stopped.reached
    assert f"The limit ended the run at 100 of {SIZE} samples: ACC of all {SIZE} is" in str(report)
    assert "A larger --limit goes on." in str(report)
    assert report.stopped.half_width > 1


def test_failed_samples_do_not_count(recipe: Path, ask) -> None:
    bad = list(range(0, SIZE, 10))
    text = recipe.read_text().replace(f"size: {SIZE}", f"size: {SIZE}\n  bad: {bad}")
    recipe.write_text(text)
    report, _ = ask(precision=4)
    assert report.stopped.unscored == report.coverage.errors > 0
    assert report.metrics["ACC"].n == report.coverage.total - report.coverage.errors
    assert "could not be scored, so all are those that can be" in str(report)


def test_groups_are_asked_whole(ask, tmp_path: Path) -> None:
    code = (
        "class Groups(Numbers):\n    name = 'Groups'\n"
        "    def group(self, index):\n        return str(index // 3) if index < 300 else None\n"
    )
    report, _ = ask(own_recipe(tmp_path, code, scenario="Groups"), precision=4)
    kept = json.loads((report.folder / "stopped_early.json").read_text())
    assert (kept["units"], kept["largest"]) == (400, 3)
    for unit in kept["asked"]:
        first = int(unit[0][1:])
        assert unit == ([f"n{first + k}" for k in range(3)] if first < 300 else [f"n{first}"])


def test_a_server_is_asked_the_same_and_all_its_replies_are_timed(
    recipe_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds: list[float] = []
    add = TrafficStatistics.add

    def noted(self: TrafficStatistics, requests: int, tokens: object, taken: float) -> None:
        seconds.append(taken)
        add(self, requests, tokens, taken)

    monkeypatch.setattr(TrafficStatistics, "add", noted)
    recipe = recipe_file("Direct", size=SIZE)
    found = []
    for model in (Hashing(), Served()):
        report = chef.evaluate(model, recipe, save_dir=tmp_path, name=model.name, precision=7)
        found.append((report.stopped, report.metrics, [one["id"] for one in report.samples]))
    assert found[0] == found[1]
    assert len(seconds) == found[0][0].asked < SIZE
    session = json.loads((report.folder / "environment.json").read_text())["sessions"][-1]
    assert session["server"]["requests"] == len(seconds)
    assert session["server"]["latency_median"] == round(statistics.median(seconds), 6)
    assert session["server"]["latency_p95"] == round(float(np.quantile(seconds, 0.95)), 6)


def test_a_figure_that_is_no_mean_is_refused_before_anything_is_asked(
    recipe: Path, tmp_path: Path, ask
) -> None:
    other = own_recipe(tmp_path, "class Other(Accuracy):\n    primary = 'match_ratio'\n", "Other")
    with pytest.raises(ConfigError, match=r"'match_ratio' of Other is not declared as one"):
        ask(other, precision=2)
    text = recipe.read_text() + "  judge_cfg: {judge_model: tiny}\n"
    recipe.write_text(text)
    with pytest.raises(ConfigError):
        ask(precision=2)
    assert not (tmp_path / "results").exists()


def test_a_figure_that_is_not_the_mean_it_is_said_to_be(
    tmp_path: Path, ask, caplog: pytest.LogCaptureFixture
) -> None:
    code = (
        "class Half(Accuracy):\n    def metric_func(self, answers):\n"
        "        return {'ACC': 0.5 * super().metric_func(answers)['ACC'].value}\n"
    )
    with caplog.at_level(logging.WARNING):
        report, asked = ask(own_recipe(tmp_path, code, "Half"), precision=5)
    assert (asked, report.stopped) == (SIZE, None)
    assert "so all are asked: ACC is no share" in caplog.text
    assert "chef.stats.figures.share(scores, " in caplog.text


@pytest.mark.parametrize("points", ["0", "-1", "50", "nan", "two"])
def test_what_is_no_number_of_points(points: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["eval", "--model_cfg", "tiny", "--recipe_cfg", "Shapes/ppl", "--precision", points])
    assert f"'{points}' is not a number above 0 and below 50" in capsys.readouterr().err


def test_the_command_shows_the_interval(
    model_file: Path, recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--model_cfg", str(model_file), "--recipe_cfg", str(recipe)]
    assert main(["eval", *given, "--precision", "6", "--save_dir", str(tmp_path / "r")]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"Stopped early at \d+ of 600 samples: .* \(wanted: ±6 points\)", out)
    assert re.search(r"score [\d.]+%, interval \[[\d.]+, [\d.]+\]", err)
