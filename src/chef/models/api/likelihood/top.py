"""Options of one token, scored by the list of the likeliest first tokens of a reply.

The rule is that of the scorer in this process: the score of an option is the log-probability of the
one token that the option is, after the prompt and the answer prefix. So an option is the token
whose text is the option, and nothing is added to it: " A" and "a" are other tokens, with other
texts before or in them, which that scorer would not count either. A space at the end of the answer
prefix is the exception, because tokenizers join it to the word that follows: the prefix is sent
without it, and the option is the token with the space before it.

Where that is no single token of the tokenizer, the list does not have it, and that is an error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from chef.errors import ReplyError, SampleError
from chef.models.api.likelihood.asking import Asker, check_not_empty
from chef.models.api.likelihood.tokens import absent, choices_of, logprob_of, malformed, usage_of
from chef.models.api.server_model import Received
from chef.types import Conversation, Score, Scored

#: By how much rounding may lift the sum of the probabilities of a list above 1.
_SLACK = 0.01


async def score_top(asker: Asker, request: Score, length: int) -> Received:
    """Score options of one token by the ``length`` likeliest; a ReplyError if one is not there."""
    check_single(request, continues=asker.continues)
    stem = request.answer_prefix.removesuffix(" ")
    space = request.answer_prefix[len(stem) :]
    received = await ask_top(asker, request.conversation, stem, length)
    listed = listed_tokens(received)
    scores = tuple(_found(space + option, option, listed) for option in request.candidates)
    prompt_tokens, completion_tokens = usage_of(received)
    return Received(scores, prompt_tokens or 0, completion_tokens or 0)


def check_single(request: Score, *, continues: bool) -> None:
    """Check that the options can each be the first token of a reply; else a SampleError."""
    check_not_empty(request)
    if several := [option for option in request.candidates if len(option.split()) > 1]:
        raise SampleError(
            f"the option {several[0]!r} has several words, and logprobs: top scores one token",
            hint="use logprobs: prompt where the server has it, or inferencer_type: Direct",
        )
    if request.answer_prefix and not continues:
        raise SampleError(
            f"the options follow {request.answer_prefix!r} in the reply, and the model file does "
            "not say that the server goes on with a reply that has begun",
            hint="vLLM and SGLang do: add continues: true; else use a template without words "
            "before {option}, or inferencer_type: Direct",
        )


async def ask_top(
    asker: Asker, conversation: Conversation, reply: str, length: int
) -> Mapping[str, Any]:
    """Ask for one token, and for the list of the likeliest ones."""
    return await asker.complete(conversation, reply, {"logprobs": True, "top_logprobs": length})


def listed_tokens(received: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Texts of tokens with log-probabilities; a ReplyError if they have another form."""
    (choice,) = choices_of(received, 1)
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list) or not content:
        raise absent("log-probabilities (choices[0].logprobs.content)")
    listed = content[0].get("top_logprobs") if isinstance(content[0], Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise absent("top_logprobs")
    tokens = [_listed(item) for item in listed]
    if sum(math.exp(value) for _, value in tokens) > 1 + _SLACK:
        raise malformed("the probabilities of top_logprobs sum to more than 1")
    return tokens


def _listed(item: Any) -> tuple[str, float]:
    text = item.get("token") if isinstance(item, Mapping) else None
    if not isinstance(text, str):
        raise malformed("an entry of top_logprobs has no token")
    return text, logprob_of(item.get("logprob"), text)


def _found(label: str, option: str, listed: list[tuple[str, float]]) -> Scored:
    values = [value for text, value in listed if text == label]
    if len(values) == 1:
        return Scored(logprob_sum=values[0], tokens=1)
    if values:
        raise ReplyError(
            f"{len(values)} of the likeliest tokens have the text {label!r}, and which of them is "
            f"the option {option!r} is not told",
            hint="use logprobs: prompt where the server has it, or inferencer_type: Direct",
        )
    shown = ", ".join(repr(text) for text, _ in listed[:6])
    what = (
        f"the option {option!r} (as the token {label!r}) is not among the {len(listed)} likeliest "
        f"first tokens ({shown}, ...)"
    )
    if begins := [text for text, _ in listed if text.strip() and label.startswith(text)]:
        raise ReplyError(
            f"{what}; it may be several tokens, of which {begins[0]!r} is the first",
            hint="use logprobs: prompt where the server has it, or inferencer_type: Direct",
        )
    raise ReplyError(
        what,
        hint="raise top_logprobs as far as the server allows, or use logprobs: prompt where the "
        "server has it",
    )
