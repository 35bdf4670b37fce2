"""Requests to one model: the bodies of chat completions, and images that are not refused twice.

A server gets the original bytes of an image where it can see them as chef does.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import field

from chef.common.digest import content_digest
from chef.common.jsonable import to_jsonable
from chef.errors import ImageError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.models.api.client import Client
from chef.models.api.ends import Asker
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.settings import Dialect
from chef.types import Conversation, Text, Turn

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

#: The formats that such servers take, by Pillow's names. A JPEG with several pictures begins with
#: an ordinary one.
MIME = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
}
PNG = "PNG"
_SENT = "they are sent as PNG"
#: The EXIF tag for how the camera was held; 1 is upright.
_ORIENTATION = 0x0112
#: Encoded images of so many signs together are kept for further requests.
KEPT = 256 * 2**20


class Encoded(Frozen):
    """An image as it is sent: data URL, Pillow's name of its format, and why not its own."""

    url: str
    format: str
    reason: str = ""


#: Each image of a conversation as it is sent, by its ``id``.
Encodings = Mapping[int, Encoded]


class ImageEncoder:
    """Encodes images for one server, each once; it may be used by several threads.

    An image is sent as PNG where its own bytes are not PNG, JPEG, WebP or GIF, where the server has
    refused the format, and where a server may see it otherwise than chef: turned photos, images
    that move, more than 8 bits a channel, colours of print (CMYK).
    """

    def __init__(self, limit: int = KEPT) -> None:
        self._limit = limit
        self._kept: OrderedDict[object, Encoded] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._busy: dict[object, threading.Lock] = {}
        self._refused: set[str] = set()
        self._notices: dict[str, None] = {}

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know of how images are sent, one sentence for each reason."""
        with self._lock:
            return tuple(self._notices)

    async def encode(
        self, conversation: Conversation, avoided: frozenset[str] = frozenset()
    ) -> Encodings:
        """All images, encoded in another thread; an ImageError if one is unreadable."""
        images = {id(image): image for turn in conversation for image in turn.images}
        if not images:
            return {}
        return await asyncio.to_thread(
            lambda: {name: self.encoded(image, avoided) for name, image in images.items()}
        )

    def encoded(self, image: Image, avoided: Iterable[str] = ()) -> Encoded:
        """The image as it is sent; an ImageError if it is unreadable."""
        avoided = self._refused | set(avoided)
        key = (_key(image), *sorted(avoided))
        if (kept := self._find(key)) is not None:
            return kept
        with self._lock:
            busy = self._busy.setdefault(key, threading.Lock())
        with busy:  # equal images in several requests at once are encoded once
            if (kept := self._find(key)) is None:
                kept = _encoded(image, avoided)
                self._keep(key, kept)
        with self._lock:
            self._busy.pop(key, None)
            if kept.reason and kept.reason not in self._notices:
                self._notices[kept.reason] = None
        return kept

    def refuse(self, formats: Iterable[str]) -> None:
        """Send no more images in formats that the server has refused; they become PNG."""
        with self._lock:
            for name in sorted(set(formats) - {PNG} - self._refused):
                self._refused.add(name)
                self._notices[f"the server refuses images of the format {name}: {_SENT}"] = None

    def _find(self, key: object) -> Encoded | None:
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
            return kept

    def _keep(self, key: object, encoded: Encoded) -> None:
        with self._lock:
            self._kept[key] = encoded
            self._size += len(encoded.url)
            while self._size > self._limit and self._kept:
                self._size -= len(self._kept.popitem(last=False)[1].url)


def _key(image: Image) -> object:
    """What names the content of an image without decoding it, where that can be."""
    source = image.source
    if isinstance(source, bytes):
        return content_digest(source)
    if isinstance(source, str | Path):
        try:
            found = os.stat(source)  # noqa: PTH116 (a URL is no path, and is not made one)
        except (OSError, ValueError):
            return str(source)
        return (str(source), found.st_size, found.st_mtime_ns)
    return image.digest


def _encoded(image: Image, avoided: set[str]) -> Encoded:
    data = image.encoded()
    if data is None:
        return _as_png(image)
    known, why = _seen_otherwise(data, image.name)
    if not why and known in MIME and known not in avoided:
        return Encoded(_data_url(data, MIME[known]), known)
    if not why and known not in MIME:
        why = f"servers do not take images of the format {known}: {_SENT}"
    return _as_png(image, why)


def _seen_otherwise(data: bytes, name: str) -> tuple[str, str]:
    """The format of encoded bytes by their content, and why a server may see another image."""
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as opened:
            return opened.format or "?", _difference(opened)
    except Exception:  # decoding says better what is wrong
        Image(data, name).view()
        raise ImageError("cannot be read as an image", where=name) from None


def _difference(opened: Pixels) -> str:
    if opened.getexif().get(_ORIENTATION, 1) not in {0, 1}:
        return "photos that were not taken upright are turned, and sent as PNG"
    if getattr(opened, "is_animated", False) and opened.format != "MPO":
        return "of images that move, the first picture is sent, as PNG"
    if opened.mode.startswith(("I", "F")):
        return "images with more than 8 bits a channel are sent as PNG of 8 bits"
    if opened.mode in {"CMYK", "LAB"}:  # decoders differ in what red, green and blue it is
        return "images in colours of print (CMYK, LAB) are turned into RGB, and sent as PNG"
    return ""


def _as_png(image: Image, reason: str = "") -> Encoded:
    file = io.BytesIO()
    # Pixels are the same at every level; at the first one most of the time is saved.
    image.view().save(file, PNG, compress_level=1)
    return Encoded(_data_url(file.getvalue(), MIME[PNG]), PNG, reason)


def _data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


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
