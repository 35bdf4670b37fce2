"""Scripts in tools/ that are run by a Python without chef."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

SCRIPTS = sorted(
    path.name for path in (ROOT / "tools").glob("*.py") if "__main__" in path.read_text()
)


def stopped(script: Path) -> str:
    """What a Python without any package says: one line, and code 2."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(script)], cwd=script.parents[1],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("script", SCRIPTS)
def test_one_line_says_what_to_type(script: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    line = stopped(tmp_path / "tools" / script)
    assert "has no chef; type `make demo` and then `. .venv/bin/activate`" in line
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    assert "type `. .venv/bin/activate`, then the command again" in stopped(
        tmp_path / "tools" / script
    )


def test_every_script_is_checked() -> None:
    assert {"eval.py", "prepare_data.py", "train_tiny.py", "write_reference.py"} <= set(SCRIPTS)
