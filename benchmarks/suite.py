"""How fast corruptions are made: images a second of each method, at 640 x 480.

    python benchmarks/suite.py            # one thread, the mean of the five severities
    python benchmarks/suite.py --large    # seconds for one image of 6000 x 4000

The image has edges, gradients and texture, as photographs have.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from chef.method.corruptions.sequence import ImageSequence

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


def main(large: bool) -> None:
    """Measure every method and print a line for each."""
    pixels = scene(4000, 6000) if large else scene(HEIGHT, WIDTH)
    for group in ImageSequence.groups:
        for kind in group:
            taken = seconds(kind, pixels, range(3, 4) if large else range(1, 6))
            told = f"{taken:8.1f} s" if large else f"{1 / taken:8.1f} images/s"
            sys.stdout.write(f"{kind.title:16}{told}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--large", action="store_true", help="one image of 24 megapixels")
    main(parser.parse_args().large)
