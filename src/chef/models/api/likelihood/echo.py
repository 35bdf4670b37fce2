"""Options scored as the end of the prompt of a completion that repeats it (``echo``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.errors import SampleError
from chef.models.api.likelihood.asking import Asker, Tokens, score_ends
from chef.models.api.likelihood.tokens import Token, absent, choices_of, malformed, usage_of
from chef.models.api.server_model import Received
from chef.types import Conversation, Score


async def score_echo(asker: Asker, request: Score) -> Received:
    """Score all options as the ends of texts, in one request.

    Raises:
        RequestFailedError: the request failed, or its reply lacks ``logprobs``.
        SampleError: the conversation has images, or an option is empty.
        ReplyError: the reply has log-probabilities, and they cannot be used.
    """
    prompt = plain_text(request.conversation)

    async def ask(replies: list[str]) -> list[Tokens]:
        return await _ask(asker, [f"{prompt}\n{reply}" for reply in replies])

    return await score_ends(request, ask)


def plain_text(conversation: Conversation) -> str:
    """The turns, one a line: completions know no chat template.

    Raises:
        SampleError: there are images.
    """
    if any(turn.images for turn in conversation):
        raise SampleError(
            "completions take no images",
            hint="use logprobs_api: chat, which needs vLLM, or logprobs: top",
        )
    return "\n".join(turn.text for turn in conversation if turn.text)


async def _ask(asker: Asker, texts: list[str]) -> list[Tokens]:
    # Not every server takes max_tokens: 0, so the last token of each text is a generated one.
    body = {
        **asker.plain,
        "prompt": texts,
        "echo": True,
        "logprobs": 1,
        "max_tokens": 1,
        "temperature": 0,
    }
    received = await asker.client.post("/completions", body)
    choices = choices_of(received, len(texts))
    prompt_tokens, completion_tokens = usage_of(received)
    given = [echoed_tokens(choice) for choice in choices]
    generated = _generated(completion_tokens, len(texts))
    prompts = [tokens[: len(tokens) - generated] for tokens in given]
    total = sum(map(len, prompts))
    if prompt_tokens not in {None, total}:
        raise malformed(f"{total} of prompts of {prompt_tokens} tokens")
    counts = [(prompt_tokens or 0, completion_tokens or 0, 1)] + [(0, 0, 0)] * (len(texts) - 1)
    return [Tokens(each, *count) for each, count in zip(prompts, counts, strict=True)]


def _generated(completion_tokens: int | None, texts: int) -> int:
    """How many tokens were generated after each text: one, or none by servers that stop first."""
    if completion_tokens in {None, texts}:
        return 1
    if completion_tokens == 0:
        return 0
    raise malformed(f"{completion_tokens} token(s) generated for {texts} text(s)")


def echoed_tokens(choice: Mapping[str, Any]) -> list[Token]:
    """The tokens of a choice, of the prompt and generated.

    Raises:
        RequestFailedError: they are missing.
        ReplyError: they have another form.
    """
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
    return [Token(text, value, text) for text, value in zip(texts, values, strict=True)]
