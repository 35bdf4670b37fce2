"""Measure answers that share a prompt or its beginning, which is computed once.

    python benchmarks/samples.py
    python benchmarks/samples.py --questions 6 --samples 1
    python benchmarks/samples.py --questions 6 --samples 1 --tiny

One random LLaVA (or the embedded model) is asked the same requests with the same seeds in three
ways, which write the same texts: all answers about an image in one call, as chef does
(``shared``); likewise, with the prompt computed for each (``repeated``); and each answer in a call
of its own (``one by one``). Answers are sampled if there are several to a question.
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


def requests(picture: int, questions: int, samples: int, tokens: int) -> list[Generate]:
    """The requests for all answers to all questions about an image of one color."""
    from PIL import Image as Pillow

    image = Image(Pillow.new("RGB", (336, 336), (37 * picture % 256, 90, 160)))
    texts = [f"Question {n}: what is on picture number {picture}?" for n in range(questions)]
    return [
        Generate(
            (Turn("user", (image, Text(text))),),
            max_new_tokens=tokens,
            temperature=float(samples > 1),
            seed=1000 * picture + k,
        )
        for text in texts
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
    parser.add_argument("--images", type=int, default=2)
    parser.add_argument("--questions", type=int, default=1, help="about each image")
    parser.add_argument("--samples", type=int, default=8, help="answers to each question")
    parser.add_argument("--tiny", action="store_true", help="ask the embedded model")
    parser.add_argument("--tokens", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sides = ("shared", "repeated", "one by one")
    seconds: dict[str, list[float]] = {side: [] for side in sides}
    with tempfile.TemporaryDirectory() as scratch:
        if not options.tiny:
            save_random_llava(Path(scratch), TINY)
        model = HuggingFaceModel(str(TINY) if options.tiny else scratch)
        asked(model, "shared", [requests(0, 2, 2, 1)])  # loads the model
        for number in range(options.rounds):
            texts = {}
            calls = [  # of pictures that no round before has shown: features of images are kept
                requests(1 + picture, options.questions, options.samples, options.tokens)
                for picture in range(number * options.images, (number + 1) * options.images)
            ]
            for side in sides:
                start = time.process_time()
                texts[side] = asked(model, side, calls)
                seconds[side].append(time.process_time() - start)
            assert all(texts[side] == texts["shared"] for side in sides)
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
