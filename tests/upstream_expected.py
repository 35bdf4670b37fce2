"""What the stand-in files of three systems have to give, and how it is compared."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import forked
import pytest
import yaml

ROOT = Path(__file__).parents[1]
FILES = ROOT / "tests" / "upstream_files"


def expected(system: str) -> dict[str, Any]:
    """What the files of a system have to give, worked out by hand."""
    text = (FILES / system / "expected.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def alike(found: Any, wanted: Any) -> bool:
    """Whether a value is the one that was worked out: numbers to 1e-4, None and NaN are one."""
    if isinstance(wanted, Mapping):
        return found.keys() == wanted.keys() and all(
            alike(found[key], wanted[key]) for key in wanted
        )
    if isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    if wanted is None or (isinstance(wanted, float) and math.isnan(wanted)):
        return found is None or found != found  # NaN
    if isinstance(wanted, str | bool):
        return bool(found == wanted)
    return found is not None and float(found) == pytest.approx(wanted, abs=1e-4)


def printed_by(script: Path, folder: Path) -> Any:
    """The JSON that a script prints which runs in a folder after ``import chef.fronts``."""
    code = f"import chef.fronts, runpy; runpy.run_path({str(script)!r}, run_name='__main__')"
    variables = {**os.environ, "LMUData": str(FILES / "vlmeval" / "LMUData")}
    done = forked.run([sys.executable, "-c", code], cwd=folder, env=variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
