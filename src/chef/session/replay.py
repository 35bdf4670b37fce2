"""The conversations of a finished run as they were sent: its programs, run on its own answers.

The journal has the text of what was asked, but not how the images stood in it, and nothing of the
in-context examples but their ids. So the recipe of the run is made ready again, and the program of
a sample gets the replies that the journal has. The model is never loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from chef.errors import ChefError, first_line
from chef.evaluator import Evaluator
from chef.guard.trust import OPTION
from chef.inferencer.base import Answer, checked_request, started
from chef.inferencer.batch_loop import has_own_loop
from chef.instruction.handler import TRIGGER
from chef.report.views.replayed import Exchanged, Replayed
from chef.run.plan import RunOptions
from chef.run.reading import read_json
from chef.run.subset import stored_ids
from chef.scoring.record import RunRecord
from chef.scoring.sample_line import WORDED_BY
from chef.session.recalled import Recalled, recalling
from chef.session.replies import Journaled, difference
from chef.types import Prediction, Request, Sample, Status

_AS_JOURNALED = "shown as the journal has it"
_TRUST = f"{OPTION} runs the Python files that its recipe names"


class RunReplay:
    """What the samples of a run were asked; see `chef.report.views.Replayer`.

    Args:
        record: the run.
    """

    def __init__(self, record: RunRecord) -> None:
        self._record = record

    def prefetch(self, ids: Sequence[str]) -> None:
        """Choose in-context examples of several samples at once, where the journal has none."""
        if isinstance(self._evaluator, str):
            return
        try:
            known = set(self._evaluator.ids)
            self._evaluator.prefetch([name for name in ids if name in known])
        except Exception:  # each sample says itself what is wrong
            return

    def __call__(self, prediction: Prediction) -> Replayed:
        """What a sample was asked, if that is known exactly; else a note says why it is not."""
        if isinstance(self._evaluator, str):
            return Replayed(note=self._evaluator)
        try:
            sample = next(self._evaluator.jobs([prediction.sample_id])).make()
        except KeyError:
            return Replayed(note=f"{_AS_JOURNALED}: the data has no such sample any more")
        except Exception as error:
            if prediction.status is Status.ERROR:
                return Replayed(note="this sample was not asked")
            return Replayed(note=f"{_AS_JOURNALED}: {_why(error)}")
        return self._asked(self._evaluator, sample, prediction)

    def _asked(self, evaluator: Evaluator, sample: Sample, prediction: Prediction) -> Replayed:
        if method := prediction.trace.get(WORDED_BY):
            return Replayed(sample, note=f"worded by the model ({method}), as the journal has it")
        if has_own_loop(evaluator.inferencer):
            kind = type(evaluator.inferencer).__name__
            return Replayed(sample, note=f"{_AS_JOURNALED}: the loop of {kind} asks by itself")
        return self._replayed(evaluator, sample, prediction)

    def _replayed(self, evaluator: Evaluator, sample: Sample, prediction: Prediction) -> Replayed:
        """Run the program of a sample on its own replies, and compare what comes of it."""
        replies, exchanges = Journaled(prediction), list[Exchanged]()
        if isinstance(evaluator.retriever, Recalled):
            evaluator.retriever.recall(prediction)
        try:
            program, request = started(evaluator.inferencer, sample)
            while True:
                reply = replies.to(request)
                exchanges.append(Exchanged(request, reply, _question(evaluator, sample, request)))
                if reply is None:
                    program.close()
                    break
                request = checked_request(program.send(reply))
        except StopIteration as stop:
            if not isinstance(stop.value, Answer):
                return Replayed(sample, note=f"{_AS_JOURNALED}: it has no answer")
            changed = difference(stop.value, prediction) or replies.left()
            if changed:
                return Replayed(sample, note=f"{_AS_JOURNALED}: {changed}")
            return Replayed(sample, exchanges, self._adapted(exchanges))
        except Exception as error:
            return Replayed(sample, note=f"{_AS_JOURNALED}: {_why(error)}")
        if prediction.status is Status.ERROR:
            return Replayed(sample, exchanges, "the sample failed: what it was to be asked")
        return Replayed(sample, note=f"{_AS_JOURNALED}: a step of its program is not journaled")

    def _adapted(self, exchanges: Sequence[Exchanged]) -> str:
        """What the engine changed of requests for the model, as far as the run tells."""
        number = max(
            sum(len(turn.images) for turn in item.request.conversation) for item in exchanges
        )
        if number > 1 and any(item.get("joined_images") for item in self._sessions):
            return "the model takes fewer images: it was sent several of them joined side by side"
        return ""

    @cached_property
    def _sessions(self) -> list[dict[str, Any]]:
        """What environment.json has of the sessions; empty where it has nothing."""
        sessions: list[dict[str, Any]] = read_json(self._record.path / "environment.json").get(
            "sessions", []
        )
        return sessions

    @cached_property
    def _evaluator(self) -> Evaluator | str:
        """The recipe of the run, ready to be asked; or why it cannot be made ready."""
        try:
            return self._ready()
        except Exception as error:
            why = _why(error)
            if self._record.names_plugins and not self._record.is_trusted:
                why += f" ({_TRUST})"
            return f"{_AS_JOURNALED}: {why}"

    def _ready(self) -> Evaluator:
        """The recipe of the run, made ready; whatever is wrong with it is raised."""
        self._record.load_plugins()
        options = _options(self._record, self._sessions)
        evaluator = Evaluator(recalling(self._record.questions), options)
        if any(item.get("bare_examples") for item in self._sessions):
            evaluator.inferencer.instruction.drop_example_images(1)  # as the model needed it
        return evaluator


def _question(evaluator: Evaluator, sample: Sample, request: Request) -> str:
    """The question as it was worded, if the last turn ends with it."""
    if evaluator.retriever is None:
        return ""
    turn, instruction = request.conversation[-1], evaluator.instruction
    word = instruction.word(sample)
    known = word, f"{sample.question or word}\n{TRIGGER}"
    return next((text for text in known if turn.text.endswith(text)), "")


def _options(record: RunRecord, sessions: Sequence[Mapping[str, Any]]) -> RunOptions:
    """The settings of a run: of its batch size that of its last session."""
    run = record.config.get("run") or {}
    size = sessions[-1].get("batch_size") if sessions else None
    ids = stored_ids(record.path, record.config)
    return RunOptions(
        sample_len=run.get("sample_len") if ids is None else None,
        ids=ids,
        seed=run.get("seed") or 0,
        batch_size=size if isinstance(size, int) else None,
    )


def _why(error: Exception) -> str:
    return error.what if isinstance(error, ChefError) else first_line(error)
