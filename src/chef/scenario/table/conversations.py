"""Conversations in a cell, as data for training has them: what is asked, and the reply.

Two forms are common: ``{"from": "human", "value": ...}`` of LLaVA and ShareGPT, and ``{"role":
"user", "content": ...}`` of chats, whose content may be a list of texts and images.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.errors import SampleError

#: The columns that hold them.
COLUMNS = ("conversations", "conversation", "messages")
#: The columns that a conversation is taken apart to.
PARTS = ("conversation.question", "conversation.answer", "conversation.images")
_ASKING, _REPLYING = ("human", "user"), ("gpt", "assistant", "model", "bot")
_ONE = "ask one question a row, or name the texts: columns: {question: conversations.0.value}"


def is_conversation(value: Any) -> bool:
    """Whether a cell is a list of messages with a speaker and a text.

    >>> is_conversation([{"from": "human", "value": "Which color?"}])
    True
    """
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(
        isinstance(item, Mapping)
        and ({"from", "value"} <= {*item} or {"role", "content"} <= {*item})
        for item in value
    )


def parts_of(messages: Any) -> dict[str, Any]:
    """The question with what the system says before it, the reply, and images within the text.

    Args:
        messages: the cell.

    >>> talk = [{"from": "human", "value": "Which color?"}, {"from": "gpt", "value": "red"}]
    >>> [*parts_of(talk).values()]
    ['Which color?', 'red']

    Raises:
        SampleError: it is no list of messages, or asks nothing or several questions.
    """
    if not is_conversation(messages):
        raise SampleError(
            "holds no list of messages", hint='write [{"from": "human", "value": ...}]'
        )
    system, asked, replies, images = list[str](), list[str](), list[str](), list[Any]()
    for message in messages:
        speaker = str(message.get("from", message.get("role"))).casefold()
        text = _text(message.get("value", message.get("content")), images)
        places = asked if speaker in _ASKING else replies if speaker in _REPLYING else system
        places.append(text)
    if len(asked) != 1:
        raise SampleError(f"a conversation with {len(asked)} questions", hint=_ONE)
    values = ("\n".join([*system, *asked]), replies[0] if replies else None, images or None)
    return {name: value for name, value in zip(PARTS, values, strict=True) if value is not None}


def _text(content: Any, images: list[Any]) -> str:
    """The text of a message, with ``<image>`` where an image stands, which is added to a list."""
    if isinstance(content, str):
        return content
    parts: Sequence[Any] = content if isinstance(content, list | tuple) else [content]
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping) or part.get("type", "text") not in (
            "text", "image", "image_url", "input_text", "input_image",
        ):  # fmt: skip
            raise SampleError(f"a message holds {part!r:.60}", hint="write texts and images")
        elif "image" in str(part.get("type")):
            texts.append("<image>")
            source = next(
                (part[key] for key in ("image", "image_url", "url", "path") if key in part), None
            )
            images += [] if source is None else [source]
        else:
            texts.append(str(part.get("text", "")))
    return "\n".join(texts)
