"""Where a redirect may lead, how much is unpacked, and how slow a download may be."""

from __future__ import annotations

import pickle
import zlib

import pytest

from chef.guard.bounds import (
    SLOWEST_BYTES,
    SLOWEST_SECONDS,
    HttpError,
    Pace,
    Trouble,
    Unpacker,
)
from chef.guard.http import is_same_host, next_address
from chef.scenario.download import _may_follow

HUB = "https://huggingface.co/datasets/o/n/resolve/main/a.zip"


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/other", "http://a.test/other"),
        ("?x=1", "http://a.test/v1?x=1"),
        ("http://A.test:80/other", "http://a.test/other"),
        ("https://a.test/v1", "https://a.test/v1"),  # the same host, by https at last
    ],
)
def test_a_redirect_within_a_host_is_followed(location: str, target: str) -> None:
    assert next_address("http://a.test/v1", 307, location, "POST") == target


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("https://a.test/", "http://a.test/"), ("https://a.test/", "https://b.test/"),
        ("https://a.test/", "https://a.test:444/"), ("https://a.test/", "https://x.a.test/"),
        ("http://a.test:8000/", "https://a.test/"), ("http://a.test/", "https://a.test:8443/"),
        ("https://a.test/", "//b.test/"), ("https://a.test/", "https://a.test@b.test/"),
        ("https://a.test/", "https://a.test.b.test/"), ("https://a.test/", "file:///etc/passwd"),
    ],
)  # fmt: skip
def test_a_redirect_to_anywhere_else_is_refused(url: str, location: str) -> None:
    for method in ("GET", "POST"):
        with pytest.raises(HttpError) as error:
            next_address(url, 307, location, method)
        assert error.value.trouble is Trouble.ELSEWHERE


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_question_is_not_lost_on_the_way(status: int) -> None:
    with pytest.raises(HttpError, match="without what was asked"):
        next_address("http://a.test/v1", status, "/v2", "POST")
    assert next_address("http://a.test/v1", status, "/v2", "GET") == "http://a.test/v2"


@pytest.mark.parametrize(
    ("host", "hosts", "is_followed"),
    [
        ("cdn-lfs.hf.co", (), True), ("hf.co", (), True), ("evil-hf.co", (), False),
        ("hf.co.evil.test", (), False), ("githubusercontent.com", (), False),
        ("cdn.test", (), False), ("cdn.test", ("cdn.test",), True),
        ("x.cdn.test", ("cdn.test",), False),
    ],
)  # fmt: skip
def test_a_download_is_followed_to_named_hosts_by_https(
    host: str, hosts: tuple[str, ...], is_followed: bool
) -> None:
    follow = _may_follow(HUB, hosts)
    if is_followed:
        assert next_address(HUB, 302, f"https://{host}/a", "GET", follow) == f"https://{host}/a"
        assert not is_same_host(HUB, f"https://{host}/a")  # so no token is sent there
    else:
        with pytest.raises(HttpError, match=f"https://{host}"):
            next_address(HUB, 302, f"https://{host}/a", "GET", follow)
    with pytest.raises(HttpError):
        next_address(HUB, 302, f"http://{host}/a", "GET", follow)


def test_no_more_is_unpacked_than_allowed() -> None:
    data = zlib.compress(b"a" * 100_000)
    whole = Unpacker("deflate", 100_000)
    assert len(whole.unpack(data)) == 100_000
    whole.check_end()
    with pytest.raises(HttpError, match="larger than 99,999 bytes when it is unpacked"):
        Unpacker("gzip", 99_999).unpack(data)


def test_a_drip_is_given_up_and_a_slow_download_is_not() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    for _ in range(5):
        now[0] += SLOWEST_SECONDS
        pace.came(SLOWEST_BYTES)
    now[0] += SLOWEST_SECONDS + 1
    with pytest.raises(HttpError, match="only 7 bytes came in 61 s"):
        pace.came(7)


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(HttpError("what", Trouble.BROKEN, "hint")))
    assert (error.what, error.trouble, error.hint) == ("what", Trouble.BROKEN, "hint")
