"""What a hostile server answers: a table that anybody can add a line to.

A line is a name, the bytes that are sent (or a function that gives them piece by piece), and what
has to become of it: an ``answer`` or an ``error`` of its sample, or ``sent on``: an error that is
one of the address, because the server wants the request to go elsewhere.
"""

from __future__ import annotations

import gzip
import itertools
import json
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

Outcome = Literal["answer", "error", "sent on"]
#: Of a good body and the place of another server, what is sent: at once, or piece by piece.
Write = Callable[[bytes, str], bytes | AsyncIterator[bytes]]
MB = 2**20


@dataclass(frozen=True)
class Mode:
    """One way to answer.

    Attributes:
        name: its name.
        write: what is sent.
        outcome: what becomes of a request for JSON.
        is_file: whether a download of it is a file: all of HTTP is in order.
    """

    name: str
    write: Write
    outcome: Outcome = "error"
    is_file: bool = False


def head(status: int | str, headers: str = "", length: int | None = None) -> bytes:
    stated = "" if length is None else f"Content-Length: {length}\r\n"
    return f"HTTP/1.1 {status} Told\r\n{headers}{stated}\r\n".encode("latin-1")


def whole(status: int | str, body: bytes, headers: str = "") -> bytes:
    return head(status, headers, len(body)) + body


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


CHUNKED = "Transfer-Encoding: chunked\r\n"


# -- statuses ---------------------------------------------------------------------------------


def statuses() -> Iterator[Mode]:
    for status in (201, 202, 203, 299):
        yield Mode(f"status {status}", lambda good, _, s=status: whole(s, good), "answer")
    yield Mode("status 206", lambda good, _: whole(206, good), "answer")
    for status in (204, 205):
        yield Mode(f"status {status}", lambda _, __, s=status: head(s, length=0))
    refused = (
        400, 405, 406, 407, 408, 409, 410, 411, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424,
        425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522,
        524, 529, 530, 598, 600, 777, 999,
    )  # fmt: skip
    for status in refused:
        yield Mode(f"status {status}", lambda good, _, s=status: whole(s, good))
    for status in (304, 306):
        yield Mode(f"status {status}", lambda _, __, s=status: head(s, length=0), "sent on")
    for wait in ("-1", "nan", "inf", "soon", "1e999", "\x80"):
        line = f"Retry-After: {wait}\r\n"
        yield Mode(f"500, to be sent after {wait!r}", lambda _, __, h=line: whole(500, b"{}", h))
    login = "WWW-Authenticate: Basic realm=x\r\nProxy-Authenticate: Basic\r\n"
    yield Mode("asks for a login", lambda _, __: whole(407, b"{}", login))
    yield Mode("100 first", lambda good, _: head(100) + whole(200, good), "answer", is_file=True)
    many = head(103, "Link: <x>\r\n") * 500
    yield Mode("103 often", lambda good, _: many + whole(200, good), "answer", is_file=True)
    yield Mode("103 for ever", lambda _, __: forever(head(103) * 100))
    yield Mode("101", lambda _, __: head(101, "Upgrade: h2c\r\nConnection: upgrade\r\n"))
    for line in ("abc", "", "99", "-1", "20"):
        yield Mode(f"the status {line!r}", lambda good, _, s=line: whole(s, good))


# -- redirects --------------------------------------------------------------------------------


def redirects() -> Iterator[Mode]:
    """``{other}`` is another port, ``{here}`` the server itself."""
    places = {
        "another port": "http://127.0.0.1:{other}/v1/x",
        "another name": "http://localhost:{other}/v1/x",
        "no scheme": "//127.0.0.1:{other}/v1/x",
        "a user": "http://me:pw@127.0.0.1:{other}/v1/x",
    }
    for status, (name, place) in itertools.product((301, 302, 303, 307, 308), places.items()):
        yield sent_on(f"{status} to {name}", status, place)
    odd = {
        "https": "https://127.0.0.1:{other}/", "a file": "file:///etc/passwd",
        "gopher": "gopher://127.0.0.1:{other}/x", "data": "data:application/json,%7B%7D",
        "script": "javascript:alert(1)", "backslashes": "http://127.0.0.1:{other}\\@x/",
        "no address": "http://[::1",
        "a port that is none": "http://127.0.0.1:99999999/", "blanks": "http://127.0.0.1 :{other}/",
        "a long address": "http://127.0.0.1:{other}/" + "a" * 20_000, "bytes": "http://\x80\xff/",
        "a number": "http://2130706433:{other}/", "an escape": "http://127.0.0.1\x1b[2J:{other}/",
    }  # fmt: skip
    for name, place in odd.items():
        yield sent_on(f"307 to {name}", 307, place)
    yield sent_on("300 to another port", 300, places["another port"])
    yield sent_on("305 to another port", 305, places["another port"])
    yield sent_on("307 to itself", 307, "?again")
    yield Mode("307 to no place", lambda _, __: head(307, "Location: \r\n", 0), "sent on")
    two = "Location: /v1/x?done\r\nLocation: http://127.0.0.1:{other}/\r\n"
    yield Mode(
        "307 to two places", lambda _, other: head(307, two.format(other=other), 0), "sent on"
    )
    for status in (307, 308):
        yield Mode(
            f"{status} to the same host",
            lambda _, __, s=status: head(s, "Location: ?done\r\n", 0), "answer", is_file=True,
        )  # fmt: skip
    for status in (301, 302, 303):
        yield Mode(
            f"{status} to the same host",
            lambda _, __, s=status: head(s, "Location: ?done\r\n", 0), "sent on", is_file=True,
        )  # fmt: skip
    for kind in ("Refresh: 0; url={}", "Content-Location: {}", "Link: <{}>; rel=canonical"):
        line = f"{kind}\r\n"
        yield Mode(
            kind.partition(":")[0],
            lambda good, other, h=line: whole(200, good, h.format(f"http://127.0.0.1:{other}/")),
            "answer", is_file=True,
        )  # fmt: skip


