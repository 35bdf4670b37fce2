"""A model behind a server, evaluated by the command as users do."""

from __future__ import annotations

import base64
import io
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from models.api.scripted_server import Answer, Asked, completion, serve

from chef.cli import main
from chef.image import Image
from chef.report.load import load_run

KEY = "k7dq-Zw93mmXe41"
SHAPES = ROOT / "configs" / "recipes" / "Shapes"


def recipe(name: str) -> str:
    return str(SHAPES / f"{name}.yaml")


def model_file(folder: Path, base_url: str, **keys: str) -> str:
    path = folder / "served.yaml"
    lines = {"model_name": "OpenAI", "model": "some", "base_url": base_url, **keys}
    path.write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    return str(path)


def run(*arguments: str) -> int:
    return main(["eval", *arguments])


def test_answers_are_those_of_the_server(tmp_path: Path) -> None:
    with serve(Answer(completion("(B)"))) as server:
        model = model_file(tmp_path, server.base_url)
        out = tmp_path / "out"
        code = run("--model_cfg", model, "--recipe_cfg", recipe("direct"), "--save_dir", str(out),
                   "--sample_len", "5", "--log_prompts")  # fmt: skip
    assert code == 0
    [journal] = out.rglob("predictions.jsonl")
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [line["answer"] for line in lines] == ["(B)"] * 5
    asked = [body for body in server.bodies if body.get("max_tokens") != 1]
    assert len(asked) == 5
    digests = {record["digest"] for line in lines for record in line["images"]}
    sent = {Image(_sent(body)).digest for body in asked}
    assert sent == digests  # the server was sent exactly the pixels that the journal names
    assert "<image " in journal.read_text()
    assert "base64" not in journal.read_text()


def _sent(body: Any) -> bytes:
    [url] = re.findall(r"data:image/png;base64,([^\"]+)", json.dumps(body))
    return base64.b64decode(url)


def test_what_an_answer_took_is_journaled_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused: list[str] = []

    def once(asked: Asked) -> Answer:
        """The first question is refused the first time that it is asked."""
        said = json.dumps(asked.body)
        if asked.method == "POST" and asked.body["max_tokens"] > 1 and not refused:
            refused.append(said)
            return Answer({"error": "busy"}, status=503, headers={"Retry-After": "0"})
        return Answer(completion("(B)"))

    with serve(once) as server:
        model = model_file(tmp_path, server.base_url)
        code = run("--model_cfg", model, "--recipe_cfg", recipe("direct"), "--save_dir",
                   str(tmp_path / "out"), "--sample_len", "3")  # fmt: skip
    assert code == 0
    [journal] = (tmp_path / "out").rglob("predictions.jsonl")
    efforts = {line["id"]: line["effort"] for line in map(json.loads, journal.open())}
    assert sorted(one["retries"] for one in efforts.values()) == [0, 0, 1]
    name = next(name for name, one in efforts.items() if one["retries"])
    assert {key: efforts[name][key] for key in ("requests", "prompt_tokens")} == {
        "requests": 2, "prompt_tokens": 11,
    }  # fmt: skip
    assert efforts[name]["seconds"] >= 0
    capsys.readouterr()
    assert main(["show", str(journal.parent), "--sample", name]) == 0
    shown = capsys.readouterr().out
    assert "took: 2 tokens, prompt 11 tokens, " in shown
    assert " s in 2 requests (1 sent again)" in shown
    frame = load_run(journal.parent).to_frame().set_index("id")
    assert list(frame.loc[name, ["tokens", "requests", "retries"]]) == [2, 2, 1]
    # A line without the key, as earlier versions wrote them, is read, and goes with the others.
    lines = [json.loads(line) for line in journal.open()]
    del lines[0]["effort"]
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    earlier = load_run(journal.parent)
    assert [bool(one.effort) for one in earlier.predictions] == [False, True, True]
    assert len(earlier.rows) == 3


