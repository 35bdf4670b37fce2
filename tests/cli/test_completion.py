"""Completion in the shell, asked as argcomplete's shell function asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import completion


def test_names_of_each_kind() -> None:
    assert "tiny" in completion.model_names()
    assert "hf:" in completion.model_names()
    recipes = completion._completer(completion._COMPLETERS["score", "recipe_cfg"][0], None)
    assert "Shapes/" in recipes("Sh")
    assert "Shapes/ppl" not in recipes("Sh")
    assert "Shapes/ppl" in recipes("Shapes/")
    assert {"Tsv", "PPL", "random", "Accuracy", "llava15"} <= set(completion.all_names())
    assert "MMBenchVQA" in completion._COMPLETERS["score", "metric"][0]()
    assert "ScienceQA" in completion.source_names()


def completed(line: str, folder: Path) -> list[str]:
    """What the shell offers after a line."""
    pytest.importorskip("argcomplete")
    answer = folder / "answer"
    environment = {
        **os.environ, "_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "_ARGCOMPLETE_IFS": "\n",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
    }  # fmt: skip
    command = [sys.executable, "-c", "from chef.cli import console; console()"]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return [item.strip() for item in answer.read_text().splitlines()]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        (
            "chef ",
            {
                *("eval", "show", "compare", "score", "list", "prepare"),
            },
        ),
        ("chef eval privacy/p3", {"privacy/p3-infoflow"}),
        ("chef eval x --dataset-id safeb", {"safebench"}),
        ("chef show x --export p", {"parquet"}),
        ("chef eval --mod", {"--model_cfg", "--model", "--model-args", "--model-id"}),
        ("chef eval --model_cfg ti", {"tiny", "tiny_served"}),
        ("chef eval --model_cfg tiny --recipe_cfg MMB", {"MMBench/"}),
        ("chef eval --recipe_cfg MME/d", {"MME/default", "MME/direct"}),
        ("chef eval --recipe_cfg ow", {"own.yaml"}),
        ("chef list Ts", {"Tsv"}),
        ("chef score x --metric MMB", {"MMBenchVQA", "MMBench_Calibration"}),
        ("chef eval --keep-g", {"--keep-going"}),
        (
            "chef eval --re",
            {"--recipe_cfg", "--recipe", "--response-cache", "--reuse-answers"},
        ),
        ("chef eval --model_cfg tiny smolv", {"smolvlm"}),
    ],
)
def test_the_shell_offers(line: str, offered: set[str], tmp_path: Path) -> None:
    (tmp_path / "own.yaml").touch()
    assert set(completed(line, tmp_path)) == offered


def test_without_argcomplete_the_command_runs(tmp_path: Path) -> None:
    code = "import sys; sys.modules['argcomplete'] = None; sys.argv = ['chef', '--version']\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}from chef.cli import console; console()"],
        env={**os.environ, "_ARGCOMPLETE": "1", "PYTHONPATH": str(ROOT / "src")},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("chef ")
