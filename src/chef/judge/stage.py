"""The stage between predictions and scores: one judge is asked about the answers of one run."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from chef.common.judgements import Judgement, JudgementStatus
from chef.common.printing import shown
from chef.engine.engine import Engine, Job
from chef.engine.response_cache import ResponseCache
from chef.errors import RunError
from chef.image import Image
from chef.judge.asking import IMAGES, JudgeInferencer, JudgeName, attempts_of, judgement_of
from chef.judge.stored import JUDGEMENTS, decode, encode, key_of
from chef.judge.tasks import Judged, JudgeTask, JudgeUnit
from chef.models import Model
from chef.run.journal import Lines
from chef.types import Prediction, Sample

#: The counts that the progress bar shows, and how it calls them.
_TOLD = (("unparsed", "unparsed"), ("error", "errors"), ("skipped", "skipped"))


def _bar(label: str, total: int) -> Any:
    """A progress bar on standard error; it is updated less often if that is not a terminal."""
    from tqdm import tqdm

    interval = 0.2 if sys.stderr.isatty() else 30.0
    return tqdm(
        total=total, desc=shown(label), unit="judgement", mininterval=interval,
        dynamic_ncols=True, disable=not total,
    )  # fmt: skip


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
        with _bar(f"{label}, judge {judge.name}", todo) as bar:

            def note(judgement: Judgement) -> None:
                with self._lock:  # a program may begin in another thread
                    if self._append(judgement):
                        counts[str(judgement.status)] += 1
                        notes = [f"{told} {counts[name]}" for name, told in _TOLD if counts[name]]
                        bar.set_postfix_str(", ".join(notes), refresh=False)
                        bar.update()

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
        return [
            item
            for item in self._journal.entries.values()
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
        item = self._journal.entries.get((task.sample_id, task.name, judge.fingerprint, task.order))
        if item is None or item.request != task.request or item.answer != task.answer:
            return None
        return item

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

    def _append(self, judgement: Judgement) -> bool:
        """Journal a judgement; False where the same stands there already."""
        if self._journal.entries.get(key_of(judgement)) == judgement:
            return False
        data = encode(judgement)
        self._journal.append(data)
        self._journal.entries[key_of(judgement)] = decode(data)
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
        note: Callable[[Judgement], None],
    ) -> None:
        """Note what failed outside of a question: an image that cannot be read, say."""
        for task in _tasks([unit]):
            if self._known(judge, task) is None:
                note(judgement_of(task, JudgementStatus.ERROR, 0, judge=judge, error=failed.error))


def _tasks(units: Iterable[JudgeUnit]) -> Iterator[JudgeTask]:
    for unit in units:
        for tasks in unit.tasks:
            yield from tasks
