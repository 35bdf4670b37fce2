"""VLMEvalKit's `BaseModel`: a model with `generate_inner`, which answers one message."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from chef.models.base import Model
from chef.models.hooks.batches import with_requests
from chef.models.hooks.chef import accepted_keywords, cut_at_stop, method_name
from chef.models.hooks.later import MadeLater, made
from chef.models.hooks.replies import text_of
from chef.models.hooks.vlmevalkit.messages import (
    TakesMessages,
    as_chat,
    as_message,
    checked_chat,
    handed,
    noted,
    shown,
)
from chef.types import Generate, Generated


class BaseModel(MadeLater, TakesMessages, Model, ABC):
    """A model in this process, written as VLMEvalKit's guide says.

    A subclass gives ``generate_inner(message, dataset=None)``, which returns the reply, and may
    give ``chat_inner(message, dataset=None)``, ``use_custom_prompt`` and ``build_prompt``. A
    message is a list of parts, ``{"type": "text" or "image", "value": ...}``; images are paths of
    files.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own: Callable[..., Any] | None = vars(cls).get("generate")
        if own is not None:  # the engine, too, calls generate, with requests
            cls.generate = with_requests(own, BaseModel._replies)  # type: ignore[method-assign]

    def prepare(self) -> None:
        """As `Model.prepare`: the constructor runs, unless it has."""
        made(self)
        super().prepare()

    @abstractmethod
    def generate_inner(self, message: Any, dataset: str | None = None) -> str:
        """The reply to a message."""

    def generate(self, message: Any, dataset: str | None = None) -> Any:
        """The reply to a message: a text, a part, or a list of either.

        Of a list of strings, those that are existing image files or addresses of images are images;
        no other text is looked at. The engine calls it with a list of requests.

        Raises:
            SampleError: it is no message, or an image does not exist.
            ReplyError: `generate_inner` returned no text.
        """
        if isinstance(message, list) and message and isinstance(message[0], Generate):
            return self._replies(message)
        named = accepted_keywords(self.generate_inner, {"dataset": dataset})
        given = self.generate_inner(self.preproc_content(message), **named)
        return text_of(given, method_name(self, "generate_inner"))

    def chat(self, messages: Any, dataset: str | None = None) -> str:
        turns = checked_chat(self, messages)
        method: Callable[..., Any] = self.chat_inner
        given = method(turns, **accepted_keywords(method, {"dataset": dataset}))
        return text_of(given, method_name(self, "chat_inner"))

    @property
    def notices(self) -> Sequence[str]:
        return noted(self)

    def _replies(self, requests: Sequence[Generate]) -> list[Generated]:
        return [Generated(cut_at_stop(self._text(item), item.stop)) for item in requests]

    def _text(self, request: Generate) -> str:
        conversation, is_chat = shown(request)
        dataset = request.dataset or None
        if is_chat and conversation[-1].role == "user" and hasattr(self, "chat_inner"):
            return self.chat(as_chat(conversation), dataset)
        message = as_message(self, conversation)
        if type(self).generate is not BaseModel.generate:
            return text_of(self.generate(message, dataset=dataset), method_name(self, "generate"))
        named = handed(self, self.generate_inner, request)
        given = self.generate_inner(message, **named)
        return text_of(given, method_name(self, "generate_inner"))
