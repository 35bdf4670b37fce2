"""A key leaves the process in the header of a request and in no other way.

The server here repeats the key in every form that it knows, wherever a server can: in good replies,
in the bodies, headers and reasons of failures. The command line runs in a process of its own, so
that nothing is missed that any library prints.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

import forked
import pytest
import yaml
from attack.leaking import FORMS
from attack.test_secrets import traces, views
from serving.http_server import HttpRequest, HttpServer, response, send
from serving.runs import COMMAND, SHAPES
from serving.stub_server import completion

KEY = "sk-live-Zq7Xv2Lm9Tn4Rb8Wc3Kd6Hf1"
#: A key with signs that addresses write in another way.
ODD_KEY = "pä/ss+wo=rd&12:34@56-Zq7Xv2Lm9"


class Telling(HttpServer):
    """Repeats the key and the headers of each request.

    Args:
        key: the key.
        refuses: the status with which every request for a reply is refused; None: one after the
            other is answered, refused and spoilt.
    """

    def __init__(self, key: str, refuses: int | None = None) -> None:
        super().__init__()
        self._key, self._refuses = key, refuses
        self.headers: list[Mapping[str, str]] = []

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        await send(client, self._reply(request))

    def _told(self) -> str:
        """All forms of the key, another one first each time, and at another place.

        Messages are shortened, so the key is cut in every way, too.
        """
        number, forms = len(self.headers), list(FORMS)
        first = number % len(forms)
        told = " or ".join(FORMS[form](self._key) for form in forms[first:] + forms[:first])
        return "no " * (31 * number % 97) + told

    def _reply(self, request: HttpRequest) -> bytes:
        told = self._told() + json.dumps(dict(request.headers)) + request.path
        line = json.dumps(told)[1:-1]
        headers = {"x-request-id": self._key.encode("ascii", "replace").decode(), "x-echo": line}
        if request.method == "GET":
            return response(404, {"error": {"message": told}}, headers)
        self.headers.append(request.headers)
        error = {"error": {"message": told, "type": told, "param": told, "code": told}}
        page = f"<html><title>{told}</title></html>"
        if self._refuses is not None:
            return response(self._refuses, error, headers)
        return (
            response(200, completion(f"(A) {told}"), headers),
            response(400, error, headers),
            response(500, error, headers),
            response(502, page, headers, kind="text/html"),
            response(429, error, {**headers, "retry-after": "0.01"}),
            response(200, error, headers),
            response(200, told, headers),
            response(422, {"detail": [{"loc": ["body", told], "msg": told, "input": told}]}),
            response(400, {"echo": dict(request.headers)}, headers),
        )[(len(self.headers) - 1) % 9]  # the first reply is good, so that the run goes on


@dataclass(frozen=True)
class Way:
    """How a key gets to the model.

    Attributes:
        key: the key.
        keys: of the model file; ``{port}`` stands for the server's.
        env: variables of the environment.
        refuses: the status with which the server refuses everything.
    """

    key: str
    keys: Mapping[str, str]
    env: Mapping[str, str]
    refuses: int | None = None


FROM_VARIABLE = {"base_url": "http://127.0.0.1:{port}/v1", "api_key_env": "SERVICE_NAME"}
WAYS = {
    "variable": Way(KEY, FROM_VARIABLE, {"SERVICE_NAME": KEY}),
    "wrong key": Way(KEY, FROM_VARIABLE, {"SERVICE_NAME": KEY}, refuses=401),
    "forbidden": Way(KEY, FROM_VARIABLE, {"SERVICE_NAME": KEY}, refuses=403),
    "libraries that tell all": Way(
        KEY, FROM_VARIABLE, {"SERVICE_NAME": KEY, "OPENAI_LOG": "debug", "PYTHONASYNCIODEBUG": "1"}
    ),
    "user in the address": Way(
        ODD_KEY, {"base_url": f"http://me:{quote(ODD_KEY, safe='')}@127.0.0.1:{{port}}/v1"}, {}
    ),
    "parameter of the address": Way(
        KEY, {"base_url": f"http://127.0.0.1:{{port}}/v1?api-version=2&api_key={KEY}"}, {}
    ),
}


@dataclass(frozen=True)
class Ran:
    """What left the process by each way out, and what the server got."""

    key: str
    found: Mapping[str, str]
    headers: list[Mapping[str, str]]
    code: int


@pytest.fixture(scope="module", params=WAYS)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    way, folder = WAYS[request.param], tmp_path_factory.mktemp("keys")
    with Telling(way.key, way.refuses) as server:
        keys = {name: value.format(port=server.port) for name, value in way.keys.items()}
        model = {"model_name": "OpenAI", "model": "tiny", "max_attempts": 2, **keys}
        (folder / "model.yaml").write_text(yaml.safe_dump(model))
        done = forked.run(
            [
                sys.executable, "-c", COMMAND, "eval", "--model_cfg", str(folder / "model.yaml"),
                "--recipe_cfg", str(SHAPES / "direct.yaml"), "--limit", "60",
                "--save_dir", str(folder / "results"), "--response_cache", str(folder / "cache"),
                "--traceback", "--log_prompts",
            ],
            env={**os.environ, **way.env},
            cwd=folder,
        )  # fmt: skip
    found = {"standard output": done.stdout, "standard error": done.stderr}
    for path in folder.rglob("*"):
        assert way.key not in path.name
        if path.is_file() and path.name != "model.yaml":
            found[str(path.relative_to(folder))] = path.read_bytes().decode("utf-8", "replace")
    return Ran(way.key, found, server.headers, done.returncode)


def pieces(key: str) -> set[str]:
    """Every piece of 16 signs of the key, in every form: a message may hold a part of it."""
    forms = (form for form in FORMS if form not in {"in-a-url", "as-a-key"})  # with other words
    whole = [part for form in forms for part in traces(key, form)]
    return {part[at : at + 16] for part in whole for at in range(max(1, len(part) - 15))}


def test_the_key_is_nowhere(ran: Ran) -> None:
    found = {
        (place, piece)
        for place, text in ran.found.items()
        for piece in pieces(ran.key)
        if any(piece in view for view in views(text))
    }
    assert found == set()


def test_the_server_told_it(ran: Ran) -> None:
    """Else the test above would hold of a program that asks and prints nothing."""
    assert "<redacted>" in ran.found["standard error"] + ran.found["standard output"]
    if ran.code == 1:  # some samples failed, and some have an answer
        assert any("cache" in name for name in ran.found)
        for name in ("predictions.jsonl", "errors.txt"):
            assert any("<redacted>" in text for at, text in ran.found.items() if name in at), name
        assert len(ran.headers) > 60
    else:  # the run was stopped
        assert len(ran.headers) <= 2
        assert "401" in ran.found["standard error"] or "403" in ran.found["standard error"]


def test_the_key_is_sent(ran: Ran) -> None:
    """In the header, or in the address; the path of a request is no header."""
    sent = {headers.get("authorization", "") for headers in ran.headers}
    assert len(sent) == 1
    if ran.key == KEY:
        assert sent <= {f"Bearer {KEY}", ""}
    else:
        assert sent.pop().startswith("Basic ")
