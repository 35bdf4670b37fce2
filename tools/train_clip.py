"""Train the embedded encoder of images and texts, or measure it.

    python tools/train_clip.py                 # about 8 minutes on two cores
    python tools/train_clip.py --evaluate      # the shipped encoder on the pool splits

It is trained only on the train splits of Shapes and Digits. Seed and number of steps decide the
result; each batch is a function of (seed, step).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from guard import need_chef

ASSETS = Path(__file__).resolve().parents[1] / "src" / "chef" / "assets" / "clip"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ASSETS, help="folder of the encoder")
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--scenes", type=int, default=64, help="scenes in a batch")
    parser.add_argument("--digits", type=int, default=32, help="digits in a batch")
    parser.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--every", type=int, default=50, help="steps between lines of progress")
    parser.add_argument("--evaluate", action="store_true")
    parser.add_argument("--size", type=int, default=300, help="queries per kind, for --evaluate")
    return parser.parse_args()


def train(options: argparse.Namespace) -> None:
    import torch
    from tiny_clip.data import draw_batch
    from tiny_clip.model import build, save, train_tokenizer
    from tiny_clip.training import Trainer

    torch.manual_seed(options.seed)
    tokenizer = train_tokenizer(options.seed)
    model = build(len(tokenizer))
    trainer = Trainer(model, tokenizer, steps=options.steps, rate=options.rate)
    started, total = time.perf_counter(), 0.0
    for step in range(options.steps):
        total += trainer.step(draw_batch(options.seed, step, options.scenes, options.digits))
        if (step + 1) % options.every == 0 or step + 1 == options.steps:
            done = step % options.every + 1
            seconds = time.perf_counter() - started
            print(f"step {step + 1} loss {total / done:.3f} {seconds:.0f} s", flush=True)
            total = 0.0
    print(f"{save(model, tokenizer, options.folder) / 2**20:.2f} MiB in {options.folder}")


def main() -> None:
    import torch

    options = arguments()
    torch.set_num_threads(options.threads)
    if not options.evaluate:
        train(options)
    from tiny_clip.evaluate import report

    print(json.dumps(report(options.folder, options.size), indent=2))


if __name__ == "__main__":
    need_chef()
    main()
