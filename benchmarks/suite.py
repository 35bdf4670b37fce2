"""How fast suites are asked, and corruptions are made.

    python benchmarks/suite.py --six 50   # the six desiderata of the embedded model, 50 samples
                                          # each: one command against one for each member
    python benchmarks/suite.py            # images a second of each corruption at 640 x 480,
                                          # one thread, the mean of the five severities
    python benchmarks/suite.py --large    # seconds for one image of 6000 x 4000

The image has edges, gradients and texture, as photographs have. Members that ask the same are one
run of a suite, and one command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chef.method.sequences import ImageSequence
from chef.suite.members.file import read_suite

HEIGHT, WIDTH, SEED, ROUNDS = 480, 640, 0, 3


def scene(height: int, width: int) -> np.ndarray:
    """An image, ``(height, width, 3)``."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    fine = np.random.default_rng(SEED).integers(-20, 20, (height, width))
    planes = [128 + 100 * np.sin(x / 37), 128 + 100 * np.cos(y / 23) + fine, (x + y) % 256]
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def seconds(kind: type, pixels: np.ndarray, severities: range) -> float:
    """The mean time of one image; of several rounds the fastest."""
    rounds = []
    for _ in range(ROUNDS if len(severities) > 1 else 1):
        start = time.perf_counter()
        for severity in severities:
            kind.corrupted(pixels, kind.levels[severity - 1], np.random.default_rng(SEED))
        rounds.append((time.perf_counter() - start) / len(severities))
    return min(rounds)


def corruptions(*, large: bool) -> None:
    """Measure every method and print a line for each."""
    pixels = scene(4000, 6000) if large else scene(HEIGHT, WIDTH)
    for group in ImageSequence.groups:
        for kind in group:
            taken = seconds(kind, pixels, range(3, 4) if large else range(1, 6))
            told = f"{taken:8.1f} s" if large else f"{1 / taken:8.1f} images/s"
            sys.stdout.write(f"{kind.title:16}{told}\n")


def asked(folder: str, limit: int, *words: str) -> float:
    """The seconds of ``chef eval tiny``."""
    command = [sys.executable, "-m", "chef", "eval", "tiny", *words]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--limit", str(limit), "--save_dir", folder, "--device", "cpu"],
        check=False,
        capture_output=True,
    )
    if done.returncode not in (0, 1):  # 1: the language score needs a judge
        sys.exit(done.stderr.decode())
    return time.perf_counter() - start


def six(limit: int) -> None:
    """Ask the desiderata in one command, then each of the members in one of its own."""
    members = [one for one in read_suite("desiderata").members.values() if not one.is_judged]
    with TemporaryDirectory() as folder:
        together = asked(str(Path(folder, "suite")), limit, "desiderata")
        alone = [
            asked(str(Path(folder, one.name)), limit, one.recipe, *one.keys) for one in members
        ]
    sys.stdout.write(
        f"one command: {together:.1f} s; {len(alone)} commands: {sum(alone):.1f} s; "
        f"ratio {sum(alone) / together:.2f}\n"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--large", action="store_true", help="one image of 24 megapixels")
    parser.add_argument("--six", type=int, metavar="N", help="the desiderata with N samples a run")
    given = parser.parse_args()
    if given.six is None:
        corruptions(large=given.large)
    else:
        six(given.six)
