"""Progress of a run: how many samples are done, and the score so far."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TypeAlias

from chef.common.printing import shown
from chef.metric import Metric
from chef.types import Prediction, Status


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a run after one more answer.

    Attributes:
        label: ``scenario/recipe``.
        prediction: the answer.
        done: samples with an answer, including those of earlier sessions.
        total: samples of the run.
        score: mean score of the answers of this session; None before the first scored answer.
        errors: samples of this session that failed.
    """

    label: str
    prediction: Prediction
    done: int
    total: int
    score: float | None
    errors: int


#: A function called after every answer.
OnProgress: TypeAlias = Callable[[Progress], None]


class ProgressCounter:
    """Counts the answers of one run, and calls ``on_progress`` after each one.

    Args:
        label: ``scenario/recipe``.
        total: samples of the run.
        done: samples already answered by earlier sessions.
        metric: scores each answer for the running score.
        on_progress: called after every answer.
    """

    def __init__(
        self, label: str, total: int, done: int, metric: Metric, on_progress: OnProgress
    ) -> None:
        self._label, self._total, self._done = label, total, done
        self._metric, self._on_progress = metric, on_progress
        self._sum, self._scored, self._errors = 0.0, 0, 0

    def update(self, prediction: Prediction) -> None:
        """Count one answer."""
        self._done += 1
        if prediction.status is Status.ERROR:
            self._errors += 1
        elif (score := self._metric.running(prediction)) is not None:
            self._sum += score
            self._scored += 1
        mean = self._sum / self._scored if self._scored else None
        state = Progress(self._label, prediction, self._done, self._total, mean, self._errors)
        self._on_progress(state)


class ProgressBar:
    """A progress bar on standard error; it is updated less often if that is not a terminal.

    Args:
        label: ``scenario/recipe``.
        total: samples of the run.
        done: samples already answered by earlier sessions.
    """

    def __init__(self, label: str, total: int, done: int) -> None:
        from tqdm import tqdm

        interval = 0.2 if sys.stderr.isatty() else 30.0
        self._bar = tqdm(
            total=total, initial=done, desc=shown(label), unit="sample", mininterval=interval,
            dynamic_ncols=True,
        )  # fmt: skip
        if done:
            known = f"{label}: {done} of {total} samples are already answered"
            self._bar.write(shown(known), sys.stderr)

    def update(self, state: Progress) -> None:
        """Show one more answer."""
        notes = [] if state.score is None else [f"score {state.score:.3f}"]
        if state.errors:
            notes.append(f"errors {state.errors}")
        self._bar.set_postfix_str(", ".join(notes), refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
