"""Compare the generation throughput of chef with plain transformers, unbatched and batched.

    python benchmarks/generation.py
    python benchmarks/generation.py --device cuda --llava7b

All variants use the same loaded model with random weights, the same prompts and the same replies.
A model with random weights never ends a reply, so a reply length is drawn for each sample, and a
logits processor inside the model's ``generate`` forces the end token at that length. The lengths
are similar in the workload "captions"; in "thoughts" (chains of thought) most are short and a few
are long.
The measured time includes encoding, image preprocessing and decoding, but not loading. Each round
runs every variant once; values are medians over the rounds, and ratios are computed within a round.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from random_llava import Size, save_random_llava

from chef.engine.engine import Engine, Job
from chef.image import Image
from chef.inferencer.direct import Direct
from chef.instruction import Instruction
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.huggingface.rendering import encode, to_device
from chef.models.tiny import FOLDER as TINY
from chef.types import Sample

#: Mean and standard deviation of the logarithm of the reply length, and the maximum length.
WORKLOADS = {"captions": (3.2, 0.25, 48), "thoughts": (3.7, 0.9, 256)}


class Schedule:
    """A logits processor that ends each reply at the length drawn for its prompt."""

    def __init__(self, pad: int, end: int) -> None:
        self.pad, self.end = pad, end
        self.prompt = 0
        self.lengths: dict[int, int] = {}

    def key(self, prompts: torch.Tensor) -> list[int]:
        """Return a key for each prompt that depends on its tokens, not on the padding."""
        places = torch.arange(prompts.shape[1], 0, -1, device=prompts.device)
        return ((prompts + 1) * (prompts != self.pad) * places * places).sum(dim=1).tolist()

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        written = input_ids.shape[1] - self.prompt
        lengths = [self.lengths[key] for key in self.key(input_ids[:, : self.prompt])]
        due = torch.tensor([n == written for n in lengths], device=scores.device)
        end = scores[:, self.end].clone()
        scores = scores.masked_fill(due[:, None], float("-inf"))
        scores[:, self.end] = torch.where(due, end, float("-inf"))
        return scores

    def install(self, model: Any) -> None:
        """Install the processor in ``generate``, so that it applies to every variant."""
        original = partial(type(model)._get_logits_processor, model)  # noqa: SLF001

        def with_schedule(**options: Any) -> Any:
            self.prompt = options["input_ids_seq_length"]
            processors = original(**options)
            processors.append(self)
            return processors

        model._get_logits_processor = with_schedule  # noqa: SLF001


def draw(seed: int) -> Any:
    import numpy as np
    from PIL import Image as Pillow

    noise = np.random.default_rng(seed).integers(0, 255, (336, 336, 3), dtype=np.uint8)
    return Pillow.fromarray(noise)


def make(number: int) -> Sample:
    """Create a sample; all questions differ, and their lengths vary."""
    question = f"Question {number}: what is in the picture?" + " Look again." * (number % 7)
    return Sample(f"s{number}", (Image(partial(draw, number)),), question)


class Bench:
    """One model, one set of samples, and the variants that answer them."""

    def __init__(self, model: HuggingFaceModel, workload: str, samples: int) -> None:
        self.model = model
        self.runtime, self.renderer, _ = model._ready()  # noqa: SLF001
        mean, spread, self.limit = WORKLOADS[workload]
        self.inferencer = Direct(Instruction("VQA"), max_new_tokens=self.limit)
        tokenizer = self.runtime.tokenizer
        self.schedule = Schedule(tokenizer.pad_token_id, tokenizer.eos_token_id)
        self.schedule.install(self.runtime.model)
        rng = random.Random(0)
        self.samples = [make(number) for number in range(samples)]
        self.lengths = [
            min(self.limit, max(1, round(rng.lognormvariate(mean, spread)))) for _ in self.samples
        ]
        for sample, length in zip(self.samples, self.lengths, strict=True):
            (key,) = self.schedule.key(self._encode([sample])["input_ids"])
            assert key not in self.schedule.lengths
            self.schedule.lengths[key] = length

    def _encode(self, samples: Sequence[Sample]) -> dict[str, Any]:
        asked = [next(self.inferencer.infer(sample)) for sample in samples]
        rows = [self.renderer.prompt(item.conversation) for item in asked]
        return to_device(self.runtime, encode(self.runtime, rows))

    def plain(self, size: int) -> list[str]:
        """Generate with transformers alone, in batches of ``size`` in the given order."""
        texts = []
        for start in range(0, len(self.samples), size):
            inputs = self._encode(self.samples[start : start + size])
            with torch.inference_mode():
                found = self.runtime.model.generate(
                    **inputs, max_new_tokens=self.limit, do_sample=False
                )
            new = found[:, inputs["input_ids"].shape[1] :]
            texts += self.runtime.tokenizer.batch_decode(new, skip_special_tokens=True)
        return [text.strip() for text in texts]

    def chef(self, budget: int | None = None) -> list[str]:
        """Generate with the engine of chef, which chooses the batches."""
        self.model.token_budget = budget or type(self.model).token_budget
        jobs = [Job(sample.id, lambda sample=sample: sample) for sample in self.samples]
        engine = Engine(self.model, self.inferencer)
        found = {item.sample_id: item.answer for item in engine.run(jobs)}
        return [found[sample.id] for sample in self.samples]


def compare(bench: Bench, sides: dict[str, Callable[[], list[str]]], rounds: int) -> None:
    """Time every variant in every round, and compare each with the last one.

    CPU seconds count the work of all threads, independent of other load on the machine.
    """
    wall: dict[str, list[float]] = {name: [] for name in sides}
    work: dict[str, list[float]] = {name: [] for name in sides}
    texts: dict[str, list[str]] = {}
    for _ in range(rounds):
        for name, side in sides.items():
            started, worked = time.perf_counter(), time.process_time()
            texts[name] = side()  # returns text, so the GPU has finished
            wall[name].append(time.perf_counter() - started)
            work[name].append(time.process_time() - worked)
    last = list(sides)[-1]
    for name in sides:
        rate = sum(bench.lengths) / statistics.median(wall[name])
        same = sum(a == b for a, b in zip(texts[name], texts[last], strict=True))
        print(
            f"  {name:<28}{statistics.median(wall[name]):>8.2f}{rate:>10.1f}"
            f"{_ratio(wall, name, last):>9.2f}{_ratio(work, name, last):>12.2f}"
            f"{same:>8}/{len(bench.samples)}",
            flush=True,
        )


def _ratio(seconds: dict[str, list[float]], name: str, other: str) -> float:
    return statistics.median(a / b for a, b in zip(seconds[name], seconds[other], strict=True))


def run(model: HuggingFaceModel, options: argparse.Namespace) -> None:
    print(
        f"  {'':<28}{'seconds':>8}{'tokens/s':>10}{'/ last':>9}{'work / last':>12}{'same text':>11}"
    )
    for workload in options.workloads:
        bench = Bench(model, workload, options.samples)
        low, middle, high = (sorted(bench.lengths)[i] for i in (0, len(bench.lengths) // 2, -1))
        print(f"{workload}: replies of {low} to {high} tokens, median {middle}")
        sides: dict[str, Callable[[], list[str]]] = {
            f"chef, budget {budget}": partial(bench.chef, budget) for budget in options.budgets
        }
        if not options.budgets:
            sides["transformers, one by one"] = partial(bench.plain, 1)
            for size in options.sizes:
                sides[f"transformers, batches of {size}"] = partial(bench.plain, size)
            sides["chef"] = bench.chef
        compare(bench, sides, options.rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--llava7b", action="store_true", help="LLaVA-1.5-7B, random, bfloat16")
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[8], help="batch sizes of plain transformers"
    )
    parser.add_argument(
        "--budgets", type=int, nargs="+", default=[], help="compare token budgets of chef instead"
    )
    parser.add_argument("--workloads", choices=WORKLOADS, nargs="+", default=list(WORKLOADS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "llava"
        size: Size = "7b" if options.llava7b else "30m"
        millions = save_random_llava(folder, TINY, size, options.device) / 1e6
        model = HuggingFaceModel(str(folder), device=options.device)
        print(f"random LLaVA, {millions:.0f} M, {options.device}, {options.samples} samples")
        run(model, options)


if __name__ == "__main__":
    main()
