"""Measure several sampled answers to one question, whose prompt is computed once.

    python benchmarks/samples.py

One random LLaVA is asked the same requests with the same seeds in three ways, which write the same
texts: all answers to a question in one call, as chef does (``shared``); likewise, with the prompt
computed for each (``repeated``); and each answer in a call of its own (``one by one``).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from random_llava import save_random_llava
from tabulate import tabulate

from chef.image import Image
from chef.models.huggingface.generation import generate as generation
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.tiny import FOLDER as TINY
from chef.types import Generate, Text, Turn


def requests(question: int, samples: int, tokens: int) -> list[Generate]:
    """The requests for all answers to a question about an image of one color."""
    from PIL import Image as Pillow

    image = Image(Pillow.new("RGB", (336, 336), (40 * question % 256, 90, 160)))
    asked = (Turn("user", (image, Text(f"What is on picture number {question}?"))),)
    return [
        Generate(asked, max_new_tokens=tokens, temperature=1.0, seed=1000 * question + k)
        for k in range(samples)
    ]


def asked(model: HuggingFaceModel, side: str, calls: Sequence[Sequence[Generate]]) -> list[str]:
    """The texts of all answers, by one of the three ways."""
    if side == "one by one":
        calls = [[request] for call in calls for request in call]
    if side == "repeated":
        generation._UNREPEATABLE.add(model._ready()[0].model)  # noqa: SLF001
    try:
        return [reply.text for call in calls for reply in model.generate(call)]
    finally:
        generation._UNREPEATABLE.clear()  # noqa: SLF001


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--questions", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sides = ("shared", "repeated", "one by one")
    seconds: dict[str, list[float]] = {side: [] for side in sides}
    with tempfile.TemporaryDirectory() as scratch:
        save_random_llava(Path(scratch), TINY)
        model = HuggingFaceModel(scratch)
        calls = [
            requests(question, options.samples, options.tokens)
            for question in range(options.questions)
        ]
        known = asked(model, "shared", calls[:1])  # loads the model
        for _ in range(options.rounds):
            for side in sides:
                start = time.process_time()
                texts = asked(model, side, calls)
                seconds[side].append(time.process_time() - start)
                assert texts[: len(known)] == known, side
    rows = [
        (
            side,
            statistics.median(values),
            statistics.median(a / b for a, b in zip(values, seconds["shared"], strict=True)),
        )
        for side, values in seconds.items()
    ]
    head = ("side", "seconds of the processor", "over shared")
    print(tabulate(rows, headers=head, floatfmt=".2f", tablefmt="pipe"))


if __name__ == "__main__":
    main()
