"""The conversations of a finished run as they were sent: its programs, run on its own answers.

The journal has the text of what was asked, but not how the images stood in it, and nothing of the
in-context examples but their ids. So the recipe of the run is made ready again, and the program of
a sample gets the replies that the journal has. The model is never loaded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.common.redaction import redact_data
from chef.common.text import encodable_data
from chef.config import Recipe
from chef.config.spec import Spec
from chef.errors import ChefError, first_line
from chef.evaluator import Evaluator
from chef.guard.trust import OPTION
from chef.inferencer.base import Answer, checked_request, has_own_loop, started
from chef.inferencer.decoding import STATUS
from chef.instruction.handler import TRIGGER
from chef.instruction.retriever import ExamplePool, Retriever
from chef.instruction.retriever.nearest import Nearest
from chef.instruction.retriever.upstream import ChefRetriever
from chef.metric.records import turns_of
from chef.report.views.conversation import Exchanged, Replayed
from chef.run.plan import RunOptions
from chef.run.reading import read_json
from chef.run.subset import stored_ids
from chef.scenario import Scenario
from chef.scoring.record import RunRecord
from chef.scoring.sample_line import WORDED_BY
from chef.types import Generate, Generated, Prediction, Reply, Request, Sample, Scored, Status


class Recalled(Retriever):
    """Gives the examples that a sample had; where they are not in the pool, chooses them again."""

    def __init__(self, spec: Spec[Retriever]) -> None:
        super().__init__()
        self._spec = spec
        self._ids: tuple[str, ...] = ()
        self._chooses = False
        self.ice_num = spec.options.get("ice_num", 1)

    def recall(self, prediction: Prediction) -> None:
        """Take the ids of the examples that the next queries had; there may be none."""
        ids = prediction.trace.get("ices")
        self._ids = tuple(map(str, ids)) if isinstance(ids, list) else ()

    def prepare(self, pool: ExamplePool) -> None:
        """Set the pool. It is checked, and read, by the retriever that chooses."""
        self.pool = pool

    def prefetch(self, scenario: Scenario, indices: Sequence[int]) -> None:
        """Of use only to a retriever that has to choose."""
        if self._chooses:
            self._chooser.prefetch(scenario, indices)

    def preference(self, query: Sample) -> Iterator[int]:
        return self._chooser.preference(query)

    def retrieve(self, query: Sample) -> tuple[Sample, ...]:
        known = [self._known(name) for name in self._ids]
        found = tuple(sample for sample in known if sample is not None)
        if found and len(found) == len(known):
            return found
        return self._chooser.retrieve(query)

    def _known(self, name: str) -> Sample | None:
        """The sample of the pool that has this id, if one alone has it and it can be shown."""
        assert self.pool is not None, "prepare has to be called first"
        place = self._places.get(name)
        sample = None if place is None else self.pool.example(place)
        return sample if sample is not None and sample.id == name else None

    @cached_property
    def _places(self) -> dict[str, int | None]:
        """Where each id is in the pool; None for one that several samples have."""
        assert self.pool is not None, "prepare has to be called first"
        scenario, places = self.pool.scenario, dict[str, int | None]()
        for place in range(len(scenario)):
            name = str(scenario.sample_id(place))
            places[name] = None if name in places else place
        return places

    @cached_property
    def _chooser(self) -> Retriever:
        """The retriever of the recipe."""
        assert self.pool is not None, "prepare has to be called first"
        retriever = self._spec.build()
        retriever.prepare(self.pool)
        self._chooses = True
        return retriever


class RecalledAsChef(Recalled, ChefRetriever):
    """The same for ChEF's retrievers, whose pool is the evaluated set."""

    def listed(self, place: int) -> Sequence[int]:
        """Never asked: what cannot be recalled is chosen by the recipe's own retriever."""
        chooser = self._chooser
        assert isinstance(chooser, ChefRetriever)
        return chooser.listed(place)


