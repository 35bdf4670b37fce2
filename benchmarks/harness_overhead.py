"""Measure the time that a run spends outside the model.

    python benchmarks/harness_overhead.py

For each case a whole recipe is run several times. The ratio is the wall time of the run divided by
the time inside the model's ``forward``, ``generate`` and ``get_image_features``. The difference is
the time for reading samples, drawing and decoding images, rendering, tokenising, preprocessing,
journaling and scoring. Loading is not measured. A ratio of 1.00 would mean no overhead.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from random_llava import save_random_llava

from chef.config import load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.tiny import FOLDER as TINY
from chef.run.folder import RunFolder
from chef.session.runners import LocalRunner

ROOT = Path(__file__).parents[1]


class Clock:
    """Counts the seconds inside wrapped calls; nested calls count once."""

    def __init__(self) -> None:
        self.seconds, self._depth = 0.0, 0

    @contextmanager
    def inside(self) -> Iterator[None]:
        started, self._depth = time.perf_counter(), self._depth + 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self.seconds += time.perf_counter() - started

    def watch(self, owner: object, name: str) -> None:
        """Time every call of ``owner.name``."""
        original = getattr(owner, name)

        @functools.wraps(original)  # the signature is inspected for what the model accepts
        def timed(*args: object, **options: object) -> object:
            with self.inside():
                return original(*args, **options)

        setattr(owner, name, timed)


def measure(model_file: Path, recipe: str, samples: int, repeats: int) -> tuple[float, float]:
    """Return the median ratio of wall time to model time, and the median wall time in seconds."""
    spec = load_model(model_file)
    model = spec.model.build()
    assert isinstance(model, HuggingFaceModel)
    runtime, clock = model.load(), Clock()
    clock.watch(runtime.model, "forward")
    clock.watch(runtime.model, "generate")
    clock.watch(runtime.model.model, "get_image_features")
    path = ROOT / "configs" / "recipes" / "Shapes" / f"{recipe}.yaml"
    ratios, walls = [], []
    for repeat in range(repeats + 1):
        evaluator = Evaluator(load_recipe(path), RunOptions(sample_len=samples))
        with tempfile.TemporaryDirectory() as scratch:
            clock.seconds, started = 0.0, time.perf_counter()
            with RunFolder(Path(scratch) / "run", evaluator.config(spec)) as folder:
                evaluator.evaluate(model, folder, LocalRunner(model))
            wall = time.perf_counter() - started
        if repeat:  # the first run is a warm-up
            ratios.append(wall / clock.seconds)
            walls.append(wall)
    return statistics.median(ratios), statistics.median(walls)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        millions = save_random_llava(Path(scratch) / "llava", TINY) / 1e6
        mid = Path(scratch) / "llava.yaml"
        mid.write_text(f"model_name: HuggingFace\nmodel_path: {scratch}/llava\n")
        tiny = ROOT / "configs" / "models" / "tiny.yaml"
        print(f"{'model':<24}{'recipe':<18}{'samples':>8}{'wall s':>9}{'wall / model':>14}")
        for name, model_file, recipe, samples in (
            ("tiny", tiny, "ppl", 500),
            ("tiny", tiny, "direct", 500),
            (f"random LLaVA {millions:.0f} M", mid, "ppl", 16),
            (f"random LLaVA {millions:.0f} M", mid, "direct", 16),
        ):
            ratio, wall = measure(model_file, recipe, samples, options.repeats)
            print(f"{name:<24}{recipe:<18}{samples:>8}{wall:>9.2f}{ratio:>14.3f}", flush=True)


if __name__ == "__main__":
    main()
