"""The data types that all parts of chef exchange: samples, conversations, requests, predictions.

They are frozen and do not need torch, so that a journal is read and scored quickly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Literal, TypeAlias

import msgspec

from chef.errors import SampleError
from chef.frozen import Frozen
from chef.image import Image, check_images
from chef.stats.clusters import DIGESTS, digests_of

Role: TypeAlias = Literal["system", "user", "assistant"]
#: Whose rules an ingredient follows where published ones have a defect: corrected ones, ChEF's, or
#: VLMEvalKit's.
Compat: TypeAlias = Literal["corrected", "upstream", "vlmevalkit"]
#: Whose rules each named ``compat`` stands for, as messages call them.
RULES_OF: Mapping[Compat, str] = {"upstream": "ChEF", "vlmevalkit": "VLMEvalKit"}


class Text(Frozen):
    """A piece of text. It is always text, even if it looks like a path or a URL."""

    text: str


Part: TypeAlias = Text | Image


class Turn(Frozen):
    """One turn of a conversation, with text and images in any order."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The text parts, joined, without a mark for images."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of the turn, in order."""
        return tuple(part for part in self.parts if isinstance(part, Image))


Conversation: TypeAlias = tuple[Turn, ...]


class TurnSpec(Frozen):
    """What one turn of a multi-turn sample asks.

    Attributes:
        prompt_idx: 0 for the wording of a first turn, 1 for that of a later one.
        prefix: the true answer to an earlier turn (teacher forcing); it is inserted as the
            wording's ``{prefix}``.
        options: the candidate answers to score, empty for a free-form turn.
        truth: the right answer as plain JSON data: one of the options, if there are any.
        prefix_from: the position of the earlier turn that ``prefix`` is the true answer to. In a
            real conversation the model's own answer replaces it. None: the prefix is fixed.
        each: whether that answer is a list of things, of which this turn is about one. A real
            conversation asks about each thing that the model listed instead.
        question: what this turn asks where each turn has a question of its own; it is inserted as
            the wording's ``{question}`` instead of the sample's.

    Raises:
        SampleError: ``truth`` is none of the options, or a number that is NaN or infinite.
    """

    prompt_idx: Literal[0, 1] = 0
    prefix: str = ""
    options: tuple[str, ...] = ()
    truth: Any = None
    prefix_from: int | None = None
    each: bool = False
    question: str = ""

    def __post_init__(self) -> None:
        if self.options and self.truth is not None and self.truth not in self.options:
            listed = ", ".join(map(repr, self.options))
            raise SampleError(
                f"the right answer of a turn is {self.truth!r}, and its options are {listed}",
                hint="let the truth of a turn be one of its options, as it is written there",
            )
        check_finite(self.truth, "the right answer of a turn")

    @property
    def gt_choice(self) -> int | None:
        """The index of the right option; None if the turn has no options, or it is not known."""
        return self.options.index(self.truth) if self.truth in self.options else None

    def to_record(self) -> dict[str, Any]:
        """An entry of ChEF's ``multi_turn_prefix``, with the right answer of the turn."""
        record: dict[str, Any] = {"prompt_idx": self.prompt_idx, "prefix": self.prefix}
        if self.options:
            record |= {"options": list(self.options), "gt_choice": self.gt_choice}
        if self.question:
            record["question"] = self.question
        if self.prefix_from is not None:
            record["prefix_from"] = self.prefix_from
        return {**record, "gt_answers": self.truth}


def check_choice(given: Any, options: int) -> None:
    """Check that the right options (an index, several, None) are some of the options, by number."""
    if type(given) is int and 0 <= given < options:
        return
    for item in given if isinstance(given, list | tuple | set) else [given]:
        if item is None:
            continue
        try:
            whole = isinstance(item, str) or (isinstance(item, float) and item.is_integer())
            number = int(item) if whole else operator.index(item)
        except (TypeError, ValueError):
            raise SampleError(
                f"the right option is {item!r}, not the position of an option",
                hint="correct gt_choice: 0 is the first option",
            ) from None
        if number < 0 or (options and number >= options):
            there = f", and there are {options} options" if options else ""
            raise SampleError(
                f"the right option is number {number}{there}",
                hint="correct gt_choice: 0 is the first option",
            )


def check_finite(truth: Any, what: str) -> None:
    """Refuse NaN and infinity in plain data by a `SampleError`."""
    if isinstance(truth, float) and not math.isfinite(truth):
        raise SampleError(
            f"{what} is {truth}, which is no number", hint="correct it, or leave it out"
        )
    if isinstance(truth, list | tuple | dict):
        for item in truth.values() if isinstance(truth, dict) else truth:
            check_finite(item, what)


