"""VLMEvalKit's messages: what its data sets build and its models take, to conversations and back.

A message is a list of parts, ``{"type": "text" or "image", "value": ...}``, each with a ``role``
where there are several; a chat is a list of ``{"role": ..., "content": message}``. Text is text: it
is not looked at for being a path or an address, unless it came as an item of a list of strings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args
from urllib.parse import urlsplit

from chef.errors import SampleError
from chef.image import Image
from chef.types import Conversation, Part, Role, Text, Turn

MessagePart: TypeAlias = dict[str, Any]
Message: TypeAlias = list[MessagePart]

#: The endings by which an address in a list of strings is one of an image.
IMAGE_ENDINGS = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".jfif", ".ico"}
)
_ROLES = get_args(Role)
_FORM = 'a part is {"type": "text" or "image", "value": "..."}'


class MessageError(SampleError):
    """A message is not of a form that VLMEvalKit describes."""


def typed(message: Any) -> Message:
    """A message in any of its forms, as a list of parts with their types; nothing given is changed.

    Args:
        message: a text; a part; a list of parts; or a list of strings, of which those that are the
            path of an existing image file or the address of an image become images.

    Raises:
        MessageError: it is none of these.

    >>> typed("cat.png")
    [{'type': 'text', 'value': 'cat.png'}]
    >>> typed(["https://example.org/cat.png?size=3", "What is it?"])[0]["type"]
    'image'
    """
    if isinstance(message, str):
        return [{"type": "text", "value": str.__str__(message)}]
    if isinstance(message, Mapping):
        return [_part(message)]
    if not isinstance(message, list | tuple):
        raise MessageError(
            f"a message is a {type(message).__name__}",
            hint="give a text, a part, a list of strings or a list of parts: " + _FORM,
        )
    if all(isinstance(item, str) for item in message):
        return [{"type": _kind_of(item), "value": str.__str__(item)} for item in message]
    if all(isinstance(item, Mapping) for item in message):
        return [_part(item) for item in message]
    kinds = ", ".join(sorted({type(item).__name__ for item in message}))
    raise MessageError(
        f"a message is a list that holds {kinds}",
        hint="give a list of strings alone, or a list of parts alone: " + _FORM,
    )


def is_chat(message: Any) -> bool:
    """Whether it is a list of turns with ``role`` and ``content``."""
    return (
        isinstance(message, list | tuple)
        and bool(message)
        and all(isinstance(item, Mapping) and "content" in item for item in message)
    )


def conversation_of(message: Any) -> Conversation:
    r"""The conversation that a message or a chat stands for.

    Neighbouring parts of one role become one turn; neighbouring texts are joined by a line feed, as
    VLMEvalKit's models join them. Keys of a part other than type, value and role have no place in
    a conversation. Images are read when they are first used.

    Raises:
        MessageError: it is no message, or has no parts.

    >>> conversation_of(["What", "is it?"])
    (Turn(role='user', parts=(Text(text='What\nis it?'),)),)
    """
    given = [part for turn in message for part in _turn(turn)] if is_chat(message) else None
    parts = typed(message) if given is None else given
    if not parts:
        raise MessageError("a message has no parts", hint=_FORM)
    groups = groupby(parts, key=_role)
    return tuple(Turn(role, tuple(_joined(group))) for role, group in groups)


def message_of(conversation: Conversation, image_path: Callable[[Image], str]) -> Message:
    """The message that stands for a conversation; roles are written where there are several."""
    has_roles = [turn.role for turn in conversation] != ["user"]
    return [
        {"role": turn.role, **part} if has_roles else part
        for turn in conversation
        for part in _parts(turn, image_path)
    ]


def chat_of(conversation: Conversation, image_path: Callable[[Image], str]) -> list[dict[str, Any]]:
    """The chat that stands for a conversation: ``role`` and ``content`` of each turn."""
    return [{"role": turn.role, "content": list(_parts(turn, image_path))} for turn in conversation]


def _parts(turn: Turn, image_path: Callable[[Image], str]) -> Iterator[MessagePart]:
    """The parts of a turn; texts that follow each other are one, as they are for other models."""
    for is_text, group in groupby(turn.parts, key=lambda part: isinstance(part, Text)):
        if is_text:
            texts = [part.text for part in group if isinstance(part, Text)]
            yield {"type": "text", "value": "".join(texts)}
        else:
            images = [part for part in group if isinstance(part, Image)]
            yield from ({"type": "image", "value": image_path(image)} for image in images)


def _part(given: Mapping[str, Any]) -> MessagePart:
    """A copy of a part, if it is one."""
    kind, value = given.get("type"), given.get("value")
    if lacking := [key for key in ("type", "value") if key not in given]:
        raise MessageError(f"a part of a message has no {' and no '.join(lacking)}", hint=_FORM)
    if kind == "video":
        raise MessageError(
            "a part of a message is a video, and chef shows models images",
            hint="give its frames as images",
        )
    if not isinstance(kind, str) or kind not in {"text", "image"}:
        raise MessageError(f"a part of a message has the type {kind!r}", hint=_FORM)
    if kind == "image" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        what = f"the value of a part of the type {kind} is a {type(value).__name__}"
        wanted = "a text" if kind == "text" else "a path or an address"
        raise MessageError(what, hint=f"it is {wanted}")
    _role(given)
    return {**given, "type": str(kind), "value": str.__str__(value)}


def _turn(turn: Mapping[str, Any]) -> Message:
    """The parts of a turn of a chat, each with its role."""
    return [{**part, "role": _role(turn)} for part in typed(turn["content"])]


def _role(part: Mapping[str, Any]) -> Role:
    role = part.get("role", "user")
    if role not in _ROLES:
        raise MessageError(
            f"a part of a message has the role {role!r}",
            hint=f"roles are {', '.join(_ROLES)}",
        )
    return cast("Role", role)


def _joined(parts: Iterable[MessagePart]) -> Iterator[Part]:
    for kind, group in groupby(parts, key=lambda part: part["type"]):
        values: Sequence[str] = [part["value"] for part in group]
        if kind == "text":
            yield Text("\n".join(values))
        else:
            yield from (Image(value) for value in values)


def _kind_of(item: str) -> str:
    """``image`` if an item of a list of strings is an image, by VLMEvalKit's guide; else text."""
    if item.startswith("data:image/"):
        return "image"
    if item.startswith(("http://", "https://")):
        return "image" if _is_image_address(item) else "text"
    return "image" if _is_image_file(item) else "text"


def _is_image_address(address: str) -> bool:
    try:
        path = urlsplit(address).path
    except ValueError:
        return False
    has_blank = any(sign.isspace() for sign in address)  # a sentence that begins with an address
    return not has_blank and os.path.splitext(path)[1].lower() in IMAGE_ENDINGS  # noqa: PTH122


def _is_image_file(item: str) -> bool:
    """Whether a file of this name exists and is an image by its name or its first bytes."""
    try:
        if not item or not Path(item).is_file():
            return False
    except (OSError, ValueError):  # no name of a file: too long, or with a NUL character
        return False
    if Path(item).suffix.lower() in IMAGE_ENDINGS:
        return True  # a damaged one is an error of its sample, and not a question
    import PIL.Image

    try:
        with PIL.Image.open(item):
            return True
    except Exception:  # every decoder of Pillow raises errors of its own
        return False
