"""Measure samples a second through a server, and the time that chef adds to a request.

    python benchmarks/serving.py

Each server is asked the same samples of Shapes/direct in five ways, one after another in every
round: a plain loop with the `openai` client, one request at a time, and chef with at most 1, 4, 16
and 256 requests in flight. A ratio is the loop's time over chef's in the same round; above 1, chef
is faster. The servers run in processes of their own: `transformers serve` with the embedded model,
which computes on the same cores, and one that answers every request after a fixed time.

The overhead is measured with one request in flight and the second server: `cpu` is the CPU time of
this process for a sample; `wall` is the wall time of a sample without the server's fixed time. For
the loop it is that of the client alone; for chef also drawing, journaling and scoring.
"""

from __future__ import annotations

import argparse
import base64
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools")]

import serve_tiny  # noqa: E402
from openai import OpenAI  # noqa: E402

from chef.config import load_model, load_recipe  # noqa: E402
from chef.evaluator import Evaluator, RunOptions  # noqa: E402
from chef.image import Image  # noqa: E402
from chef.run.folder import RunFolder  # noqa: E402
from chef.session.runners import LocalRunner  # noqa: E402

RECIPE = ROOT / "configs" / "recipes" / "Shapes" / "direct.yaml"
IN_FLIGHT = (1, 4, 16, 256)


@contextmanager
def answering_after(latency: float) -> Iterator[str]:
    """The address of a server that answers every request after so many seconds."""
    file = ROOT / "tests" / "serving" / "stub_server.py"
    process = subprocess.Popen(
        [sys.executable, str(file), "--latency", str(latency)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(10)


class Loop:
    """Asks samples one by one, with the `openai` client alone."""

    def __init__(self, base_url: str, samples: int) -> None:
        self._client = OpenAI(base_url=base_url, api_key="none", max_retries=0)
        self._samples = samples

    def __call__(self) -> None:
        evaluator = Evaluator(load_recipe(RECIPE), RunOptions(sample_len=self._samples))
        for index in range(self._samples):
            query = evaluator.instruction.query(evaluator.scenario[index])
            parts = [
                {"type": "image_url", "image_url": {"url": _url(part)}}
                if isinstance(part, Image)
                else {"type": "text", "text": part.text}
                for part in query.conversation[-1].parts
            ]
            self._client.chat.completions.create(
                model="tiny",
                messages=[{"role": "user", "content": parts}],  # type: ignore[misc, list-item]
                max_tokens=16,
                temperature=0,
            )


def _url(image: Image) -> str:
    data = io.BytesIO()
    image.view().save(data, "PNG")
    return f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"


class Chef:
    """Asks samples with chef: a whole run, without loading its own code."""

    def __init__(self, base_url: str, samples: int, in_flight: int) -> None:
        keys = {"model": "tiny", "base_url": base_url, "max_in_flight": in_flight}
        self._spec = load_model({"model_name": "OpenAI", **keys})
        self._model = self._spec.model.build()
        self._samples = samples

    def __call__(self) -> None:
        evaluator = Evaluator(load_recipe(RECIPE), RunOptions(sample_len=self._samples))
        with (
            tempfile.TemporaryDirectory() as scratch,
            RunFolder(Path(scratch) / "run", evaluator.config(self._spec)) as folder,
        ):
            evaluator.evaluate(self._model, folder, LocalRunner(self._model))
            server = folder.read_json("environment.json")["sessions"][-1]["server"]
        assert server["requests"] == self._samples, "a request was repeated"
        assert not server["repeated"]


class Times:
    """Wall and CPU seconds of each side, one entry a round."""

    def __init__(self, sides: dict[str, Callable[[], None]], rounds: int) -> None:
        self.wall: dict[str, list[float]] = {name: [] for name in sides}
        self.cpu: dict[str, list[float]] = {name: [] for name in sides}
        for turn in range(rounds + 1):
            for name, run in sides.items():
                wall, cpu = time.perf_counter(), time.process_time()
                run()
                if turn:  # the first round is a warm-up
                    self.wall[name].append(time.perf_counter() - wall)
                    self.cpu[name].append(time.process_time() - cpu)

    def ratio(self, name: str) -> float:
        """The median of the loop's time over that of a side."""
        pairs = zip(self.wall["loop"], self.wall[name], strict=True)
        return statistics.median(loop / side for loop, side in pairs)


def compare(server: str, base_url: str, samples: int, rounds: int, latency: float | None) -> None:
    """Print a line for each side; the overhead only where the time of the server is known."""
    sides: dict[str, Callable[[], None]] = {"loop": Loop(base_url, samples)}
    for number in IN_FLIGHT:
        sides[f"chef, {number} in flight"] = Chef(base_url, samples, number)
    times = Times(sides, rounds)
    for name in sides:
        wall = statistics.median(times.wall[name])
        line = f"{server:<28}{name:<20}{samples:>8}{samples / wall:>11.1f}{times.ratio(name):>8.2f}"
        cpu = 1000 * statistics.median(times.cpu[name]) / samples
        if latency is not None:
            line += f"{cpu:>9.1f}"
            if name in {"loop", "chef, 1 in flight"}:
                line += f"{1000 * (wall / samples - latency):>9.1f}"
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--latency", type=float, default=0.1, help="seconds of the second server")
    parser.add_argument("--no-model", action="store_true", help="leave the first server out")
    options = parser.parse_args()
    given = (options.samples, options.rounds)
    print(
        f"{'server':<28}{'':<20}{'samples':>8}{'samples/s':>11}{'ratio':>8}"
        f"{'cpu ms':>9}{'wall ms':>9}"
    )
    if not options.no_model:
        with serve_tiny.serving(serve_tiny.free_port()) as base_url:
            compare("transformers serve, tiny", base_url, *given, None)
    with answering_after(options.latency) as base_url:
        name = f"{1000 * options.latency:.0f} ms a request"
        compare(name, base_url, *given, options.latency)


if __name__ == "__main__":
    main()
