"""Train the embedded model, or measure it.

    python tools/train_tiny.py                    # about an hour on two free cores
    python tools/train_tiny.py --evaluate test    # accuracy of the shipped checkpoint

Training reads the train splits of Shapes and Digits and nothing else; the checks on the way are
made on the pool splits. It can be stopped at any time and goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[1] / "src" / "chef" / "assets" / "tiny"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ASSETS, help="the checkpoint")
    parser.add_argument("--work", type=Path, default=Path("build/tiny"), help="progress, tokenizer")
    parser.add_argument("--steps", type=int, default=7250)
    parser.add_argument(
        "--lessons",
        type=int,
        nargs=6,
        default=(1500, 2250, 3250, 4250, 5000, 5750),
        help="their starts",
    )
    parser.add_argument("--decay", type=int, default=1750, help="last steps, with falling rate")
    parser.add_argument("--eye-steps", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=6, help="of a batch, in each process")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2, help="one a core")
    parser.add_argument("--every", type=int, default=500, help="steps between checkpoints")
    parser.add_argument("--check", type=int, default=2000, help="steps between checks on the pool")
    parser.add_argument("--compile", action="store_true", help="a little faster; needs a compiler")
    parser.add_argument("--evaluate", metavar="SPLIT", choices=("train", "pool", "test"))
    parser.add_argument("--size", type=int, default=500, help="samples a task, with --evaluate")
    return parser.parse_args()


def train(rank: int, options: argparse.Namespace) -> None:
    """One process of the team; the first one writes."""
    import torch
    from tiny.evaluate import report
    from tiny.eye import Words, train_eye
    from tiny.model import build_model, save_model
    from tiny.team import Log, Team
    from tiny.tokenizer import chat_tokenizer
    from tiny.train import Conversing, Plan, train_with_plain_attention

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    plan = Plan(
        eye_steps=options.eye_steps,
        lessons=tuple(options.lessons),
        steps=options.steps,
        decay=options.decay,
        rows=options.rows,
        rate=options.rate,
        seed=options.seed,
    )
    team, log = Team(rank, options.processes, options.work / "meeting"), Log(silent=rank > 0)
    tokenizer = chat_tokenizer(options.work / "tokenizer.json")
    model = build_model(tokenizer)
    train_with_plain_attention(model)
    if not (options.work / "state.pt").exists():
        words = Words(tokenizer)
        train_eye(model, words, steps=plan.eye_steps, seed=plan.seed, team=team, log=log)
    course = Conversing(model, tokenizer, plan, team, options.work / "state.pt")
    if options.compile:
        model.model.language_model.compile(dynamic=False)
    while course.step < plan.steps:
        course.run(min(plan.steps, course.step + options.every), log)
        if rank == 0:
            course.save()
            save_model(model, tokenizer, options.folder)
        if rank == 0 and course.step % options.check == 0:
            print(
                f"step {course.step} {json.dumps(report(options.folder, 'pool', 50))}", flush=True
            )


def prepare(options: argparse.Namespace) -> None:
    """The tokenizer, and a clean meeting place for the processes."""
    from tiny.subjects import DigitSource, corpus
    from tiny.tokenizer import train_tokenizer

    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "meeting").unlink(missing_ok=True)
    words = options.work / "tokenizer.json"
    if not words.exists():
        train_tokenizer(corpus(DigitSource(), random.Random(options.seed), 20_000), words)


def main() -> None:
    options = arguments()
    if options.evaluate is None:
        import torch

        prepare(options)
        torch.multiprocessing.spawn(train, (options,), nprocs=options.processes)
    else:
        from tiny.evaluate import report

        print(json.dumps(report(options.folder, options.evaluate, options.size), indent=2))


if __name__ == "__main__":
    main()
