"""What the ways of scoring share: the connection, and options as the ends of texts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from chef.errors import SampleError
from chef.models.api.likelihood.tokens import PromptToken, first_scored, first_scored_after, summed
from chef.models.api.server_model import Received
from chef.types import Conversation, Score


class Poster(Protocol):
    """Sends JSON and returns the JSON object of a good reply (`chef.models.api.client.Client`)."""

    async def post(self, path: str, body: Mapping[str, Any], /) -> Mapping[str, Any]:
        """Raises `RequestFailedError` where there is no good reply."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Writes and sends the requests of one model.

    Attributes:
        chat: the body about a conversation and the words with which the reply begins, if any.
        shortest: the fields that ask for one token, at temperature 0: some servers divide logits by
            it.
        continues: whether the server goes on with a reply that has begun, as the model file says.
    """

    client: Poster
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


@dataclass(frozen=True, slots=True)
class PromptTokens:
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
