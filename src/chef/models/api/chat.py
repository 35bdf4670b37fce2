"""Requests to one model: the bodies of chat completions, and images that are not refused twice."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from msgspec import field

from chef.common.jsonable import to_jsonable
from chef.errors import SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.models.api.client import Client
from chef.models.api.ends import Asker
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.images import PNG, Encodings, ImageEncoder
from chef.models.api.settings import Dialect
from chef.types import Conversation, Text, Turn

#: What vLLM and SGLang need to continue the last message.
CONTINUATION = {"continue_final_message": True, "add_generation_prompt": False}

Message = dict[str, Any]


def messages(
    conversation: Conversation, begun: str, dialect: Dialect, url_of: Callable[[Image], str]
) -> list[Message]:
    """The messages of a conversation; a SampleError if an image stands where no server takes one.

    The reply already begins with ``begun``. Where the server does not continue a message, that is a
    whole one, and the question is asked again without its images: nothing is sent beside the
    recipe.
    """
    *earlier, last = conversation
    if last.role == "assistant":
        begun = last.text + begun
    else:
        earlier.append(last)
    messages = [_message(turn, dialect, url_of) for turn in earlier]
    if begun:
        messages.append({"role": "assistant", "content": begun})
        if not dialect.continues:
            messages += [_message(_again(turn), dialect, url_of) for turn in _last_of_user(earlier)]
    return messages


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


T = TypeVar("T")
PATH = "chat/completions"
#: A refusal of a request that may be for the format of an image.
_OF_IMAGES = re.compile(
    r"image|picture|\bformat|mime|media.?type|webp|gif|jpe?g|base64|data.?ur[il]", re.IGNORECASE
)


class Chat(Frozen):
    """Writes and sends the requests of one model; to be used in the event loop of its client."""

    client: Client
    model: str
    dialect: Dialect
    images: ImageEncoder = field(default_factory=ImageEncoder)

    async def with_images(
        self, conversation: Conversation, ask: Callable[[Encodings], Awaitable[T]]
    ) -> tuple[T, int]:
        """What ``ask`` gives, and after how many calls: a refused format is sent as PNG."""
        encoded = await self.images.encode(conversation)
        try:
            return await ask(encoded), 1
        except RequestFailedError as error:
            formats = _suspected(error, encoded)
            if not formats:
                raise
            refusal = error

        try:
            reply = await ask(await self.images.encode(conversation, formats))
        except RequestFailedError as error:
            # A second refusal tells that the format is not at fault.
            raise refusal if error.failure is Failure.BAD_REQUEST else error from None
        self.images.refuse(formats)
        return reply, 2

    def complete(
        self, conversation: Conversation, begun: str, fields: Mapping[str, Any], images: Encodings
    ) -> Awaitable[Mapping[str, Any]]:
        """The chat completion of a conversation whose reply begins with ``begun``."""
        continued = CONTINUATION if is_continued(conversation, begun, self.dialect) else {}
        body = {**self._body(conversation, begun, images), **fields, **continued}
        return self.client.post(PATH, body)

    def asker(self, images: Encodings) -> Asker:
        """Sends the requests by which options are scored: as ends of a reply that goes on."""
        own = replace(self, dialect=replace(self.dialect, continues=True))

        def body(conversation: Conversation, reply: str) -> dict[str, Any]:
            return own._body(conversation, reply, images)  # noqa: SLF001 (of this class)

        shortest: dict[str, Any] = {self.dialect.max_tokens_key: 1}
        if self.dialect.send_temperature:
            shortest["temperature"] = 0
        return Asker(self.client, body, self._plain(), shortest, self.dialect.continues)

    def shown(self, conversation: Conversation, begun: str) -> str:
        """The messages as JSON; for each image a mark with the digest of its pixels."""
        sent = messages(conversation, begun, self.dialect, lambda image: f"<image {image.digest}>")
        return json.dumps(sent, ensure_ascii=False)

    def _body(self, conversation: Conversation, begun: str, images: Encodings) -> dict[str, Any]:
        sent = messages(conversation, begun, self.dialect, lambda image: images[id(image)].url)
        return {**self._plain(), "messages": sent}

    def _plain(self) -> dict[str, Any]:
        return {"model": self.model, **to_jsonable(self.dialect.extra_body)}


def _suspected(error: RequestFailedError, encoded: Encodings) -> frozenset[str]:
    """The formats of a request's images that the server may have refused it for."""
    formats = {item.format for item in encoded.values()} - {PNG}
    if error.failure is not Failure.BAD_REQUEST or not _OF_IMAGES.search(error.what):
        return frozenset()
    named = {name for name in formats if name.lower() in error.what.lower()}
    return frozenset(named or formats)
