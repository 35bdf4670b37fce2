"""Models of MMTrustEval's kind: classes of a user's own, and those of an installed package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from chef.registry import Registry, check_id, class_ids

#: Users' classes by the ids of their ``model_family``.
CHATS: Registry[BaseChat] = Registry("chat", {})

__all__ = ["CHATS", "BaseChat"]


@dataclass
class Response:
    """A reply of a chat model; its fields are also items.

    Attributes:
        model_id: the model that gave it.
        content: the text.
        logprobs: log-probabilities of its tokens, in the form of the model; chef does not read it.
        finish_reason: ``length`` where the limit of tokens cut it, ``content_filter`` or
            ``refused`` where the provider refused to answer; anything else: it ended by itself.

    >>> Response.from_dict({"model_id": "mine", "content": "Yes.", "seconds": 1})["content"]
    'Yes.'
    """

    model_id: str
    content: str
    logprobs: Any = None
    finish_reason: str | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Response:
        """The response with these fields; others are ignored."""
        return cls(**{item.name: data[item.name] for item in fields(cls) if item.name in data})

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    def __getitem__(self, name: str) -> Any:
        return asdict(self)[name]


class BaseChat(ABC):
    """A chat model: name its ids in ``model_family`` and implement `chat`.

    A class may also give ``chat_batch(batch, **generation_kwargs)``, which answers a list of
    conversations with a list of as many replies.

    Args:
        model_id: one of ``model_family``.
        device: where its weights belong, such as ``cuda:0``; empty where it has none.

    Raises:
        ConfigError: the id is not one of the class.
    """

    model_family: ClassVar[Sequence[str]] = ()

    def __init__(self, model_id: str, device: str = "") -> None:
        check_id(type(self), "model_family", model_id, "model")
        self.model_id, self.device = model_id, device

    @abstractmethod
    def chat(
        self, messages: Sequence[Mapping[str, Any]], **generation_kwargs: Any
    ) -> Response | str:
        """The reply to a conversation.

        Args:
            messages: turns ``{"role": "system", "user" or "assistant", "content": ...}``; the
                content is a text, or ``{"text": ..., "image_path": ...}``.
            generation_kwargs: ``max_new_tokens`` and ``do_sample``; with sampling ``temperature``
                and ``top_p``; ``stop_sequences`` where the recipe has some.
        """


def ids_of(kind: type[BaseChat]) -> Sequence[str]:
    """The ids of a class; a ConfigError if it names none."""
    return class_ids(kind, "model_family", "my-model")
