"""Which answers of a run a judge is asked about, and what.

A judged text stands between two lines that hold a word which occurs in none of the texts, so that
it cannot speak to the judge. The word is a digest of them, so an answer cannot name it: whatever it
writes would change it. Marks that a chat template or the form of a verdict gives a meaning are
shown with a blank in between; a reply that quotes an answer therefore never holds a verdict of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from msgspec import field

from chef.common.digest import content_digest, digest
from chef.common.user_code import contained, describe_failure
from chef.errors import DataError
from chef.frozen import Frozen
from chef.judge.stored import answer_digest
from chef.metric.judgeable import plain
from chef.metric.records import MissingTruthError, Record
from chef.reading.harmless import harmless
from chef.types import Prediction, Status

if TYPE_CHECKING:
    from chef.common.judgements import Judgement
    from chef.inferencer.decoding import Decoding
    from chef.metric import Metric
    from chef.metric.judge_kind import JudgeKind


class JudgeTask(Frozen):
    """One question to a judge: about one answer, of one kind, in one order.

    Attributes:
        name: that of the kind.
        request: a digest of everything that decides the reply.
        answer: a digest of the answer that is judged.
        failure: why it cannot be asked; None if it can.
    """

    record: Record
    kind: JudgeKind
    name: str
    order: int
    prompt: str
    request: str
    answer: str
    failure: Mapping[str, str] | None = None

    @property
    def sample_id(self) -> str:
        """The id of the sample."""
        return str(self.record["id"])


class JudgeUnit(Frozen):
    """Answers that are judged one after another: one answer, or the rotations of one question.

    Attributes:
        tasks: the tasks of each answer, in order.
        is_wrong: whether an answer with these judgements decides the unit, so that the others need
            no judge; None where every answer is judged.
        decided: whether an answer that needs no judge decides it already.
    """

    name: str
    tasks: list[list[JudgeTask]] = field(default_factory=list)
    is_wrong: Callable[[Record], bool] | None = None
    decided: bool = False

    def is_decided_by(self, tasks: Sequence[JudgeTask], said: Sequence[Judgement]) -> bool:
        """Whether the judgements of one answer decide the unit: the answer is wrong."""
        if self.is_wrong is None:
            return False
        return self.is_wrong({**tasks[0].record, "judgements": plain(said)})


class Judged(Frozen):
    """How the answers of a run are judged.

    Attributes:
        kinds: the kinds of judgements by name; the metric chooses among them.
        kind: the kind that the recipe asks for; None leaves it to the metric.
        when: whether answers that the rule of a metric can read are judged too.
        others: for kinds that compare, another run's answers by sample id; None: the references.
    """

    metrics: Sequence[Metric]
    kinds: Mapping[str, JudgeKind]
    kind: str | None
    when: Literal["unread", "always"]
    decoding: Decoding
    show_images: bool = False
    others: Mapping[str, Any] | None = None

    def units(self, predictions: Iterable[Prediction]) -> list[JudgeUnit]:
        """What is to be judged of these answers, also if it was before: of those that did not fail,
        and have a reference where the kind needs one.
        """
        stopping = self.metrics[0] if len(self.metrics) == 1 else None
        if stopping is not None and not stopping.stops_groups:
            stopping = None
        found: dict[str, JudgeUnit] = {}
        answered = (item for item in predictions if item.status is not Status.ERROR)
        for item in sorted(answered, key=lambda item: (len(item.sample_id), item.sample_id)):
            record = item.to_record()
            record.setdefault("id", item.sample_id)
            tasks = self._tasks(item, record)
            name = f"id {item.sample_id}"
            if stopping is None or not stopping.may_skip(record):
                if tasks:
                    found[name] = JudgeUnit(name, [tasks])
                continue
            name = stopping.scored_with(record)
            unit = found.setdefault(name, JudgeUnit(name, is_wrong=partial(_is_wrong, stopping)))
            if tasks:
                unit.tasks.append(tasks)
            elif _is_wrong(stopping, record):
                found[name] = JudgeUnit(name, unit.tasks, unit.is_wrong, decided=True)
        return [unit for unit in found.values() if unit.tasks]

    def _tasks(self, prediction: Prediction, record: Record) -> list[JudgeTask]:
        """The questions about one answer; none where it is not to be judged."""
        found: dict[str, JudgeTask] = {}
        for metric in self.metrics:
            name = self._kind_for(metric, record)
            if name is None:
                continue
            shown = {**record, "judge_options": metric.judge_options(record)}
            for order in range(self.kinds[name].orders):
                task = self._task(prediction, shown, name, order)
                if task is not None:
                    found.setdefault(f"{name} {order}", task)
        return list(found.values())

    def _kind_for(self, metric: Metric, record: Record) -> str | None:
        """The kind of judgement that a metric needs of an answer; None if it needs none."""
        try:
            with contained(f"the metric {type(metric).__name__}"):
                fitting = metric.judge_kind(dict(record))
                if fitting is None or (self.when == "unread" and metric.reads(dict(record))):
                    return None
        except Exception:  # the metric fails on this sample when it scores it, and tells why
            return None
        if self.kind is not None:
            return self.kind if self.kind in metric.judge_kinds else None
        return fitting if fitting in self.kinds else None

    def _task(
        self, prediction: Prediction, record: Record, name: str, order: int
    ) -> JudgeTask | None:
        kind, failure, prompt = self.kinds[name], None, ""
        try:
            if kind.compares and self.others is not None:
                record = {**record, "other_answer": self._other(prediction)}
            with contained(f"the kind of judgement {name}"):
                prompt = enclosed(kind.wording.prompt, kind.texts(record, order))
        except MissingTruthError:
            return None
        except Exception as error:
            failure = {**describe_failure(error), "message": str(error)}
        images = [item.get("digest") for item in prediction.images] if self.show_images else []
        sampling = self.decoding.temperature
        decides = [prompt, kind.wording.reminder, self.decoding.max_new_tokens, sampling, images]
        decides += [f"warmer by {kind.warmer}"] if kind.warmer else []
        answer = answer_digest(prediction)
        return JudgeTask(record, kind, name, order, prompt, digest(decides), answer, failure)

    def _other(self, prediction: Prediction) -> Any:
        assert self.others is not None
        if prediction.sample_id not in self.others:
            raise DataError(
                "the other run has no answer to this sample",
                where=f"sample '{prediction.sample_id}'",
                hint="judge_cfg.against has to name a run of the same samples",
            )
        return self.others[prediction.sample_id]


def _is_wrong(metric: Metric, record: Record) -> bool:
    """Whether an answer is known to be wrong; an error of the metric decides nothing."""
    try:
        with contained(f"the metric {type(metric).__name__}"):
            return not metric.is_right(record)
    except Exception:
        return False


_PLACE = re.compile(r"\{(\w+)\}")


def enclosed(template: str, texts: Mapping[str, str]) -> str:
    """The template with every ``{name}`` a text between lines that no text can hold, ``{mark}``
    their word; other braces stay, also those in the texts.
    """
    shown = {name: harmless(text) for name, text in texts.items()}
    mark = mark_of([*shown.values(), template])

    def block(found: re.Match[str]) -> str:
        name = found[1]
        if name == "mark":
            return mark
        if name not in shown:
            return found[0]
        title = name.replace("_", " ")
        return f"--- {title} {mark} ---\n{shown[name]}\n--- end of {title} {mark} ---"

    return _PLACE.sub(block, template)


def mark_of(texts: list[str]) -> str:
    """A word of 16 hex digits that occurs in none of the texts; the same for the same texts."""
    number = 0
    while True:
        mark = content_digest(f"{number}", *(f"\0{text}" for text in texts), size=8)
        if not any(mark in text.lower() for text in texts):
            return mark
        number += 1
