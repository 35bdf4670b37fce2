"""``--keep-going``: what goes on, what is told, and the exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chef.cli import main

Write = Callable[..., Path]


@pytest.fixture
def run(model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Runs ``chef eval`` in this process; returns code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        given = ["--save_dir", str(tmp_path / "results"), "--time", "t"]
        code = main(["eval", "--model_cfg", str(model_file), *map(str, arguments), *given])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_a_wrong_recipe_does_not_stop_the_others(run, recipe_file: Write, tmp_path) -> None:
    typo, good = recipe_file(name="typo"), recipe_file(name="good")
    typo.write_text(typo.read_text().replace("size:", "sice:"))
    assert run("--recipe_cfg", typo, good)[0] == 2
    assert not (tmp_path / "results").exists()
    code, out, err = run("--recipe_cfg", typo, good, "--keep-going")
    assert code == 2
    assert "Numbers/good" in out
    assert "did you mean 'size'?" in err


def test_a_failing_recipe_does_not_stop_the_others(run, recipe_file: Write, tmp_path) -> None:
    (tmp_path / "own.py").write_text(
        "from chef import Metric\n"
        "class Own(Metric):\n"
        "    def metric_func(self, answers):\n        return answers[0]['nothing']\n"
    )
    first, second = recipe_file(name="first"), recipe_file(name="second")
    text = first.read_text().replace("plugins: [", "plugins: [own.py, ")
    first.write_text(text + "  metric_cfg: {metric_type: Own}\n")
    assert run("--recipe_cfg", first, second)[0] == 3
    assert not list(tmp_path.rglob("second-t/results.json"))
    code, out, err = run("--recipe_cfg", first, second, "--keep-going")
    assert code == 3
    assert "Numbers/second" in out
    assert "first.yaml failed" in err
    assert "own.py:4, in metric_func" in err
    assert list(tmp_path.rglob("second-t/results.json"))
    assert list(tmp_path.rglob("first-t/traceback.txt"))


def test_a_folder_of_another_configuration_does_not_stop_the_others(
    run, recipe_file: Write
) -> None:
    one, two = recipe_file(name="one"), recipe_file(name="two")
    assert run("--recipe_cfg", one)[0] == 0
    one.write_text(one.read_text().replace("size: 20", "size: 21"))
    code, out, err = run("--recipe_cfg", one, two, "--keep-going")
    assert code == 2
    assert "Numbers/two" in out
    assert "20 in the folder, 21 now" in err


def test_nothing_to_go_on_with(run, recipe_file: Write) -> None:
    code, out, err = run("--recipe_cfg", recipe_file(), "--keep-going", "scenario_cfg.sice=3")
    assert (code, out) == (2, "")
    assert err.count("error: ") == 1
