"""The keys of a model file that say how a server gives log-probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chef.errors import ConfigError

#: How far a server's list of the likeliest tokens may reach. OpenAI and vLLM give 20 at most,
#: unless vLLM was started with another ``--max-logprobs``.
MOST_TOP = 1000


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How options are scored.

    Attributes:
        logprobs: ``top``: options of one token, from the list of the likeliest first tokens;
            ``prompt``: options of any length, as the end of the prompt; ``none``: the server gives
            no log-probabilities, and a recipe that scores options is refused.
        logprobs_api: what is asked for ``logprobs: prompt``. ``chat``: chat completions with
            vLLM's ``prompt_logprobs``; ``completions``: completions with ``echo``, without a chat
            template and without images.
        top_logprobs: the length of the list that ``logprobs: top`` asks for.

    Raises:
        ConfigError: a value is out of range, or a key has no effect.
    """

    logprobs: Literal["none", "top", "prompt"] = "none"
    logprobs_api: Literal["chat", "completions"] = "chat"
    top_logprobs: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.top_logprobs <= MOST_TOP:
            raise ConfigError(
                f"top_logprobs is {self.top_logprobs}",
                where="top_logprobs",
                hint=f"use 1 to {MOST_TOP}; OpenAI and vLLM give 20 at most unless told otherwise",
            )
        if self.logprobs_api == "completions" and self.logprobs != "prompt":
            raise ConfigError(
                f"logprobs_api has no effect with logprobs: {self.logprobs}",
                where="logprobs_api",
                hint="completions can score the end of a prompt only: add logprobs: prompt",
            )
