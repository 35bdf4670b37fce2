"""The arguments that commands which ask a model share: ``--limit``, ``--save-dir`` and others."""

from __future__ import annotations

import argparse
from pathlib import Path

from chef.cli.groups import add_by
from chef.cli.score import add_traceback
from chef.cli.view import add_open
from chef.common.checked import points, seconds
from chef.errors import ConfigError


def add_subset(what: argparse._ArgumentGroup) -> None:
    """Add how many samples are asked."""
    what.add_argument(
        "--limit",
        "--sample-len",
        dest="sample_len",
        type=sample_count,
        default=-1,
        metavar="N",
        help="number of samples, drawn at random (-1: all); each of the --samples K of a question "
        "and each rotation of a circular one counts, and questions are asked whole",
    )
    what.add_argument(
        "--ids", nargs="+", action="extend", default=[], metavar="ID|FILE",
        help="ask these samples alone: ids, or a file (.txt) with one a line, as "
        "`chef show RUN --wrong --save-ids FILE` writes it",
    )  # fmt: skip
    what.add_argument("--debug", action="store_true", help="32 samples, instead of --limit")
    what.add_argument(
        "--samples", type=_positive, default=0, metavar="K",
        help="K sampled answers to each question, with pass@k and the majority's answer: the same "
        "as scenario_cfg.samples=K; it needs a temperature",
    )  # fmt: skip
    what.add_argument(
        "--seed",
        type=_seed,
        default=0,
        help="random seed of the subset and of sampled generation (default 0)",
    )


def add_precision(what: argparse._ArgumentGroup) -> None:
    """Add when a run ends before all its samples are asked."""
    what.add_argument(
        "--precision", type=_points, metavar="POINTS",
        help="end the run when the 95%% interval of its first figure is within so many points to "
        "each side; the same command without it goes on",
    )  # fmt: skip
    what.add_argument(
        "--items", type=_positive, metavar="N",
        help="ask N samples, those on which earlier runs disagree first, and estimate the first "
        "figure of all of them",
    )  # fmt: skip
    what.add_argument(
        "--from", dest="earlier", nargs="+", action="extend", default=[], metavar="RUN",
        help="the earlier runs, or folders of them, by which --items, --precision and --race draw "
        "samples and predict their scores (--items alone: those of other models in --save-dir)",
    )  # fmt: skip
    what.add_argument(
        "--plan", type=_points, metavar="POINTS",
        help="ask nothing; say how many samples tell the score within so many points, and two "
        "models that are so far apart, by earlier runs in --save-dir; of a sweep, whether more "
        "questions, wordings or seeds do",
    )  # fmt: skip


def add_how(command: argparse.ArgumentParser) -> None:
    """Add where results go, and how models are asked."""
    add_place(command)
    how = command.add_argument_group("how to run")
    add_runner(how)
    how.add_argument(
        "--verify", type=_positive, default=0, metavar="K",
        help="check the fast scorer against the reference on K samples before the run",
    )  # fmt: skip
    how.add_argument(
        "--log-prompts", action="store_true",
        help="record what is sent to the model, after its chat template, in predictions.jsonl",
    )  # fmt: skip
    how.add_argument(
        "--keep-going", action="store_true",
        help="a model or a recipe that fails does not stop the others; the exit code tells",
    )  # fmt: skip
    add_by(how)
    how.add_argument(
        "--page", action="store_true",
        help="write report.html in the folder of each run at the end, with every sample; of "
        "several runs also overview.html (`chef show RUN --page` does the same later)",
    )  # fmt: skip
    add_open(how)
    add_traceback(how)


def add_runner(how: argparse._ArgumentGroup) -> None:
    """Add where a model runs, and how its calls are made."""
    how.add_argument(
        "--batch-size",
        type=_batch_size,
        metavar="N|auto",
        help="samples in a batch (default: auto; a recipe's batch_size counts where answers "
        "depend on it)",
    )
    add_device(how)
    how.add_argument(
        "--workers", type=_workers, metavar="N",
        help="number of replicas of the model, each in its own process and on its own GPU",
    )  # fmt: skip
    how.add_argument(
        "--ray-address", metavar="ADDR", help="run the workers on this Ray cluster (or: auto)"
    )
    how.add_argument(
        "--response-cache", type=Path, metavar="DIR",
        help="keep generated replies there for later calls (default: for this call only)",
    )  # fmt: skip
    how.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS",
        help="the most a call of the model may take; the sample at fault is an error. A call that "
        "waits outside of Python stops the run, or with --workers its worker (default: no limit)",
    )  # fmt: skip


def add_device(how: argparse._ArgumentGroup) -> None:
    """Add ``--device`` and ``--dtype``."""
    how.add_argument("--device", help="cpu, cuda, cuda:1, ... (default: the model file's)")
    how.add_argument("--dtype", help="auto, float32, bfloat16, float16")


def add_place(command: argparse.ArgumentParser) -> None:
    """Add where results go, and what becomes of those that are there."""
    where = command.add_argument_group("where results go")
    where.add_argument(
        "--save-dir",
        default="results",
        metavar="DIR|URL",
        help="folder of all results (default: results); s3://BUCKET/PREFIX, file:// or memory://: "
        "an object store, which keeps a run in parts of --shard-size samples",
    )
    where.add_argument(
        "--shard-size", type=int, default=10_000, metavar="N",
        help="samples of a part in an object store, on average (default: 10000)",
    )  # fmt: skip
    where.add_argument(
        "--run-name", "--time", dest="time", metavar="NAME",
        help="name of the run; a run of the same name is resumed (default: go on with the newest "
        "run of the same configuration, or start one named by the date)",
    )  # fmt: skip
    change = where.add_mutually_exclusive_group()
    change.add_argument(
        "--fresh", action="store_true",
        help="move the folder of this run aside (NAME.old1) and ask everything again",
    )  # fmt: skip
    change.add_argument(
        "--reuse-answers", action="store_true",
        help="keep the answers in the folder of this run, though a plugin, a key, weights or data "
        "have changed; environment.json records it",
    )  # fmt: skip


def sample_count(text: str) -> int:
    """A number of samples, -1 for all."""
    if text != "-1" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(
            f"'{text}' is neither a positive number nor -1 (all)"
            "\n  -> it counts samples: --limit 100; without it all are asked"
        )
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def _seconds(text: str) -> float:
    try:
        return seconds(float(text), "--timeout")
    except (ValueError, ConfigError):
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number") from None


def _points(text: str) -> float:
    try:
        return points(float(text), "--precision")
    except (ValueError, ConfigError):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0 and below 50") from None


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 2^32 - 1")
    return int(text)


def _workers(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def _batch_size(text: str) -> int | None:
    if text == "auto":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is neither 'auto' nor a positive number")
    return int(text)
