"""What a chat completion says: its text, how it ended, and what it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from chef.models.api.failures import RequestFailedError
from chef.models.api.refusals import broken

#: ``finish_reason`` of servers, in small letters -> that of `Generated`. All others are no reply.
_ENDS: Mapping[str, Literal["stop", "length", "refused"]] = {
    "": "stop",
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "complete": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refused",
    "refusal": "refused",
    "safety": "refused",
}


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one reply, as the server counts them; 0 where it does not say."""

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One reply.

    Attributes:
        text: what the model answers, without reasoning that the server gives apart.
        end: how it ended.
        usage: its tokens.
        only_reasoned: whether the limit was reached before the answer began.
    """

    text: str
    end: Literal["stop", "length", "refused"]
    usage: Usage
    only_reasoned: bool = False


def chat_reply(data: Mapping[str, Any], where: str) -> ChatReply:
    """Read a chat completion.

    Args:
        data: the JSON object of the reply.
        where: the address of the server.

    Raises:
        RequestFailedError: it holds no reply of the model.
    """
    choice = first_choice(data, where)
    message, reason = choice.get("message"), choice.get("finish_reason")
    if not isinstance(message, Mapping):
        raise broken("the reply has no message", where)
    end = _ENDS.get(str(reason or "").lower())
    content = message.get("content")
    if content is None and not reason and not message.get("refusal"):
        raise broken("the reply has neither content nor a reason why it ended", where)
    refusal = message.get("refusal") or _refusal_part(content)
    text = _text(content, where)
    if isinstance(refusal, str) and refusal:
        text, end = text or refusal, "refused"
    if end is None or (not text and message.get("tool_calls")):
        raise _no_answer(message, reason, where)
    usage = usage_of(data)
    has_reasoned = bool(usage.reasoning or _reasoning(message))
    return ChatReply(text, end, usage, end == "length" and not text.strip() and has_reasoned)


def first_choice(data: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """The choice with the index 0 of a completion.

    Raises:
        RequestFailedError: there is none.
    """
    given = data.get("choices")
    choices = given if isinstance(given, list) else []
    found = [item for item in choices if isinstance(item, Mapping)]
    if not found:
        raise broken("the reply has no choices", where)
    return next((item for item in found if item.get("index") == 0), found[0])


def usage_of(data: Mapping[str, Any]) -> Usage:
    """The tokens of a completion."""
    usage = data.get("usage")
    if not isinstance(usage, Mapping):
        return Usage()
    details = usage.get("completion_tokens_details")
    reasoning = details.get("reasoning_tokens") if isinstance(details, Mapping) else 0
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"), reasoning)
    return Usage(*map(_count, counts))


def _no_answer(message: Mapping[str, Any], reason: Any, where: str) -> RequestFailedError:
    if message.get("tool_calls") or message.get("function_call"):
        return broken("the model asks for a tool instead of answering", where)
    return broken(f"the reply ended for the reason {reason!r:.60}, and is no answer", where)


def _text(content: Any, where: str) -> str:
    """The text of a message; of a list, that of its text parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise broken(f"the content of the reply is no text: {type(content).__name__}", where)
    texts = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and part.get("type", "text") in {"text", "output_text"}:
            texts.append(_text(part.get("text"), where))
    return "".join(texts)


def _refusal_part(content: Any) -> Any:
    """The refusal among the parts of a message; None where there is none."""
    parts = content if isinstance(content, list) else []
    found = (part.get("refusal") for part in parts if isinstance(part, Mapping))
    return next(filter(None, found), None)


def _reasoning(message: Mapping[str, Any]) -> Any:
    return message.get("reasoning_content") or message.get("reasoning")


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return int(value) if is_count else 0
