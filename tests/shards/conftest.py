"""A bucket of a server on this machine, and stores of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """The address of a bucket of a server on this machine."""
    server = pytest.importorskip("moto.server", reason="pip install 'moto[server]' s3fs")
    pytest.importorskip("s3fs", reason="pip install s3fs")
    import fsspec

    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    names = {
        "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in names.items():
            patch.setenv(name, value)
        fsspec.filesystem("s3", skip_instance_cache=True).mkdir("runs")
        yield "s3://runs"
        running.stop()


@pytest.fixture(params=["memory", "file", "s3"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An address of each kind, of this test alone."""
    name = request.node.name.partition("[")[0]
    if request.param == "s3":
        return f"{request.getfixturevalue('s3')}/{name}"
    return f"memory://{name}" if request.param == "memory" else f"file://{tmp_path}/runs"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a shard is until its part is stored."""
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "shards"
