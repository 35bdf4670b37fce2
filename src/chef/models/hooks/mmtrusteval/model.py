"""Chat models of MMTrustEval's kind as models of chef (``model_name: MMTrustEval``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chef.common.digest import digest
from chef.common.mmtrusteval import FAILED
from chef.common.redaction import redact_data
from chef.errors import ConfigError, DependencyError, ReplyError, nearest
from chef.models.base import Model
from chef.models.hooks.chef import accepted_keywords, cut_at_stop, method_name, with_prefix
from chef.models.hooks.mmtrusteval import CHATS
from chef.models.hooks.package import PackageModel, of_package, package_file
from chef.models.hooks.replies import described, rows_of, text_of
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.models.own_code import own_code
from chef.types import Conversation, Generate, Generated, Request, Turn

_PACKAGE = "mmte"
_MODELS = f"{_PACKAGE}.models"


def maker_of(model_id: str) -> Callable[..., Any]:
    """What makes the model of that id: its class, or the package's ``load_chatmodel``."""
    if model_id in CHATS:
        return CHATS.get(model_id)
    if package_file(_PACKAGE) is None:
        own = f"{nearest(model_id, CHATS)}; " if list(CHATS) else ""
        raise DependencyError(
            f"no plugin has a model '{model_id}', and the package {_PACKAGE} (MMTrustEval) is not "
            "installed",
            where="model_id",
            hint=f"{own}put MMTrustEval's folder on PYTHONPATH; for a class of yours no package is "
            "needed: plugins: [FILE.py]",
        )
    if model_id not in (known := installed_ids()):
        raise ConfigError(
            f"MMTrustEval has no model '{model_id}'",
            where="model_id",
            hint=nearest(model_id, [*CHATS, *known]),
        )
    maker: Callable[..., Any] = of_package(_MODELS, "load_chatmodel", "MMTrustEval")
    return maker


def installed_ids() -> list[str]:
    """The ids of an installed package; a DependencyError if it cannot be imported."""
    return (
        [str(name) for name in of_package(_MODELS, "model_zoo", "MMTrustEval")()]
        if package_file(_PACKAGE)
        else []
    )


_REFUSED = ("refused", "content_filter", "safety")


class ChatModel(PackageModel):
    """A class of a plugin, or of an installed MMTrustEval, by an id of its ``model_family``.

    The object is made, and its weights are loaded, before the first question.

    Args:
        model_id: the id.
        device: where its weights belong, such as ``cuda:0``; default: what the class says.
        kwargs: further arguments of its constructor.
        name: the folder of its results; default: ``model_id``.

    Raises:
        ConfigError: there is no such model; the nearest id is suggested.
        DependencyError: the package ``mmte`` is not installed, or cannot be imported.
    """

    max_images = 1  # a turn has one image

    def __init__(
        self,
        *,
        model_id: str,
        device: str | None = None,
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        self.model_id, self.kwargs = model_id, dict(kwargs or {})
        self._device = device
        self.name = name or model_id
        self._maker = maker_of(model_id)

    def make(self) -> Any:
        given = {} if self._device is None else {"device": self._device}
        return self._maker(self.model_id, **given, **self.kwargs)

    def where_made(self) -> tuple[str, str]:
        return f"the model {self.model_id}", ""

    def fingerprint(self) -> str:
        """A digest of the id, the arguments and the code of the class."""
        maker: Any = self._maker
        kind = f"{maker.__module__}.{maker.__qualname__}"
        return digest([self.model_id, kind, own_code(maker), redact_data(self.kwargs)])

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        """One reply for each request: by ``chat_batch`` where the class has it, else by ``chat``.

        Raises:
            ReplyError: it gave something that is no reply, or the text by which MMTrustEval's
                models tell that they failed.
        """
        given = [generation_kwargs(request) for request in requests]
        batch: Callable[..., Any] | None = getattr(self.made, "chat_batch", None)
        if callable(batch) and all(item == given[0] for item in given):
            asked = [messages_of(_shown(request)) for request in requests]
            named = accepted_keywords(batch, given[0]) if given else {}
            name = method_name(self.made, "chat_batch")
            replies = rows_of(batch(asked, **named), len(requests), name)
        else:
            name = method_name(self.made, "chat")
            replies = [self._chat(*pair) for pair in zip(requests, given, strict=True)]
        pairs = zip(replies, requests, strict=True)
        return [generated(reply, request, name) for reply, request in pairs]

    def answers_singly(self, request: Request) -> bool:
        """As `Model.answers_singly`: ``chat`` answers one question."""
        return isinstance(request, Generate) and not callable(
            getattr(self.made, "chat_batch", None)
        )

    def _chat(self, request: Generate, given: Mapping[str, Any]) -> Any:
        chat: Callable[..., Any] = self.made.chat
        return chat(messages_of(_shown(request)), **accepted_keywords(chat, given))


class ChatObject(ChatModel):
    """An object of a class of MMTrustEval's kind, which the running session has made.

    Args:
        chat: the object; its ``model_id``, else the name of its class, is that of the model.
    """

    def __init__(self, chat: Any) -> None:
        self._chat_model = chat
        self._device, self._maker, self.kwargs = None, type(chat), {}
        self.model_id = str(getattr(chat, "model_id", "") or type(chat).__name__)
        self.name = self.model_id

    def make(self) -> Any:
        return self._chat_model

    def fingerprint(self) -> str:
        """A digest of the id, the code of the class and the attributes that hold plain data."""
        return digest([super().fingerprint(), Model.fingerprint(self)])

    def _that_decides(self) -> Mapping[str, Any]:
        attributes: dict[str, Any] = vars(self._chat_model)
        return attributes


def messages_of(conversation: Conversation) -> list[dict[str, Any]]:
    """A conversation as MMTrustEval's messages; an ImageError if an image cannot be read."""
    return [{"role": turn.role, "content": _content(turn)} for turn in conversation]


def generation_kwargs(request: Generate) -> dict[str, Any]:
    """How a reply is generated, under the names of Hugging Face.

    >>> generation_kwargs(Generate((), max_new_tokens=8))
    {'max_new_tokens': 8, 'do_sample': False}
    """
    keys: dict[str, Any] = {"max_new_tokens": request.max_new_tokens}
    keys["do_sample"] = request.temperature > 0
    if request.temperature > 0:
        keys |= {"temperature": request.temperature, "top_p": request.top_p}
    if request.stop:
        keys["stop_sequences"] = list(request.stop)
    return keys


def generated(reply: Any, request: Generate, method: str) -> Generated:
    """A `Response` or a text as a reply; a ReplyError if it is neither, or tells a failure."""
    content: Any = reply
    reason = getattr(reply, "finish_reason", None)
    if not isinstance(reply, str):
        content = getattr(reply, "content", None)
        if content is None:
            raise ReplyError(
                f"{method} returned {described(reply)}",
                hint="return Response(model_id, content, logprobs, finish_reason), or a text",
            )
    text = text_of(content, method)
    if text.startswith(FAILED):
        raise ReplyError(text, hint="ask again by the same command when the model can be reached")
    ended = str(reason or "").lower()
    if ended in _REFUSED:
        return Generated(text, "refused")
    return Generated(cut_at_stop(text, request.stop), "length" if ended == "length" else "stop")


def _shown(request: Generate) -> Conversation:
    return with_prefix(request.conversation, request.answer_prefix)


def _content(turn: Turn) -> str | dict[str, str]:
    if not turn.images:
        return turn.text
    return {"text": turn.text, "image_path": image_path(turn.images[0])}
