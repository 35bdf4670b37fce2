"""Every way in which a request fails is known by its kind, and says what the server said."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from models.api.scripted_server import Answer, Asked, completion, serve

from chef.common import redaction
from chef.errors import ConfigError
from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError, retry_after

QUESTION = {"model": "some-7b", "messages": [{"role": "user", "content": "?"}]}


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 30))


async def ask(base_url: str, key: str | None = None, **rest: Any) -> Any:
    client = Client(base_url, key, **rest)
    try:
        return await client.post("chat/completions", QUESTION)
    finally:
        await client.close()


def failure(answer: Answer, **rest: Any) -> RequestFailedError:
    with serve(answer) as server, pytest.raises(RequestFailedError) as error:
        run(ask(server.base_url, **rest))
    assert len(server.asked) == 1, "a request that failed was sent again"
    assert server.base_url in str(error.value)
    return error.value


def test_a_good_reply_is_returned_as_it_is() -> None:
    extra = {**completion("a"), "prompt_logprobs": [None, {"7": {"logprob": -0.5}}]}
    with serve(Answer(extra)) as server:
        assert run(ask(server.base_url, "the-key-of-a-test")) == extra
    [asked] = server.asked
    assert (asked.method, asked.path, asked.body) == ("POST", "/v1/chat/completions", QUESTION)
    assert asked.headers["authorization"] == "Bearer the-key-of-a-test"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "bad_request"), (401, "unauthorized"), (402, "no_credit"), (403, "forbidden"),
        (404, "not_found"), (408, "timeout"), (409, "conflict"), (413, "bad_request"),
        (422, "bad_request"), (429, "rate_limited"), (500, "server"), (502, "server"),
        (503, "overloaded"), (504, "server"), (529, "server"),
    ],
)  # fmt: skip
def test_statuses(status: int, kind: str) -> None:
    error = failure(Answer({"error": {"message": "not today"}}, status))
    assert error.failure == kind
    assert "not today" in str(error)
    assert str(status) in str(error)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": "insufficient_quota", "message": "pay"}},
        {"error": {"type": "insufficient_quota", "message": "pay"}},
        [{"error": {"code": "insufficient_quota", "message": "pay"}}],
    ],
)
def test_no_credit_is_told_from_too_many_requests(body: Any) -> None:
    assert failure(Answer(body, 429)).failure is Failure.NO_CREDIT


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "The model `some-7b` does not exist.", "code": None}}),
        (400, {"object": "error", "message": "Model some-7b not found", "code": 400}),
        (400, {"error": {"message": "no", "code": "model_not_found"}}),
        (400, {"detail": "some-7b is not a local folder and is not a valid model identifier"}),
        (400, {"detail": "Server is pinned to '/data/other'; requested 'some-7b'."}),
        (404, {"error": {"message": "The model `some-7b` does not exist.", "code": 404}}),
    ],
)
def test_an_unknown_model(status: int, body: Any) -> None:
    assert failure(Answer(body, status)).failure is Failure.NOT_FOUND


@pytest.mark.parametrize(
    "message",
    [
        "The image at index 0 was not found",
        "some-7b does not support images",
        "the prompt does not exist",
    ],
)
def test_other_bad_requests_are_no_unknown_model(message: str) -> None:
    error = failure(Answer({"error": {"message": message}}, 400))
    assert error.failure is Failure.BAD_REQUEST


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<html><body><h1>It works!</h1></body></html>", "HTML"),
        ('{"choices": [{"mess', "no JSON object"),
        ("", "empty"),
        ("[1, 2]", "list"),
        ("null", "no JSON object"),
        ('{"error": "overloaded, maybe"}', "overloaded, maybe"),
        (b"\xff\xfe{", "no JSON object"),
    ],
)
def test_a_body_that_cannot_be_read(body: Any, said: str) -> None:
    error = failure(Answer(body))
    assert error.failure is Failure.BROKEN_BODY
    assert said in str(error)


def test_html_that_claims_to_be_html_is_a_broken_body_too() -> None:
    page = Answer("<html><title>Log in</title></html>", headers={"Content-Type": "text/html"})
    error = failure(page)
    assert error.failure is Failure.BROKEN_BODY
    assert "Log in" in str(error)
    assert "<title>" not in str(error)


@pytest.mark.parametrize(("code", "kind"), [(429, "rate_limited"), (502, "server")])
def test_a_gateway_passes_on_an_error_with_status_200(code: int, kind: str) -> None:
    error = failure(Answer({"error": {"code": code, "message": "upstream"}}))
    assert error.failure == kind
    assert "upstream" in str(error)


def test_a_page_of_html_is_named_by_its_title_only() -> None:
    page = f"<!DOCTYPE html><html><head><title>502 Bad &amp; Gateway</title></head>{'x' * 9000}"
    error = failure(Answer(page, 502, {"Content-Type": "text/html"}))
    assert "502 Bad & Gateway" in str(error)
    assert "<" not in str(error)
    assert len(str(error)) < 400


def test_a_long_message_is_shortened_and_on_one_line() -> None:
    error = failure(Answer({"error": {"message": "too\nlong " * 500}}, 400))
    assert "too long too long" in str(error)
    assert len(str(error)) < 500


def test_a_refused_field_is_named() -> None:
    detail = [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "type": "extra"}]
    error = failure(Answer({"detail": detail}, 422))
    assert "body.seed: Extra inputs are not permitted" in str(error)


def test_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(RequestFailedError) as error:
        run(ask(f"http://127.0.0.1:{port}/v1"))
    assert error.value.failure is Failure.CONNECTION
    assert "no reply: Connection refused" in str(error.value)
    assert "base_url" in str(error.value)


@pytest.mark.parametrize("cut", [0, 40])
def test_a_cut_connection(cut: int) -> None:
    assert failure(Answer(completion(), cut=cut)).failure is Failure.CONNECTION


def test_a_silent_server() -> None:
    error = failure(Answer(completion(), delay=1.5), timeout=0.3)
    assert error.failure is Failure.TIMEOUT


def test_a_redirect_that_leads_nowhere_is_a_wrong_address() -> None:
    assert failure(Answer("", 304)).failure is Failure.NOT_FOUND


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "Retry-After": "9"}, 1.5),
        ({"retry-after-ms": "soon", "Retry-After": "9"}, 9.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    error = failure(Answer({"error": {"message": "slow down"}}, 429, headers))
    assert error.retry_after == seconds


@pytest.mark.parametrize(("ahead", "seconds"), [(90, 90.0), (-90, 0.0)])
def test_retry_after_as_a_date(ahead: int, seconds: float) -> None:
    now = datetime(2030, 5, 4, 12, 0, 0, tzinfo=UTC)
    date = format_datetime(now + timedelta(seconds=ahead), usegmt=True)
    assert retry_after({"retry-after": date}, now) == seconds


def test_no_key_of_the_environment_is_sent_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = {"OPENAI_API_KEY": "sk-not-for-others", "OPENAI_ORG_ID": "org-not-for-others"}
    for name, value in {**secrets, "OPENAI_PROJECT_ID": "project-not-for-others"}.items():
        monkeypatch.setenv(name, value)
    with serve(Answer(completion())) as server:
        run(ask(server.base_url))
    assert "authorization" not in server.asked[0].headers
    assert "not-for-others" not in str(server.asked[0].headers)


def test_user_password_and_parameters_of_the_address_are_sent_and_never_shown() -> None:
    with serve(Answer({"error": {"message": "no"}}, 500)) as server:
        plain = server.base_url
        address = plain.replace("://", "://me:pass%40word@") + "/?api-version=2&key=the-parameter"
        with pytest.raises(RequestFailedError) as error:
            run(ask(address))
    [asked] = server.asked
    assert asked.path == "/v1/chat/completions?api-version=2&key=the-parameter"
    assert asked.headers["authorization"] == "Basic bWU6cGFzc0B3b3Jk"  # me:pass@word
    assert error.value.where == plain
    assert "the-parameter" not in str(error.value)
    assert "word" not in str(error.value)


def test_a_server_that_repeats_the_key_does_not_show_it() -> None:
    key = "kk-93ab77de10f2"
    redaction.remember([key])
    error = failure(Answer({"error": {"message": f"Incorrect API key provided: {key}"}}, 401))
    assert key not in str(error)
    assert "Incorrect API key" in str(error)


@pytest.mark.parametrize("base_url", ["localhost:8000/v1", "ftp://x/v1", "http://", "", "http://["])
def test_what_is_no_address_is_refused(base_url: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        Client(base_url, None)


def test_requests_share_connections_and_close_ends_them() -> None:
    async def many(base_url: str) -> list[Any]:
        client = Client(base_url, None)
        replies = await asyncio.gather(*(client.get("models") for _ in range(20)))
        await client.close()
        return [*replies, await client.get("/models")]

    with serve(Answer({"data": []})) as server:
        replies = run(many(server.base_url))
        assert replies == [{"data": []}] * 21
    assert {item.path for item in server.asked} == {"/v1/models"}


@pytest.mark.parametrize(
    ("message", "key"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            "max_tokens_key: max_completion_tokens",
        ),
        ("Unsupported value: 'temperature' does not support 0.0", "send_temperature: false"),
        ("body.seed: Extra inputs are not permitted", "send_seed: false"),
        ("Unexpected fields in the request: {'continue_final_message'}", "continues: false"),
    ],
)
def test_a_field_that_a_server_refuses_has_its_key_in_the_hint(message: str, key: str) -> None:
    error = failure(Answer({"error": {"message": message}}, 400))
    assert error.hint is not None
    assert error.hint.endswith(key)


def test_other_bad_requests_have_no_such_hint() -> None:
    assert failure(Answer({"error": {"message": "the prompt is too long"}}, 400)).hint is None


def test_a_cancelled_request_closes_its_connection_and_others_go_on() -> None:
    released = threading.Event()

    def script(asked: Asked) -> Answer:
        if asked.path.endswith("slow"):
            released.wait(200)
        return Answer({"data": []})

    async def cancel(base_url: str) -> int:
        client = Client(base_url, None)
        await client.get("models")
        client_side = client._http._loaded()._transport._pool  # type: ignore[attr-defined]
        slow = [asyncio.ensure_future(client.get("slow")) for _ in range(5)]
        await asyncio.sleep(0.3)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert await client.get("models") == {"data": []}
        left = sum(not item.is_idle() for item in client_side.connections)
        await client.close()
        return left

    try:
        with serve(script) as server:
            assert run(cancel(server.base_url)) == 0
            released.set()
    finally:
        released.set()