class Sample(Frozen):
    """One item of a scenario: a question, its images and the right answer.

    Attributes:
        id: unique in its scenario and stable between runs; seeds this sample's random streams.
        images: in the order in which the question mentions them; may be empty.
        question: empty where the prompt of the instruction is the whole question.
        options: the candidate answers to score, empty for a free-form sample.
        answer: the right answer as plain JSON data (string, number, list of references, boxes...).
        fields: everything else a metric or an instruction may need, by its ChEF name
            (``gt_choice``, ``choices``, ``category``, ...); plain JSON data.
        turns: what a multi-turn inferencer asks, in order; other inferencers ignore them.
        shown_answer: the right answer as an in-context example shows it; None: ``answer``, or the
            first of several references.
        image_marks: what stands in the question (or in those of the turns) at the place of each
            image, as many as there are images; empty: the images stand before the text. An image
            whose mark is in no text stands before it, too.
        form: the form of question by which the pool words it, where the pool has several.

    Raises:
        SampleError: ``gt_choice`` in ``fields`` is none of the options, or ``answer`` has a number
            that is none (NaN) or infinite.
    """

    id: str
    images: tuple[Image, ...] = ()
    question: str = ""
    options: tuple[str, ...] = ()
    answer: Any = None
    fields: Mapping[str, Any] = msgspec.field(default_factory=dict)
    turns: tuple[TurnSpec, ...] = ()
    shown_answer: str | None = None
    image_marks: tuple[str, ...] = ()
    form: str = ""

    def __post_init__(self) -> None:
        for key in ("images", "options", "turns", "image_marks"):
            if type(value := getattr(self, key)) is not tuple and isinstance(value, str | Image):
                raise SampleError(
                    f"{key} is {value!r}, not a tuple",
                    where=f"sample '{self.id}'",
                    hint=f"write {key}=(...,), with the comma",
                )
        if self.images.__class__ is not tuple or self.images:
            check_images(self.images, f"sample '{self.id}'")
        if self.image_marks and len(self.image_marks) != len(self.images):
            raise SampleError(
                f"{len(self.images)} images, and {len(self.image_marks)} image_marks",
                where=f"sample '{self.id}'",
                hint="give a mark for each image, or none",
            )
        if (choice := self.fields.get("gt_choice")) is not None:
            check_choice(choice, len(self.options or self.fields.get("choices") or ()))
        if not isinstance(self.answer, str):
            check_finite(self.answer, "the right answer")

    def detached(self) -> Sample:
        """A copy whose lists and dicts are its own, for code that may change them."""
        turns = tuple(replace(turn, truth=_copied(turn.truth)) for turn in self.turns)
        fields = {key: _copied(value) for key, value in self.fields.items()}
        return replace(self, answer=_copied(self.answer), fields=fields, turns=turns)

    def __getitem__(self, name: str) -> Any:
        """A value by its ChEF name (``question``, ``gt_answers``, ``image_path``); or KeyError."""
        if name == "image_path":
            paths = [str(image.source) for image in self.images]
            return paths if len(paths) > 1 else "".join(paths)
        return {"options": [], **self.to_record()}[name]

    def to_record(self) -> dict[str, Any]:
        """The flat dict of ChEF: ``id, question, gt_answers, options`` and the extra fields.

        A multi-turn sample also has ``multi_turn_prefix``, with one entry for each turn.
        """
        record: dict[str, Any] = {"id": self.id, "question": self.question}
        if self.options:
            record["options"] = list(self.options)
        if self.turns:
            record["multi_turn_prefix"] = [turn.to_record() for turn in self.turns]
        return {**record, "gt_answers": self.answer, **self.fields}


def _copied(data: Any) -> Any:
    """Plain data with lists and dicts of its own; other objects are the same."""
    if isinstance(data, dict):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list) else data


class Query(Frozen):
    """A sample as an instruction words it.

    Attributes:
        conversation: the turns to send, ending with the user's.
        options: the candidate answers, in the sample's order.
        answer_prefix: the words of the answer template before its ``{option}``; when options are
            scored, they are conditioned on and not scored.
        examples: ids of the in-context examples shown, in order.
        worded_by: the method of the model that has worded it; empty where the recipe has.
    """

    conversation: Conversation
    options: tuple[str, ...] = ()
    answer_prefix: str = ""
    examples: tuple[str, ...] = ()
    worded_by: str = ""


