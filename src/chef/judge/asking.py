"""The program of a judge: it asks about the answers of a unit one by one, and asks again."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from chef.common.judgements import Judgement, JudgementStatus
from chef.common.user_code import contained, describe_failure
from chef.errors import ConfigError, RunError
from chef.frozen import Frozen
from chef.image import Image
from chef.inferencer.base import Answer, Inferencer, Program
from chef.inferencer.decoding import Decoding
from chef.instruction.handler import Instruction
from chef.judge.tasks import JudgeTask, JudgeUnit
from chef.types import Conversation, Generate, Generated, Reply, Sample, Text, Turn

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
