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

    python benchmarks/serving.py --calls

counts calls of Python functions a request instead, which a busy machine does not change: requests
whose images are encoded already go to a server that answers at once, at most 16 in flight, by
chef's executor and by `httpx2` alone, which is under it; both open a connection for each. `cpu` is
measured in turns without counting, and its ratio is the median of the rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import io
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools")]

import httpx2  # noqa: E402
import serve_tiny  # noqa: E402
from openai import OpenAI  # noqa: E402

from chef.config import load_model, load_recipe  # noqa: E402
from chef.engine.executor_base import PendingRequest  # noqa: E402
from chef.engine.in_flight import ConcurrentExecutor  # noqa: E402
from chef.evaluator import Evaluator, RunOptions  # noqa: E402
from chef.image import Image  # noqa: E402
from chef.run.folder import RunFolder  # noqa: E402
from chef.session.runners import LocalRunner  # noqa: E402
from chef.types import Generate  # noqa: E402

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


class Requests:
    """Requests for the samples of a recipe, sent by chef's executor or by the client under it."""

    most = 16

    def __init__(self, base_url: str, samples: int) -> None:
        evaluator = Evaluator(load_recipe(RECIPE), RunOptions(sample_len=samples))
        queries = [evaluator.instruction.query(evaluator.scenario[i]) for i in range(samples)]
        self._requests = [Generate(query.conversation, 16, ()) for query in queries]
        self._url, self._bodies = base_url, [self._body(item) for item in self._requests]
        keys = {"model": "tiny", "base_url": base_url, "max_in_flight": self.most}
        self._model: Any = load_model({"model_name": "OpenAI", **keys}).model.build()

    def _body(self, request: Generate) -> dict[str, Any]:
        texts = [{"type": "text", "text": turn.text} for turn in request.conversation]
        shown = [image for turn in request.conversation for image in turn.images]
        images = [{"type": "image_url", "image_url": {"url": _url(image)}} for image in shown]
        messages = [{"role": "user", "content": [*images, *texts]}]
        return {"model": "tiny", "messages": messages, "max_tokens": 16, "temperature": 0.0}

    def by_chef(self) -> None:
        """Send them by chef, in a thread of the model's own."""
        executor = ConcurrentExecutor(self._model)
        waiting = [PendingRequest(i, each, (), 1, 1) for i, each in enumerate(self._requests)]
        while waiting:
            outcomes = {item.order: reply for item, reply in executor.ask(waiting)}
            assert not any(isinstance(reply, Exception) for reply in outcomes.values())
            waiting = [item for item in waiting if item.order not in outcomes]
        executor.close()
        self._model.close()

    def plainly(self) -> None:
        """Send them by the client alone, in a thread too."""
        thread = threading.Thread(target=lambda: asyncio.run(self._plainly()))
        thread.start()
        thread.join()

    async def _plainly(self) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        turns, headers = asyncio.Semaphore(self.most), {"Connection": "close"}
        async with httpx2.AsyncClient(headers=headers, limits=limits, timeout=60) as client:

            async def ask(body: dict[str, Any]) -> None:
                async with turns:
                    reply = await client.post(f"{self._url}/chat/completions", json=body)
                    assert reply.json()["choices"][0]["message"]["content"]

            await asyncio.gather(*map(ask, self._bodies))


def count_calls(run: Callable[[], None]) -> int:
    """How many Python functions a call and the threads that it starts call, or go on with."""
    counts: Counter[str] = Counter()

    def note(_frame: object, event: str, _argument: object) -> None:
        counts[event] += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return counts["call"]


def compare_calls(base_url: str, samples: int, rounds: int) -> None:
    """Print calls and time of the processor a request, by chef and by the client alone."""
    requests = Requests(base_url, samples)
    sides = {"client": requests.plainly, "chef": requests.by_chef}
    times = Times(dict(sides), rounds)
    print(f"{'':<10}{'calls':>8}{'ratio':>8}{'cpu ms':>9}{'ratio':>8}")
    plain = count_calls(sides["client"])
    for name, run in sides.items():
        calls = count_calls(run)
        pairs = zip(times.cpu["client"], times.cpu[name], strict=True)
        ratio = statistics.median(side / client for client, side in pairs)
        milliseconds = 1000 * statistics.median(times.cpu[name]) / samples
        print(
            f"{name:<10}{calls / samples:>8.0f}{calls / plain:>8.2f}"
            f"{milliseconds:>9.2f}{ratio:>8.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--latency", type=float, default=0.1, help="seconds of the second server")
    parser.add_argument("--no-model", action="store_true", help="leave the first server out")
    parser.add_argument("--calls", action="store_true", help="count calls a request instead")
    options = parser.parse_args()
    given = (options.samples, options.rounds)
    if options.calls:
        with answering_after(0) as base_url:
            compare_calls(base_url, *given)
        return
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
