"""Train the embedded model, or measure it.

    python tools/train_tiny.py                    # about two hours on two free cores
    python tools/train_tiny.py --base FOLDER      # the last stage alone, from this checkpoint
    python tools/train_tiny.py --evaluate test    # accuracy of the shipped checkpoint

First the eye learns to see, then the model learns to answer, then to learn from worked examples.
Training reads the train splits of Shapes and Digits and nothing else; the checks on the way are
made on the pool splits. It can be stopped at any time and goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiny.team import Log
    from tiny.train import Course

ASSETS = Path(__file__).resolve().parents[1] / "src" / "chef" / "assets" / "tiny"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ASSETS, help="the checkpoint")
    parser.add_argument("--work", type=Path, help="progress; default build/tiny or build/tiny-base")
    parser.add_argument("--base", type=Path, help="begin the last stage from this checkpoint")
    parser.add_argument("--eye-steps", type=int, default=2000)
    parser.add_argument("--talk-steps", type=int, default=7250)
    parser.add_argument("--examples-steps", type=int, default=8500)
    parser.add_argument("--rows", type=int, default=6, help="of a batch, in each process")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2, help="one a core")
    parser.add_argument("--every", type=int, default=500, help="steps between checkpoints")
    parser.add_argument("--check", type=int, default=2000, help="steps between checks on the pool")
    parser.add_argument("--compile", action="store_true", help="a little faster; needs a compiler")
    parser.add_argument("--evaluate", metavar="SPLIT", choices=("train", "pool", "test"))
    parser.add_argument("--size", type=int, default=500, help="samples a task, with --evaluate")
    options = parser.parse_args()
    # What was begun from a given checkpoint is no part of a training from nothing.
    options.work = options.work or Path("build") / ("tiny-base" if options.base else "tiny")
    return options


def train(rank: int, options: argparse.Namespace) -> None:
    """One process of the team; the first one writes."""
    import torch
    from tiny.attention import train_with_plain_attention
    from tiny.eye import Words, train_eye
    from tiny.model import build_model, load_model, load_tokenizer
    from tiny.team import Log, Team
    from tiny.tokenizer import chat_tokenizer
    from tiny.train import EXAMPLES, TALK, Course

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    team, log = Team(rank, options.processes, options.work / "meeting"), Log(silent=rank > 0)
    if options.base:
        tokenizer, model = load_tokenizer(options.base), load_model(options.base)
    else:
        tokenizer = chat_tokenizer(options.work / "tokenizer.json")
        model = build_model(tokenizer)
        if not (options.work / f"{TALK.name}.pt").exists():
            words = Words(tokenizer)
            train_eye(model, words, steps=options.eye_steps, seed=options.seed, team=team, log=log)
    train_with_plain_attention(model)
    if options.compile:
        model.model.language_model.compile(dynamic=False)
    stages = [replace(EXAMPLES, steps=options.examples_steps)]
    if not options.base:
        stages.insert(0, replace(TALK, steps=options.talk_steps))
    for stage in stages:
        kept = replace(stage, rows=options.rows, seed=options.seed)
        attend(Course(model, tokenizer, kept, team, options.work), options, log)


def attend(course: Course, options: argparse.Namespace, log: Log) -> None:
    """Train to the end of the stage, with checkpoints and checks on the way."""
    from tiny.evaluate import report
    from tiny.model import save_model

    while course.step < course.stage.steps:
        course.run(min(course.stage.steps, course.step + options.every), log)
        if not log.silent:
            course.save()
            save_model(course.model, course.tokenizer, options.folder)
            if course.step % options.check == 0:
                figures = json.dumps(report(options.folder, "pool", 50))
                print(f"step {course.step} {figures}", flush=True)


def prepare(options: argparse.Namespace) -> None:
    """A clean meeting place for the processes, and the tokenizer if no checkpoint brings one."""
    from tiny.subjects import DigitSource, corpus
    from tiny.tokenizer import train_tokenizer

    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "meeting").unlink(missing_ok=True)
    words = options.work / "tokenizer.json"
    if not options.base and not words.exists():
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