@pytest.mark.parametrize("name", ["ppl", "ppl_CoT"])
def test_a_recipe_that_scores_options_is_refused_at_once(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(Answer(completion())) as server:
        model = model_file(tmp_path, server.base_url)
        code = run("--model_cfg", model, "--recipe_cfg", recipe(name), "--save_dir", str(tmp_path))
    assert code == 2
    said = capsys.readouterr().err
    assert "inferencer_type: Direct" in said
    assert "logprobs: top" in said
    assert server.asked == []


def test_a_dry_run_asks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve(Answer(completion())) as server:
        model = model_file(tmp_path, server.base_url)
        code = run("--model_cfg", model, "--recipe_cfg", recipe("direct"), "--dry-run")
    assert code == 0
    assert server.asked == []


def test_a_dry_run_misses_the_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_THERE", raising=False)
    model = model_file(tmp_path, "http://127.0.0.1:9/v1", api_key_env="NOT_THERE")
    assert run("--model_cfg", model, "--recipe_cfg", recipe("direct"), "--dry-run") == 2
    assert "NOT_THERE" in capsys.readouterr().err


def echo_key(status: int) -> Callable[[Asked], Answer]:
    """A server that repeats all headers and the address, in errors and in answers."""

    def answer(asked: Asked) -> Answer:
        shown = f"{dict(asked.headers)} {asked.path}"
        if status == 200:
            return Answer(completion(shown))
        return Answer({"error": {"message": f"no: {shown}"}}, status)

    return answer


FORMS = (KEY, KEY[4:], base64.b64encode(f"me:{KEY}".encode()).decode())


@pytest.mark.parametrize("status", [200, 400, 401, 500])
@pytest.mark.parametrize("place", ["variable", "user", "parameter"])
def test_no_key_gets_out(
    status: int,
    place: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THE_PROVIDER", KEY)  # a name that tells nothing
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger("chef").addHandler(handler)
    out = tmp_path / "out"
    with serve(echo_key(status)) as server:
        url = server.base_url
        keys = {"api_key_env": "THE_PROVIDER"} if place == "variable" else {}
        if place == "user":
            url = url.replace("://", f"://me:{KEY}@")
        if place == "parameter":
            url = f"{url}?key={KEY}"
        model = model_file(tmp_path, url, max_attempts="1", **keys)
        run("--model_cfg", model, "--recipe_cfg", recipe("direct"), "--save_dir", str(out),
            "--sample_len", "2", "--log_prompts",
            "--response_cache", str(out / "cache"))  # fmt: skip
    logging.getLogger("chef").removeHandler(handler)
    printed = capsys.readouterr()
    texts = {"out": printed.out, "err": printed.err, "log": log.getvalue()}
    texts |= {str(path): path.read_bytes().decode("latin-1") for path in out.rglob("*.*")}
    sent = [f"{item.headers} {item.path}" for item in server.asked]
    assert all(any(form in text for form in FORMS) for text in sent), "the key was not sent"
    if status == 200:
        names = {Path(name).name for name in texts}
        assert names >= {"config.yaml", "environment.json", "predictions.jsonl"}
    assert [(name, form) for name, text in texts.items() for form in FORMS if form in text] == []


@pytest.mark.parametrize("named", [True, False])
def test_a_wrong_key_is_told_with_its_variable(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_SERVICE", "wrong-9f86d081")
    monkeypatch.chdir(tmp_path)
    keys = {"api_key_env": "MY_SERVICE"} if named else {}
    with serve(Answer({"error": {"message": "who is that?"}}, 401)) as server:
        path = model_file(tmp_path, server.base_url, **keys)
        assert main(["eval", "--model_cfg", str(path), "--recipe_cfg", "Shapes/direct"]) == 2
    told = capsys.readouterr().err
    assert len(server.asked) == 1
    assert "wrong-9f86d081" not in told
    if named:
        assert "does not accept the key in MY_SERVICE" in told
        assert "put a valid key into the variable MY_SERVICE" in told
    else:
        assert "does not accept the request without a key" in told
        assert "name the variable that holds the key: api_key_env" in told


def test_an_address_without_its_version_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with serve(Answer({"detail": "Not Found"}, 404)) as server:
        address = server.base_url.removesuffix("/v1")
        path = model_file(tmp_path, address)
        assert main(["eval", "--model_cfg", str(path), "--recipe_cfg", "Shapes/direct"]) == 2
    assert f"try base_url: {address}/v1" in capsys.readouterr().err
