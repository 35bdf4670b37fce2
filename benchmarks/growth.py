"""Measure what a sample costs as runs grow: the processor's time by stage, and memory.

    python benchmarks/growth.py
    git worktree add ../before COMMIT && python benchmarks/growth.py --against ../before

Each size runs in a process of its own, with a model that answers at once; ``--against`` runs both
checkouts in turn. Memory is the peak above what a run of 200 samples took, by sample.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from tabulate import tabulate

#: So many samples load and compile what every run needs.
FIRST = 200


def measure(count: int, inferencer: str) -> dict[str, float]:
    """Microseconds a sample by stage and in all, and KiB a sample, with the chef imported here."""
    import stages

    stages.run(FIRST, inferencer)
    memory, start = _peak(), time.process_time()
    found = stages.run(count, inferencer)
    all_of_it = time.process_time() - start
    times = {name: 1e6 * found.seconds[name] / count for name in stages.STAGES}
    return {**times, "all": 1e6 * all_of_it / count, "KiB": (_peak() - memory) / count}


def _peak() -> int:
    """The most memory so far, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def of_checkout(root: Path, count: int, inferencer: str) -> dict[str, float]:
    """What `measure` gives in a process that imports chef from a checkout."""
    command = [sys.executable, __file__, "--one", inferencer, "--counts", str(count)]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--counts", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--against", type=Path, help="another checkout, to be run in turn")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.counts[0], options.one)))
        return
    here = Path(__file__).parents[1]
    roots = {"here": here} if options.against is None else {"there": options.against, "here": here}
    rows = []
    for inferencer in ("PPL", "Direct"):
        for count in options.counts:
            for name, root in roots.items():
                found = of_checkout(root.resolve(), count, inferencer)
                row = {"asked": inferencer, "samples": count, "chef": name, **found}
                rows.append(row)
                print(json.dumps(row), file=sys.stderr, flush=True)
    print(tabulate(rows, headers="keys", floatfmt=".0f", tablefmt="pipe"))


if __name__ == "__main__":
    main()
