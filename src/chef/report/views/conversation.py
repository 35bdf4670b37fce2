"""The messages of a sample: as they were sent, or as far as the journal tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol, TypeAlias

from chef.frozen import Frozen
from chef.image import Image
from chef.metric.records import turns_of
from chef.report.sample_view import MessageView
from chef.report.views.images import ImageList
from chef.types import (
    Conversation,
    Generate,
    Generated,
    Prediction,
    Reply,
    Request,
    Sample,
    Score,
    Turn,
)


class Exchanged(Frozen):
    """A request that was sent.

    Attributes:
        request: what was sent.
        reply: what came back; None where it is not known.
        question: the question of the sample as it was worded, with which the last turn ends; empty
            where that is not known. What stands before it is of the in-context examples.
    """

    request: Request
    reply: Reply | None
    question: str = ""


class Replayed(Frozen):
    """What a sample was asked.

    Attributes:
        sample: the sample as the scenario makes it now; None where it cannot be made.
        exchanges: the requests, in order; empty where they are not known exactly.
        note: why they are not, or what else is to be known about them; empty if nothing.
    """

    sample: Sample | None = None
    exchanges: Sequence[Exchanged] = ()
    note: str = ""


class Replayer(Protocol):
    """Gives what the samples of one run were asked. No model is asked for this, and none loaded."""

    def prefetch(self, ids: Sequence[str]) -> None:
        """Prepare for several samples at once, where that is faster than one by one."""

    def __call__(self, prediction: Prediction) -> Replayed:
        """What a sample was asked; what fails is said in its note."""


Kind: TypeAlias = Literal["example", "question", "reply", "chosen", "reference"]
#: What `chef.inferencer.base.render` writes for an image.
IMAGE_MARK = "<image>"


def as_sent(
    exchanges: Sequence[Exchanged], images: ImageList, prediction: Prediction
) -> list[MessageView]:
    """The messages of requests, with the replies; what a request repeats is shown once."""
    shows_examples = bool(prediction.trace.get("ices"))
    found: list[MessageView] = []
    before: Conversation = ()
    for exchange in exchanges:
        conversation = exchange.request.conversation
        # In a conversation of several turns a request repeats the earlier ones, and their answers.
        repeats = before and conversation[: len(before)] == before
        new = conversation[len(before) + 1 :] if repeats else conversation
        with_examples = shows_examples and not repeats
        messages = _messages(new, images, with_examples=with_examples)
        if with_examples:
            messages = _apart(messages, images, exchange.question)
        if found and not repeats and messages:
            messages[0] = replace(messages[0], begins=True)
        found += [*messages, *_reply(exchange)]
        before = conversation
    return found


def _messages(
    turns: Sequence[Turn], images: ImageList, *, with_examples: bool
) -> list[MessageView]:
    """The turns of a request. Of several, all but system messages and the last are examples."""
    messages: list[MessageView] = []
    for number, turn in enumerate(turns):
        is_last = number == len(turns) - 1
        kind: Kind = "question"
        if with_examples and not is_last and turn.role != "system":
            kind = "example"
        elif turn.role == "assistant":
            kind = "reference"
        parts = [
            images.index(part) if isinstance(part, Image) else part.text for part in turn.parts
        ]
        messages.append(MessageView(turn.role, [part for part in parts if part != ""], kind))
    return messages


def _apart(messages: Sequence[MessageView], images: ImageList, question: str) -> list[MessageView]:
    """The messages with the examples apart that stand in the turn of the question, before it."""
    *earlier, last = messages
    parts = list(last.parts)
    own = [place for place, part in enumerate(parts) if part in range(images.own)]
    if own and own[0] > 0:  # the examples stand before the images of the sample
        start = own[0]
    elif question and isinstance(text := parts[-1], str) and text.endswith(question):
        examples = text.removesuffix(question)
        parts[-1:] = [examples, question] if examples else [question]
        start = len(parts) - 1
    else:
        return [*messages]
    if not any(isinstance(part, str) for part in parts[:start]):  # nothing but images
        return [*messages]
    shown = replace(last, parts=parts[:start], kind="example")
    return [*earlier, shown, replace(last, parts=parts[start:])]


def _reply(exchange: Exchanged) -> Iterator[MessageView]:
    """What the model said, after the words that its turn began with."""
    prefix, reply = exchange.request.answer_prefix, exchange.reply
    if reply is None:
        if prefix:
            yield MessageView("assistant", [prefix], "question")
    elif isinstance(exchange.request, Generate) and isinstance(reply, Generated):
        parts: list[str | int] = [prefix, reply.text] if prefix else [reply.text]
        yield MessageView("assistant", parts, "reply")
    elif isinstance(exchange.request, Score) and not isinstance(reply, Generated):
        means = [item.mean for item in reply]
        best = exchange.request.candidates[means.index(max(means))] if means else ""
        yield MessageView("assistant", [part for part in (prefix, best) if part], "chosen")


def as_journaled(prediction: Prediction, images: ImageList) -> list[MessageView]:
    """The messages as the journal has them: texts, with marks where images were.

    Every image of the sample that is still known stands at the mark of its number; where the marks
    are not as many as the images, all stand before the text.
    """
    trace = prediction.trace
    found: list[MessageView] = []
    if "CoT_query" in trace:
        found += [_asked(str(trace["CoT_query"]), images)]
        found += [MessageView("assistant", [str(trace.get("CoT_answer", ""))], "reply")]
    turns = turns_of(prediction.scores)
    for number, turn in enumerate(turns):
        # The images stand in the query of the first turn.
        shows = number == 0 and "query" in trace and not str(trace["query"]).startswith("[")
        text = str(trace["query"] if shows else turn.get("question", ""))
        found += [_asked(text, images, always=number == 0), *_said(turn)]
    if not turns:
        text = trace.get("query") or prediction.sample.get("question") or ""
        found += [_asked(str(text), images, always=not found), *_said(prediction.to_record())]
    return found


def _asked(text: str, images: ImageList, *, always: bool = True) -> MessageView:
    places = list(range(images.own))
    pieces = text.split(IMAGE_MARK)
    parts: list[str | int] = []
    if len(pieces) - 1 == len(places):
        for piece, place in zip(pieces, [*places, None], strict=True):
            parts += [piece.strip("\n")] if piece.strip("\n") else []
            parts += [] if place is None else [place]
    else:
        parts = [*(places if always else ()), text]
    return MessageView("user", parts, "question")


def _said(record: Mapping[str, Any]) -> Iterator[MessageView]:
    """The answer of a record or of a turn, if there is one."""
    answer = record.get("answer")
    if answer is not None:
        yield MessageView("assistant", [str(answer)], "chosen" if record.get("probs") else "reply")
