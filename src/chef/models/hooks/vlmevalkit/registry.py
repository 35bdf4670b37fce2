"""Models of an installed VLMEvalKit by the names of its registry (``model_name: VLMEvalKit``).

`BaseModel` is its base class, a model with `generate_inner`, which answers one message. A model is
made when it is first needed, as its constructor loads weights.
"""

from __future__ import annotations

import dis
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Self

from chef.common.digest import digest
from chef.common.keys import arguments, constructors, make
from chef.common.redaction import redact_data
from chef.common.user_code import contained
from chef.errors import ConfigError, DependencyError, nearest
from chef.models.api.traffic import Traffic
from chef.models.base import Model
from chef.models.hooks.chef import accepted_keywords, cut_at_stop, method_name, with_requests
from chef.models.hooks.package import PackageModel, of_package, package_file
from chef.models.hooks.replies import text_of
from chef.models.hooks.vlmevalkit.base_api import FAIL_MSG, BaseAPI, remember_keys
from chef.models.hooks.vlmevalkit.messages import (
    TakesMessages,
    as_chat,
    as_message,
    checked_chat,
    handed,
    shown,
)
from chef.types import Generate, Generated, Request

#: What chef reads of a model before anything is asked.
_READ_EARLY = frozenset({"name", "max_images", "token_budget", "takes_dataset"})
#: The keys of a model file, once it is known; and whether the constructor has yet to run.
_KEYS, _UNMADE = "_keys_of_its_file", "_is_unmade"
#: What stays when the model is closed.
_KEPT = frozenset({_KEYS, "_notices_so_far", "dump_image_func"})
_making = threading.RLock()


