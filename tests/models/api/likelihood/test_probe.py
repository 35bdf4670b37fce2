"""A server that does not do what its model file says is refused before the first sample."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest
from models.api.likelihood.conftest import ask
from models.api.likelihood.true_server import TrueServer
from models.api.scripted_server import Answer, Asked, ScriptedServer, completion, serve

from chef.errors import ConfigError
from chef.models.api.failures import RequestFailedError
from chef.models.api.scoring import check_logprobs
from chef.models.api.settings import Likelihood

NONE = Likelihood()
TOP = Likelihood(logprobs="top")
PROMPT = Likelihood(logprobs="prompt")
ECHO = Likelihood(logprobs="prompt", logprobs_api="completions")


def probe(server: ScriptedServer, settings: Likelihood) -> None:
    ask(server, lambda asker: check_logprobs(asker, settings))


@pytest.mark.parametrize("settings", [TOP, PROMPT, ECHO])
def test_a_true_server_is_accepted(true_server: ScriptedServer, settings: Likelihood) -> None:
    probe(true_server, settings)
    assert 1 <= len(true_server.asked) <= 3


def test_nothing_is_asked_where_nothing_is_stated(true_server: ScriptedServer) -> None:
    probe(true_server, NONE)
    assert true_server.asked == []


@pytest.mark.parametrize("settings", [TOP, PROMPT, ECHO])
def test_a_server_that_ignores_log_probabilities(settings: Likelihood) -> None:
    """As `transformers serve` does."""
    with serve(Answer(completion("yes"))) as server, pytest.raises(ConfigError) as error:
        probe(server, settings)
    assert "logprobs" in str(error.value)
    assert "Direct" in str(error.value.hint)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_server_that_refuses_the_fields(status: int) -> None:
    refusal = Answer({"error": {"message": "Unrecognized request argument"}}, status=status)
    with serve(refusal) as server, pytest.raises(ConfigError, match="Unrecognized") as error:
        probe(server, PROMPT)
    assert error.value.where == "logprobs"


def test_a_wrong_key_is_no_matter_of_log_probabilities() -> None:
    refusal = Answer({"error": {"message": "wrong key"}}, status=401)
    with serve(refusal) as server, pytest.raises(RequestFailedError, match="wrong key"):
        probe(server, PROMPT)


def spoilt(truth: TrueServer, change: Callable[[Asked, dict[str, Any]], None]) -> Any:
    """The script of a server whose true replies are changed."""

    def answer(asked: Asked) -> Answer:
        reply = copy.deepcopy(truth(asked))
        change(asked, reply.body)
        return reply

    return answer


def test_a_server_that_closes_the_reply(truth: TrueServer) -> None:
    """It does not know ``continue_final_message``, so the model would begin another reply."""

    def answer(asked: Asked) -> Answer:
        body = {**asked.body, "continue_final_message": False, "add_generation_prompt": True}
        return truth(Asked(asked.method, asked.path, asked.headers, body, asked.time))

    for settings, told in ((TOP, "go on with a reply"), (PROMPT, "cannot be told")):
        with serve(answer) as server, pytest.raises(ConfigError, match=told):
            probe(server, settings)


def top_values(value: Any) -> Callable[[Asked, dict[str, Any]], None]:
    def change(_: Asked, reply: dict[str, Any]) -> None:
        if reply["choices"][0]["logprobs"]:
            reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"][1]["logprob"] = value

    return change


@pytest.mark.parametrize("value", [math.nan, 0.5, -math.inf, -9999.0, None, "-1.5", True])
def test_no_log_probability_in_the_list(truth: TrueServer, value: Any) -> None:
    script = spoilt(truth, top_values(value))
    with serve(script) as server, pytest.raises(ConfigError, match="the server gave"):
        probe(server, TOP)


def test_log_probabilities_of_a_tempered_distribution(truth: TrueServer) -> None:
    """Divided by a temperature of nearly 0, one token has all of the probability."""

    def change(_: Asked, reply: dict[str, Any]) -> None:
        if reply["choices"][0]["logprobs"]:
            listed = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            for entry in listed:
                entry["logprob"] = 1e4 * (entry["logprob"] - listed[0]["logprob"])
                entry["logprob"] = max(entry["logprob"], -5000.0)

    with serve(spoilt(truth, change)) as server, pytest.raises(ConfigError, match="all of the"):
        probe(server, TOP)


def test_logits_are_no_log_probabilities(truth: TrueServer) -> None:
    def change(_: Asked, reply: dict[str, Any]) -> None:
        if reply["choices"][0]["logprobs"]:
            for entry in reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]:
                entry["logprob"] = -0.1

    with serve(spoilt(truth, change)) as server, pytest.raises(ConfigError, match="more than 1"):
        probe(server, TOP)


def test_every_score_is_zero(truth: TrueServer) -> None:
    """A known fault of servers: each option has a log-probability of 0."""

    def change(_: Asked, reply: dict[str, Any]) -> None:
        for position in reply["prompt_logprobs"][1:]:
            for entry in position.values():
                entry["logprob"] = 0.0

    with serve(spoilt(truth, change)) as server, pytest.raises(ConfigError, match="same score"):
        probe(server, PROMPT)


def _first_has_a_value(positions: list[Any]) -> None:
    positions[0] = positions[1]


def _one_is_missing(positions: list[Any]) -> None:
    del positions[1]


def _one_is_null(positions: list[Any]) -> None:
    positions[-1] = None


def _ambiguous(positions: list[Any]) -> None:
    positions[-1]["1"] = {"logprob": -1.0, "decoded_token": "x"}


def _without_text(positions: list[Any]) -> None:
    for entry in positions[-1].values():
        del entry["decoded_token"]


def _not_finite(positions: list[Any]) -> None:
    for entry in positions[-1].values():
        entry["logprob"] = math.nan


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (_first_has_a_value, "follows nothing"),
        (_one_is_missing, "of a prompt of"),
        (_one_is_null, "no object"),
        (_ambiguous, "not told"),
        (_without_text, "no decoded_token"),
        (_not_finite, "not finite"),
    ],
)
def test_malformed_prompt_logprobs(
    truth: TrueServer, damage: Callable[[list[Any]], None], told: str
) -> None:
    def change(_: Asked, reply: dict[str, Any]) -> None:
        damage(reply["prompt_logprobs"])

    with serve(spoilt(truth, change)) as server, pytest.raises(ConfigError, match=told):
        probe(server, PROMPT)


def _values_too_short(choice: dict[str, Any]) -> None:
    del choice["logprobs"]["token_logprobs"][-1]


def _all_too_short(choice: dict[str, Any]) -> None:
    for key in ("tokens", "token_logprobs"):
        del choice["logprobs"][key][-1]


def _without_null(choice: dict[str, Any]) -> None:
    choice["logprobs"]["token_logprobs"][0] = -1.0


def _positive(choice: dict[str, Any]) -> None:
    choice["logprobs"]["token_logprobs"][-2] = 2.0


def _other_index(choice: dict[str, Any]) -> None:
    choice["index"] = 7


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (_values_too_short, "tokens and"),
        (_all_too_short, "of prompts of"),
        (_without_null, "follows nothing"),
        (_positive, "at most 0"),
        (_other_index, "choice"),
    ],
)
def test_malformed_echo(
    truth: TrueServer, damage: Callable[[dict[str, Any]], None], told: str
) -> None:
    def change(_: Asked, reply: dict[str, Any]) -> None:
        damage(reply["choices"][0])

    with serve(spoilt(truth, change)) as server, pytest.raises(ConfigError, match=told):
        probe(server, ECHO)
