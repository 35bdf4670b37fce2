"""What a command loads before it does anything: counted, so that noise cannot move it.

The budgets are in ``benchmarks/costs.yaml``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

import pytest
import yaml
from conftest import ROOT

PROGRAM = """
import json, re, sys
patterns = []
compiled = re._compiler.compile

def counted(source, flags=0):
    frame = sys._getframe(1)
    while frame and "/src/chef/" not in frame.f_code.co_filename:
        frame = frame.f_back
    patterns.append(frame.f_code.co_filename if frame else "")
    return compiled(source, flags)

re._compiler.compile = counted
from chef.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
names = [name for name in sys.modules if name.split(".")[0] == "chef"]
inside = [path for path in patterns if "/chef/reading/" in path]
reading = sorted(name for name in names if name.startswith("chef.reading."))
print()
print(json.dumps([len(sys.modules), len(names), len(patterns), len(inside), reading]))
"""
BUDGETS = yaml.safe_load((ROOT / "benchmarks" / "costs.yaml").read_text())["a command"]
RECIPE = ("--recipe_cfg", "configs/recipes/Shapes/ppl.yaml")
DRY_RUN = ("eval", "--model_cfg", "configs/models/tiny.yaml", *RECIPE, "--dry-run")


@cache
def loaded(command: Sequence[str]) -> tuple[int, int, int, int, list[str]]:
    """Modules, those of chef, compiled patterns, those of reading, and its modules."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command],
        check=True, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    modules, own, patterns, inside, reading = json.loads(done.stdout.splitlines()[-1])
    return modules, own, patterns, inside, reading


@pytest.mark.parametrize(
    ("command", "name"), [(("--help",), "help"), (("list",), "list"), (DRY_RUN, "dry run")]
)
def test_a_command_loads_no_more_than_its_budget(command: Sequence[str], name: str) -> None:
    modules, own, patterns, *_ = loaded(command)
    budget = BUDGETS[name]
    assert modules <= budget["modules"]
    assert own <= budget["own"]
    assert patterns <= budget["patterns"]


def test_options_that_are_scored_load_no_rules_of_reading() -> None:
    *_, patterns, reading = loaded(DRY_RUN)
    assert reading == ["chef.reading.excerpt", "chef.reading.text"]
    assert patterns <= 9
    assert loaded(("--help",))[3:] == (0, [])


def test_a_name_that_nothing_has_is_answered_without_torch() -> None:
    code = "import sys; from chef.cli import main; main(['list', 'Acuracy'])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; sys.exit('torch' in sys.modules)"],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert (done.returncode, "did you mean 'Accuracy'?" in done.stderr) == (0, True)