def sent_on(name: str, status: int, place: str) -> Mode:
    def write(_: bytes, other: str) -> bytes:
        return head(status, f"Location: {place.replace('{other}', other)}\r\n", 0)

    return Mode(name, write, "sent on")


# -- bodies and how they travel ---------------------------------------------------------------


async def forever(piece: bytes, first: bytes = b"", pause: float = 0.0) -> AsyncIterator[bytes]:
    import asyncio

    yield first or piece
    while True:
        await asyncio.sleep(pause)
        yield piece


@cache
def bomb() -> bytes:
    """100 MB of blanks, packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b" " * MB
    return b"".join(packer.compress(piece) for _ in range(100)) + packer.flush()


def packed(name: str, body: Callable[[bytes], bytes]) -> Write:
    return lambda good, _: whole(200, body(good), f"Content-Encoding: {name}\r\n")


def travelling() -> Iterator[Mode]:
    yield Mode("gzip", packed("gzip", gzip.compress), "answer", is_file=True)
    yield Mode("deflate", packed("deflate", zlib.compress), "answer", is_file=True)
    yield Mode("gzip of 100 MB", packed("gzip", lambda _: bomb()), is_file=True)
    yield Mode("gzip of gzip", packed("gzip", lambda _: gzip.compress(bomb())), is_file=True)
    twice = "gzip, gzip"
    yield Mode("gzip twice", packed(twice, lambda _: gzip.compress(bomb())), is_file=True)
    for name in ("br", "zstd", "compress", "gzip, br", "nonsense", "x" * 9000, ","):
        yield Mode(f"packed as {name[:20]}", packed(name, lambda good: good), is_file=True)
    for name in ("gzip", "deflate"):
        yield Mode(f"no {name}", packed(name, lambda good: good), is_file=True)
    yield Mode("half of gzip", packed("gzip", lambda good: gzip.compress(good)[:-9]), is_file=True)
    yield Mode("no gzip at all", packed("gzip", lambda _: b""), is_file=True)
    yield Mode("chunks", lambda good, _: head(200, CHUNKED) + chunk(good) + b"0\r\n\r\n", "answer",
               is_file=True)  # fmt: skip
    nonsense = {
        "no number": b"zz\r\nabc\r\n", "a negative number": b"-5\r\nabc\r\n", "no end": b"5\r\nab",
        "a large number": b"f" * 15 + b"\r\nabc", "a larger number": b"f" * 200 + b"\r\n",
        "a wrong number": b"2\r\nabcdef\r\n0\r\n\r\n", "an endless number": b"0" * 200_000,
    }  # fmt: skip
    for name, body in nonsense.items():
        yield Mode(f"chunks of {name}", lambda _, __, b=body: head(200, CHUNKED) + b)
    trailers = b"0\r\n" + b"X-Much: y\r\n" * 50_000 + b"\r\n"
    yield Mode("long trailers", lambda good, _: head(200, CHUNKED) + chunk(good) + trailers)
    both = CHUNKED + "Content-Length: 3\r\n"
    yield Mode("chunks and a length", lambda good, _: head(200, both) + chunk(good) + b"0\r\n\r\n",
               "answer", is_file=True)  # fmt: skip
    for length in ("-1", "abc", "1e3", "9" * 30, "5, 7", "0x10"):
        line = f"Content-Length: {length}\r\n"
        yield Mode(f"the length {length[:9]}", lambda good, _, h=line: head(200, h) + good)
    yield Mode("too long a length", lambda good, _: head(200, length=len(good) + 9) + good)
    yield Mode("too short a length", lambda good, _: head(200, length=9) + good, is_file=True)
    yield Mode("no length", lambda good, _: head(200) + good, "answer", is_file=True)
    yield Mode("two replies", lambda good, _: whole(200, good) * 2, "answer", is_file=True)
    yield Mode("an endless body", lambda _, __: forever(b" " * MB, head(200)))
    yield Mode("a drip of the body", lambda _, __: forever(b" ", head(200, length=10**6), 0.05))
    yield Mode("a drip of headers", lambda _, __: forever(b"a: b\r\n", b"HTTP/1.1 200 O\r\n", 0.05))
    yield Mode("a drip of the status", lambda _, __: forever(b"0", b"HTTP/1.1 200 ", 0.05))
    yield Mode("silence", lambda _, __: forever(b"", b"HTTP/1.1", 0.2))
    yield Mode("a close at once", lambda _, __: b"")
    yield Mode("a close in the status", lambda _, __: b"HTTP/1.1 20")
    yield Mode("a close in the headers", lambda _, __: b"HTTP/1.1 200 OK\r\nA: b")
    yield Mode("endless headers", lambda _, __: forever(b"a: b\r\n" * 999, b"HTTP/1.1 200 O\r\n"))
    yield Mode("2000 headers", lambda good, _: whole(200, good, "A: b\r\n" * 2000))
    yield Mode("a header of 90 kB", lambda good, _: whole(200, good, f"A: {'b' * 90_000}\r\n"))
    yield Mode("a header of 9 MB", lambda good, _: whole(200, good, f"A: {'b' * 9 * MB}\r\n"))
    odd = "A: \x80\xff\r\n: b\r\n"
    yield Mode("a header without a name", lambda good, _: whole(200, good, odd))
    yield Mode("no HTTP", lambda _, __: b"SSH-2.0-OpenSSH_9.0\r\n")
    yield Mode("HTTP 0.9", lambda good, _: good)
    yield Mode("HTTP 2", lambda good, _: whole(200, good).replace(b"/1.1", b"/2.0"),
               "answer", is_file=True)  # fmt: skip
    yield Mode("TLS", lambda _, __: b"\x15\x03\x01\x00\x02\x02\x46")
    cookies = "".join(f"Set-Cookie: c{n}={'x' * 90}; Domain=127.0.0.1\r\n" for n in range(50))
    yield Mode("cookies", lambda good, _: whole(200, good, cookies), "answer", is_file=True)


# -- what a body says -------------------------------------------------------------------------


def content(name: str, body: bytes | str, outcome: Outcome = "error", kind: str = "") -> Mode:
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    line = f"Content-Type: {kind or 'application/json'}\r\n"
    return Mode(name, lambda _, __: whole(200, data, line), outcome, is_file=True)


def bodies() -> Iterator[Mode]:
    """Bodies of every kind of service: none of them has an answer, but where it says so."""
    for name, body in {
        "nothing": "", "blanks": " \n ", "null": "null", "a number": "7", "NaN": "NaN",
        "a text": '"yes"', "true": "true", "a list": "[]", "an empty object": "{}",
        "half an object": '{"choices": [', "two objects": "{}{}", "single quotes": "{'a': 1}",
        "lists in lists": "[" * 100_000, "objects in objects": '{"a":' * 100_000,
        "deep and whole": "[" * 900 + "]" * 900,
        "a deep error": '{"error":' * 400 + '"x"' + "}" * 400,
        "a deep detail": '{"detail":' * 400 + "[7]" + "}" * 400,
        "a long number": '{"a": ' + "9" * 100_000 + "}", "no number": '{"a": 1e}',
        "an error": '{"error": {"message": "no", "code": "x"}}',
        "an error with a status": '{"error": {"message": "no", "code": 500}}',
        "an error without words": '{"error": true}', "an error of numbers": '{"error": [1, [2]]}',
        "an error of 2 MB": json.dumps({"error": "<title>" * 300_000}),
        "the title of a page, often": "<html>" + "<title>" * 300_000,
        "a zip": b"PK\x03\x04" + bytes(100), "NUL": bytes(100), "no UTF-8": b'{"a": "\xff\xfe"}',
        "UTF-16 that is cut": b"\xff\xfe{\x00\x22", "terminal escapes": "\x1b[2J\x1b]0;x\x07",
    }.items():  # fmt: skip
        yield content(name, body)
    yield content("a page", "<html><title>Log in</title></html>", kind="text/html")
    yield content("events", 'data: {"choices": []}\n\ndata: [DONE]\n\n', kind="text/event-stream")
    yield content("XML", "<?xml version='1.0'?><a/>", kind="text/xml")
    yield Mode("a body of 20 MB", lambda _, __: whole(200, b"[" + b"[]," * (7 * MB)), is_file=True)
    mark = b"\xef\xbb\xbf"
    yield Mode("a byte order mark", lambda good, _: whole(200, mark + good), "answer", is_file=True)
    yield Mode(
        "UTF-16", lambda good, _: whole(200, good.decode().encode("utf-16")), "answer", is_file=True
    )
    latin = "Content-Type: text/plain; charset=latin-1\r\n"
    yield Mode("plain text", lambda good, _: whole(200, good, latin), "answer", is_file=True)
    more = b'{"error": null, "x": NaN, "y": 1e999, "z": "\\ud800",'
    yield Mode("more keys", lambda good, _: whole(200, more + good[1:]), "answer", is_file=True)


def chats() -> Iterator[tuple[str, Any, Outcome]]:
    """Messages of a chat and what else stands in its reply; ``answer`` is also a refusal."""
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    part = {"type": "text", "text": "blue"}
    yield "content is null", {"content": None}, "error"
    yield "content is not there", {}, "error"
    for value in (7, 1.5, True, {"text": "x"}, {"type": "text", "text": "x"}):
        yield f"content is {value}", {"content": value}, "error"
    lists: Mapping[str, Any] = {
        "empty": [], "numbers": [1, 2], "nulls": [None], "images": [{"type": "image_url"}],
        "parts without text": [{"type": "text"}], "null texts": [{"type": "text", "text": None}],
        "nested": [[[part]]], "a nested text": [{"type": "text", "text": [part]}],
        "odd types": [{"type": ["text"], "text": "x"}, {"type": {}, "text": "x"}],
        "thoughts": [{"type": "thinking", "thinking": "hm"}],
        "deep": [json.loads("[" * 400 + "]" * 400)],
    }  # fmt: skip
    for name, parts in lists.items():
        yield f"content is a list, {name}", {"content": parts}, "error"
    yield "content is a part", {"content": [part]}, "answer"
    yield "content is a part among others", {"content": [1, None, part, {}]}, "answer"
    yield "content is empty", {"content": ""}, "answer"
    yield "content has half a pair", {"content": "blue \ud800 \x00 \x1b[2J"}, "answer"
    yield "only reasoning", {"content": None, "reasoning_content": "hm"}, "error"
    yield "a refusal", {"content": None, "refusal": "no"}, "answer"
    yield "a refusal that is none", {"content": None, "refusal": {"a": 1}}, "error"
    yield "a tool", {"content": None, "tool_calls": [call]}, "error"
    yield "a tool that is none", {"content": "", "tool_calls": 7}, "error"


def replies() -> Iterator[tuple[str, dict[str, Any], Outcome]]:
    """What stands around the message of a chat."""
    good = {"index": 0, "message": {"role": "assistant", "content": "blue\nVerdict: [[A]]"}}
    for name, choices in {
        "null": None, "a number": 7, "empty": [], "texts": ["x"], "an object": {"0": good},
        "nested": [[good]], "without a message": [{"index": 0}], "text": [{"text": "x"}],
        "with a message of text": [{"message": "x"}], "with a list": [{"message": ["x"]}],
    }.items():  # fmt: skip
        yield f"choices are {name}", {"choices": choices}, "error"
    for reason in ("error", "tool_calls", 7, True, ["stop"], {"a": 1}, "x" * 10**6):
        choices = [{**good, "finish_reason": reason}]
        yield f"the end {reason!s:.9}", {"choices": choices}, "error"
    for index in (10**30, "0", -1, None, 1.5, [0], float("nan")):
        choices = [{**good, "index": index, "finish_reason": "stop"}]
        yield f"the index {index}", {"choices": choices}, "answer"
    counts: tuple[Any, ...] = (10**30, 2**63, -(10**30), 1e308, float("nan"), float("inf"), "7", [])
    for count in counts:
        usage = {"prompt_tokens": count, "completion_tokens": count, "total_tokens": count}
        usage["completion_tokens_details"] = {"reasoning_tokens": count}
        yield f"{count} tokens", {"choices": [good], "usage": usage}, "answer"
    for usage in (None, 7, [], "x", {"completion_tokens_details": 7}):
        yield f"the usage {usage}", {"choices": [good], "usage": usage}, "answer"
    yield "a thousand choices", {"choices": [good] * 1000}, "answer"


def chat_modes() -> Iterator[Mode]:
    for name, message, outcome in chats():
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        yield content(name, json.dumps({"choices": [choice]}), outcome)
    for name, reply, outcome in replies():
        yield content(name, json.dumps(reply), outcome)
    words = '"message": {"content": null, "content": "blue"}'
    yield content("a key twice", f'{{"choices": [7], "choices": [{{{words}}}]}}', "answer")


#: What any service may be answered.
COMMON = (*statuses(), *redirects(), *travelling(), *bodies())
#: What a model or a judge may be answered besides.
OF_CHATS = tuple(chat_modes())
MODES = (*COMMON, *OF_CHATS)
