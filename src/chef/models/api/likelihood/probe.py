"""A small request that shows, before the first sample, whether a server gives log-probabilities."""

from __future__ import annotations

from chef.errors import ConfigError, ReplyError
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.likelihood.asking import Asker
from chef.models.api.likelihood.scoring import score
from chef.models.api.likelihood.settings import Likelihood
from chef.models.api.likelihood.tokens import usage_of
from chef.models.api.likelihood.top import ask_top, listed_tokens
from chef.types import Score, Scored, Text, Turn

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
    """Check that the server gives log-probabilities in the way that the model file states.

    Nothing is asked where it states none.

    Raises:
        ConfigError: it does not.
        RequestFailedError: it cannot be reached.
    """
    if settings.logprobs == "none":
        return
    try:
        if settings.logprobs == "top":
            await _check_top(asker, settings)
        else:
            await _check_prompt(asker, settings)
    except ReplyError as error:
        raise _refused(error.what, settings) from error
    except RequestFailedError as error:
        if error.failure not in _TELLING:
            raise
        raise _refused(error.what, settings) from error


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


def _refused(what: str, settings: Likelihood) -> ConfigError:
    others = {
        "top": "logprobs: prompt with vLLM",
        "prompt": "logprobs: top for options of one token, or another logprobs_api",
    }
    return ConfigError(
        f"the server does not give log-probabilities as logprobs: {settings.logprobs} needs them: "
        f"{what}",
        where="logprobs",
        hint=f"use {others[settings.logprobs]}; without log-probabilities leave logprobs out, and "
        "use recipes with inferencer_type: Direct",
    )
