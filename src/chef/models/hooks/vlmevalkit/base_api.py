"""VLMEvalKit's `BaseAPI`: a model behind an interface of its own, which may fail."""

from __future__ import annotations

import asyncio
import operator
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar

from chef.common import redaction
from chef.common.logs import logger
from chef.common.redaction import redact
from chef.errors import ChefError, ConfigError, ReplyError
from chef.guard.secrets import is_secret_key, whole
from chef.models.api.failures import Failure, RequestFailedError, failure_of_status, message_of
from chef.models.api.server_model import Received, ServerModel
from chef.models.api.traffic import Traffic
from chef.models.hooks.chef import accepted_keywords, cut_at_stop, method_name
from chef.models.hooks.replies import described
from chef.models.hooks.vlmevalkit.messages import (
    TakesMessages,
    as_chat,
    as_message,
    checked_chat,
    handed,
    shown,
)
from chef.types import Generate, Generated, Request, Score

#: What VLMEvalKit's classes give where a request has failed.
FAIL_MSG = "Failed to obtain answer via API."


class BaseAPI(TakesMessages, ServerModel, ABC):
    """A model that is asked over a network, written as VLMEvalKit's guide says.

    A subclass gives ``generate_inner(inputs, **kwargs)``, which sends one request and returns
    ``(code, text, log)``; the code is 0 where it succeeded. The engine keeps many requests in
    flight, waits, and sends failed ones again, so the class neither sleeps nor tries again.

    Args:
        retry: how often a request is sent before its sample is an error, unless the model file
            gives ``max_attempts``; None leaves that to ``traffic``.
        wait: is kept and has no effect: the engine decides how long to wait.
        system_prompt: words for every request, for the subclass to send; they never change.
        verbose: is kept and has no effect.
        fail_msg: a text that stands for a failure; it is never taken for an answer.
        traffic: how many requests are sent, how long each may take, and what they may cost.
        kwargs: further arguments of `generate_inner`, in every call.
    """

    is_api = True

    def __init__(
        self,
        retry: int | None = None,
        wait: float = 1,
        system_prompt: str | None = None,
        verbose: bool = True,
        fail_msg: str = FAIL_MSG,
        *,
        traffic: Traffic = Traffic(),
        **kwargs: Any,
    ) -> None:
        given = {
            item.name: kwargs.pop(item.name) for item in fields(Traffic) if item.name in kwargs
        }
        traffic = replace(traffic, **given)
        if retry is not None and traffic.max_attempts == Traffic().max_attempts:
            traffic = replace(traffic, max_attempts=max(1, retry))
        super().__init__(traffic)
        self.retry, self.wait = traffic.max_attempts, wait
        self.system_prompt, self.verbose, self.fail_msg = system_prompt, verbose, fail_msg
        self.default_kwargs = kwargs
        self.logger = logger(f"chef.plugin.{type(self).__name__}")

    @abstractmethod
    def generate_inner(self, inputs: Any, **kwargs: Any) -> tuple[int, str, Any]:
        """Send one request.

        Args:
            inputs: the message: a list of parts, whose images are paths of files.
            kwargs: the class's own settings, and ``dataset``.

        Returns:
            A code, the reply, and anything that explains a failure. The code is 0 where the request
            succeeded, else the status of HTTP or another number.
        """

    def generate(self, message: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """The reply to a message in any form, asked once; else a RequestFailedError."""
        if isinstance(message, list) and message and isinstance(message[0], Generate):
            return super().generate(message)
        parts = self.preproc_content(message)
        return self._call(self.generate_inner, parts, {**self.default_kwargs, **kwargs})

    def chat(self, messages: Any, dataset: str | None = None) -> str:
        turns = checked_chat(self, messages)
        method: Callable[..., Any] = self.chat_inner  # type: ignore[attr-defined]
        named = accepted_keywords(method, {"dataset": dataset})
        return self._call(method, turns, {**self.default_kwargs, **named})

    def working(self) -> bool:
        """Whether the interface answers: one request is sent."""
        try:
            return bool(self.generate("hello"))
        except ChefError:
            return False

    async def attempt(self, request: Request) -> Received:
        """As `ServerModel.attempt`: the class's method is called once, in a thread of its own."""
        assert isinstance(request, Generate)  # `check_request` refuses others
        text = await in_thread(partial(self._text, request), type(self).__name__)
        return Received(Generated(cut_at_stop(text, request.stop)))

    def check_request(self, request: Request) -> None:
        if isinstance(request, Score):
            raise ConfigError(
                f"the model '{self.name}' cannot score options: its class gives texts alone",
                hint="use an inferencer that lets the model write, such as Direct",
            )

    def check_settings(self) -> None:
        """As `Model.check_settings`; a ConfigError if `BaseAPI.__init__` was not called."""
        if not hasattr(self, "traffic"):
            kind = type(self).__name__
            raise ConfigError(
                f"{kind}.__init__ does not call super().__init__",
                hint=f"call super().__init__(retry=retry, wait=wait, **kwargs) in {kind}.__init__",
            )

    def prepare(self) -> None:
        """As `Model.prepare`; keys among the attributes are removed from what chef writes."""
        self.check_settings()
        super().prepare()
        remember_keys(self)

    def _text(self, request: Generate) -> str:
        conversation, is_chat = shown(request)
        if is_chat and conversation[-1].role == "user" and hasattr(self, "chat_inner"):
            return self.chat(as_chat(conversation), request.dataset or None)
        named = {**self.default_kwargs, **handed(self, self.generate_inner, request)}
        return self._call(self.generate_inner, as_message(self, conversation), named)

    def _call(self, method: Callable[..., Any], message: Any, named: dict[str, Any]) -> str:
        """The reply of a method; a RequestFailedError where it failed and may pass."""
        name = method_name(self, method.__name__)
        try:
            given = method(message, **named)
        except ChefError:
            raise
        except Exception as error:
            if not _may_pass(error):
                raise
            what = redact(f"{name} raised {type(error).__name__}: {error}")
            raise RequestFailedError(what, Failure.CONNECTION, where=self.name) from error
        return reply_of(given, name, self.fail_msg)


def remember_keys(model: object) -> None:
    """Remove the keys among an object's attributes from what chef writes from now on."""
    for name, value in getattr(model, "__dict__", {}).items():
        if isinstance(value, str) and is_secret_key(name, value):
            redaction.remember(whole(value))


def reply_of(given: Any, name: str, fail_msg: str) -> str:
    """The text of ``(code, text, log)``; a ReplyError if it is none, else RequestFailedError."""
    form = "return (0, text, log), or (code, text, log) with another code where it failed"
    if not isinstance(given, tuple | list) or len(given) != 3:
        what = f"{name} returned {described(given)}, and not a code, a text and a log"
        raise ReplyError(what, hint=form)
    code, text, log = given
    try:
        code = operator.index(code)
    except TypeError:
        raise ReplyError(f"{name} returned the code {code!r}", hint=form) from None
    said = f" ({message_of(_log_text(log))})" if _log_text(log) else ""
    if code != 0:
        is_status = 400 <= code < 600
        failure = failure_of_status(code) if is_status else Failure.SERVER
        raise RequestFailedError(f"{name} returned the code {code}{said}", failure)
    if not isinstance(text, str):
        raise ReplyError(f"{name} returned {described(text)} as its text", hint=form)
    if text.strip() == fail_msg.strip() and fail_msg.strip():
        raise RequestFailedError(f"{name} returned its failure message{said}", Failure.SERVER)
    if not text.strip():
        raise RequestFailedError(f"{name} returned no text{said}", Failure.BROKEN_BODY)
    return str.__str__(text)


def _log_text(log: Any) -> Any:
    """What of a log can be told: texts, mappings, errors; objects of libraries cannot."""
    if isinstance(log, BaseException):
        return f"{type(log).__name__}: {log}"
    return log if isinstance(log, str | dict | list) else getattr(log, "text", "")


def _may_pass(error: Exception) -> bool:
    """Whether another attempt may succeed: Python's own errors, such as a KeyError, come again."""
    return isinstance(error, OSError) or type(error).__module__ != "builtins"


T = TypeVar("T")


async def in_thread(call: Callable[[], T], name: str) -> T:
    """What a blocking function returns, in a thread of its own that keeps no process alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def deliver(result: T | None, error: BaseException | None) -> None:
        if done.done():  # given up meanwhile
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failure = None, None
        try:
            result = call()
        except StopIteration as error:  # a future takes no such error
            failure = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:  # what would end the process, too: the engine deals with it
            failure = error  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(deliver, result, failure)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await done
