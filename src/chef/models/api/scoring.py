"""Options scored by a server, in the way that its model file states.

With ``logprobs: top``, the list of the likeliest first tokens scores options of one token.
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

from chef.errors import ConfigError, ReplyError, SampleError
from chef.models.api.ends import Asker, check_not_empty, plain_text, score_echo, score_prompt
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.replies import absent, choices_of, counts_of, logprob_of, malformed
from chef.models.api.server_model import Received
from chef.models.api.settings import Likelihood
from chef.types import Conversation, Score, Scored, Text, Turn

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
    prompt_tokens, completion_tokens = counts_of(received)
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
    counts = [counts_of(received)[0] for received in (begun, closed)]
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
