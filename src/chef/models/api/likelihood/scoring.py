"""Options scored by a server, in the way that its model file states."""

from __future__ import annotations

from chef.errors import ConfigError, SampleError
from chef.models.api.likelihood.asking import Asker
from chef.models.api.likelihood.echo import plain_text, score_echo
from chef.models.api.likelihood.prompt import score_prompt
from chef.models.api.likelihood.settings import Likelihood
from chef.models.api.likelihood.top import check_single, score_top
from chef.models.api.server_model import Received
from chef.types import Score


async def score(asker: Asker, settings: Likelihood, request: Score) -> Received:
    """One `Scored` for each option, in order; equal options have equal scores.

    Raises:
        RequestFailedError: a request failed.
        SampleError: the server cannot score this request.
        ReplyError: the server's log-probabilities cannot be used.
    """
    if settings.logprobs == "top":
        return await score_top(asker, request, settings.top_logprobs)
    if settings.logprobs == "prompt" and settings.logprobs_api == "completions":
        return await score_echo(asker, request)
    if settings.logprobs == "prompt":
        return await score_prompt(asker, request)
    raise SampleError(NO_LOGPROBS, hint=_HINT)


def check_scorable(settings: Likelihood, request: Score, *, continues: bool = True) -> None:
    """Check, before anything is asked, that options like those of this request can be scored.

    Args:
        settings: how the server gives log-probabilities.
        request: one of the requests to come.
        continues: whether the server goes on with a reply that has begun.

    Raises:
        ConfigError: they cannot.
    """
    if settings.logprobs == "none":
        raise ConfigError(NO_LOGPROBS, hint=_HINT)
    try:
        if settings.logprobs == "top":
            check_single(request, continues=continues)
        elif settings.logprobs_api == "completions":
            plain_text(request.conversation)
    except SampleError as error:
        raise ConfigError(error.what, hint=error.hint) from error


NO_LOGPROBS = "this recipe scores options, and the model file does not say that the server can"
_HINT = (
    "use inferencer_type: Direct, which lets the model write; or, if the server gives "
    "log-probabilities, add logprobs: top or logprobs: prompt to the model file"
)
