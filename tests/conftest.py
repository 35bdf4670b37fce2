"""What the tests of the whole program share."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import forked
import pytest
from _pytest.doctest import DoctestModule
from _pytest.logging import catching_logs
from hypothesis import HealthCheck, settings

# A busy machine makes data slowly, which says nothing about a test.
settings.register_profile("chef", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("chef")
# Read when huggingface_hub is first imported: a missing model fails at once, nothing is downloaded.
os.environ["HF_HUB_OFFLINE"] = "1"
# Read when torch is first imported, also by the processes that tests start. Each process of a run
# of tests has a core for itself: more threads would wait for each other, and spin meanwhile.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A run of tests compiles this checkout once, also where the environment wants no compiled files:
# rewriting the asserts is a third of the time in which tests are collected.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

#: Where folders in memory are, and how much has to be free there: a run of all tests writes 1 GB.
_MEMORY, _ENOUGH = Path("/dev/shm"), 4 * 2**30


def _is_usable(folder: Path) -> bool:
    """Whether tests may write there and start programs from there."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize >= _ENOUGH and not disk.f_flag & os.ST_NOEXEC


# A quarter of the time of a test that runs commands goes to making and deleting files on a disk.
if "PYTEST_DEBUG_TEMPROOT" not in os.environ and _is_usable(_MEMORY):
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(_MEMORY)

# A power cut is nothing that a test could see, and waiting for the disk is a tenth of the time:
# what a killed process has written is there without it.
os.fsync = lambda descriptor: None

# Where the key is with which chef signs the user's own runs; also of processes that tests start.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="chef-tests-state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)

# What is frozen, and when it is not, the tests decide: see `clean_process`. A run that
# freezes what was there before it, and lets go of it again, would let go of everything.
_freeze, _unfreeze = gc.freeze, gc.unfreeze
gc.freeze = gc.unfreeze = lambda: None
# A run asks whether its program has frozen objects, and counting a million takes 20 ms each time.
gc.get_freeze_count = lambda: 0
atexit.register(_unfreeze)  # libraries count what is left at the end of the process

# What is collected stays until the end: searching it for garbage is a sixth of the time of
# collecting, see `pytest_collection_finish`.
gc.disable()


def _attach_to_root(self: catching_logs[Any]) -> Any:
    """Where pytest listens to what a test logs, in place of all loggers that pass nothing on.

    It looks for those among a thousand loggers of torch and others, six times for each test, and
    attaches itself to sixty: a millisecond. No test reads what such a logger says.
    """
    root = logging.getLogger()
    if self.level is not None:
        self.handler.setLevel(self.level)
        self.orig_level = root.level
        root.setLevel(min(self.orig_level, self.level))
    root.addHandler(self.handler)
    self.attached_loggers.append(root)
    return self.handler


catching_logs.__enter__ = _attach_to_root  # type: ignore[method-assign]

#: Files of others are no tests.
collect_ignore = ["upstream_files"]
TESTS = Path(__file__).parent
ROOT = TESTS.parent
FAKES = Path(__file__).with_name("fakes.py")

RECIPE = """\
plugins: [{fakes}]
scenario_cfg:
  dataset_name: Numbers
  size: {size}
eval_cfg:
  inferencer_cfg:
    inferencer_type: {inferencer}
"""


