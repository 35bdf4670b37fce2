"""Measure how long 100,000 answers take to be scored, here and by another checkout.

    python benchmarks/scoring.py
    git worktree add ../before COMMIT && python benchmarks/scoring.py --against ../before

Options and free texts by Accuracy, yes and no by POPE_Metric; four questions to an image. Each is
scored in a process of its own, by both checkouts in turn. Seconds are those of the processor, and
the fewest of the rounds count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from tabulate import tabulate

KINDS = ("options", "free texts", "yes and no")
WORDS = ("red", "blue", "green", "yellow")


def seconds(kind: str, count: int) -> float:
    """Seconds of the processor that the answers take, with the chef that is imported here."""
    from chef.metric import METRICS
    from chef.types import Prediction, Status

    answers = []
    for place in range(count):
        sample: dict[str, object] = {"id": f"{place}", "question": f"What is {place}?"}
        word = WORDS[place % 4]
        said = f"The answer is {WORDS[place // 5 % 4]}."
        if kind == "options":
            sample |= {"choices": list(WORDS), "gt_choice": place % 4}
        elif kind == "free texts":
            sample |= {"gt_answers": [word]}
        else:
            sample |= {"gt_answers": "yes" if place % 2 else "no", "image_path": f"{place // 4}"}
            said = "Yes, there is." if place % 3 else "No, there is none."
        images = ({"name": "x", "digest": f"{place // 4}"},)
        answers.append(Prediction(f"{place}", Status.OK, said, sample=sample, images=images))
    metric = METRICS.get("POPE_Metric" if kind == "yes and no" else "Accuracy")()
    metric.evaluate(answers[:100])  # what is imported and compiled for the first answer
    start = time.process_time()
    metric.evaluate(answers)
    return time.process_time() - start


def of_checkout(root: Path, kind: str, count: int) -> float:
    """The seconds of a process that imports chef from a checkout."""
    command = [sys.executable, __file__, "--one", kind, "--count", str(count)]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    """Print the seconds of each kind of answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--against", type=Path, help="another checkout of chef")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", choices=KINDS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(seconds(given.one, given.count))
        return
    here = Path(__file__).resolve().parents[1]
    roots = [here, *([given.against] if given.against else [])]
    rows = []
    for kind in KINDS:
        rounds = [
            [of_checkout(root, kind, given.count) for root in roots] for _ in range(given.rounds)
        ]
        best = [min(times) for times in zip(*rounds, strict=True)]
        row: list[object] = [kind, best[0]]
        rows.append([*row, best[1], best[0] / best[1]] if given.against else row)
    headers = ["answers", "seconds"] + (["seconds before", "ratio"] if given.against else [])
    print(tabulate(rows, headers=headers, tablefmt="github", floatfmt=".2f"))


if __name__ == "__main__":
    main()
