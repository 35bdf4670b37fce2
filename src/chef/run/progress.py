"""Progress of a run: how many samples are done, and the score so far."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Self, TypeAlias

from chef.common.printing import shown
from chef.frozen import Frozen
from chef.metric import Metric
from chef.models.api.server_model import ServerModel
from chef.models.api.traffic import shown_cost
from chef.models.base import Model
from chef.types import Prediction, Status


class Progress(Frozen):
    """The state of a run after one more answer.

    Attributes:
        label: ``scenario/recipe``.
        prediction: the answer.
        done: samples with an answer, including those of earlier sessions.
        total: samples of the run.
        score: mean score of all answers so far, those of earlier sessions included; None before the
            first scored answer.
        errors: samples of this session that failed.
        unit: ``0-1`` as long as every score is between 0 and 1, and thus a share; else empty.
        model: the name of the model.
        traffic: of a model behind a server: requests in flight, and what they have cost so far.
        interval: of a run that ends when its figure is known well enough: its 95 % interval at the
            last look, in percent.
    """

    label: str
    prediction: Prediction
    done: int
    total: int
    score: float | None
    errors: int
    unit: str = "0-1"
    model: str = ""
    traffic: str = ""
    interval: str = ""


#: A function called after every answer.
OnProgress: TypeAlias = Callable[[Progress], None]


def shown_score(score: float, unit: str) -> str:
    """A score as it is shown: a share in percent, as in every table.

    >>> shown_score(0.873, "0-1"), shown_score(2.5, "")
    ('87.3%', '2.500')
    """
    return f"{100 * score:.1f}%" if unit == "0-1" else f"{score:.3f}"


def traffic_of(model: Model) -> str:
    """The requests in flight to a server, and their cost where it has prices; empty for a model
    here.
    """
    if not isinstance(model, ServerModel):
        return ""
    text = f"{model.spent.in_flight} in flight"
    if not model.traffic.has_prices:
        return text
    return f"{text}, cost {shown_cost(model.spent.cost(model.traffic))}"


class ProgressCounter:
    """Counts the answers of one run, and calls ``on_progress`` after each one.

    Args:
        label: ``scenario/recipe``.
        answered: the predictions of earlier sessions by id; those of other samples do not count.
        metric: scores each answer for the running score.
        traffic: tells about the requests to the model; see `traffic_of`.
        interval: tells the interval of the score; empty where none is known.
    """

    def __init__(
        self,
        label: str,
        ids: Sequence[str],
        answered: Mapping[str, Prediction],
        *,
        metric: Metric,
        on_progress: OnProgress,
        model: str = "",
        traffic: Callable[[], str] = str,
        interval: Callable[[], str] = str,
    ) -> None:
        self._label, self._total, self._model = label, len(ids), model
        self._metric, self._on_progress = metric, on_progress
        self._traffic, self._interval = traffic, interval
        self._sum, self._scored, self._errors = 0.0, 0, 0
        self._unit = "0-1"
        self._done = 0
        #: Of earlier answers by id, as a sample may be asked again: its row of the data changed.
        self._scores: dict[str, float | None] = {}
        self._answered = answered
        known = set(answered)
        self._earlier = [name for name in ids if name in known]

    def update(self, prediction: Prediction) -> None:
        """Count one answer."""
        while self._earlier:  # scored only where something is asked
            earlier = self._answered[self._earlier.pop()]
            if earlier.status is not Status.ERROR:
                self._scores[earlier.sample_id] = self._counted(earlier)
        if prediction.sample_id in self._scores:
            self._done -= 1
            if (old := self._scores.pop(prediction.sample_id)) is not None:
                self._sum -= old
                self._scored -= 1
        self._counted(prediction)
        self._errors += prediction.status is Status.ERROR
        self._on_progress(
            Progress(
                label=self._label,
                prediction=prediction,
                done=self._done,
                total=self._total,
                score=self._sum / self._scored if self._scored else None,
                errors=self._errors,
                unit=self._unit,
                model=self._model,
                traffic=self._traffic(),
                interval=self._interval(),
            )
        )

    def _counted(self, prediction: Prediction) -> float | None:
        """Count an answer; its score."""
        self._done += 1
        if prediction.status is Status.ERROR:
            return None
        score = self._metric.running(prediction)
        if score is not None:
            self._sum += score
            self._scored += 1
            if not 0 <= score <= 1:
                self._unit = ""
        return score


class ProgressBar:
    """A progress bar on standard error, rarely updated where that is no terminal; ``label`` is
    ``scenario/recipe``.
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
        notes = [] if state.score is None else [f"score {shown_score(state.score, state.unit)}"]
        notes += [f"interval {state.interval}"] if state.interval else []
        if state.errors:
            notes.append(f"errors {state.errors}")
        if state.traffic:
            notes.append(state.traffic)
        self._bar.set_postfix_str(", ".join(notes), refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
