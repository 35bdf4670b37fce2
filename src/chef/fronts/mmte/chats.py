"""Models by their ids, for code that asks them itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.class_ids import check_id
from chef.config import load_model
from chef.config.task import check_generation
from chef.config.tasks.recipe import decoding
from chef.config.tasks.table import model_ids
from chef.errors import SampleError
from chef.image import Image
from chef.models import Model, lifecycle
from chef.models.hooks.chef import accepted_keywords
from chef.models.hooks.mmtrusteval import CHATS, BaseChat, Response
from chef.models.hooks.mmtrusteval.model import installed_ids
from chef.types import Conversation, Generate, Part, Text, Turn

_ROLES = ("system", "user", "assistant")


class ChefChat(BaseChat):
    """A model of chef's with MMTrustEval's `chat`; it is loaded when it is first asked."""

    def __init__(self, model: Model, model_id: str) -> None:
        self.model, self.model_id, self.device = model, model_id, ""
        self._is_loaded = False

    def chat(self, messages: Sequence[Mapping[str, Any]], **generation_kwargs: Any) -> Response:
        """See `BaseChat.chat`; `SampleError` for bad messages, `ConfigError` for arguments."""
        check_generation(generation_kwargs)
        keys = decoding({"generation_kwargs": generation_kwargs})
        keys["stop"] = tuple(keys.get("stop", ()))
        request = Generate(conversation_of(messages), **keys)
        if not self._is_loaded:
            lifecycle.prepare(self.model)
            self._is_loaded = True
        (reply,) = self.model.generate([request])
        return Response(self.model_id, reply.text, None, reply.finish_reason)

    def close(self) -> None:
        """Release its memory; the next question loads it again."""
        self._is_loaded = False
        lifecycle.close(self.model)


class ZooChat(ChefChat):
    """A model by one of MMTrustEval's 38 ids; its device is that of its model file by default."""

    model_family = tuple(model_ids())

    def __init__(self, model_id: str, device: str = "") -> None:
        check_id(type(self), "model_family", model_id, "model")
        super().__init__(_built(model_id, device or None), model_id)


def load_chatmodel(model_id: str, device: str | None = None) -> BaseChat:
    """The model of an id: a user's class, one of MMTrustEval's ids, or a model file of chef's.

    A model behind a server takes any ``device``.
    """
    given = {} if device is None else {"device": device}
    if model_id in CHATS:
        kind = CHATS.get(model_id)
        return kind(model_id, **accepted_keywords(kind.__init__, given))
    return ChefChat(_built(model_id, device), model_id)


def _built(model_id: str, device: str | None) -> Model:
    spec = load_model(model_id, where="model_id").model
    if device is not None and "device" in spec.options:  # a model behind a server has none
        spec = load_model(model_id, [f"device={device}"], where="model_id").model
    return spec.build()


def model_zoo() -> list[str]:
    """The ids that `load_chatmodel` knows, beside model files: users', MMTrustEval's, installed."""
    return list(dict.fromkeys([*CHATS, *model_ids(), *installed_ids()]))


def conversation_of(messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """MMTrustEval's messages as a conversation; `SampleError` where one has no role or no text.

    >>> conversation_of([{"role": "user", "content": "Is it?"}])[0].text
    'Is it?'
    """
    return tuple(_turn(message) for message in messages)


def _turn(message: Mapping[str, Any]) -> Turn:
    role, content = message.get("role"), message.get("content")
    text = content.get("text") if isinstance(content, Mapping) else content
    if role not in _ROLES or not isinstance(text, str):
        raise SampleError(
            f"{dict(message)!r:.200} is no message",
            hint='write {"role": "user", "content": "..."}, or as content '
            '{"text": "...", "image_path": "..."}',
        )
    parts: tuple[Part, ...] = (Text(text),)
    if isinstance(content, Mapping) and content.get("image_path"):
        parts = (Image(content["image_path"]), *parts)
    return Turn(role, parts)
