"""The command line: exit codes, the table, and what can be looked at without running."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import main
from chef.cli.arguments import parse

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


def test_a_clean_run_ends_with_a_table_and_the_folder(run, recipe_file: Write, tmp_path) -> None:
    code, out, _ = run("--recipe_cfg", recipe_file())
    assert code == 0
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    assert f"Run folder: {folder}" in out
    value = json.loads((folder / "results.json").read_text())["result"]["ACC"]
    assert f"{value:.1f}%" in out
    assert "20 of 20 samples scored" in out
    assert "95% interval" in out


def test_several_recipes_share_the_model_and_the_table(run, recipe_file: Write, tmp_path) -> None:
    paths = recipe_file(name="one"), recipe_file("Direct", name="two")
    code, out, _ = run("--recipe_cfg", *paths, "--sample_len", 5)
    assert code == 0
    assert "Numbers/one" in out
    assert "Numbers/two" in out
    assert out.count("5 of 5 samples scored") == 2
    assert {item.name for item in (tmp_path / "results/hashing/Numbers").iterdir()} == {
        "one-t", "two-t",
    }  # fmt: skip


def test_failed_samples_give_code_1(run, recipe_file: Write) -> None:
    code, out, _ = run("--recipe_cfg", recipe_file(), "scenario_cfg.bad=[3,4]")
    assert code == 1
    assert "18 of 20 samples scored, 2 errors (not scored)" in out
    assert "90.0%" in out  # coverage


def test_bad_input_gives_code_2_and_leaves_nothing(run, recipe_file: Write, tmp_path) -> None:
    code, _, err = run("--recipe_cfg", recipe_file(), "scenario_cfg.sice=3")
    assert code == 2
    assert "did you mean 'size'?" in err
    assert "Traceback" not in err
    assert not (tmp_path / "results").exists()


def test_the_same_folder_with_another_configuration_gives_code_2(run, recipe_file: Write) -> None:
    assert run("--recipe_cfg", recipe_file())[0] == 0
    code, _, err = run("--recipe_cfg", recipe_file(), "scenario_cfg.size=21")
    assert code == 2
    assert "recipe_cfg.scenario_cfg.size: 20 there, 21 now" in err


def test_a_run_that_cannot_go_on_gives_code_3(run, recipe_file: Write) -> None:
    code, _, err = run(
        "--recipe_cfg", recipe_file("Direct", size=40), "model_cfg.broken='?'", "--batch_size", 4
    )
    assert code == 3
    assert "in a row failed in the model" in err
    assert "goes on from here" in err


def test_the_same_command_goes_on(run, recipe_file: Write) -> None:
    path = recipe_file()
    assert run("--recipe_cfg", path)[0] == 0
    code, out, err = run("--recipe_cfg", path)
    assert code == 0
    assert "20 of 20 samples are answered already" in err
    assert "20 of 20 samples scored" in out


def test_a_dry_run_shows_the_query_and_loads_no_model(run, recipe_file: Write, tmp_path) -> None:
    code, out, _ = run("--recipe_cfg", recipe_file(), "--dry-run")
    assert code == 0
    assert "inferencer_type: PPL" in out  # the effective configuration
    assert "0?\nThe answer is" in out  # the query
    assert "  The answer is |three" in out  # a candidate and what comes before it
    assert not (tmp_path / "results").exists()


def test_a_dry_run_of_the_real_model_imports_no_torch() -> None:
    program = (
        "import sys\nfrom chef.cli import main\n"
        "code = main(['eval', '--model_cfg', 'configs/models/tiny.yaml', '--recipe_cfg', "
        "'configs/recipes/Shapes/ppl.yaml', '--dry-run'])\n"
        "print(code, sorted({'torch', 'transformers', 'sklearn'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 []"
    assert "Options" in done.stdout


def test_help_imports_nothing_but_the_parser() -> None:
    program = (
        "import sys\nfrom chef.cli import main\n"
        "try:\n    main(['eval', '--help'])\n"
        "except SystemExit as stop:\n    assert stop.code == 0\n"
        "print(sorted({'torch', 'omegaconf', 'msgspec', 'yaml', 'PIL'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "exit codes" in done.stdout


def test_list_names_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--list"]) == 0
    out = capsys.readouterr().out
    for word in ("scenarios:", "Shapes", "Tsv", "inferencers:", "PPL", "retrievers:", "metrics:",
                 "Detection", "models:", "HuggingFace", "tiny"):  # fmt: skip
        assert word in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--recipe_cfg", "r.yaml"],
        ["--model_cfg", "m.yaml"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--batch_size", "0"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--batch_size", "many"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--sample_len", "0"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--no-such-option"],
    ],
)
def test_usage_errors_give_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        parse(["eval", *arguments])
    assert stop.value.code == 2


def test_arguments() -> None:
    given = parse(
        ["eval", "--model_cfg", "m", "--recipe_cfg", "a", "b", "x.y=1", "--debug",
         "--sample_len", "7", "--batch_size", "auto", "model_cfg.dtype=float16"]
    )  # fmt: skip
    assert given.recipe_cfg == ("a", "b")
    assert given.overrides == ("x.y=1", "model_cfg.dtype=float16")
    assert given.sample_len == 32
    assert given.batch_size is None
    assert parse(["eval", "--list"]).sample_len is None


def test_device_and_dtype_reach_the_model_file(run, recipe_file: Write) -> None:
    code, _, err = run("--recipe_cfg", recipe_file(), "--device", "cuda:7")
    assert code == 2  # the fake model has no such key
    assert "override 'device=cuda:7'" in err