class _Doctests:
    """Files of ``src`` that have examples are searched for doctests, and no files of tests."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        wanted = TESTS not in file_path.parents and b">>>" in file_path.read_bytes()
        return [found for found in (yield) if wanted or not isinstance(found, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """A hook of this file alone would not be asked about files of ``src``."""
    config.pluginmanager.register(_Doctests())
    if config.getoption("numprocesses", None):  # the tests run in processes that this one starts
        forked.share()


def pytest_collection_finish() -> None:
    """From here on garbage is of tests: see `clean_process`."""
    _freeze()
    gc.enable()


@contextmanager
def process_restored() -> Iterator[None]:
    """Plugins register, and secrets are known, for the life of the process; not beyond this."""
    from chef.common import redaction
    from chef.config.installed import REGISTRIES
    from chef.metric.mmtrusteval.metrics import METRICS

    known = redaction._store.known
    before = [(dict(registry._table), dict(registry._loaded)) for registry in REGISTRIES]
    metrics = dict(METRICS)
    yield
    redaction._store.known = known
    for registry, (table, loaded) in zip(REGISTRIES, before, strict=True):
        registry._table, registry._loaded = table, loaded
    for name in METRICS.keys() - metrics.keys():  # imported again, its file adds it again
        sys.modules.pop(METRICS[name].compute.__module__, None)
    METRICS.clear()
    METRICS.update(metrics)
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_grad_enabled(True)  # models of plugins turn gradients off


#: One file of so many begins with a search for garbage among all objects.
_FILES_A_SEARCH = 60
_FILES = count(1)


@pytest.fixture(autouse=True, scope="module")
def clean_process_after_module() -> Iterator[None]:
    """A fixture that several tests of a file share leaves no plugin and no secret behind.

    What the files before have left is searched now and then: see `clean_process`.
    """
    if next(_FILES) % _FILES_A_SEARCH == 0:
        _unfreeze()
    with process_restored():
        yield


@pytest.fixture(autouse=True)
def clean_process(clean_process_after_module: None) -> Iterator[None]:
    """A test leaves no plugin and no secret behind, and its garbage is searched alone.

    All tests and all modules are a million objects, half a second each time, and a run searches
    each time that it gives a model back. One fixture for both: each costs all tests a minute.
    """
    gc.collect()
    _freeze()
    with process_restored():
        yield


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests do not read or write the cache of the user who runs them.

    The processes of one run of tests share theirs: a pool is embedded once, not once in each.
    """
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    os.environ["CHEF_CACHE"] = str(shared / "cache")


#: The folders of the folders of tests, by the file of the tests, and how many there are in each.
_PLACES: dict[Path, Path] = {}
_MADE: Counter[Path] = Counter()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder, as pytest's own, beside those of the same file of tests.

    pytest looks through all folders of a run for each new one, which are 10,000 at its end.
    """
    if request.path not in _PLACES:
        _PLACES[request.path] = tmp_path_factory.getbasetemp() / str(len(_PLACES))
        _PLACES[request.path].mkdir()
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = _PLACES[request.path] / f"{name}_{_MADE[request.path]}"
    folder.mkdir(0o700)
    _MADE[request.path] += 1
    return folder


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """A model file that names the fake model `fakes.Hashing`."""
    path = tmp_path / "hashing.yaml"
    path.write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    return path


@pytest.fixture
def recipe_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a recipe on the fake scenario `fakes.Numbers`."""

    def write(inferencer: str = "PPL", size: int = 20, extra: str = "", name: str = "r") -> Path:
        path = tmp_path / f"{name}.yaml"
        text = RECIPE.format(fakes=FAKES, size=size, inferencer=inferencer)
        path.write_text(text.replace("eval_cfg:\n", f"{extra}eval_cfg:\n"))
        return path

    return write


@pytest.fixture
def small_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples come out of 100 samples of Shapes, not out of 1,000, which take seconds to embed."""
    from chef.scenario.shapes import scenario as shapes

    monkeypatch.setattr(shapes, "POOL_SIZE", 100)


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a small random checkpoint of a family, built once."""
    from small_models import BUILDERS, CROSS_ATTENTION

    @cache
    def build(family: str) -> Path:
        folder = tmp_path_factory.mktemp(family) / f"small-{family}"
        (BUILDERS | CROSS_ATTENTION)[family](folder)
        return folder

    return build


@pytest.fixture(scope="session")
def drawn_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder from which ``data`` and ``../data`` both lead to the drawn data sets."""
    from fixtures import build_all

    top = tmp_path_factory.mktemp("drawn")
    build_all(top / "data")
    (top / "work").mkdir()
    (top / "work" / "data").symlink_to(top / "data", target_is_directory=True)
    return top / "work"
