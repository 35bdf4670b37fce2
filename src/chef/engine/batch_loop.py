"""Run an inferencer that has a batch loop of its own (`BatchLoopInferencer.inference`).

The loop is the user's code. It runs in a thread, and the predictions it makes are passed on here.
If it fails, it is run again on halves of the samples it was working on, until one sample that fails
by itself is left.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.common.text import REPLACED
from chef.common.user_code import exit_error, told
from chef.engine.engine import Engine, Job, failed, no_answer
from chef.engine.executor_base import MAX_CONSECUTIVE_FAILURES
from chef.engine.model_adapter import ModelAdapter
from chef.errors import ConfigError, RunError, SampleError
from chef.image import Image
from chef.instruction.batch import collate, record_of
from chef.models.api.traffic import Effort
from chef.types import Prediction, Status

#: How many seconds a loop has to end after it was told to stop.
STOP_TIMEOUT = 5.0


class _StoppedError(BaseException):
    """Ends the loop: its predictions are not needed any more."""


class PendingDataset:
    """The samples for a loop, made on access; it has the attributes of the scenario, too."""

    def __init__(self, jobs: Sequence[Job], run: _Run, scenario: Any) -> None:
        self._jobs, self._run, self._scenario = jobs, run, scenario
        self.dataset_name = getattr(scenario, "name", "")
        self.task_name = getattr(scenario, "wording", "")
        self.system_msg = getattr(scenario, "system_message", "") or None

    def __len__(self) -> int:
        return len(self._jobs)

    def __getitem__(self, index: int) -> dict[str, Any]:
        self._run.check()
        job = self._jobs[index]
        self._run.handed.pop(job.sample_id, None)
        self._run.handed[job.sample_id] = None  # a sample that is read again comes last
        self._run.fetched[job.sample_id] = {"id": job.sample_id}
        sample = job.make()
        self._run.fetched[job.sample_id] = sample.to_record()
        self._run.images[job.sample_id] = sample.images
        return record_of(sample.detached())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._scenario, name)

    def batches(self, size: int) -> Iterator[dict[str, list[Any]]]:
        """The records in order as dicts of lists, ``size`` samples each."""
        for start in range(0, len(self), size):
            rows = range(start, min(start + size, len(self)))
            yield self.collate([self[row] for row in rows])

    @staticmethod
    def collate(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """A list of records as a dict of lists: the ``collate_fn`` of a DataLoader."""
        return collate(records)


@dataclass(slots=True)
class _Run:
    """One call of a loop, shared by its thread and the engine's.

    Attributes:
        fetched, images: records and images that the loop has read and not answered yet.
        handed: ids of the samples it has read, in the order of the last time.
        came: what it has produced: predictions, then None or the exception that ended it.
        go_on: released when a prediction has been journaled.
    """

    jobs: dict[str, Job]
    adapter: ModelAdapter
    fetched: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    images: dict[str, Sequence[Image]] = field(default_factory=dict)
    handed: dict[str, None] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    came: queue.Queue[Prediction | BaseException | None] = field(default_factory=queue.Queue)
    go_on: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    stopped: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """End the loop, if it is to end."""
        if self.stopped.is_set():
            raise _StoppedError

    def name_texts(self, texts: Sequence[str]) -> list[dict[str, Any]]:
        """Plain texts as answers, in the order of reading; a loop may pass all texts so far."""
        open_ids = [name for name in self.handed if name not in self.answered]
        names = list(self.handed) if len(texts) == len(self.handed) else open_ids
        if len(texts) != len(names):
            raise RunError(
                f"{len(texts)} texts were given for {len(names)} samples that were handed out",
                hint="give one text for each sample, in order, or dicts with 'id' and 'answer'; "
                "a DataLoader needs num_workers=0",
            )
        queries = self.adapter.queries
        return [
            {"id": name, "answer": text, **({"query": queries[name]} if name in queries else {})}
            for name, text in zip(names, texts, strict=True)
        ]

    def take(self, answered: Mapping[str, Any]) -> None:
        """Take the answer of one sample from the loop, and wait until it is journaled."""
        self.check()
        name = answered.get("id")
        if name not in self.jobs or "answer" not in answered:
            raise RunError(
                f"a prediction needs 'answer' and the 'id' of one of the samples, "
                f"and this one has the id {name!r} and the keys {sorted(map(str, answered))}",
                hint="append dicts like {'id': batch['id'][i], 'answer': outputs[i]}",
            )
        if name in self.answered:
            return  # a loop may pass all answers so far each time
        if name not in self.fetched:
            sample = self.jobs[name].make()
            self.fetched[name], self.images[name] = sample.to_record(), sample.images
        record, images = self.fetched.pop(name), self.images.pop(name, ())
        self.answered.add(name)
        status = self.adapter.statuses.pop(name, Status.OK)
        trace = _additions(answered, record)
        if prompts := self.adapter.prompts.pop(name, None):
            trace["prompts"] = prompts
        if replaced := self.adapter.replaced.pop(name, 0):
            trace[REPLACED] = replaced
        effort = self.adapter.efforts.pop(name, Effort())
        if (wrong := no_answer(answered["answer"])) is not None:
            self.came.put(failed(name, wrong, record, images, effort))
        else:
            self.came.put(
                Prediction(
                    name,
                    Status(answered.get("status", status)),
                    answered["answer"],
                    trace=trace,
                    sample=record,
                    images=tuple([image.to_record() for image in images]),
                    effort=effort.record(),
                )
            )
        # The loop continues only when it is journaled: a crash would lose it.
        self.go_on.acquire()
        self.check()


@dataclass(slots=True)
class BatchLoopEngine(Engine):
    """An engine for inferencers with a batch loop of their own."""

    _failures: int = field(default=0, init=False)

    def run(self, jobs: Iterable[Job]) -> Iterator[Prediction]:
        """Run the inferencer's loop on every job; a RunError if it fails on every sample."""
        parts = [list(jobs)]
        try:
            while parts:
                part = parts.pop()
                if part:
                    parts += reversed((yield from self._try(part)))
        finally:
            self.executor.close()

    def _try(self, jobs: list[Job]) -> Generator[Prediction, None, tuple[list[Job], ...]]:
        """Run the loop once; if it failed, the parts of ``jobs`` to run it on again."""
        adapter = ModelAdapter(self.executor, self.inferencer, log_prompts=self.log_prompts)
        run = _Run({job.sample_id: job for job in jobs}, adapter)
        failure: Exception | None = None
        for item in self._watch(run, jobs):
            if isinstance(item, Prediction):
                self._failures = 0
                yield item
            else:
                failure = item
        left = [job for job in jobs if job.sample_id not in run.answered]
        if failure is None:
            lacking = SampleError("the inferencer made no prediction for this sample")
            yield from (failed(job.sample_id, lacking, {"id": job.sample_id}) for job in left)
            return ()
        if len(left) <= 1:
            yield from (self._blame(job, failure, run) for job in left)
            return ()
        # The samples it had read and not answered; one of them made it fail.
        suspects = [job for job in left if job.sample_id in run.fetched] or left
        suspect_ids = {job.sample_id for job in suspects}
        rest = [job for job in left if job.sample_id not in suspect_ids]
        middle = len(suspects) // 2 if len(suspects) == len(jobs) else 0
        return suspects[:middle], suspects[middle:], rest

    def _blame(self, job: Job, failure: Exception, run: _Run) -> Prediction:
        """The error of a sample that failed by itself; a RunError if too many in a row did."""
        self._failures += not isinstance(failure, SampleError)
        if self._failures >= MAX_CONSECUTIVE_FAILURES:
            raise RunError(
                f"{MAX_CONSECUTIVE_FAILURES} samples in a row failed in "
                f"{type(self.inferencer).__name__}; the last: {told(failure)}",
                hint="fix the inferencer or the model; the same command resumes the run",
            ) from failure
        record = run.fetched.get(job.sample_id, {"id": job.sample_id})
        return failed(job.sample_id, failure, record, run.images.get(job.sample_id, ()))

    def _watch(self, run: _Run, jobs: Sequence[Job]) -> Iterator[Prediction | Exception]:
        """The predictions of the loop, then its exception; RunError and ConfigError pass."""
        dataset = PendingDataset(jobs, run, self.inferencer.scenario)

        def work() -> None:
            try:
                context = replace(
                    self.inferencer.context, on_prediction=run.take, name_texts=run.name_texts
                )
                self.inferencer.bind(context).inference(run.adapter, dataset)
                run.came.put(None)
            except (Exception, _StoppedError) as error:
                run.came.put(error)
            except BaseException as error:  # in a thread of its own no signal raises one
                run.came.put(exit_error(error, type(self.inferencer).__name__))

        worker = threading.Thread(target=work, name="inference", daemon=True)
        worker.start()
        try:
            while (item := run.came.get()) is not None:
                if isinstance(item, RunError | ConfigError):
                    raise item
                if isinstance(item, BaseException):
                    if not isinstance(item, Exception):
                        raise item
                    yield item
                    return
                yield item
                run.go_on.release()
        finally:
            run.stopped.set()
            run.go_on.release()
            if self.executor.is_concurrent:
                self.executor.close()  # the loop may wait for a reply
            worker.join(STOP_TIMEOUT)  # it may still be using the model, which is closed next


def _additions(answered: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """What the loop returned besides answer and status, without images."""
    left_out = {"answer", "status", "image_path"}
    extra = {
        key: to_jsonable(value)
        for key, value in answered.items()
        if key not in left_out and not isinstance(value, Image) and not hasattr(value, "getpixel")
    }
    return {key: value for key, value in extra.items() if to_jsonable(record.get(key)) != value}
