"""The real server of the tests: `transformers serve` with the embedded model."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import serve_tiny
from filelock import FileLock


@pytest.fixture(scope="session")
def served_tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What a model file gives as ``base_url``; the server calls its model ``tiny``.

    All processes of a test run share one server: the first one that needs it starts it, and the
    last one that is done with it ends it.
    """
    if importlib.util.find_spec("fastapi") is None:
        pytest.skip("`transformers serve` needs: pip install 'chef-eval[serving]'")
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    lock = FileLock(folder / "served_tiny.lock")
    with lock:
        server = _join(folder)
    yield serve_tiny.base_url(server["port"])
    with lock:
        _leave(folder)


def _join(folder: Path) -> dict[str, int]:
    """Note one more user of the server, which is started if there is none."""
    file = folder / "served_tiny.json"
    server = json.loads(file.read_text()) if file.exists() else _start(folder)
    server["users"] += 1
    file.write_text(json.dumps(server))
    return server


def _start(folder: Path) -> dict[str, int]:
    port = serve_tiny.free_port()
    process = serve_tiny.start(port, folder)
    try:
        serve_tiny.wait_until_ready(process, port, folder)
    except BaseException:
        serve_tiny.stop(process.pid)
        raise
    return {"port": port, "group": process.pid, "users": 0}


def _leave(folder: Path) -> None:
    """Note one user less, and end the server after the last one."""
    file = folder / "served_tiny.json"
    server = json.loads(file.read_text())
    server["users"] -= 1
    if server["users"]:
        file.write_text(json.dumps(server))
    else:
        file.unlink()
        serve_tiny.stop(server["group"])
