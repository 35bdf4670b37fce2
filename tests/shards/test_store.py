"""Object stores: what is made once, of which one caller of several is the maker."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from chef.errors import ConfigError, DependencyError, RunError
from chef.shards.store import Claims, Driver, Store, is_url

pytest.importorskip("fsspec", reason="pip install 'chef-eval[store]'")


@pytest.fixture
def store(url: str) -> Store:
    return Store(url)


def test_an_object_is_made_once_and_whole(store: Store) -> None:
    assert store.names("") == []
    assert store.read("parts/a") is None
    assert store.create("parts/a", b"first")
    assert not store.create("parts/a", b"second")
    assert store.create("parts/a", b"first")  # as of a reply that was lost
    assert store.create("parts/b", b"")
    assert store.read("parts/a") == b"first"
    assert store.read("parts/a", 2) == b"fi"
    assert store.read("parts/b") == b""
    assert store.names("parts") == ["parts/a", "parts/b"]
    assert store.names("claims") == []
    store.remove("parts/a")
    store.remove("parts/a")
    assert store.names("") == ["parts/b"]
    assert store.create("parts/a", b"second")
    assert store.read("parts/a") == b"second"


def test_a_shard_has_one_owner(store: Store) -> None:
    one, other = (Claims(store, Driver.here()) for _ in range(2))
    assert one.take("00000-of-00002") == "" == other.take("00001-of-00002")
    assert one.take("00000-of-00002") == ""  # it is still its own
    assert other.take("00000-of-00002") == "claims/00000-of-00002.000000.json"
    one.drop("00000-of-00002")
    assert other.take("00000-of-00002") == ""


def dead() -> Driver:
    """A driver whose process has ended."""
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    here = Driver.here()
    return Driver("dead", here.host, child, here.began)


def test_the_claim_of_a_dead_process_is_followed_by_one_driver_alone(store: Store) -> None:
    assert Claims(store, dead()).take("00000-of-00001") == ""
    one, other = (Claims(store, Driver.here()) for _ in range(2))
    assert one.take("00000-of-00001") == ""
    assert other.take("00000-of-00001") == "claims/00000-of-00001.000001.json"
    assert len(store.names("claims")) == 2
    one.drop("00000-of-00001")
    assert store.names("claims") == []


def test_a_process_elsewhere_may_live(store: Store) -> None:
    here = Driver.here()
    elsewhere = Driver("there", "another machine", here.pid, here.began)
    assert Claims(store, elsewhere).take("00000-of-00001") == ""
    assert Claims(store, here).take("00000-of-00001") == "claims/00000-of-00001.000000.json"
    store.create("claims/00000-of-00002.000000.json", b"{of a later version")
    assert Claims(store, here).take("00000-of-00002") != ""


def test_a_process_whose_id_is_used_again_is_dead() -> None:
    here = Driver.here()
    assert not here.is_dead
    assert Driver("earlier", here.host, here.pid, "1").is_dead


def test_a_put_that_is_killed_leaves_no_object(tmp_path: Path) -> None:
    """A process that ends within a put of a local folder."""
    store, child = Store(f"file://{tmp_path}"), os.fork()
    if not child:
        os.link = lambda *_: os._exit(1)  # type: ignore[assignment]
        store.create("parts/a", b"half")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert store.names("") == []
    assert len([*(tmp_path / "parts").iterdir()]) == 1
    assert store.create("parts/a", b"whole")
    assert store.read("parts/a") == b"whole"


def test_what_is_missing_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="no such address is known") as unknown:
        Store("nowhere://a/b")
    assert "s3://BUCKET/PREFIX" in str(unknown.value)
    with pytest.raises(ConfigError, match="not known to make an object only"):
        Store("data://a")
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="the object store cannot be") as full:
        Store(f"file://{tmp_path}/file").create("a", b"")
    assert f"file://{tmp_path}/file/a" in str(full.value)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(DependencyError, match="need fsspec") as absent:
        Store("memory://a")
    assert "pip install 'chef-eval[store]'" in str(absent.value)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("s3://a/b", True), ("memory://", True), ("results", False), ("openai:gpt", False)],
)
def test_an_address_is_no_folder(name: str, is_one: bool) -> None:
    assert is_url(name) is is_one
    assert not is_url(Path("a/b"))
