"""Count what a sample costs, by Python's own counts: the same on a busy machine as on a quiet one.

    python benchmarks/costs.py

The budgets are in ``benchmarks/costs.yaml``, and ``tests/test_costs.py`` holds them. Counts of a
sample are those of a run of 300 samples less those of 100, so what every run does once is not among
them: calls of Python functions by stage (see ``benchmarks/stages.py``), how often an answer was
read, and the bytes at the peak, of runs of 2,500 less 500.
"""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import stages
import yaml
from tabulate import tabulate

BUDGETS = Path(__file__).with_suffix(".yaml")
_FEW, _MANY = 100, 300
#: A run holds up to some hundred samples that are under way, so memory is that of longer ones.
_SHORT, _LONG = 500, 2500


def calls(inferencer: str) -> dict[str, float]:
    """Calls of a sample by stage, and its readings."""
    stages.run(_FEW, inferencer)  # what is imported and compiled for the first answers
    few, many = (stages.run(count, inferencer, counts=True) for count in (_FEW, _MANY))
    number = _MANY - _FEW
    by_stage = {name: (many.calls[name] - few.calls[name]) / number for name in stages.STAGES}
    return {**by_stage, "readings": (many.readings - few.readings) / number}


def kept(inferencer: str) -> float:
    """Bytes of a sample at the peak of a run, in a process of its own.

    Beside a million objects of other tests garbage would be collected at other times.
    """
    code = f"import costs; print(costs.kept_here({inferencer!r}))"
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def kept_here(inferencer: str) -> float:
    """Bytes of a sample at the peak of a run, in this process."""
    stages.run(_FEW, inferencer)
    peaks = []
    for count in (_SHORT, _LONG):
        tracemalloc.start()
        stages.run(count, inferencer)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return (peaks[1] - peaks[0]) / (_LONG - _SHORT)


def counted(inferencer: str) -> dict[str, float]:
    """All counts of a sample that is asked by an inferencer."""
    return {**calls(inferencer), "bytes": kept(inferencer)}


def budgets() -> dict[str, Any]:
    """The table of budgets."""
    found: dict[str, Any] = yaml.safe_load(BUDGETS.read_text())
    return found


def main() -> None:
    rows = [
        (inferencer, name, round(count, 1), limits[name])
        for inferencer, limits in budgets()["a sample"].items()
        for name, count in counted(inferencer).items()
    ]
    print(tabulate(rows, headers=("asked by", "what", "count", "budget"), tablefmt="pipe"))


if __name__ == "__main__":
    main()
