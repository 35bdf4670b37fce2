"""What is expected of each reply: status, body and headers -> kind, wait, retry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from chef.models.api.failures import Failure, refused, retry_after
from chef.models.api.gate import seconds_to_wait

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HTML = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
#: status, body, headers; the seconds that the server asks for; is it tried again?
TABLE: list[tuple[int, Any, dict[str, str], float | None, bool]] = [
    (400, {"error": {"message": "messages: too long"}}, {}, None, False),
    (401, {"error": {"message": "Incorrect API key"}}, {}, None, False),
    (402, {"error": {"message": "Insufficient Balance"}}, {}, None, False),
    (403, "Forbidden", {"retry-after": "5"}, 5.0, False),
    (404, HTML, {}, None, False),
    (405, {"detail": "Method Not Allowed"}, {}, None, False),
    (408, "", {}, None, True),
    (409, {"error": {"message": "conflict"}}, {}, None, True),
    (413, "Payload Too Large", {}, None, False),
    (422, {"detail": [{"loc": ["body", "seed"], "msg": "extra"}]}, {}, None, False),
    (429, {"error": {"message": "slow down"}}, {"retry-after": "1"}, 1.0, True),
    (429, {"error": {"message": "slow down"}}, {}, None, True),
    (429, {"error": {"code": "insufficient_quota"}}, {"retry-after": "1"}, 1.0, False),
    (429, HTML, {"retry-after": "0"}, 0.0, True),
    (500, "", {}, None, True),
    (502, HTML, {}, None, True),
    (503, None, {"retry-after": "2.5"}, 2.5, True),
    (504, "upstream timed out", {}, None, True),
    (520, [], {}, None, True),
    (529, {"type": "error", "error": {"type": "overloaded_error"}}, {}, None, True),
]


@pytest.mark.parametrize(("status", "body", "headers", "wait", "again"), TABLE)
def test_the_table(
    status: int, body: Any, headers: dict[str, str], wait: float | None, again: bool
) -> None:
    error = refused(status, body, headers, "http://host.test/v1", "some-7b")
    assert error.retry_after == wait
    assert error.failure.is_retried is again
    assert f"status {status}" in str(error)
    assert "<" not in error.what, "a page of HTML is not passed on"
    waits = seconds_to_wait(error.failure, 1, 6, chance=0.5, retry_after=error.retry_after)
    assert (waits is not None) is again
    if waits is not None and wait is not None:
        assert waits >= wait, "it comes back before the time that the server names"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0), (" 7 ", 7.0), ("0", 0.0), ("1.5", 1.5), ("1e3", 1000.0),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(days=2), usegmt=True), 0.0),
        ("-3", None), ("nan", None), ("inf", None), ("soon", None), ("", None),
        ("7 seconds", None), ("2026-03-01", None), ("\u0000", None), ("9" * 400, None),
    ],
)  # fmt: skip
def test_retry_after(text: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": text}, NOW) == seconds


def test_a_huge_time_is_bounded() -> None:
    wait = seconds_to_wait(Failure.RATE_LIMITED, 1, 6, chance=1.0, retry_after=1e9)
    assert wait is not None
    assert wait < 400
