"""Conversations as the messages of a chat completion."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from chef.errors import SampleError
from chef.image import Image
from chef.models.api.settings import Dialect
from chef.types import Conversation, Text, Turn

#: What vLLM and SGLang need to continue the last message.
CONTINUATION = {"continue_final_message": True, "add_generation_prompt": False}

Message = dict[str, Any]


def messages(
    conversation: Conversation, begun: str, dialect: Dialect, url_of: Callable[[Image], str]
) -> list[Message]:
    """The messages that a conversation becomes.

    Args:
        conversation: the turns.
        begun: the words with which the assistant's reply already begins. Where the server does not
            continue a message, they are a whole one, and the user asks the question again, without
            its images: so nothing is sent that is not in the recipe.
        dialect: how the server wants to be asked.
        url_of: gives the URL of an image.

    Raises:
        SampleError: an image stands where no server takes one.
    """
    *earlier, last = conversation
    if last.role == "assistant":
        begun = last.text + begun
    else:
        earlier.append(last)
    found = [_message(turn, dialect, url_of) for turn in earlier]
    if begun:
        found.append({"role": "assistant", "content": begun})
        if not dialect.continues:
            found += [_message(_again(turn), dialect, url_of) for turn in _last_of_user(earlier)]
    return found


def _last_of_user(turns: Sequence[Turn]) -> Sequence[Turn]:
    return [turn for turn in turns if turn.role == "user"][-1:]


def _again(turn: Turn) -> Turn:
    texts = tuple(part for part in turn.parts if isinstance(part, Text))
    return replace(turn, parts=texts) if turn.text else turn


def is_continued(conversation: Conversation, begun: str, dialect: Dialect) -> bool:
    """Whether the reply goes on in the middle of a message."""
    return dialect.continues and bool(begun or conversation[-1].role == "assistant")


def _message(turn: Turn, dialect: Dialect, url_of: Callable[[Image], str]) -> Message:
    role = dialect.system_role if turn.role == "system" else turn.role
    if not turn.images:
        return {"role": role, "content": turn.text}
    if turn.role != "user":
        raise SampleError(
            f"a turn of the {turn.role} has an image, and servers take images of the user only",
            hint="put the image into a turn of the user",
        )
    parts: list[dict[str, Any]] = []
    for part in turn.parts:
        if isinstance(part, Image):
            image: dict[str, str] = {"url": url_of(part)}
            if dialect.image_detail is not None:
                image["detail"] = dialect.image_detail
            parts.append({"type": "image_url", "image_url": image})
        elif parts and parts[-1]["type"] == "text":
            parts[-1]["text"] += part.text
        elif part.text:
            parts.append({"type": "text", "text": part.text})
    return {"role": role, "content": parts}


async def each_image(conversation: Conversation, encode: Callable[[Image], Any]) -> dict[int, Any]:
    """What a coroutine function gives for each image of a conversation, by the image's ``id``."""
    images = {id(image): image for turn in conversation for image in turn.images}
    made = await asyncio.gather(*(encode(image) for image in images.values()))
    return dict(zip(images, made, strict=True))
