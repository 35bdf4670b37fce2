"""What a server's replies say: chat completions, and tokens with their log-probabilities.

Of log-probabilities the rule is that of the scorer in this process
(`huggingface.rendering.encode_scored`): the whole text is tokenised at once, and a token is scored
if its characters reach into the option. So a token that spans the boundary (a space and a bracket,
say) counts. That scorer knows which characters a token covers; a server only tells the text of each
token, decoded alone. From the end of the prompt, these texts put together are the option, and that
settles it for most tokenizers (`first_scored`).

Two things can blur the texts: a token may hold a part of a character, and some tokenizers lose a
leading space. Where that leaves a doubt, the tokens of the same prompt without the option are asked
for: what both begin with lies before the option (`first_scored_after`). What stays in doubt is an
error, because a wrong boundary is a wrong score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from glob import escape
from typing import Any, Literal

from chef.errors import ReplyError
from chef.frozen import Frozen
from chef.models.api.failures import Failure, RequestFailedError, broken
from chef.models.hooks.replies import ROUNDING
from chef.types import Scored

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


#: What vLLM writes for minus infinity, which JSON cannot hold.
MINUS_INFINITY = -9999.0
_HINT = "the server does not give log-probabilities as it should: tell those who run it"


class PromptToken(Frozen):
    """A token of a prompt.

    Attributes:
        text: decoded alone: a part of a character is U+FFFD or empty; a leading space may be lost.
        logprob: after the tokens before it (natural logarithm), unchecked; None for the first.
        key: equal for equal tokens: its number, or its text where the server tells no number.
    """

    text: str
    logprob: Any
    key: str


def logprob_of(value: Any, token: str) -> float:
    """A log-probability as a number; a ReplyError if it is NaN, infinite, or above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        what = "no log-probability" if value is None else f"{value!r:.40}"
    elif not MINUS_INFINITY < value < math.inf:
        what = f"{value!s:.40}, which is not finite,"
    elif value > ROUNDING:
        what = f"{value!s:.40}, and a log-probability is at most 0,"
    else:
        return float(value)
    raise ReplyError(f"the server gave {what} for the token {token!r}", hint=_HINT)


def summed(tokens: Sequence[PromptToken]) -> Scored:
    """The score of the tokens of an option; a ReplyError if one has no log-probability."""
    total = math.fsum(logprob_of(token.logprob, token.text) for token in tokens)
    return Scored(logprob_sum=total, tokens=len(tokens))


def malformed(what: str) -> ReplyError:
    """The error of a reply whose log-probabilities do not have their form."""
    return ReplyError(f"the log-probabilities of the server are malformed: {what}", hint=_HINT)


def absent(what: str) -> RequestFailedError:
    """The failure of a reply that lacks something; the next one may have it."""
    return RequestFailedError(
        f"the server's reply has no {what}",
        Failure.BROKEN_BODY,
        hint="the key logprobs of the model file says what the server gives; logprobs: none if "
        "it gives no log-probabilities",
    )


def choices_of(reply: Mapping[str, Any], wanted: int) -> list[Mapping[str, Any]]:
    """The choices of a reply, in the order of what was asked; an error if some are missing."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or len(choices) < wanted:
        raise absent("choices" if not choices else f"choice for each of {wanted} texts")
    numbered: dict[int, Mapping[str, Any]] = {}
    for choice in choices:
        index = choice.get("index", 0) if isinstance(choice, Mapping) else None
        if not isinstance(index, int) or index in numbered:
            raise malformed("the choices are not numbered")
        numbered[index] = choice
    if set(numbered) != set(range(wanted)):
        raise malformed(f"the choices for {wanted} text(s) have the numbers {sorted(numbered)}")
    return [numbered[index] for index in range(wanted)]


def counts_of(reply: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """The tokens of the prompts and of the replies; None where the server does not count them."""
    usage = reply.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    return count_in(counts.get("prompt_tokens")), count_in(counts.get("completion_tokens"))


#: What a part of a character is decoded to.
PART = "\N{REPLACEMENT CHARACTER}"


def first_scored(texts: Sequence[str], option: str) -> int | None:
    """The position of the first token that reaches into the option at the end of the texts.

    None where the texts do not tell.

    >>> first_scored(["The", " answer", " is", " (", "A"], "(A")
    3
    >>> first_scored(["The", "answer", "is", "a", "cat"], "a cat")  # spaces are lost
    3
    """
    found = _reaching(texts, option)
    if found is None and not option[0].isspace() and not option[-1].isspace():
        found = _reaching([_squeezed(text) for text in texts], _squeezed(option))
    # An empty text may be the first part of a character that the next token completes.
    return None if found is not None and found > 0 and not texts[found - 1] else found


def _reaching(texts: Sequence[str], option: str) -> int | None:
    end = ""
    for position in range(len(texts) - 1, -1, -1):
        end = texts[position] + end
        if len(end) >= len(option):
            return position if end.endswith(option) and PART not in end else None
    return None


def first_scored_after(
    tokens: Sequence[PromptToken], before: Sequence[PromptToken], option: str
) -> int:
    """`first_scored` by ``before``, the tokens without the option; else a ReplyError."""
    start = 0
    while start < min(len(tokens), len(before)) and tokens[start].key == before[start].key:
        start += 1
    # The end of what stands before the option may be cut into other tokens when the option follows.
    rest = "".join(token.text for token in before[start:])
    while start < len(tokens) and tokens[start].text and rest.startswith(tokens[start].text):
        rest = rest.removeprefix(tokens[start].text)
        start += 1
    end = "".join(token.text for token in tokens[start:])
    spans = not rest or (start < len(tokens) and tokens[start].text.startswith(rest))
    if not spans or not _may_be(end, rest + option):
        raise ReplyError(
            f"the tokens of the option {option!r} cannot be told from those before it: the prompt "
            f"ends with {''.join(token.text for token in tokens)[-40:]!r}",
            hint="the server's chat template may change the option: remove white space at its "
            "ends, or use inferencer_type: Direct",
        )
    return start


def _may_be(decoded: str, text: str) -> bool:
    """Whether text may be what tokens decoded alone stand for: spaces and parts may be lost."""
    known = map(_squeezed, decoded.split(PART))
    return bool(decoded) and fnmatchcase(_squeezed(text), "*".join(map(escape, known)))


def _squeezed(text: str) -> str:
    return "".join(text.split())
