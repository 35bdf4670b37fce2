"""What of workers can be seen without starting Ray: refusals, devices, cores, chunks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from conftest import ROOT
from workers.fragile import eval_command, pool_of, variables
from workers.test_pool import Write

from chef.cli import main
from chef.config import load_model, load_recipe
from chef.errors import ConfigError, DependencyError
from chef.evaluator import Evaluator
from chef.workers.cluster import environment, gpus_each
from chef.workers.dispatch import chunks
from chef.workers.replica import Done, Replica, Setup, Started, WorkerTask, _use_threads, digests


def test_ray_is_imported_only_for_workers() -> None:
    program = (
        "import sys\nfrom chef.cli import main\nimport chef.evaluator, chef.cli.evaluate\n"
        "print('ray' in sys.modules, 'chef.workers.pool' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_a_missing_ray_is_reported_before_anything_is_written(
    model_file: Path, recipe_file: Write, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr("chef.workers.cluster.find_spec", lambda name: None)
    with pytest.raises(DependencyError):
        pool_of(model_file, 2)
    code = main(
        ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file()),
         "--save_dir", str(tmp_path / "results"), "--workers", "2"]
    )  # fmt: skip
    assert code == 3
    assert "pip install 'chef-eval[ray]'" in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_an_address_without_a_cluster(model_file: Path, recipe_file: Write, tmp_path) -> None:
    done = subprocess.run(
        [*eval_command("--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file())),
         "--ray-address", "localhost:1"],
        cwd=tmp_path, env=variables(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "--ray-address localhost:1: no Ray cluster answers at this address" in done.stderr


@pytest.mark.parametrize(
    ("device", "workers", "gpus", "each"),
    [("auto", 2, 0, 0), ("auto", 2, 2, 1), (None, 2, 4, 1), ("cuda", None, 8, 1), ("cpu", 9, 8, 0)],
)
def test_a_replica_uses_a_gpu_if_there_is_one(
    device: str | None, workers: int | None, gpus: int, each: int
) -> None:
    assert gpus_each(device, workers, gpus) == each


def test_too_few_gpus_or_a_specific_gpu_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"there are only 2 GPU\(s\)"):
        gpus_each("auto", 3, 2)
    with pytest.raises(ConfigError, match="every worker uses its own"):
        gpus_each("cuda:1", 2, 2)


def test_a_model_that_needs_several_gpus_gets_as_many_for_each_replica() -> None:
    assert gpus_each(None, 2, 4, 2) == gpus_each(None, None, 8, 2) == 2
    assert gpus_each(None, None, 0, 2) == 2  # of a cluster that has none yet, and may grow
    assert gpus_each("cuda", None, 0) == 1
    assert gpus_each("cpu", None, 8, 2) == 0
    with pytest.raises(ConfigError, match="each replica needs 2") as caught:
        gpus_each(None, 3, 5, 2)
    assert "--workers 2" in str(caught.value)
    with pytest.raises(ConfigError, match="each replica needs 4") as caught:
        gpus_each("cuda", 1, 2, 4)
    assert "lower gpus in the model file" in str(caught.value)


def test_the_batches_of_a_chunk_do_not_depend_on_the_worker(
    model_file: Path, recipe_file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):  # a replica sets them for its process
        monkeypatch.setenv(name, "1")
    spec, evaluator = load_model(model_file), Evaluator(load_recipe(recipe_file(size=100)))
    recipe, model = evaluator.recipe.document, spec.document
    task = WorkerTask(
        (recipe.path, ()), evaluator.options, None, digests(evaluator.provenance(spec))
    )
    setup = Setup(str(Path.cwd()), (model.path, ()), "hashing", 2, 1, None)
    calls = []
    for mine in (slice(0, None), slice(3, None), slice(4, None)):
        replica = Replica(setup)
        assert isinstance(replica.start(), Started)
        for chunk in chunks(evaluator.ids, None)[mine]:
            replica._model.calls.clear()
            *lines, end = replica.ask(task, chunk)
            assert isinstance(end, Done)
            assert {json.loads(line)["id"] for line in chain(*lines)} == set(chunk)
        calls.append([list(call) for call in replica._model.calls])  # those of the last chunk
    assert calls[0] == calls[1] == calls[2]
    assert calls[0]


@pytest.mark.parametrize(
    ("neighbours", "given", "threads"), [(2, None, 4), (3, None, 2), (16, None, 1), (2, 3, 3)]
)
def test_replicas_share_the_cores(
    neighbours: int, given: int | None, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # it would keep the number
    assert _use_threads(Setup("", (Path(), ()), "", neighbours, given, None)) == threads
    assert os.environ["OMP_NUM_THREADS"] == str(threads)


def test_chunks_depend_only_on_the_samples() -> None:
    ids = [str(number) for number in range(10_000)]
    for length in (1, 40, 1000, 10_000):
        cut = chunks(ids[:length], None)
        assert [name for chunk in cut for name in chunk] == ids[:length]
        sizes = [len(chunk) for chunk in cut]
        assert sizes == sorted(sizes, reverse=True)
    assert len(chunks(ids[:40], None)) == 3
    assert len(chunks(ids, None)[0]) == 156
    assert len(chunks(ids[:1000], 100)[0]) == 100
    sizes = [len(chunk) for chunk in chunks(ids * 10, None)]
    assert (sizes[0], sizes[-2]) == (256, 16)  # all workers end at about the same time
    assert min(len(chunk) for chunk in chunks(ids, 100)[:-1]) == 100


def test_no_secret_is_sent_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    carried = environment()
    assert "hf_secret" not in carried.values()
    assert str(ROOT / "tests") in carried["PYTHONPATH"].split(os.pathsep)
    assert not any(path.startswith(sys.prefix) for path in carried["PYTHONPATH"].split(os.pathsep))


@pytest.mark.parametrize("words", ["--workers=0", "--workers=-1", "--workers=two"])
def test_an_invalid_number_of_workers_is_refused(words: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["eval", "--model_cfg", "m", "--recipe_cfg", "r", words])
    assert stop.value.code == 2