class Generate(Frozen):
    """A request for text.

    Attributes:
        conversation: the turns so far, ending with the user's.
        max_new_tokens: the length limit of the reply, in tokens of the model.
        stop: the reply ends before the first of these strings.
        temperature: 0 is greedy; above 0, sampling seeded by ``seed``.
        top_p: probability mass of nucleus sampling, in (0, 1].
        seed: seed of this request's own random stream.
        answer_prefix: text with which the assistant's turn already begins (a chain of thought,
            say); it is not part of the reply.
        dataset: the data set that is asked about, for models that answer by it
            (`Model.takes_dataset`); the engine names it.
    """

    conversation: Conversation
    max_new_tokens: int = 16
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    answer_prefix: str = ""
    dataset: str = ""


class Score(Frozen):
    """A request for the likelihood of each candidate as the continuation.

    Attributes:
        conversation: the turns so far, ending with the user's.
        candidates: the texts to score.
        answer_prefix: text with which the assistant's turn begins, before the candidate.
    """

    conversation: Conversation
    candidates: tuple[str, ...]
    answer_prefix: str = ""


Request: TypeAlias = Generate | Score


class Generated(Frozen):
    """Reply to `Generate`.

    Attributes:
        text: the reply.
        finish_reason: ``length`` if the token limit cut the text.
        tokens: how many tokens were generated.
        replaced: how many lone surrogates of the text, which no encoding can hold, chef has
            replaced by U+FFFD.
    """

    text: str
    finish_reason: Literal["stop", "length", "refused"] = "stop"
    tokens: int = 0
    replaced: int = 0


class Scored(Frozen):
    """Reply to `Score`, for one candidate.

    Attributes:
        logprob_sum: natural-log probability of the candidate's tokens, summed; at most 0.
        tokens: how many tokens that is; at least 1.
    """

    logprob_sum: float
    tokens: int

    @property
    def mean(self) -> float:
        """Mean log-probability per token: the PPL score of ChEF (larger is better)."""
        return self.logprob_sum / self.tokens


Reply: TypeAlias = Generated | tuple[Scored, ...]


class Status(StrEnum):
    """How a sample ended. Only ``ERROR`` has no answer, and it never counts as a wrong answer."""

    OK = "ok"
    ERROR = "error"
    TRUNCATED = "truncated"
    UNPARSED = "unparsed"
    REFUSED = "refused"


class Prediction(Frozen, rename={"sample_id": "id"}, forbid_unknown_fields=True):
    """One line of the journal.

    Attributes:
        sample_id: the id of its sample.
        status: how it ended.
        answer: the text generated, or the option chosen; None after an error.
        scores: what the inferencer measured (``choice``, ``ppl_results``, ``probs``, ...).
        trace: the steps that led there (``query``, chain of thought, turns), for reading.
        sample: the record of the sample (`Sample.to_record`), so that metrics need nothing else.
        error: when status is ``error``: ``type`` and ``message``; where known also ``at``, the line
            of the user's file, and ``traceback``.
        images: of each image of the sample, where it comes from and its digest (`Image.to_record`).
        effort: what a server was sent for it (`Effort`); never twice the same, so `==` ignores it.
    """

    sample_id: str
    status: Status
    answer: Any = None
    scores: Mapping[str, Any] = {}
    trace: Mapping[str, Any] = {}
    sample: Mapping[str, Any] = {}
    error: Mapping[str, str] | None = None
    images: tuple[Mapping[str, Any], ...] = ()
    effort: Mapping[str, int | float] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Prediction):
            return NotImplemented
        return _WITHOUT_EFFORT(self) == _WITHOUT_EFFORT(other)

    __hash__ = None  # type: ignore[assignment]

    def to_record(self) -> dict[str, Any]:
        """The flat per-sample dict of ChEF that metrics read."""
        record = {**self.sample, **self.trace, **self.scores}
        if not _ASKED.isdisjoint(self.trace):
            # These stand, whatever an inferencer notes beside its answer.
            record |= {key: self.sample[key] for key in _ASKED if key in self.sample}
        if self.images and (digests := digests_of(self.images)):
            record[DIGESTS] = digests
        record["answer"], record["status"] = self.answer, str(self.status)
        return record


#: The fields of a sample that say what was asked and what is right.
_ASKED = frozenset(
    ("question", "choices", "options", "labels", "gt_choice", "gt_choices", "gt_answers")
)
_WITHOUT_EFFORT = operator.attrgetter(*Prediction.__struct_fields__[:-1])
