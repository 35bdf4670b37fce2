"""Where a server may send a request on to: its own host, and named ones for downloads."""

from __future__ import annotations

from collections.abc import Callable

from chef.guard.bounds import HttpError, Trouble

#: The redirects that keep the method and the body of a request.
_KEEPING = frozenset({307, 308})
_LONGEST_ADDRESS = 8000


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address, as the client connects to it."""
    import httpx2

    parts = httpx2.URL(url)
    return parts.scheme, parts.host, parts.port


def is_same_host(url: str, target: str) -> bool:
    """Whether a redirect stays where it was: the same origin, or its host by https at last."""
    before, after = origin(url), origin(target)
    return before == after or (before, after) == (
        ("http", after[1], None),
        ("https", before[1], None),
    )


def next_address(
    url: str,
    status: int,
    location: str,
    method: str,
    may_follow: Callable[[str], bool] | None = None,
) -> str:
    """Where a redirect leads, if it is followed.

    It is followed to the same host and port, and from http to https there; a request with a body
    only where method and body are kept (307, 308). A download is also followed to another host, by
    https, where ``may_follow`` says so of its name.

    Raises:
        HttpError: it is not followed; the message names the host.
    """
    import httpx2

    try:
        target = httpx2.URL(url).join(location[:_LONGEST_ADDRESS])
        place = f"{target.scheme[:20]}://{target.host[:100]}"
        place += "" if target.port is None else f":{target.port}"
    except (httpx2.InvalidURL, ValueError, TypeError):
        raise elsewhere(status, "an address that is none") from None
    if len(location) > _LONGEST_ADDRESS or target.userinfo:
        raise elsewhere(status, f"{place} with an address that is too long or has a user name")
    if is_same_host(url, str(target)):
        if method != "GET" and status not in _KEEPING:
            raise elsewhere(status, "another path, without what was asked")
    elif target.scheme != "https" or may_follow is None or not may_follow(target.host):
        raise elsewhere(status, place)
    return str(target)


def elsewhere(status: int, place: str) -> HttpError:
    """The error of a redirect that is not followed."""
    return HttpError(
        f"status {status} sends the request on to {place}, and nothing is sent there",
        Trouble.ELSEWHERE,
        "if that is the right place, name its address instead",
    )
