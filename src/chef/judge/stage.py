"""The stage between predictions and scores: one judge is asked about the answers of one run."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

from chef.common.judgements import Judgement, JudgementStatus
from chef.common.printing import shown
from chef.engine.engine import Engine, Job
from chef.engine.response_cache import ResponseCache
from chef.errors import RunError
from chef.image import Image
from chef.judge.asking import IMAGES, JudgeInferencer, JudgeName, attempts_of
from chef.judge.stored import JUDGEMENTS, Stored, decode, encode, key_of
from chef.judge.tasks import Judged, JudgeTask, JudgeUnit
from chef.models import Model
from chef.run.journal import Lines
from chef.types import Prediction, Sample


class JudgeBar:
    """A progress bar on standard error; it is updated less often if that is not a terminal."""

    def __init__(self, label: str, total: int) -> None:
        from tqdm import tqdm

        interval = 0.2 if sys.stderr.isatty() else 30.0
        self._bar = tqdm(
            total=total, desc=shown(label), unit="judgement", mininterval=interval,
            dynamic_ncols=True, disable=not total,
        )  # fmt: skip
        self._counts = dict.fromkeys(JudgementStatus, 0)

    def update(self, judgement: Judgement) -> None:
        """Show one more judgement."""
        self._counts[judgement.status] += 1
        told = {
            "unparsed": self._counts[JudgementStatus.UNPARSED],
            "errors": self._counts[JudgementStatus.ERROR],
            "skipped": self._counts[JudgementStatus.SKIPPED],
        }
        notes = [f"{name} {count}" for name, count in told.items() if count]
        self._bar.set_postfix_str(", ".join(notes), refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()


#: Gives the images of a sample by its id.
ImagesOf = Callable[[str], Sequence[Image]]


class Stage:
    """The judgements of one run, whose folder this process has to lock; raises ConfigError.

    Args:
        judged: how its answers are judged.
        predictions: its answers.
        attempts: how often one question is asked until the reply can be read; None: see the kind.
        images_of: gives the images of a sample, where the judge is shown them.
    """

    def __init__(
        self,
        folder: Path,
        judged: Judged,
        predictions: Iterable[Prediction],
        attempts: int | None,
        images_of: ImagesOf,
    ) -> None:
        self.judged, self._attempts, self._images_of = judged, attempts, images_of
        self.units = judged.units(predictions)
        self._journal = Lines(folder / JUDGEMENTS, decode, key_of)
        self._lock = threading.Lock()

    def open_units(self, judge: JudgeName) -> list[JudgeUnit]:
        """The units in which a judge has something to be asked, or something to be noted."""
        return [unit for unit in self.units if self._is_open(unit, judge)]

    def ask(
        self,
        judge: JudgeName,
        model: Model,
        responses: ResponseCache,
        label: str,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Ask a judge what it was not asked before; return the session's entry for the record.

        ``responses`` are its replies to earlier requests, also those of other runs; ``timeout`` is
        in seconds a call. Raises RunError if every request fails, or the file was lost; judgements
        stay.
        """
        units = {unit.name: unit for unit in self.open_units(judge)}
        todo = sum(1 for task in _tasks(units.values()) if self._known(judge, task) is None)
        started, clock = datetime.now(UTC), time.perf_counter()
        counts = dict.fromkeys(map(str, JudgementStatus), 0)
        with JudgeBar(f"{label}, judge {judge.name}", todo) as bar:

            def note(task: JudgeTask, judgement: Judgement) -> None:
                with self._lock:  # a program may begin in another thread
                    if self._append(task, judgement):
                        counts[str(judgement.status)] += 1
                        bar.update(judgement)

            asking = JudgeInferencer(
                judge, units, self.judged.decoding, self._attempts,
                known=partial(self._known, judge), note=note,
            )  # fmt: skip
            engine = Engine(model, asking, responses=responses, timeout=timeout)
            try:
                for prediction in engine.run(self._jobs(units)):
                    if prediction.error is not None:
                        self._note_failure(judge, units[prediction.sample_id], prediction, note)
            finally:
                self.sync()
        return {
            "started": started.isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - clock, 3),
            "judged": sum(counts.values()),
            **{name: count for name, count in counts.items() if count},
            **engine.executor.record(),
        }

    def judgements(self) -> list[Judgement]:
        """The judgements of the answers as they are now, of every judge."""
        wanted = {(task.sample_id, task.name, task.order, task.request) for task in self.tasks()}
        found = (line.judgement for line in self._journal.entries.values())
        return [
            item
            for item in found
            if (item.sample_id, item.kind, item.order, item.request) in wanted
        ]

    def tasks(self) -> Iterator[JudgeTask]:
        """Everything that a judge is asked, whether or not it was asked before."""
        return _tasks(self.units)

    def sync(self) -> None:
        """Make every judgement so far survive a power failure; raises RunError."""
        self._journal.sync()
        if loss := self._journal.loss():
            raise RunError(
                f"the file {loss} while judgements were written to it; nothing was scored",
                where=str(self._journal.path),
                hint="the same command judges what is missing; replies that were cached are not "
                "asked again",
            )

    def close(self) -> None:
        """Close the file."""
        self._journal.close()

    def _is_open(self, unit: JudgeUnit, judge: JudgeName) -> bool:
        """Whether something of a unit is not known, as far as the known judgements go."""
        decided = unit.decided
        for tasks in unit.tasks:
            if decided:
                if not all(self._is_skipped(judge, task) for task in tasks):
                    return True
                continue
            found = [item for task in tasks if (item := self._known(judge, task)) is not None]
            if len(found) < len(tasks):
                return True
            decided = unit.is_decided_by(tasks, found)
        return False

    def _stored(self, judge: JudgeName, task: JudgeTask) -> Judgement | None:
        """The last judgement about the same request."""
        line = self._journal.entries.get((task.sample_id, task.name, judge.fingerprint, task.order))
        if line is None or line.judgement.request != task.request or line.answer != task.answer:
            return None
        return line.judgement

    def _known(self, judge: JudgeName, task: JudgeTask) -> Judgement | None:
        """A judgement that need not be made again: errors and too few attempts are no such."""
        item = self._stored(judge, task)
        if item is None or item.status is JudgementStatus.OK:
            return item
        if item.status is not JudgementStatus.UNPARSED:
            return None
        return item if item.attempts >= attempts_of(task, self._attempts) else None

    def _is_skipped(self, judge: JudgeName, task: JudgeTask) -> bool:
        item = self._stored(judge, task)
        return item is not None and item.status is JudgementStatus.SKIPPED

    def _append(self, task: JudgeTask, judgement: Judgement) -> bool:
        """Journal a judgement; False where the same stands there already."""
        line = Stored(judgement, task.answer)
        before = self._journal.entries.get(key_of(line))
        if before is not None and before == line:
            return False
        data = encode(line)
        self._journal.append(data)
        self._journal.entries[key_of(line)] = decode(data)
        return True

    def _jobs(self, units: dict[str, JudgeUnit]) -> Iterator[Job]:
        for name, unit in units.items():
            yield Job(name, partial(self._sample, unit))

    def _sample(self, unit: JudgeUnit) -> Sample:
        """The sample that stands for a unit in the engine: its name, and images if shown."""
        if not self.judged.show_images:
            return Sample(unit.name)
        images = [tuple(self._images_of(tasks[0].sample_id)) for tasks in unit.tasks]
        counts = {IMAGES: [len(item) for item in images]}
        return Sample(unit.name, tuple(one for item in images for one in item), fields=counts)

    def _note_failure(
        self,
        judge: JudgeName,
        unit: JudgeUnit,
        failed: Prediction,
        note: Callable[[JudgeTask, Judgement], None],
    ) -> None:
        """Note what failed outside of a question: an image that cannot be read, say."""
        for task in _tasks([unit]):
            if self._known(judge, task) is None:
                note(
                    task,
                    Judgement(
                        task.sample_id, task.name, judge.name, judge.fingerprint,
                        JudgementStatus.ERROR, None, task.order, task.request, task.prompt,
                        attempts=0, error=failed.error,
                    ),
                )  # fmt: skip


def _tasks(units: Iterable[JudgeUnit]) -> Iterator[JudgeTask]:
    for unit in units:
        for tasks in unit.tasks:
            yield from tasks
