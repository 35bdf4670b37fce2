"""Options scored as the ends of prompts: of completions (``echo``), or of chats (vLLM's
``prompt_logprobs``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from chef.errors import SampleError
from chef.frozen import Frozen
from chef.models.api.client import Client
from chef.models.api.replies import (
    PromptToken,
    absent,
    choices_of,
    counts_of,
    first_scored,
    first_scored_after,
    malformed,
    summed,
)
from chef.models.api.server_model import Received
from chef.types import Conversation, Score


class Asker(Frozen):
    """Writes and sends the requests of one model.

    Attributes:
        chat: the body about a conversation and the words with which the reply begins, if any.
        shortest: the fields that ask for one token, at temperature 0: some servers divide logits by
            it.
        continues: whether the server goes on with a reply that has begun, as the model file says.
    """

    client: Client
    chat: Callable[[Conversation, str], dict[str, Any]]
    plain: Mapping[str, Any]
    shortest: Mapping[str, Any]
    continues: bool = True

    async def complete(
        self, conversation: Conversation, reply: str, fields: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The chat completion, of one token, of a conversation and the words of a reply so far."""
        body = {**self.chat(conversation, reply), **self.shortest}
        if reply:
            body |= {"add_generation_prompt": False, "continue_final_message": True}
        body |= fields
        return await self.client.post("/chat/completions", body)


class PromptTokens(Frozen):
    """The tokens of one prompt, what the server counts for it and a reply, and its requests."""

    tokens: Sequence[PromptToken]
    prompt: int = 0
    reply: int = 0
    requests: int = 1


async def score_ends(
    request: Score, ask: Callable[[list[str]], Awaitable[list[PromptTokens]]]
) -> Received:
    """Score options as the ends of prompts, whose tokens ``ask`` gives; else a ReplyError."""
    check_not_empty(request)
    options = list(dict.fromkeys(request.candidates))  # equal options have equal scores
    prompts = await ask([request.answer_prefix + option for option in options])
    starts = [
        first_scored([token.text for token in prompt.tokens], option)
        for option, prompt in zip(options, prompts, strict=True)
    ]
    asked = list(prompts)
    if None in starts:
        asked += await ask([request.answer_prefix])
    scores = {}
    for option, prompt, found in zip(options, prompts, starts, strict=True):
        if found is not None:
            start = found
        else:
            start = first_scored_after(prompt.tokens, asked[-1].tokens, option)
        scores[option] = summed(prompt.tokens[start:])
    return Received(
        tuple(scores[option] for option in request.candidates),
        prompt_tokens=sum(each.prompt for each in asked),
        completion_tokens=sum(each.reply for each in asked),
        requests=sum(each.requests for each in asked),
    )


def check_not_empty(request: Score) -> None:
    """Check that there is something to score; a SampleError if an option is empty."""
    if not all(request.candidates):
        raise SampleError(
            "an option is empty: there is nothing to score", hint="drop the empty option"
        )


async def score_echo(asker: Asker, request: Score) -> Received:
    """Score all options as the ends of texts, in one request of completions."""
    prompt = plain_text(request.conversation)

    async def ask(replies: list[str]) -> list[PromptTokens]:
        return await _completed(asker, [f"{prompt}\n{reply}" for reply in replies])

    return await score_ends(request, ask)


def plain_text(conversation: Conversation) -> str:
    """The turns, one a line: completions know no template; a SampleError if there are images."""
    if any(turn.images for turn in conversation):
        raise SampleError(
            "completions take no images",
            hint="use logprobs_api: chat, which needs vLLM, or logprobs: top",
        )
    return "\n".join(turn.text for turn in conversation if turn.text)


async def _completed(asker: Asker, texts: list[str]) -> list[PromptTokens]:
    # Not every server takes max_tokens: 0, so the last token of each text is a generated one.
    body = {
        **asker.plain,
        "prompt": texts,
        "echo": True,
        "logprobs": 1,
        "max_tokens": 1,  # completions have no other name for it
        "temperature": 0,
    }
    received = await asker.client.post("/completions", body)
    choices = choices_of(received, len(texts))
    prompt_tokens, completion_tokens = counts_of(received)
    given = [echoed_tokens(choice) for choice in choices]
    generated = _generated(completion_tokens, len(texts))
    prompts = [tokens[: len(tokens) - generated] for tokens in given]
    total = sum(map(len, prompts))
    if prompt_tokens not in {None, total}:
        raise malformed(f"{total} of prompts of {prompt_tokens} tokens")
    counts = [(prompt_tokens or 0, completion_tokens or 0, 1)] + [(0, 0, 0)] * (len(texts) - 1)
    return [PromptTokens(each, *count) for each, count in zip(prompts, counts, strict=True)]


def _generated(completion_tokens: int | None, texts: int) -> int:
    """How many tokens were generated after each text: one, or none by servers that stop first."""
    if completion_tokens in {None, texts}:
        return 1
    if completion_tokens == 0:
        return 0
    raise malformed(f"{completion_tokens} token(s) generated for {texts} text(s)")


def echoed_tokens(choice: Mapping[str, Any]) -> list[PromptToken]:
    """The tokens of a choice, of prompt and reply; a ReplyError if they have another form."""
    logprobs = choice.get("logprobs")
    if not isinstance(logprobs, Mapping):
        raise absent("logprobs")
    texts, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(texts, list) or not isinstance(values, list):
        raise absent("tokens and token_logprobs")
    if len(texts) != len(values):
        raise malformed(f"{len(texts)} tokens and {len(values)} log-probabilities")
    if not all(isinstance(text, str) for text in texts):
        raise malformed("a token is no text")
    if values and values[0] is not None:
        raise malformed("the first token of the prompt follows nothing, and is not null")
    return [PromptToken(text, value, text) for text, value in zip(texts, values, strict=True)]


async def score_prompt(asker: Asker, request: Score) -> Received:
    """Score each option as the end of the assistant's turn, in one request each."""

    async def ask(replies: list[str]) -> list[PromptTokens]:
        return [await _prompted(asker, request, reply) for reply in replies]

    return await score_ends(request, ask)


async def _prompted(asker: Asker, request: Score, reply: str) -> PromptTokens:
    # 0: the log-probabilities of the prompt's own tokens, and of no others.
    received = await asker.complete(request.conversation, reply, {"prompt_logprobs": 0})
    choices_of(received, 1)
    prompt_tokens, completion_tokens = counts_of(received)
    tokens = prompt_tokens_of(received)
    if prompt_tokens not in {None, len(tokens)}:
        raise malformed(f"{len(tokens)} of a prompt of {prompt_tokens} tokens")
    return PromptTokens(tokens, prompt_tokens or 0, completion_tokens or 0)


def prompt_tokens_of(received: Mapping[str, Any]) -> list[PromptToken]:
    """The prompt's tokens, of ``{number: {"logprob": ..., "decoded_token": ...}}``."""
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
    first = PromptToken("", None, str(numbers[0]))
    return [first, *map(_token, positions[1:], numbers[1:])]


def _token(position: Any, number: Any) -> PromptToken:
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
    return PromptToken(text, found.get("logprob"), key)
