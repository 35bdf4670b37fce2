"""Measure how long `chef.score` reads the answers of a run anew, in one process and in two.

    python benchmarks/scoring_run.py [--count 20000] [--words 360] [--rounds 3]

A model that answers at once writes thoughts of so many words, which end with the letter of an
option; with ``--mentions`` they name it by its text alone, and take four times as long to read.
Each scoring is a process of its own, in turns. Seconds are those of the clock, which other work on
the machine stretches, and those of the processor in the process that scores and in the second one.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from unittest import mock

import stages
from tabulate import tabulate

from chef import api
from chef.metric import second_reader
from chef.types import Generate, Generated

TEXT = (
    "the thing in the picture looks round and has a smooth edge near the left side so it could be "
    "painted with a colour that we know from other things of this kind but the light is weak"
)


class Thinking(stages.Instant):
    """Writes thoughts of so many words before an answer."""

    def __init__(self, words: int, *, mentions: bool) -> None:
        self._words, self._mentions, self._random = words, mentions, random.Random(0)

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        """Sentences of 17 words, and one with the answer."""
        return [Generated(self._text(), tokens=self._words) for _ in requests]

    def _text(self) -> str:
        words = self._random.choices(TEXT.split(), k=self._words)
        lines = [" ".join(words[at : at + 17]).capitalize() for at in range(0, len(words), 17)]
        end = f"I think that the answer is {self._random.choice('ABCD')}."
        if self._mentions:
            end = f"It is probably the {self._random.choice(['red', 'green', 'blue'])} one there."
        return ". ".join([*lines, end])


def run_folder(top: Path, count: int, words: int, *, mentions: bool) -> Path:
    """A run of so many answers, whose file of scores is gone: each answer is read anew."""
    table = top / "questions.jsonl"
    stages.write_questions(table, count)
    recipe = stages.recipe(table, "Direct")
    model = Thinking(words, mentions=mentions)
    report = api.evaluate(model, recipe, save_dir=top, on_progress=lambda _: None)
    (report.folder / "scores.jsonl").unlink()
    return report.folder


def scored(folder: Path, *, in_two: bool) -> dict[str, float]:
    """Seconds of scoring in this process, which ends after it."""
    start = time.perf_counter()
    with mock.patch.object(second_reader, "_has_free_core", return_value=in_two):
        api.score(folder)
    seconds = {"clock": time.perf_counter() - start}
    for name, who in (("here", resource.RUSAGE_SELF), ("second", resource.RUSAGE_CHILDREN)):
        used = resource.getrusage(who)
        seconds[name] = used.ru_utime + used.ru_stime
    return seconds


def in_a_process(folder: Path, processes: int) -> dict[str, float]:
    """The same, in a process of its own; the file of scores is removed again."""
    command = [sys.executable, __file__, "--one", str(folder), "--processes", str(processes)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (folder / "scores.jsonl").unlink()
    seconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def main() -> None:
    """Print the medians of the rounds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=360)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mentions", action="store_true", help="no answer names its option")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--processes", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(scored(options.one, in_two=options.processes == 2)))
        return
    with tempfile.TemporaryDirectory() as top:
        folder = run_folder(Path(top), options.count, options.words, mentions=options.mentions)
        rounds = [[in_a_process(folder, n) for n in (1, 2)] for _ in range(options.rounds)]
    rows = [
        {"processes": n, **{key: median(pair[n - 1][key] for pair in rounds) for key in one}}
        for n, one in zip((1, 2), rounds[0], strict=True)
    ]
    for key in ("clock", "here"):
        ratio = median(one[key] / two[key] for one, two in rounds)
        print(f"seconds by {key}, one process / two: {ratio:.2f}")
    print(tabulate(rows, headers="keys", tablefmt="github", floatfmt=".1f"))


if __name__ == "__main__":
    main()
