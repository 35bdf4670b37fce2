"""A sample as a person sees it who labels it: without what the metric or a judge says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from chef.report.sample_view import AnswerView, MessageView, SampleView

_REPLIES = ("reply", "chosen")


def blind(view: SampleView, *, with_truth: bool = True) -> SampleView:
    """A view without verdict, score, reading, judgements and confidence."""
    return SampleView(
        id=view.id,
        status="ok",
        verdict="unscored",
        score=None,
        messages=view.messages,
        images=[
            replace(image, received="", boxes=[box for box in image.boxes if box.is_reference])
            for image in view.images
        ],
        answers=[_unread(answer, with_truth=with_truth) for answer in view.answers],
    )


def paired(view: SampleView, other: str, *, is_second: bool) -> SampleView:
    """A view of two answers to one question, of which no one can see whose they are."""
    shown = blind(view, with_truth=False)
    own = AnswerView("\n\n".join(answer.text for answer in shown.answers))
    both = [AnswerView(other), own] if is_second else [own, AnswerView(other)]
    # A reply in the conversation would tell which of them is the model's.
    return replace(shown, messages=asked(view.messages), answers=both)


def asked(messages: Sequence[MessageView]) -> list[MessageView]:
    """The messages before the model's first reply."""
    return list(takewhile(lambda message: message.kind not in _REPLIES, messages))


def _unread(answer: AnswerView, *, with_truth: bool) -> AnswerView:
    options = [
        replace(option, probability=None, is_chosen=False, is_right=option.is_right and with_truth)
        for option in answer.options
    ]
    return AnswerView(answer.text, truth=answer.truth if with_truth else "", options=options)
