"""Compare start-up time and throughput of workers with the model in one process.

    python benchmarks/workers.py --workers 2

For each model a recipe is run in this process, by one worker, and by several. Start-up is measured
separately: loading the model in this process, or starting Ray and the slowest replica. The ratio is
the time of one process divided by that of the workers, after all of them have started and loaded
the recipe; above 1, the workers are faster. On a CPU they share the same cores, so expect about 1.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from random_llava import save_random_llava

from chef.config import load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.models.tiny import FOLDER as TINY
from chef.run.folder import RunFolder
from chef.run.plan import Runner
from chef.session.runners import LocalRunner
from chef.workers.pool import RayPool

ROOT = Path(__file__).parents[1]


class Case:
    """One model, and the number of samples of Shapes to ask."""

    def __init__(self, name: str, model_file: Path, samples: int) -> None:
        self.name, self.samples = name, samples
        self.spec = load_model(model_file)
        self.model = self.spec.model.build()

    def run_recipe(self, runner: Runner, repeats: int) -> tuple[float, int]:
        """Return the median seconds of a run, and its batches, after a warm-up run."""
        path = ROOT / "configs" / "recipes" / "Shapes" / "ppl.yaml"
        taken, batches = [], 0
        for _ in range(repeats + 1):
            evaluator = Evaluator(load_recipe(path), RunOptions(sample_len=self.samples))
            with (
                tempfile.TemporaryDirectory() as scratch,
                RunFolder(Path(scratch) / "run", evaluator.config(self.spec)) as folder,
            ):
                started = time.perf_counter()
                evaluator.evaluate(self.model, folder, runner)
                taken.append(time.perf_counter() - started)
                batches = folder.read_json("environment.json")["sessions"][-1]["batches"]
        return statistics.median(taken[1:]), batches

    def show(self, workers: int, repeats: int) -> None:
        started = time.perf_counter()
        self.model.prepare()
        startup = f"{time.perf_counter() - started:.1f}"
        alone = self.run_recipe(LocalRunner(self.model), repeats)
        self.line("one process", startup, alone, alone[0])
        self.model.close()
        for number in sorted({1, workers}):
            pool = RayPool(self.spec, self.model.fingerprint(), number)
            try:
                pool.prepare()
                while not all(worker.started for worker in pool.workers):
                    pool.receive()
                assert pool.cluster is not None
                slowest = max(worker.startup for worker in pool.workers)
                startup = f"{pool.cluster.seconds:.1f} + {slowest:.1f}"
                self.line(f"workers: {number}", startup, self.run_recipe(pool, repeats), alone[0])
            finally:
                pool.close()

    def line(self, way: str, startup: str, measured: tuple[float, int], alone: float) -> None:
        seconds, batches = measured
        rate = self.samples / seconds
        print(
            f"{self.name:<22}{way:<14}{startup:>12}{seconds:>9.2f}{rate:>12.1f}"
            f"{batches:>9}{alone / seconds:>8.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        millions = save_random_llava(Path(scratch) / "llava", TINY) / 1e6
        llava = Path(scratch) / "llava.yaml"
        llava.write_text(f"model_name: HuggingFace\nmodel_path: {scratch}/llava\n")
        tiny = ROOT / "configs" / "models" / "tiny.yaml"
        print(
            f"{'model':<22}{'':<14}{'start-up s':>12}{'run s':>9}{'samples/s':>12}"
            f"{'batches':>9}{'ratio':>8}"
        )
        for case in (
            Case("tiny", tiny, 500),
            Case(f"random LLaVA {millions:.0f} M", llava, 64),
        ):
            case.show(options.workers, options.repeats)


if __name__ == "__main__":
    main()
