"""The stage between predictions and scores: one judge is asked about the answers of one run.

Its program asks about the answers of a unit one by one, and asks again where no verdict is read.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from chef.common.judgements import Judgement, JudgementStatus
from chef.common.printing import progress_bar
from chef.common.user_code import contained, describe_failure
from chef.engine.engine import Engine, Job
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError, RunError
from chef.frozen import Frozen
from chef.image import Image
from chef.inferencer.base import Answer, Inferencer, Program
from chef.inferencer.decoding import Decoding
from chef.instruction.handler import Instruction
from chef.judge.stored import JUDGEMENTS, decode, encode, key_of
from chef.judge.tasks import Judged, JudgeTask, JudgeUnit
from chef.models import Model
from chef.run.journal import Lines
from chef.types import Conversation, Generate, Generated, Prediction, Reply, Sample, Text, Turn

#: A heading, bold type and a colon of full width are the only decoration that judges put around the
#: line. A line in quotes, in code, in a list or in a citation is somebody else's.
_VERDICT = re.compile(
    r"(?:#{1,6}[ ]+)?(?:\*\*)?\s*verdict[:\uff1a]?(?:\*\*)?[:\uff1a]?\s*"
    r"\[\[([^\[\]]+)\]\]\.?\s*(?:\*\*)?",
    re.IGNORECASE,
)


def verdict_of(reply: Generated) -> str | None:
    r"""What stands in the brackets of the last line; None where the reply has no such line.

    A reply that was cut off or refused has none: what it would have ended with is not known. One
    that ends with two lines that contradict each other has none, either.

    >>> verdict_of(Generated("It is a cat.\nVerdict: [[B]]"))
    'B'
    >>> verdict_of(Generated("Verdict: [[B]]\nOr perhaps A."))
    >>> verdict_of(Generated("Verdict: [[B]]\nVerdict: [[A]]"))
    """
    if reply.finish_reason != "stop":
        return None
    lines = [line.strip() for line in reply.text.splitlines() if line.strip()]
    last, before = (_within(line) for line in [*lines[:-3:-1], "", ""][:2])
    return None if before is not None and before != last else last


def _within(line: str) -> str | None:
    """What stands in the brackets of a line of a verdict; None for another line."""
    match = _VERDICT.fullmatch(line)
    return match[1].strip().strip("*").strip() if match else None


#: Why a reply has no verdict, where it is not its form.
_WHY = {
    "length": "it was cut off at judge_cfg.max_new_tokens",
    "refused": "the judge refused",
}
#: The field of a unit's sample for the number of images of each of its answers.
IMAGES = "images_of_each"


class JudgeName(Frozen):
    """What names a judge: the name and the fingerprint of its model."""

    name: str
    fingerprint: str


class JudgeInferencer(Inferencer):
    """Asks one judge; the engine runs it like the inferencer of a recipe.

    Args:
        units: what is judged, by name.
        attempts: how often one question is asked until the reply can be read; None: see the kind.
        known: the judgement of a task that was made before; None if there is none.
        note: called with every new judgement.
    """

    scores_options = False

    def __init__(
        self,
        judge: JudgeName,
        units: Mapping[str, JudgeUnit],
        decoding: Decoding,
        attempts: int | None,
        *,
        known: Callable[[JudgeTask], Judgement | None],
        note: Callable[[Judgement], None],
    ) -> None:
        super().__init__(Instruction(""))
        self._made = partial(judgement_of, judge=judge)
        self._units, self._decoding = units, decoding
        self._attempts, self._known, self._note = attempts, known, note

    def infer(self, sample: Sample) -> Program:
        unit, counts = self._units[sample.id], list(sample.fields.get(IMAGES, ()))
        images, decided = list(sample.images), unit.decided
        for place, tasks in enumerate(unit.tasks):
            shown: list[Image] = [images.pop(0) for _ in range(counts[place])] if counts else []
            if decided:
                for task in tasks:
                    self._note(self._made(task, JudgementStatus.SKIPPED, 0))
                continue
            found = []
            for task in tasks:
                judgement = self._known(task)
                if judgement is None:
                    turn = Turn("user", (*shown, Text(task.prompt)))
                    judgement = yield from self._asked(task, (turn,))
                    self._note(judgement)
                found.append(judgement)
            decided = unit.is_decided_by(tasks, found)
        return Answer("judged")

    def _asked(
        self, task: JudgeTask, conversation: Conversation
    ) -> Generator[Generate, Reply, Judgement]:
        """Ask one question until its reply can be read, or often enough."""
        if task.failure is not None:
            return self._made(task, JudgementStatus.ERROR, 0, error=dict(task.failure))
        reply, attempts = Generated(""), attempts_of(task, self._attempts)
        for attempt in range(1, attempts + 1):
            warmth = self._decoding.temperature + (attempt - 1) * task.kind.warmer
            decoding = replace(self._decoding, temperature=warmth)
            try:
                given = yield decoding.request(conversation, attempt)
            except (RunError, ConfigError):
                raise
            except Exception as error:  # the model failed on this request
                failure = describe_failure(error)
                return self._made(task, JudgementStatus.ERROR, attempt, error=failure)
            assert isinstance(given, Generated)
            reply = given
            reading = _reading(task, reply)
            if reading is not None:
                return self._made(
                    task, JudgementStatus.OK, attempt, reading=reading, reply=reply.text
                )
            if not task.kind.repeats:
                conversation = _reminded(conversation, reply.text, task.kind.wording.reminder)
        why = _WHY.get(reply.finish_reason)
        reason = None if why is None else {"type": "Unparsed", "message": why}
        return self._made(task, JudgementStatus.UNPARSED, attempts, reply=reply.text, error=reason)


def judgement_of(
    task: JudgeTask, status: JudgementStatus, attempts: int, *, judge: JudgeName, **outcome: Any
) -> Judgement:
    """What came of one question, with its ``outcome``: reading, reply and error."""
    return Judgement(
        task.sample_id, task.name, judge.name, judge.fingerprint, status, order=task.order,
        request=task.request, prompt=task.prompt, attempts=attempts, answer=task.answer, **outcome,
    )  # fmt: skip


def attempts_of(task: JudgeTask, given: int | None) -> int:
    """How often a question is asked: as the recipe says, else as its kind does."""
    return task.kind.attempts if given is None else given


def _reading(task: JudgeTask, reply: Generated) -> object:
    """What the reply says; None if it cannot be read."""
    verdict = reply.text.strip() if task.kind.whole_reply else verdict_of(reply)
    if verdict is None:
        return None
    with contained(f"the kind of judgement {task.name}"):
        reading: object = task.kind.read(verdict, task.record, task.order)
    return reading


def _reminded(conversation: Sequence[Turn], reply: str, reminder: str) -> Conversation:
    """The conversation so far, with a reply that cannot be read and a reminder of the form."""
    said = reply if reply.strip() else "(no reply)"
    return (
        *conversation,
        Turn("assistant", (Text(said),)),
        Turn("user", (Text(reminder),)),
    )


#: The counts that the progress bar shows, and how it calls them.
_TOLD = (("unparsed", "unparsed"), ("error", "errors"), ("skipped", "skipped"))


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
        label = f"{label}, judge {judge.name}"
        # Without anything to ask there is no bar.
        options = {"dynamic_ncols": True, "disable": not todo}
        with progress_bar(label, todo, "judgement", **options) as bar:

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
