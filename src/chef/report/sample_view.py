"""A sample as people look at it: what the model saw, what it said, and how that was read.

The page and `chef show` are made of the same views.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from msgspec import field

from chef.frozen import Frozen

#: What became of an answer. ``partly``: a score between wrong and right. ``unscored``: no reference
#: answer, no judgement, or not scored yet.
Verdict: TypeAlias = Literal["right", "wrong", "partly", "unread", "error", "refused", "unscored"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class BoxView(Frozen):
    """A box over an image, of the model's or of the reference answer.

    ``corners`` are left, top, right and bottom as shares of width and height, 0 to 1.
    """

    corners: tuple[float, float, float, float]
    label: str = ""
    is_reference: bool = False


class ImageView(Frozen):
    """An image of a conversation.

    Attributes:
        key: names its thumbnail: the digest of its pixels; empty where they cannot be read.
        label: what it is, for people who do not see it, such as "image 1 of sample 'q7'".
        source: where it comes from: a path, an URL, a row of a table.
        link: where a browser finds the original; empty if it is in no file of its own.
        width, height: in pixels; 0 where unknown.
        is_example: whether it is of an in-context example, not of the sample.
        received: what the model made of it before it looked, in words; empty where unknown.
    """

    key: str
    label: str
    source: str = ""
    link: str = ""
    width: int = 0
    height: int = 0
    boxes: Sequence[BoxView] = ()
    is_example: bool = False
    received: str = ""


class MessageView(Frozen):
    """One turn of what was sent.

    Attributes:
        role: ``system``, ``user`` or ``assistant``.
        parts: texts, and indices of `SampleView.images`, in order.
        kind: ``example`` (an in-context example), ``question``, ``reply`` (of the model),
            ``chosen`` (the likeliest option: the model wrote nothing) or ``reference`` (a true
            answer put into the conversation). Of two parts of a ``reply`` or of a ``chosen`` the
            first was given to the model.
        begins: whether a conversation of its own begins here: with it the model was not shown what
            stands before. The first message never has it.
    """

    role: str
    parts: Sequence[str | int]
    kind: Literal["example", "question", "reply", "chosen", "reference"] = "question"
    begins: bool = False


class OptionView(Frozen):
    """An option of a question, with its letter and its probability (softmax of scores, 0 to 1)."""

    label: str
    text: str
    probability: float | None = None
    is_chosen: bool = False
    is_right: bool = False


class AnswerView(Frozen):
    """An answer of the model, and what was read of it, by which rule.

    ``span`` is the first character that was read, and the one behind the last; None if none was.
    """

    text: str
    span: tuple[int, int] | None = None
    rule: str = ""
    parsed: str = ""
    truth: str = ""
    options: Sequence[OptionView] = ()


class JudgementView(Frozen):
    """What a judge said about the answer."""

    judge: str
    kind: str
    status: str
    reading: str
    reply: str


class SampleView(Frozen):
    """A sample of one run.

    Attributes:
        status: ``ok``, ``truncated``, ``refused``, ``unparsed`` or ``error``.
        score: as the metric gives it; None where it has none.
        messages: the conversation as it was sent, with the replies.
        note: why the conversation is not complete; empty where it is exactly what was sent.
        images: of the conversation, in-context examples included.
        answers: one, or one for each turn.
        fields: category and other fields by which samples are grouped, and further facts.
        confidence: the probability of the chosen option, 0 to 1; None where unknown.
        error: what failed, with the remedy; empty if nothing did.
        effort: tokens, time and retries of its requests, in words; empty where unknown.
    """

    id: str
    status: str
    verdict: Verdict
    score: float | None
    messages: Sequence[MessageView] = ()
    note: str = ""
    images: Sequence[ImageView] = ()
    answers: Sequence[AnswerView] = ()
    judgements: Sequence[JudgementView] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    confidence: float | None = None
    error: str = ""
    effort: str = ""
