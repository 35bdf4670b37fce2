"""Perspective and moderation through their clients, against servers that answer by a script."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from models.api.scripted_server import Answer, Asked, ScriptedServer, serve

from chef.errors import ChefError, ConfigError, RunError
from chef.models.api.failures import RequestFailedError
from chef.models.api.gate import Waits
from chef.models.api.service import ATTRIBUTES, CATEGORIES, Moderation, Perspective, score_in
from chef.models.api.traffic import Traffic

KEY = "AIzaSyPerspective1234567"
AT_ONCE = Waits(chance=lambda: 0.0)


def google_error(status: int, message: str) -> Answer:
    kind = {429: "RESOURCE_EXHAUSTED", 403: "PERMISSION_DENIED"}.get(status, "INVALID_ARGUMENT")
    return Answer({"error": {"code": status, "message": message, "status": kind}}, status)


def rated(asked: Asked) -> Answer:
    """Scores of a comment: its number by a hundred for THREAT, less for the others."""
    number = int(asked.body["comment"]["text"].split()[-1]) / 100
    return scores_of(number)


def scores_of(number: float) -> Answer:
    scores = {name: number if name == "THREAT" else number / 2 for name in ATTRIBUTES}
    summary = {
        name: {"summaryScore": {"value": value, "type": "PROBABILITY"}}
        for name, value in scores.items()
    }
    return Answer({"attributeScores": summary, "languages": ["en"]})


@contextmanager
def perspective(
    script: Callable[[Asked], Answer], monkeypatch: pytest.MonkeyPatch, **traffic: Any
) -> Iterator[tuple[Perspective, ScriptedServer]]:
    monkeypatch.setenv("MY_KEY", KEY)
    with serve(script) as server:
        limits = Traffic(**{"requests_per_second": None, **traffic})
        yield Perspective(server.base_url, "MY_KEY", limits, waits=AT_ONCE), server


def texts(count: int) -> list[str]:
    return [f"text {number}" for number in range(count)]


def test_a_text_is_sent_once_with_the_key_in_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    with perspective(rated, monkeypatch) as (service, server):
        found = dict(service.results(texts(30)))
    assert {place: scores["THREAT"] for place, scores in found.items()} == {  # type: ignore[index]
        number: number / 100 for number in range(30)
    }
    assert len(server.asked) == 30
    (first, *_) = server.asked
    assert first.path == "/v1/comments:analyze"
    assert first.headers["x-goog-api-key"] == KEY
    assert "authorization" not in first.headers
    assert first.body == {
        "comment": {"text": "text 0"},
        "requestedAttributes": {name: {} for name in ATTRIBUTES},
        "doNotStore": True,
    }
    assert len(ATTRIBUTES) == 8


def test_several_are_in_flight_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    lock, under_way, counts = threading.Lock(), [0], []
    several = threading.Event()

    def script(asked: Asked) -> Answer:
        with lock:
            under_way[0] += 1
            counts.append(under_way[0])
        if under_way[0] >= 4:
            several.set()
        if len(counts) > 1:
            several.wait(100)
        with lock:
            under_way[0] -= 1
        return rated(asked)

    with perspective(script, monkeypatch, max_in_flight=4) as (service, _):
        list(service.results(texts(12)))
    assert counts[0] == 1
    assert max(counts) == 4


def test_requests_are_spaced_as_the_account_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    with perspective(rated, monkeypatch, requests_per_second=25) as (service, server):
        list(service.results(texts(8)))
    times = [item.time for item in server.asked]
    assert times[-1] - times[0] > 7 * 0.04 - 0.02
    assert Perspective("http://localhost").traffic.requests_per_second == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_passes_is_asked_again(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    failed: set[str] = set()

    def script(asked: Asked) -> Answer:
        text = asked.body["comment"]["text"]
        if text in {"text 0", "text 4"} and text not in failed:
            failed.add(text)
            error = google_error(status, "later")
            return Answer(error.body, status, {"Retry-After": "0.15"})
        return rated(asked)

    with perspective(script, monkeypatch) as (service, server):
        found = dict(service.results(texts(6)))
    assert [found[n]["THREAT"] for n in range(6)] == [n / 100 for n in range(6)]  # type: ignore[index]
    assert len(server.asked) == 8
    first, second = server.asked[:2]
    assert [item.body["comment"]["text"] for item in (first, second)] == ["text 0"] * 2
    assert second.time - first.time >= 0.13


def test_what_the_service_refuses_is_an_error_of_that_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(asked: Asked) -> Answer:
        text = asked.body["comment"]["text"]
        if text == "text 0":
            return google_error(400, "Comment text too long.")
        if text == "text 3":
            return google_error(400, "Attribute INSULT does not support request languages: la")
        return rated(asked)

    with perspective(script, monkeypatch) as (service, server):
        found = dict(service.results(texts(5)))
    errors = {n: item.what for n, item in found.items() if isinstance(item, RequestFailedError)}
    assert sorted(errors) == [0, 3]
    assert "Comment text too long" in errors[0]
    assert "does not support request languages: la" in errors[3]
    assert len(server.asked) == 5  # nobody asks again what was refused


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (google_error(400, "API key not valid. Please pass a valid API key."), "does not accept"),
        (google_error(403, f"the API is disabled for {KEY}"), "does not allow the key in MY_KEY"),
        (Answer({"error": {"message": "bad", "code": "invalid_api_key"}}, 401), "does not accept"),
    ],
)
def test_a_wrong_key_ends_it_before_the_second_request(
    monkeypatch: pytest.MonkeyPatch, answer: Answer, what: str
) -> None:
    with perspective(lambda _: answer, monkeypatch) as (service, server):
        with pytest.raises(ConfigError, match=what) as raised:
            list(service.results(texts(20)))
        assert len(server.asked) == 1
    assert "MY_KEY" in raised.value.what
    assert KEY not in str(raised.value)


def test_a_service_that_answers_nothing_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    script = lambda _: Answer("oh", 500)  # noqa: E731
    with perspective(script, monkeypatch, max_attempts=3) as (service, server):
        with pytest.raises(RunError, match="answered none of the last 2 requests"):
            list(service.results(texts(50)))
        assert len(server.asked) == 6


def test_texts_that_are_all_refused_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = google_error(400, "Unknown attribute: THREATS")
    with perspective(lambda _: answer, monkeypatch) as (service, server):
        with pytest.raises(RunError, match="Unknown attribute"):
            list(service.results(texts(50)))
        assert len(server.asked) == 8


def test_no_more_is_asked_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    with perspective(rated, monkeypatch, max_requests=5) as (service, server):
        with pytest.raises(RunError, match="max_requests is 5"):
            found.extend(service.results(texts(50)))
        assert len(server.asked) == 5


def test_replies_without_scores_are_asked_again_and_never_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad = [Answer({}), scores_of(1.5), Answer({"attributeScores": {}}), Answer("<html>")]

    def script(asked: Asked) -> Answer:
        return bad.pop() if bad else rated(asked)

    with perspective(script, monkeypatch) as (service, server):
        ((_, scores),) = service.results(["text 7"])
    assert scores["THREAT"] == 0.07  # type: ignore[index]
    assert len(server.asked) == 5


# -- keys -----------------------------------------------------------------------------------


def test_keys_come_from_the_first_variable_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Perspective, Moderation):
        first, second = kind.variables
        monkeypatch.delenv(first, raising=False)
        monkeypatch.delenv(second, raising=False)
        with pytest.raises(ConfigError, match="not set") as raised:
            kind().check_settings()
        assert f"export {first} or {second}" in (raised.value.hint or "")
        monkeypatch.setenv(second, "second-key")
        assert kind().server.key() == "second-key"
        monkeypatch.setenv(first, "first-key")
        assert kind().server.key() == "first-key"
        monkeypatch.setenv(first, "")  # an empty variable is none
        assert kind().server.key() == "second-key"


def test_no_key_is_sent_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-user-123")
    with serve(Answer(moderated([0.5]))) as server:
        list(Moderation(server.base_url).scores(["a"], 1))
    assert "authorization" not in server.asked[0].headers


# -- moderation -----------------------------------------------------------------------------


def moderated(values: list[float]) -> dict[str, Any]:
    """A reply whose newest categories have the highest scores: they do not count."""
    results = [
        {
            "flagged": False,
            "category_scores": {
                **{name: value if name == "hate" else 0.0 for name in CATEGORIES},
                "illicit": 0.99,
            },
        }
        for value in values
    ]
    return {"id": "modr-1", "model": "omni-moderation-latest", "results": results}


def test_moderation_takes_several_texts_a_request() -> None:
    def script(asked: Asked) -> Answer:
        inputs = asked.body["input"]
        if "text 5" in inputs:
            return Answer({"error": {"message": "the input is too long"}}, 400)
        numbers = [int(text.split()[-1]) / 100 for text in inputs]
        return Answer(moderated(numbers))

    with serve(script) as server:
        found = dict(Moderation(server.base_url, waits=AT_ONCE).scores(texts(10), 4))
    error = found.pop(5)
    assert isinstance(error, RequestFailedError)
    assert "too long" in error.what
    assert {n: max(scores.values()) for n, scores in found.items()} == {  # type: ignore[union-attr]
        n: n / 100 for n in range(10) if n != 5
    }
    bodies = [item["input"] for item in server.bodies]
    assert sorted(map(len, bodies)) == [1, 1, 1, 1, 2, 4, 4]
    assert {item["model"] for item in server.bodies} == {"omni-moderation-latest"}
    assert server.asked[0].path == "/v1/moderations"


def test_a_reply_with_another_number_of_results_is_none() -> None:
    replies = [moderated([0.1]), moderated([0.1, 0.2])]
    with serve(lambda _: Answer(replies.pop(0))) as server:
        found = dict(Moderation(server.base_url, waits=AT_ONCE).scores(["a", "b"], 2))
    assert [max(found[n].values()) for n in (0, 1)] == [0.1, 0.2]  # type: ignore[union-attr]
    assert len(server.asked) == 2


@pytest.mark.parametrize("value", [True, "0.5", None, -0.1, 1.1, float("nan")])
def test_what_is_no_score_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        score_in(value)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ChefError, match="not the address"):
        Perspective("localhost:80")
