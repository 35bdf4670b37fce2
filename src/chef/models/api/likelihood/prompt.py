"""Options scored as the end of the prompt of a chat completion (vLLM's ``prompt_logprobs``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.models.api.likelihood.asking import Asker, Tokens, score_ends
from chef.models.api.likelihood.tokens import Token, absent, choices_of, malformed, usage_of
from chef.models.api.server_model import Received
from chef.types import Score


async def score_prompt(asker: Asker, request: Score) -> Received:
    """Score each option as the end of the assistant's turn, in one request each.

    Raises:
        RequestFailedError: a request failed, or its reply lacks ``prompt_logprobs``.
        SampleError: an option is empty.
        ReplyError: the reply has log-probabilities, and they cannot be used.
    """

    async def ask(replies: list[str]) -> list[Tokens]:
        return [await _ask(asker, request, reply) for reply in replies]

    return await score_ends(request, ask)


async def _ask(asker: Asker, request: Score, reply: str) -> Tokens:
    # 0: the log-probabilities of the prompt's own tokens, and of no others.
    received = await asker.complete(request.conversation, reply, {"prompt_logprobs": 0})
    choices_of(received, 1)
    prompt_tokens, completion_tokens = usage_of(received)
    tokens = prompt_tokens_of(received)
    if prompt_tokens not in {None, len(tokens)}:
        raise malformed(f"{len(tokens)} of a prompt of {prompt_tokens} tokens")
    return Tokens(tokens, prompt_tokens or 0, completion_tokens or 0)


def prompt_tokens_of(received: Mapping[str, Any]) -> list[Token]:
    """The tokens of the prompt of a reply with ``prompt_logprobs``.

    That is a list of ``{token number: {"logprob": ..., "decoded_token": ...}}``; the first is null.

    Raises:
        RequestFailedError: it is missing.
        ReplyError: it has another form.
    """
    positions = received.get("prompt_logprobs")
    if positions is None:
        raise absent("prompt_logprobs")
    if not isinstance(positions, list) or not positions:
        raise malformed("prompt_logprobs is no list of tokens")
    numbers = received.get("prompt_token_ids")
    if not isinstance(numbers, list) or len(numbers) != len(positions):
        numbers = [None] * len(positions)
    if positions[0] is not None:
        raise malformed("the first token of prompt_logprobs follows nothing, and is not null")
    first = Token("", None, str(numbers[0]))
    return [first, *map(_token, positions[1:], numbers[1:])]


def _token(position: Any, number: Any) -> Token:
    """The prompt's own token among those of a position."""
    if not isinstance(position, Mapping) or not position:
        raise malformed("a token of prompt_logprobs is no object")
    key = str(number) if number is not None else next(iter(position))
    if key not in position or (number is None and len(position) > 1):
        raise malformed("which tokens of prompt_logprobs are those of the prompt is not told")
    found = position[key]
    text = found.get("decoded_token") if isinstance(found, Mapping) else None
    if not isinstance(text, str):
        raise malformed("a token of prompt_logprobs has no decoded_token")
    return Token(text, found.get("logprob"), key)
