"""One session of a run: recorded in environment.json, the error that ends it, and its progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Self, TypeAlias

from chef.common.printing import progress_bar, shown
from chef.common.user_code import traceback_of
from chef.common.writing import write_atomically
from chef.errors import ChefError
from chef.frozen import Frozen
from chef.guard.folder import remove
from chef.metric import Metric
from chef.models.api.server_model import ServerModel
from chef.models.api.traffic import shown_cost, summary
from chef.models.base import Model
from chef.run.folder import TRACEBACK, RunFolder
from chef.types import Prediction, Status


def speed(session: Mapping[str, Any]) -> str:
    """How long a session took, and how fast it was, as one line of text.

    Args:
        session: an entry of ``sessions`` in environment.json.

    >>> speed({"asked": 20, "seconds": 4.0, "generated_tokens": 300})
    '20 samples in 4.0 s: 5.0 samples/s, 75 generated tokens/s'
    """
    asked, seconds = session["asked"], max(session["seconds"], 0.001)
    samples = "sample" if asked == 1 else "samples"
    text = f"{asked} {samples} in {_duration(seconds)}: {asked / seconds:.1f} samples/s"
    if server := session.get("server"):
        return f"{text}; {summary(server)}"
    if tokens := session.get("generated_tokens", 0):
        text += f", {tokens / seconds:.0f} generated tokens/s"
    return text


def _duration(seconds: float) -> str:
    """Seconds, or minutes and seconds, or hours and minutes.

    >>> _duration(59.94), _duration(61), _duration(7261)
    ('59.9 s', '1 min 1 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


#: What the last session of a run ended with that did not end by itself.
CUT_OFF = (
    "the last session did not end by itself: its process was killed, ran out of memory or disk "
    "space, or code in it called os._exit"
)


def was_cut_off(environment: Mapping[str, Any]) -> bool:
    """Whether the last session never ended; it may be under way (`chef.run.reading.is_locked`).

    Args:
        environment: the content of environment.json.

    >>> was_cut_off({"sessions": [{"ended": False}]}), was_cut_off({"sessions": [{"asked": 3}]})
    (True, False)
    """
    sessions = environment.get("sessions") or [{}]
    return isinstance(sessions[-1], Mapping) and sessions[-1].get("ended") is False


class SessionEntry:
    """Writes its entry when it begins and when it ends, so a killed session has an entry too.

    ``environment`` is environment.json with earlier sessions, ``asked`` the answers in this one.
    """

    def __init__(
        self,
        folder: RunFolder,
        environment: Mapping[str, Any],
        settings: Mapping[str, Any],
        statistics: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.asked = 0
        self._folder, self._environment = folder, environment
        self._settings, self._statistics = settings, statistics
        self._ended = False
        self._started, self._clock = datetime.now(UTC), time.perf_counter()

    def __enter__(self) -> Self:
        self._write()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self._write()

    def _write(self) -> None:
        session = {
            "started": self._started.isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - self._clock, 3),
            "asked": self.asked,
            "ended": self._ended,
            **self._settings,
            **self._statistics(),
        }
        earlier = self._environment.get("sessions", [])
        record = {**self._environment, "sessions": [*earlier, session]}
        self._folder.write_json("environment.json", record)


@contextmanager
def traceback_in(folder: RunFolder) -> Iterator[None]:
    """Write the traceback of an error that ends a run into the run folder, and note where it is."""
    file = folder.path / TRACEBACK
    with suppress(OSError):  # it may be a folder, or may not be removed
        remove(file)  # of an earlier session
    try:
        yield
    except Exception as error:
        try:
            write_atomically(file, traceback_of(error))
        except (ChefError, OSError):  # the disk may be full, which is perhaps the error itself
            raise error from error.__cause__
        error.add_note(f"the whole traceback: {file}")
        raise


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
        self._bar = progress_bar(label, total, "sample", initial=done, dynamic_ncols=True)
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
