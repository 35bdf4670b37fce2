"""Runs of a model that answers at once, with what each stage of a sample's way costs.

The stages: ``make`` (the sample and its prompt), ``ask`` (the engine, and the model, which takes
no time), ``journal``, ``read`` (what an answer says), ``score`` (figures and intervals), and
``write`` (the files of results).
"""

from __future__ import annotations

import functools
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chef import api
from chef.engine.engine import Engine
from chef.evaluator import Evaluator
from chef.metric.judgeable import Judgeable
from chef.metric.records import note_left_out
from chef.models import Model
from chef.run.asked_data import AskedData
from chef.run.folder import RunFolder
from chef.scoring.scoring import MetricRun
from chef.types import Generate, Generated, Score, Scored

STAGES = ("make", "ask", "journal", "read", "score", "write")
#: The methods at which a stage begins; it ends where they return.
_BEGIN: tuple[tuple[Any, str, str], ...] = (
    (Engine, "_open", "make"),
    (Evaluator, "ask", "ask"),
    (RunFolder, "append", "journal"),
    (AskedData, "note", "journal"),
    (Judgeable, "read_once", "read"),
    (MetricRun, "score", "score"),
    (MetricRun, "write_files", "write"),
)
#: How threads wait for each other depends on which is faster, so these calls are not counted.
_WAITING = ("/threading.py", "/queue.py", "/concurrent/", __file__)


class Instant(Model):
    """Answers at once: a letter, or the first option."""

    token_budget = 2**20

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return [Generated("The answer is B.", tokens=5) for _ in requests]

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        return [
            tuple(Scored(-1.0 - place, 1) for place, _ in enumerate(item.candidates))
            for item in requests
        ]

    def fingerprint(self) -> str:
        return "instant"


class Stages:
    """Attributes time, or calls of Python functions, to the stage that each thread is in.

    Attributes:
        seconds: the processor's time by stage.
        calls: calls of Python functions by stage.
        readings: how often an answer was read.
    """

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.readings = 0
        self._here = threading.local()

    def watched(self, function: Callable[..., Any], stage: str) -> Callable[..., Any]:
        """The function, all of which counts for a stage, and not for the one around it."""

        @functools.wraps(function)
        def inside(*given: Any, **options: Any) -> Any:
            here, now = self._here, time.thread_time()
            around: str = getattr(here, "stage", "")
            self.seconds[around] += now - getattr(here, "since", now)
            here.stage, here.since = stage, now
            try:
                return function(*given, **options)
            finally:
                now = time.thread_time()
                self.seconds[stage] += now - here.since
                here.stage, here.since = around, now

        return inside

    def note(self, frame: Any, event: str, argument: object) -> None:
        """Count a call, for `sys.setprofile`."""
        del argument
        if event == "call" and not any(part in frame.f_code.co_filename for part in _WAITING):
            self.calls[getattr(self._here, "stage", "")] += 1
            self.readings += frame.f_code is note_left_out.__code__  # once a reading

    @contextmanager
    def watching(self, *, counts: bool) -> Iterator[None]:
        """Watch the methods at which stages begin.

        Args:
            counts: whether calls are counted, which makes everything several times slower.
        """
        before = [(owner, name, vars(owner)[name]) for owner, name, _ in _BEGIN]
        for owner, name, stage in _BEGIN:
            setattr(owner, name, self.watched(vars(owner)[name], stage))
        if counts:
            threading.setprofile(self.note)
            sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
            for owner, name, function in before:
                setattr(owner, name, function)


def write_questions(path: Path, count: int) -> None:
    """A table of questions with four options, in JSON lines."""
    with path.open("w") as file:
        for number in range(count):
            row = {"id": f"q{number}", "question": f"Which colour has thing number {number}?"}
            row |= dict(zip("ABCD", ("red", "green", "blue", "yellow"), strict=True))
            file.write(json.dumps({**row, "answer": "ABCD"[number % 4]}) + "\n")


def recipe(path: Path, inferencer: str) -> dict[str, Any]:
    """The recipe that asks a table by ``Direct`` or ``PPL``."""
    return {
        "scenario_cfg": {"dataset_name": "Records", "path": str(path)},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": inferencer}},
    }


def run(count: int, inferencer: str, *, counts: bool = False) -> Stages:
    """Ask and score so many questions in a folder that is removed again, and watch the stages."""
    stages = Stages()

    with tempfile.TemporaryDirectory() as scratch:
        table = Path(scratch) / "questions.jsonl"
        write_questions(table, count)
        with stages.watching(counts=counts):
            api.evaluate(
                Instant(), recipe(table, inferencer), save_dir=scratch, on_progress=lambda _: None
            )
    return stages
