"""Options scored by a server, in the way that its model file states."""

from __future__ import annotations

from chef.errors import ConfigError, ReplyError, SampleError
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.likelihood.asking import Asker
from chef.models.api.likelihood.ends import plain_text, score_echo, score_prompt
from chef.models.api.likelihood.tokens import usage_of
from chef.models.api.likelihood.top import ask_top, check_single, listed_tokens, score_top
from chef.models.api.server_model import Received
from chef.models.api.settings import Likelihood
from chef.types import Score, Scored, Text, Turn

_NO_LOGPROBS = "this recipe scores options, and the model file does not say that the server can"
_HINT = (
    "use inferencer_type: Direct, which lets the model write; or, if the server gives "
    "log-probabilities, add logprobs: top or logprobs: prompt to the model file"
)


async def score(asker: Asker, settings: Likelihood, request: Score) -> Received:
    """One `Scored` for each option, in order; equal options have equal scores.

    Raises:
        ConfigError: the model file states no way to score options.
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
    raise ConfigError(_NO_LOGPROBS, hint=_HINT)


def check_scorable(settings: Likelihood, request: Score, *, continues: bool = True) -> None:
    """Check, before anything is asked, that such options can be scored; else a ConfigError."""
    if settings.logprobs == "none":
        raise ConfigError(_NO_LOGPROBS, hint=_HINT)
    try:
        if settings.logprobs == "top":
            check_single(request, continues=continues)
        elif settings.logprobs_api == "completions":
            plain_text(request.conversation)
    except SampleError as error:
        raise ConfigError(error.what, hint=error.hint) from error


#: Two options, so that it shows if all scores are the same; one word each, and plain ASCII, so that
#: their tokens can be told from the prompt's by the rule that most samples need, too.
PROBE = Score(
    conversation=(Turn("user", (Text("Is the sun hot? Answer with yes or no."),)),),
    candidates=("yes", "no"),
    answer_prefix="The answer is ",
)
#: Failures that may be those of the settings; the others say nothing about log-probabilities.
_TELLING = frozenset({Failure.BAD_REQUEST, Failure.BROKEN_BODY, Failure.NOT_FOUND, Failure.SERVER})
#: The log-probability below which a token is as good as impossible.
_IMPOSSIBLE = -1000.0


async def check_logprobs(asker: Asker, settings: Likelihood) -> None:
    """Check that the server gives log-probabilities as the file states; else a ConfigError."""
    if settings.logprobs == "none":
        return
    try:
        if settings.logprobs == "top":
            await _check_top(asker, settings)
        else:
            await _check_prompt(asker, settings)
    except ReplyError as error:
        raise _refused(error.what, asker, settings) from error
    except RequestFailedError as error:
        if error.failure not in _TELLING:
            raise
        raise _refused(error.what, asker, settings) from error


async def _check_top(asker: Asker, settings: Likelihood) -> None:
    # Which tokens are likely is the model's affair, so the list is looked at and not the options.
    received = await ask_top(asker, PROBE.conversation, "", settings.top_logprobs)
    values = sorted((value for _, value in listed_tokens(received)), reverse=True)
    if len(values) < min(settings.top_logprobs, 2):
        raise ReplyError(f"the list of the likeliest tokens has {len(values)} entry")
    if len(values) > 1 and values[1] < _IMPOSSIBLE:
        raise ReplyError("one token has all of the probability")
    if asker.continues:
        await _check_continues(asker)


async def _check_continues(asker: Asker) -> None:
    """Check that a reply that has begun stays open: closed, it has more tokens."""
    words = PROBE.answer_prefix.rstrip()
    begun = await asker.complete(PROBE.conversation, words, {})
    closed = await asker.complete(PROBE.conversation, words, {"continue_final_message": False})
    counts = [usage_of(received)[0] for received in (begun, closed)]
    if counts[0] is None or counts[1] is None or counts[0] >= counts[1]:
        raise ReplyError(
            "it does not go on with a reply that has begun, as continues: true says "
            f"(prompt_tokens is {counts[0]} for such a reply, {counts[1]} for a complete one)"
        )


async def _check_prompt(asker: Asker, settings: Likelihood) -> None:
    received = await score(asker, settings, PROBE)
    scored = received.reply
    assert isinstance(scored, tuple)
    if len({_rounded(item) for item in scored}) < len(scored):
        raise ReplyError(f"two different options have the same score: {scored[0].logprob_sum}")


def _rounded(scored: Scored) -> float:
    return round(scored.logprob_sum, 6)


def _refused(what: str, asker: Asker, settings: Likelihood) -> ConfigError:
    if settings.logprobs == "prompt":
        other = "use logprobs: top for options of one token, or another logprobs_api"
    else:
        other = "use logprobs: prompt with vLLM"
        other += ", or leave continues out if that is at fault" if asker.continues else ""
    return ConfigError(
        f"the server does not give log-probabilities as logprobs: {settings.logprobs} needs them: "
        f"{what}",
        where="logprobs",
        hint=f"{other}; without log-probabilities leave logprobs out, and use recipes with "
        "inferencer_type: Direct",
    )