class MadeLater:
    """A model whose constructor runs before the first question, or when an attribute is read.

    A file is checked, and a dry run shown, without it; closing the model drops what it has loaded.
    """

    @classmethod
    def made_later(cls, keys: Mapping[str, Any]) -> Self:
        """The model that a file describes, by the names of the constructor's arguments.

        It is made at once where an unmade one would tell something else: its constructor sets an
        attribute that chef reads early, or one that its class has, too.
        """
        own = [name for kind in cls.__mro__ if not _is_chefs(kind) for name in vars(kind)]
        if _stored(cls) & {*own, *_READ_EARLY} or cls.__new__ is not object.__new__:
            made: Self = make(cls, (), keys)
            return made
        model = object.__new__(cls)
        vars(model).update({_KEYS: dict(keys), _UNMADE: True})
        return model

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and vars(self).get(_UNMADE):
            made(self)
            return getattr(self, name)
        parent = getattr(super(), "__getattr__", None)  # of torch.nn.Module, say
        if parent is not None:
            return parent(name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _that_decides(self) -> Mapping[str, Any]:
        """What decides the answers besides the code: the keys of the file, where there is one."""
        keys: Mapping[str, Any] = vars(self).get(_KEYS, vars(self))
        return keys

    def close(self) -> None:
        """Drop what the constructor has made; the next question makes it anew."""
        if _KEYS in vars(self):
            _unmake(self)


def made(model: object) -> None:
    """Run the constructor of a model, if it has not run; where it fails the model is as before."""
    with _making:
        if not vars(model).get(_UNMADE):
            return
        del vars(model)[_UNMADE]
        try:
            with contained(f"{type(model).__name__}.__init__"):
                constructor: Any = type(model).__init__
                constructor(model, **arguments(type(model), vars(model)[_KEYS]))
        except BaseException:
            _unmake(model)
            raise


def _unmake(model: object) -> None:
    for name in set(vars(model)) - _KEPT:
        del vars(model)[name]
    vars(model)[_UNMADE] = True


def _stored(kind: type[Any]) -> set[str]:
    """The names of the attributes that the constructors of a class set themselves."""
    return {
        str(item.argval)
        for init in constructors(kind)
        if hasattr(init, "__code__")
        for item in dis.get_instructions(init)
        if item.opname == "STORE_ATTR"
    }


def _is_chefs(kind: type[Any]) -> bool:
    return kind is object or kind.__module__.startswith("chef.models.")


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
        """The reply to a message: a text, a part, or a list of either; else a SampleError or
        ReplyError.

        Of a list of strings, existing image files and addresses of images are images.
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

    def answers_singly(self, request: Request) -> bool:
        """As `Model.answers_singly`: a message is one question."""
        return isinstance(request, Generate) or super().answers_singly(request)

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


_PACKAGE = "vlmeval"
_TABLE, _NAME = "vlmeval.config", "supported_VLM"

#: Models by name that plugins have added to the registry.
OWN_MODELS: dict[str, Callable[..., Any]] = {}


class RegistryModel(PackageModel):
    """Any entry of the registry of an installed VLMEvalKit.

    The package is imported when the model file is checked; the model itself is made, and its
    weights are loaded, before the first question. Its own prompts are asked with ``prompt: model``.

    Args:
        model: the name of the entry.
        kwargs: arguments that replace those of the entry.
        traffic: for models that are asked over a network; see `Traffic`.
        name: the folder of its results; default: ``model``.

    Raises:
        ConfigError: there is no such entry.
        DependencyError: the package ``vlmeval`` is not installed, or cannot be imported.
    """

    def __new__(cls, model: str = "", **_: Any) -> Self:
        """An object of the class for models in this process, or for those behind a network."""
        kind: Any = cls
        if cls is RegistryModel:
            kind = _Remote if _is_api(entry_of(model)) else _Local
        made: Self = object.__new__(kind)
        return made

    def __init__(
        self,
        *,
        model: str,
        kwargs: dict[str, Any] | None = None,
        traffic: Traffic = Traffic(),
        name: str | None = None,
    ) -> None:
        if isinstance(self, BaseAPI):
            BaseAPI.__init__(self, traffic=traffic)
        self.model, self.kwargs = model, dict(kwargs or {})
        self.name = name or model
        self._entry = entry_of(model)

    def make(self) -> Any:
        made = self._entry(**self.kwargs)
        remember_keys(made)
        return made

    def where_made(self) -> tuple[str, str]:
        return f"the model {self.model} of VLMEvalKit", ", by supported_VLM"

    def prepare(self) -> None:
        """Make the model."""
        super().prepare()
        if callable(chat := getattr(self.made, "chat_inner", None)):
            self.chat_inner = chat

    def use_custom_prompt(self, dataset: str | None) -> bool:
        """Whether the model has a prompt of its own for a data set."""
        method = getattr(self.made, "use_custom_prompt", None)
        return bool(method(dataset)) if callable(method) else False

    def build_prompt(self, line: Any, dataset: str | None = None) -> Any:
        """The message for a row of a data set."""
        method: Callable[..., Any] = self.made.build_prompt
        return method(line, **accepted_keywords(method, {"dataset": dataset}))

    def set_dump_image(self, dump_image_func: Callable[..., Any]) -> None:
        """Let the model find the images of a row by a function."""
        if callable(method := getattr(self.made, "set_dump_image", None)):
            method(dump_image_func)

    def fingerprint(self) -> str:
        """A digest of the entry: its class and arguments, and the version of the package."""
        entry, given = self._entry, dict(self.kwargs)
        while isinstance(entry, partial):
            given = {**entry.keywords, **given}
            entry = entry.func
        try:
            release = version(_PACKAGE)
        except PackageNotFoundError:
            release = ""
        kind = f"{getattr(entry, '__module__', '')}.{getattr(entry, '__qualname__', entry)}"
        return digest([self.model, kind, redact_data(given), release])

    def _inner(self, message: Any, named: Mapping[str, Any]) -> Any:
        """What the model returns for a message; it is asked once, without waiting or repeating."""
        made = self.made
        own = getattr(made, "generate_inner", None)
        method: Callable[..., Any] = own if callable(own) else made.generate
        return method(message, **accepted_keywords(method, named))


class _Local(RegistryModel, BaseModel):
    """A model in this process."""

    def generate_inner(self, message: Any, dataset: str | None = None) -> Any:
        return self._inner(message, {"dataset": dataset})


class _Remote(RegistryModel, BaseAPI):
    """A model that is asked over a network."""

    def prepare(self) -> None:
        super().prepare()
        self.fail_msg = str(getattr(self.made, "fail_msg", FAIL_MSG))

    def generate_inner(self, inputs: Any, **kwargs: Any) -> Any:
        given = self._inner(inputs, {**getattr(self.made, "default_kwargs", {}), **kwargs})
        return (0, given, "") if isinstance(given, str) else given


def entry_of(name: str) -> Callable[..., Any]:
    """The entry of the registry of that name; a ConfigError or DependencyError if there is none."""
    if name in OWN_MODELS:
        return OWN_MODELS[name]
    if package_file(_PACKAGE) is None:
        raise DependencyError(
            "the package vlmeval (VLMEvalKit) is not installed",
            where="model_name: VLMEvalKit",
            hint="pip install git+https://github.com/open-compass/VLMEvalKit.git; for a class of "
            "yours no package is needed: plugins: [FILE.py] and its name under model_name",
        )
    table = of_package(_TABLE, _NAME, "VLMEvalKit")
    if name not in table:
        raise ConfigError(
            f"VLMEvalKit has no model '{name}'", where="model", hint=nearest(name, table)
        )
    entry: Callable[..., Any] = table[name]
    return entry


def _is_api(entry: Callable[..., Any]) -> bool:
    """Whether an entry makes models that are asked over a network."""
    while isinstance(entry, partial):
        entry = entry.func
    return bool(getattr(entry, "is_api", False))
