"""Progress on long work: done, rate, time left, and the score so far."""

from __future__ import annotations

import sys
from typing import Self

from chef.metric import BaseMetric
from chef.types import Prediction, Status


class Progress:
    """A progress bar on standard error; a line now and then when that is no terminal.

    Args:
        label: what runs.
        total: samples in all.
        done: of them, answered by an earlier session.
        metric: judges each answer for the running score.
    """

    def __init__(self, label: str, total: int, done: int, metric: BaseMetric) -> None:
        from tqdm import tqdm

        interval = 0.2 if sys.stderr.isatty() else 30.0
        self._bar = tqdm(
            total=total, initial=done, desc=label, unit="sample", mininterval=interval,
            dynamic_ncols=True,
        )  # fmt: skip
        if done:
            self._bar.write(f"{label}: {done} of {total} samples are answered already", sys.stderr)
        self._metric = metric
        self._sum, self._scored, self._errors = 0.0, 0, 0

    def update(self, prediction: Prediction) -> None:
        """Count one answer."""
        if prediction.status is Status.ERROR:
            self._errors += 1
        elif (result := self._metric.running(prediction)) is not None:
            self._sum += result
            self._scored += 1
        notes = [f"score {self._sum / self._scored:.3f}"] if self._scored else []
        if self._errors:
            notes.append(f"errors {self._errors}")
        self._bar.set_postfix_str(", ".join(notes), refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