def recalling(recipe: Recipe) -> Recipe:
    """The recipe with a retriever that recalls, if its own would need an encoder; else itself."""
    wanted = recipe.incontext
    if wanted is None or not issubclass(wanted.retriever.kind, Nearest):
        return recipe
    is_chefs = issubclass(wanted.retriever.kind, ChefRetriever)
    kind = RecalledAsChef if is_chefs else Recalled
    spec: Spec[Retriever] = replace(wanted.retriever, kind=kind, options={"spec": wanted.retriever})
    return replace(recipe, incontext=replace(wanted, retriever=spec))


#: What the journal has of how a sample was asked, and what it is called in notes.
_ASKED = {
    "query": "it is worded otherwise now",
    "CoT_query": "its chain of thought is asked for otherwise now",
    "ices": "other in-context examples are chosen now",
    "answer_prefix": "its answer begins otherwise now",
}
_FINISH = {status: reason for reason, status in STATUS.items()}


class Journaled:
    """The replies of one sample: its texts in order, and its scores of options in order."""

    def __init__(self, prediction: Prediction) -> None:
        self._texts: list[Generated] = []
        self._scored: list[tuple[Scored, ...]] = []
        trace, turns = prediction.trace, turns_of(prediction.scores)
        if "CoT_answer" in trace:
            cut = bool(trace.get("CoT_truncated"))
            self._texts.append(Generated(str(trace["CoT_answer"]), "length" if cut else "stop"))
        for turn in turns or [{**prediction.scores, "answer": prediction.answer}]:
            status = Status(turn.get("status", Status.OK if turns else prediction.status))
            if scored := _scored(turn):
                self._scored.append(scored)
            elif isinstance(turn.get("answer"), str):
                tokens = trace.get("tokens", 0) if len(turns) < 2 else 0
                reason = _FINISH.get(status, "stop")
                self._texts.append(Generated(turn["answer"], reason, tokens))  # type: ignore[arg-type]

    def to(self, request: Request) -> Reply | None:
        """The reply to the next request; None where the journal has none that answers it."""
        if isinstance(request, Generate):
            return self._texts.pop(0) if self._texts else None
        if not self._scored or len(self._scored[0]) != len(request.candidates):
            return None
        return self._scored.pop(0)

    def left(self) -> str:
        """Why replies are left that nothing asked for; empty if none are."""
        return "fewer requests are made now" if self._texts or self._scored else ""


def difference(answer: Answer, prediction: Prediction) -> str:
    """How what a program gives differs from what the journal has; empty if it is the same."""
    for key, what in _ASKED.items():
        if not _is_journaled(answer.trace.get(key), prediction.trace.get(key)):
            return what
    asked, before = (
        [turn.get("question") for turn in turns_of(scores)]
        for scores in (answer.scores, prediction.scores)
    )
    if not _is_journaled(asked, before):
        return "its turns are worded otherwise now"
    if not _is_journaled(answer.answer, prediction.answer):
        return "the same replies give another answer now"
    return ""


def _is_journaled(data: Any, journaled: Any) -> bool:
    """Whether a line of the journal holds these data; of a text or None it mostly does as it is."""
    if (data is None or isinstance(data, str)) and data == journaled:
        return True
    return bool(redact_data(encodable_data(to_jsonable(data))) == journaled)


def _scored(record: Mapping[str, Any]) -> tuple[Scored, ...]:
    """The scores of options; empty where there are none.

    ChEF's rules keep None for what is not finite.
    """
    tokens, means = record.get("option_tokens"), record.get("ppl_results")
    if not isinstance(tokens, list) or not isinstance(means, list) or len(means) != len(tokens):
        return ()
    numbers = [math.nan if mean is None else mean for mean in means]
    sums = record.get("logprob_sums") or [
        mean * count for mean, count in zip(numbers, tokens, strict=True)
    ]
    return tuple(Scored(total, count) for total, count in zip(sums, tokens, strict=True))


_AS_JOURNALED = "shown as the journal has it"
_TRUST = f"{OPTION} runs the Python files that its recipe names"


class RunReplay:
    """What the samples of a run were asked; see `chef.report.views.Replayer`."""

    def __init__(self, record: RunRecord) -> None:
        self._record = record

    def prefetch(self, ids: Sequence[str]) -> None:
        """Choose in-context examples of several samples at once, where the journal has none."""
        if isinstance(self._evaluator, str):
            return
        try:
            known = self._evaluator.samples.positions
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
