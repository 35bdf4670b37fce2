"""Train the embedded model, or measure it.

    python tools/train_tiny.py                    # about two hours on two free cores
    python tools/train_tiny.py --base FOLDER      # the last stage alone, from this checkpoint
    python tools/train_tiny.py --evaluate test    # accuracy of the shipped checkpoint

First the vision encoder is trained, then the whole model on questions, then on in-context examples.
Training reads only the train splits of Shapes and Digits; checkpoints are measured on the pool
splits. It can be stopped at any time, and the same command resumes it.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from guard import need_chef

if TYPE_CHECKING:
    from tiny.data_parallel import Log
    from tiny.train import StageTrainer

ASSETS = Path(__file__).resolve().parents[1] / "src" / "chef" / "assets" / "tiny"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ASSETS, help="folder of the checkpoint")
    parser.add_argument(
        "--work", type=Path, help="folder of the progress; default: build/tiny or build/tiny-base"
    )
    parser.add_argument("--base", type=Path, help="run the last stage alone, from this checkpoint")
    parser.add_argument("--eye-steps", type=int, default=2000, help="steps of the vision encoder")
    parser.add_argument("--talk-steps", type=int, default=7250, help="steps on questions")
    parser.add_argument(
        "--examples-steps", type=int, default=8500, help="steps on in-context examples"
    )
    parser.add_argument("--rows", type=int, default=6, help="rows of the batch of each process")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2, help="processes, best one per core")
    parser.add_argument("--every", type=int, default=500, help="steps between checkpoints")
    parser.add_argument(
        "--check", type=int, default=2000, help="steps between checks on the pool split"
    )
    parser.add_argument(
        "--compile", action="store_true", help="a little faster; needs a C++ compiler"
    )
    parser.add_argument("--evaluate", metavar="SPLIT", choices=("train", "pool", "test"))
    parser.add_argument("--size", type=int, default=500, help="samples per task, for --evaluate")
    options = parser.parse_args()
    # The progress of a run from a given checkpoint is kept apart from that of a complete training.
    options.work = options.work or Path("build") / ("tiny-base" if options.base else "tiny")
    return options


def train(rank: int, options: argparse.Namespace) -> None:
    """Train in one of the processes; the first one writes the files."""
    import torch
    from tiny.attention import train_with_plain_attention
    from tiny.data_parallel import DataParallel, Log
    from tiny.model import build_model, load_model, load_tokenizer
    from tiny.tokenizer import chat_tokenizer
    from tiny.train import EXAMPLES, TALK, StageTrainer
    from tiny.vision_encoder import WordTokens, train_vision_encoder

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    parallel, log = (
        DataParallel(rank, options.processes, options.work / "rendezvous"),
        Log(silent=rank > 0),
    )
    if options.base:
        tokenizer, model = load_tokenizer(options.base), load_model(options.base)
    else:
        tokenizer = chat_tokenizer(options.work / "tokenizer.json")
        model = build_model(tokenizer)
        if not (options.work / f"{TALK.name}.pt").exists():
            words = WordTokens(tokenizer)
            train_vision_encoder(
                model, words, steps=options.eye_steps, seed=options.seed, parallel=parallel, log=log
            )
    train_with_plain_attention(model)
    if options.compile:
        model.model.language_model.compile(dynamic=False)
    stages = [replace(EXAMPLES, steps=options.examples_steps)]
    if not options.base:
        stages.insert(0, replace(TALK, steps=options.talk_steps))
    for stage in stages:
        kept = replace(stage, rows=options.rows, seed=options.seed)
        train_stage(StageTrainer(model, tokenizer, kept, parallel, options.work), options, log)


def train_stage(trainer: StageTrainer, options: argparse.Namespace, log: Log) -> None:
    """Train to the end of the stage; write checkpoints and measure some of them."""
    from tiny.evaluate import report
    from tiny.model import save_model

    while trainer.step < trainer.stage.steps:
        trainer.run(min(trainer.stage.steps, trainer.step + options.every), log)
        if not log.silent:
            trainer.save()
            save_model(trainer.model, trainer.tokenizer, options.folder)
            if trainer.step % options.check == 0:
                figures = json.dumps(report(options.folder, "pool", 50))
                print(f"step {trainer.step} {figures}", flush=True)


def prepare(options: argparse.Namespace) -> None:
    """Prepare the folder of the progress, and train the tokenizer if no checkpoint has one."""
    from tiny.subjects import DigitSource, corpus
    from tiny.tokenizer import train_tokenizer

    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "rendezvous").unlink(missing_ok=True)
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
    need_chef()
    main()
