"""Compare start-up time and throughput of workers with the model in one process.

    python benchmarks/workers.py --workers 2
    python benchmarks/workers.py --waiting 0.05 --workers 1 2 8
    python benchmarks/workers.py --waiting 0 --workers 2
    python benchmarks/workers.py --simulate 64 --samples 20000

For each model a recipe is run in this process, by one worker, and by several. Start-up is measured
separately: loading the model in this process, or starting Ray and the slowest replica. The ratio is
the time of one process divided by that of the workers, after all of them have started and loaded
the recipe; above 1, the workers are faster. On a CPU they share the same cores, so expect about 1.

``--waiting`` asks a model that waits so many seconds a sample and computes nothing, so that workers
do not share cores: efficiency is the time of all waiting over that of all workers. With 0 it is
the driver that is measured. ``--simulate`` distributes samples of random length to so
many workers of a simulated clock, with the code that distributes them in a run.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
import tempfile
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from random_llava import save_random_llava

from chef.config import load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.models.tiny import FOLDER as TINY
from chef.run.answers import encode
from chef.run.folder import RunFolder
from chef.run.plan import Runner
from chef.session.runners import LocalRunner
from chef.types import Prediction, Status
from chef.workers.dispatch import Dispatch, Worker
from chef.workers.pool import RayPool
from chef.workers.replica import Done, Item, Started

ROOT = Path(__file__).parents[1]
WAITING = """\
import time
import chef

class Waiting(chef.Model):
    def __init__(self, *, seconds: float):
        self.seconds = seconds

    def fingerprint(self):
        return "waiting"

    def generate_one(self, conversation, max_new_tokens):
        time.sleep(self.seconds)
        return "A"
"""


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


def waiting(seconds: float, numbers: list[int]) -> None:
    """Print the efficiency of several numbers of workers whose model waits and computes nothing."""
    recipe = ROOT / "configs" / "recipes" / "Shapes" / "direct.yaml"
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "waiting.py").write_text(WAITING)
        path = Path(scratch) / "waiting.yaml"
        path.write_text(f"plugins: [waiting.py]\nmodel_name: Waiting\nseconds: {seconds}\n")
        spec = load_model(path)
        for number in numbers:
            size = 400 * number if seconds else 5_000
            evaluator = Evaluator(load_recipe(recipe, [f"scenario_cfg.size={size}"]), RunOptions())
            pool = RayPool(spec, "waiting", number)
            pool.prepare()
            while not all(worker.started for worker in pool.workers):
                pool.receive()
            start_up = max(worker.startup for worker in pool.workers)
            with RunFolder(Path(scratch) / f"run{number}", evaluator.config(spec)) as folder:
                started, computed = time.perf_counter(), time.process_time()
                evaluator.ask(spec.model.build(), folder, pool)
                taken = time.perf_counter() - started
                driver = (time.process_time() - computed) / size * 1e6
            pool.close()
            line = f"{number} workers, started in {start_up:.1f} s: {size / taken:.0f} samples/s"
            line += f", efficiency {size * seconds / taken / number:.3f}"
            print(f"{line}, driver {driver:.0f} us of the processor a sample", flush=True)


class SimulatedPool:
    """Workers of a simulated clock, which need between half and one and a half seconds a sample."""

    spec: Any = None
    cluster = None
    notices: tuple[()] = ()

    def __init__(self, number: int) -> None:
        self.now = self.work = 0.0
        self._events: list[tuple[float, int, Worker, Item]] = []
        self._numbers, self._random = count(), random.Random(0)
        self.workers = [Worker(n, None, None, 0.0, Started("", n, 1)) for n in range(number)]
        for worker in self.workers:
            worker.actor = SimpleNamespace(ask=_Remote(self, worker))

    def ask(self, worker: Worker, ids: list[str]) -> None:
        """Answer a chunk: when it is complete on the clock, its answers and its end arrive."""
        needed = sum(self._random.uniform(0.5, 1.5) for _ in ids)
        self.work += needed
        lines = [encode(Prediction(name, Status.OK)) for name in ids]
        for item in (lines, Done({})):
            heapq.heappush(self._events, (self.now + needed, next(self._numbers), worker, item))

    def receive(self) -> tuple[Worker, Item]:
        self.now, _, worker, item = heapq.heappop(self._events)
        return worker, item

    def stop(self, worker: Worker) -> None:
        raise AssertionError(f"worker {worker.number} was stopped")


class _Remote:
    """What Ray's handle of a method is asked for."""

    def __init__(self, pool: SimulatedPool, worker: Worker) -> None:
        self._pool, self._worker = pool, worker

    def options(self, **_: str) -> _Remote:
        return self

    def remote(self, _: object, ids: list[str]) -> object:
        self._pool.ask(self._worker, ids)
        return object()


def simulate(number: int, samples: int) -> None:
    """Print the efficiency of so many workers, and what the driver needs for a sample."""
    pool = SimulatedPool(number)
    document = SimpleNamespace(source=None, overrides=())
    plan: Any = SimpleNamespace(
        recipe=SimpleNamespace(document=document),
        options=None,
        journal=None,
        provenance=lambda _: {},
        todo=[str(index) for index in range(samples)],
        batch_size=None,
    )
    started = time.process_time()
    answered = sum(1 for _ in Dispatch(pool, plan).run())
    taken = time.process_time() - started
    assert answered == samples
    efficiency, cost = pool.work / pool.now / number, taken / samples * 1e6
    print(f"{number} simulated workers: efficiency {efficiency:.3f}, driver {cost:.0f} us a sample")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--workers", type=int, nargs="+", default=[2])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--waiting", type=float, metavar="SECONDS")
    parser.add_argument("--simulate", type=int, metavar="WORKERS")
    parser.add_argument("--samples", type=int, default=1_000_000, help="of --simulate")
    options = parser.parse_args()
    if options.simulate is not None:
        simulate(options.simulate, options.samples)
    elif options.waiting is not None:
        waiting(options.waiting, options.workers)
    else:
        compare(options.workers[0], options.repeats)


def compare(workers: int, repeats: int) -> None:
    """Print the table of the models in this process and with workers."""
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
            case.show(workers, repeats)


if __name__ == "__main__":
    main()
