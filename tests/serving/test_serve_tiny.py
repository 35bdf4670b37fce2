"""`transformers serve` with the embedded model, as `make serve-demo` starts it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import serve_tiny
from conftest import ROOT
from omegaconf import OmegaConf

from chef.errors import RunError

pytest.importorskip("fastapi")


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_served_model_answers_to_the_name_in_the_model_file(served_tiny: str) -> None:
    model = OmegaConf.load(ROOT / "configs" / "models" / "tiny_served.yaml")["model"]
    body = {"model": model, "max_tokens": 4, "messages": [{"role": "user", "content": "1?"}]}
    request = urllib.request.Request(
        f"{served_tiny}/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=300) as reply:
        told = json.load(reply)
    assert told["choices"][0]["message"]["role"] == "assistant"
    assert told["usage"]["completion_tokens"] <= 4


def test_the_model_file_has_the_port_that_the_tool_takes() -> None:
    url = OmegaConf.load(ROOT / "configs" / "models" / "tiny_served.yaml")["base_url"]
    assert url == f"http://localhost:{serve_tiny.PORT}/v1"


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server((serve_tiny.HOST, 0)) as other:
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "tools/serve_tiny.py", "--demo", "--port", str(port)],
            cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        f"error: no server can listen on port {port} (Address already in use)\n"
        "  -> stop the program that uses it, or choose another port: make serve-demo PORT=8001, or "
        "--port 8001\n"
    )


def test_a_server_that_ends_is_told_with_its_last_lines(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text("first\nno such option\n")
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(RunError, match=r"has ended; its last lines:\nfirst\nno such option"):
        serve_tiny.wait_until_ready(process, serve_tiny.free_port(), tmp_path)


def test_a_server_that_does_not_start_in_time(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text("loading\n")
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        with pytest.raises(RunError, match="is not ready after 0 s"):
            serve_tiny.wait_until_ready(process, serve_tiny.free_port(), tmp_path, limit=0.2)
    finally:
        serve_tiny.stop(process.pid)
    assert not is_alive(process.pid)


def test_a_server_that_does_not_listen_to_signals_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_tiny, "STOP_LIMIT", 0.3)
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1); time.sleep(60)"
    process = subprocess.Popen(
        [sys.executable, "-uc", deaf], start_new_session=True, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    serve_tiny.stop(process.pid)
    assert process.wait(100) == -signal.SIGKILL
    assert not is_alive(process.pid)
