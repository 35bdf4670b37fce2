"""Compare option scoring with shared prefixes to a forward pass for every option.

    python benchmarks/ppl_scoring.py

Three methods score the same samples with the same model object, alternating:

    single    one forward pass per option, with one row
    batched   one forward pass per question, with one row per option
    chef      everything that prompts share is computed once

A ratio is the time of ``single`` or ``batched`` divided by that of ``chef``, as the median over
repetitions. Every repetition has new images, so nothing cached by an earlier one can be reused;
only the last case repeats the in-context examples of earlier calls. ``computed`` is the number of
tokens that chef computed divided by the number of tokens in a perfect prefix tree of the call.
``memory`` is the peak memory above the initial usage, of ``batched`` and of chef. ``difference`` is
the largest difference between their log-probability sums.

    python benchmarks/ppl_scoring.py --device cuda --llava7b

does the same with the shapes of LLaVA-1.5-7B, random weights and bfloat16. It also prints the time
of chef divided by a lower bound: the operations for the tokens of the tree at the measured speed of
large matrix products. ``--shrink 16`` divides the sizes, to try the command on a CPU (in float32).
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from random_llava import IMAGE_SIZE, Size, save_random_llava

from chef.image import Image
from chef.models.huggingface.likelihood.naive import NaiveScorer
from chef.models.huggingface.likelihood.shared_prefix.scorer import SharedPrefixScorer
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.tiny import FOLDER as TINY
from chef.types import Score, Scored, Text, Turn

COLORS = ("red", "green", "blue", "black", "white", "brown", "grey", "pink")
THINGS = ("circle", "square", "bird", "house", "train", "flower", "bottle", "table")


def picture(seed: int) -> Image:
    import numpy as np
    from PIL import Image as Pixels

    side = IMAGE_SIZE
    noise = np.random.default_rng(seed).integers(0, 255, (side, side, 3), dtype=np.uint8)
    return Image(Pixels.fromarray(noise))


def options(count: int) -> tuple[str, ...]:
    """Return ``count`` options of a few words each."""
    pairs = [f"a {color} {thing}" for thing in THINGS for color in COLORS]
    return tuple(pairs[index * 3 % len(pairs)] for index in range(count))


def choice(count: int) -> Callable[[int], list[Score]]:
    """One question with ``count`` options."""

    def make(seed: int) -> list[Score]:
        listed = " ".join(f"({chr(65 + i)}) {text}" for i, text in enumerate(options(count)[:4]))
        asked = f"What is in the middle of the picture? {listed}"
        turn = Turn("user", (picture(seed), Text(asked)))
        return [Score((turn,), options(count), "The answer is ")]

    return make


def yes_or_no(seed: int) -> list[Score]:
    """Six questions about one image."""
    shown = picture(seed)
    return [
        Score((Turn("user", (shown, Text(f"Is there {text} in the picture?"))),), ("yes", "no"))
        for text in options(6)
    ]


def with_shots(seed: int) -> list[Score]:
    """Two questions after the same four in-context examples with images."""
    shots = []
    for index in range(4):
        shots += [
            Turn("user", (picture(1000 + 10 * seed + index), Text("What is in the picture?"))),
            Turn("assistant", (Text(options(4)[index]),)),
        ]
    return [
        Score((*shots, Turn("user", (picture(index), Text("What is it?")))), options(4))
        for index in range(100 * seed, 100 * seed + 2)
    ]


def shots_kept(seed: int) -> list[Score]:
    """One more question after the in-context examples of earlier calls."""
    shots = with_shots(0)[0].conversation[:-1]
    asked = Turn("user", (picture(5000 + seed), Text("What is it?")))
    return [Score((*shots, asked), options(4))]


@dataclass(frozen=True)
class Case:
    """One row of the printed table.

    Attributes:
        name: the name in the table.
        make: creates the requests of a repetition from its number.
        wanted: the target ratio to ``batched``.
        repetitions: number of measured repetitions, after one warm-up.
    """

    name: str
    make: Callable[[int], list[Score]]
    wanted: float
    repetitions: int


CASES = (
    Case("4 options", choice(4), 4, 7),
    Case("10 options", choice(10), 9, 5),
    Case("40 options", choice(40), 30, 3),
    Case("6 questions, 1 image", yes_or_no, 4, 5),
    Case("2 questions, 4 shots", with_shots, 4, 2),
    Case("1 more, same 4 shots", shots_kept, 4, 2),
)


@dataclass
class Sides:
    """The three scoring methods of one model."""

    naive: NaiveScorer
    shared: SharedPrefixScorer

    def single(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        return [
            tuple(self.naive.score([replace(item, candidates=(c,))])[0][0] for c in item.candidates)
            for item in requests
        ]

    def batched(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        return [self.naive.score([request])[0] for request in requests]

    def chef(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        return self.shared.score(requests)


class Peak:
    """Measures the peak memory of a block above the initial usage, in MiB (GPU or resident)."""

    def __init__(self, device: Any) -> None:
        self.cuda = device.type == "cuda"
        self.mib = 0.0

    def __enter__(self) -> Self:
        import torch

        if self.cuda:
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            self.before = torch.cuda.memory_allocated()
            return self
        with suppress(OSError, AttributeError):  # not glibc
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        self.before = self.most = _resident()
        self.over = threading.Event()
        self.watcher = threading.Thread(target=self._watch)
        self.watcher.start()
        return self

    def _watch(self) -> None:
        while not self.over.wait(0.002):
            self.most = max(self.most, _resident())

    def __exit__(self, *_: object) -> None:
        import torch

        if self.cuda:
            torch.cuda.synchronize()
            self.mib = (torch.cuda.max_memory_allocated() - self.before) / 2**20
            return
        self.over.set()
        self.watcher.join()
        self.mib = (max(self.most, _resident()) - self.before) / 2**20


def _resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def timed(way: Callable[[Sequence[Score]], Any], requests: Sequence[Score], device: Any) -> Any:
    """Return the seconds and the result of a call."""
    import torch

    if device.type == "cuda":
        torch.cuda.synchronize()
    started = time.perf_counter()
    result = way(requests)  # scores are numbers on the CPU, so the GPU has finished
    return time.perf_counter() - started, result


@dataclass
class Found:
    """The results of a case: medians over its repetitions."""

    single: float
    batched: float
    chef: float
    to_single: float
    to_batched: float
    computed: float
    memory: tuple[float, float]
    difference: float
    nodes: float
    images: float


def measure(case: Case, sides: Sides, repetitions: int | None) -> Found:
    device = sides.naive.runtime.device
    count = repetitions or case.repetitions
    seconds: dict[str, list[float]] = {"single": [], "batched": [], "chef": []}
    difference, computed, nodes = 0.0, [], []
    sides.shared.score(case.make(count + 2))  # the earlier calls
    for number in range(count + 1):
        requests = case.make(number)
        for request in requests:
            for turn in request.conversation:
                for image in turn.images:
                    _ = image.digest  # the engine computes it before scoring, too
        took: dict[str, float] = {}
        replies: dict[str, Any] = {}
        before = replace(sides.shared.counts)
        for way in (sides.chef, sides.batched, sides.single)[: 3 if number else 1]:
            took[way.__name__], replies[way.__name__] = timed(way, requests, device)
        if number == 0:  # the first repetition is a warm-up
            continue
        for name, value in took.items():
            seconds[name].append(value)
        after = sides.shared.counts
        computed.append((after.computed - before.computed) / (after.nodes - before.nodes))
        nodes.append(after.nodes - before.nodes)
        pairs = zip(sum(replies["chef"], ()), sum(replies["batched"], ()), strict=True)
        difference = max([difference, *(abs(a.logprob_sum - b.logprob_sum) for a, b in pairs)])
    memory = []
    for way in (sides.batched, sides.chef):
        with Peak(device) as peak:
            way(case.make(count + 1))
        memory.append(peak.mib)
    last = {image.digest for r in requests for turn in r.conversation for image in turn.images}
    ratios = {
        name: statistics.median(a / b for a, b in zip(seconds[name], seconds["chef"], strict=True))
        for name in ("single", "batched")
    }
    return Found(
        *(statistics.median(seconds[name]) for name in ("single", "batched", "chef")),
        ratios["single"],
        ratios["batched"],
        statistics.median(computed),
        (memory[0], memory[1]),
        difference,
        statistics.median(nodes),
        len(last),
    )


def floor(model: Any, nodes: float, images: float, peak: float) -> float:
    """Return a lower bound in seconds for ``nodes`` tokens and ``images`` at ``peak`` operations/s.

    It counts two operations per token and weight of the layers, without attention and embeddings,
    so the true bound is slightly higher.
    """
    text = sum(w.numel() for w in model.model.language_model.layers.parameters())
    tower = sum(w.numel() for w in model.model.vision_tower.parameters())
    config = model.config.vision_config
    patches = (config.image_size // config.patch_size) ** 2 + 1
    return (2 * text * nodes + 2 * tower * patches * images) / peak


def matmul_peak(device: Any, dtype: Any) -> float:
    """Return the operations per second of a large matrix product, the best of ten."""
    import torch

    side = 8192 if device.type == "cuda" else 1024
    left = torch.randn(side, side, device=device, dtype=dtype)
    best = float("inf")
    for _ in range(10):
        started = time.perf_counter()
        (left @ left)[0, 0].item()
        best = min(best, time.perf_counter() - started)
    return 2 * side**3 / best


def sides_of(folder: Path, device: str) -> Sides:
    """Load the checkpoint in ``folder`` and create its scorers."""
    holder = HuggingFaceModel(str(folder), device=device)
    runtime = holder.load()
    renderer = holder.make_renderer(runtime)
    naive = NaiveScorer(runtime, renderer, holder.cost, holder.token_budget)
    shared = SharedPrefixScorer(runtime, renderer, lambda _: 576, holder.token_budget, naive)
    return Sides(naive, shared)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--llava7b", action="store_true", help="shapes of LLaVA-1.5-7B, bfloat16")
    parser.add_argument("--shrink", type=int, default=1, help="divide the shapes by this number")
    parser.add_argument(
        "--repetitions", type=int, help="repetitions of every case (default: 3 to 7)"
    )
    parser.add_argument("--cases", nargs="*", help="names of cases (default: all)")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        size: Size = "7b" if given.llava7b else "30m"
        save_random_llava(Path(scratch), TINY, size, given.device, given.shrink)
        sides = sides_of(Path(scratch), given.device)
    model, device = sides.naive.runtime.model, sides.naive.runtime.device
    millions = sum(weight.numel() for weight in model.parameters()) / 1e6
    peak = matmul_peak(device, model.dtype) if given.llava7b else None
    print(f"random LLaVA, {millions:.0f} M, {model.dtype}, {device}".replace("torch.", ""))
    columns = ("single s", "batched s", "chef s", "/ single", "/ batched", "aim", "computed")
    columns += ("memory MiB", "difference", *(["chef / floor"] if peak else []))
    print(f"{'case':<22}" + "".join(f"{column:>13}" for column in columns))
    for case in CASES:
        if given.cases and case.name not in given.cases:
            continue
        found = measure(case, sides, given.repetitions)
        row = [f"{value:.3f}" for value in (found.single, found.batched, found.chef)]
        row += [f"{found.to_single:.1f}", f"{found.to_batched:.1f}", f"{case.wanted:g}"]
        row += [f"{found.computed:.3f}", f"{found.memory[0]:.0f} : {found.memory[1]:.0f}"]
        row.append(f"{found.difference:.1e}")
        if peak:
            row.append(f"{found.chef / floor(model, found.nodes, found.images, peak):.2f}")
        print(f"{case.name:<22}" + "".join(f"{cell:>13}" for cell in row), flush=True)


if __name__ == "__main__":
    main()
