"""Requests and replies whose texts every encoding can hold: a lone surrogate ends no run."""

from __future__ import annotations

from dataclasses import replace

from chef.common.text import count_replaced, encodable
from chef.types import Conversation, Generated, Request, Score, Text


def encodable_reply(reply: Generated) -> Generated:
    """The reply without lone surrogates, and how many there were."""
    text: object = getattr(reply, "text", None)
    if not isinstance(text, str) or (safe := encodable(text)) == text:
        return reply
    return replace(reply, text=safe, replaced=count_replaced(text))


def encodable_request(request: Request) -> Request:
    """The request without lone surrogates; the same object if it has none."""
    texts = [request.answer_prefix]
    texts += request.candidates if isinstance(request, Score) else ()
    for turn in request.conversation:
        texts += [part.text for part in turn.parts if isinstance(part, Text)]
    joined = "\n".join(texts)  # so that a pair of surrogates stays apart
    if encodable(joined) == joined:
        return request
    conversation = _conversation(request.conversation)
    prefix = encodable(request.answer_prefix)
    if isinstance(request, Score):
        return replace(
            request,
            conversation=conversation,
            answer_prefix=prefix,
            candidates=tuple(map(encodable, request.candidates)),
        )
    return replace(request, conversation=conversation, answer_prefix=prefix)


def _conversation(conversation: Conversation) -> Conversation:
    return tuple(
        replace(
            turn,
            parts=tuple(
                Text(encodable(part.text)) if isinstance(part, Text) else part
                for part in turn.parts
            ),
        )
        for turn in conversation
    )
