"""What a request shows, read from a conversation of chef's or from a request to a server.

Two requests show the same if their roles, texts and pixels are the same, in the same order.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chef.image import Image
from chef.types import Conversation


def shown(conversation: Conversation, answer_prefix: str = "") -> str:
    """What a conversation shows to the model."""
    turns = [(turn.role, turn.parts) for turn in conversation]
    begun = [f"[assistant]{answer_prefix}"] if answer_prefix else []
    return "\n".join(
        [_turn(role, (getattr(part, "text", part) for part in parts)) for role, parts in turns]
        + begun
    )


def shown_by(messages: Sequence[Mapping[str, Any]]) -> str:
    """The same of the ``messages`` of a request in OpenAI's form."""
    return "\n".join(_turn(message["role"], _parts(message["content"])) for message in messages)


def _parts(content: str | Sequence[Mapping[str, Any]]) -> Iterable[str | Image]:
    if isinstance(content, str):
        return [content]
    return [
        part["text"] if part["type"] == "text" else _image(part["image_url"]["url"])
        for part in content
    ]


def _image(url: str) -> Image:
    kind, _, data = url.partition(";base64,")
    assert kind.startswith("data:image/"), kind
    return Image(base64.b64decode(data, validate=True))


def _turn(role: str, parts: Iterable[object]) -> str:
    texts = (f"<{part.digest}>" if isinstance(part, Image) else part for part in parts)
    return f"[{role}]" + "".join(map(str, texts))
