"""What a chat completion says: its text, how it ended, and what it used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from chef.frozen import Frozen
from chef.models.api.failures import RequestFailedError, broken

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
#: The most tokens that a reply can be told to have; a larger number is no count.
MOST_TOKENS = 10**9


class Usage(Frozen):
    """The tokens of one reply, as the server counts them; 0 where it does not say."""

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0


class ChatReply(Frozen):
    """A reply without its reasoning, and whether the limit was reached within that."""

    text: str
    end: Literal["stop", "length", "refused"]
    usage: Usage
    only_reasoned: bool = False


def chat_reply(data: Mapping[str, Any], where: str) -> ChatReply:
    """Read a chat completion; a RequestFailedError if it holds no reply of the model.

    A text may be empty: the model has said nothing. Without any text there is no answer, but where
    the model refuses, and where the limit was reached within its reasoning.
    """
    choice = first_choice(data, where)
    message, reason = choice.get("message"), choice.get("finish_reason")
    if not isinstance(message, Mapping):
        raise broken("the reply has no message", where)
    end = _ENDS.get(str(reason or "").lower())
    content = message.get("content")
    refusal = message.get("refusal") or _refusal_part(content)
    text = _text(content, where)
    if isinstance(refusal, str) and refusal:
        text, end = text or refusal, "refused"
    if end is None or (not text and message.get("tool_calls")):
        raise _no_answer(message, reason, where)
    usage = usage_of(data)
    has_reasoned = bool(usage.reasoning or _reasoning(message))
    only_reasoned = end == "length" and not (text or "").strip() and has_reasoned
    if text is None and end != "refused" and not only_reasoned:
        raise _no_text(message, reason, where)
    return ChatReply(text or "", end, usage, only_reasoned)


def first_choice(data: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """The choice with the index 0 of a completion; a RequestFailedError if there is none."""
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
    prompt, completion = count_in(usage.get("prompt_tokens")), usage.get("completion_tokens")
    return Usage(prompt or 0, count_in(completion) or 0, count_in(reasoning) or 0)


def _no_answer(message: Mapping[str, Any], reason: Any, where: str) -> RequestFailedError:
    if message.get("tool_calls") or message.get("function_call"):
        return broken("the model asks for a tool instead of answering", where)
    return broken(f"the reply ended for the reason {reason!r:.60}, and is no answer", where)


def _no_text(message: Mapping[str, Any], reason: Any, where: str) -> RequestFailedError:
    if not reason:
        return broken("the reply has neither content nor a reason why it ended", where)
    reasoned = "reasoning and " if _reasoning(message) else ""
    return broken(f"the reply holds {reasoned}no text of an answer", where)


def _text(content: Any, where: str) -> str | None:
    """The text of a message; of a list, that of its text parts; None where there is none."""
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise broken(f"the content of the reply is no text: {type(content).__name__}", where)
    texts = [text for part in content if (text := _part(part)) is not None]
    return "".join(texts) if texts else None


def _part(part: Any) -> str | None:
    """The text of a part of a message; None where it is no text."""
    if isinstance(part, Mapping) and part.get("type", "text") in ("text", "output_text"):
        part = part.get("text")
    return part if isinstance(part, str) else None


def _refusal_part(content: Any) -> Any:
    """The refusal among the parts of a message; None where there is none."""
    parts = content if isinstance(content, list) else []
    found = (part.get("refusal") for part in parts if isinstance(part, Mapping))
    return next(filter(None, found), None)


def _reasoning(message: Mapping[str, Any]) -> Any:
    """What the model thought, apart or among the parts of its message."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    is_thought = any(
        isinstance(part, Mapping) and part.get("type") in ("thinking", "reasoning")
        for part in parts
    )
    return message.get("reasoning_content") or message.get("reasoning") or is_thought


def count_in(value: Any) -> int | None:
    """A number of tokens that a server tells; None where it is none, or larger than any can be."""
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return value if is_count and 0 <= value <= MOST_TOKENS else None
