"""A cluster that grows while a run goes on, and replicas with several GPUs each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from conftest import FAKES
from workers.fragile import complete

from chef.config import load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.run.folder import RunFolder
from chef.workers.pool import RayPool

#: It answers with the GPUs that its process may use. Ray counts those that it is told of.
WIDE = """
import os
from chef.types import Generated
from fakes import Hashing

class Wide(Hashing):
    def __init__(self, *, gpus: int):
        super().__init__()
        self.gpus = gpus

    def generate(self, requests):
        return [Generated(os.environ["CUDA_VISIBLE_DEVICES"], tokens=1) for _ in requests]
"""


def test_a_replica_waits_for_its_gpus_and_a_machine_that_comes_later_brings_them(
    recipe_file: Callable[..., Path], tmp_path: Path
) -> None:
    from ray.cluster_utils import Cluster

    (tmp_path / "wide.py").write_text(WIDE)
    path = tmp_path / "wide.yaml"
    path.write_text(f"plugins: [{FAKES}, wide.py]\nmodel_name: Wide\ngpus: 2\n")
    spec, recipe = load_model(path), load_recipe(recipe_file("Direct"))
    model = spec.model.build()
    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "num_gpus": 2})
    pool = RayPool(spec, model.fingerprint(), 2, machines.address)
    try:
        pool.prepare()
        assert [worker.started is not None for worker in pool.workers].count(True) == 1
        machines.add_node(num_cpus=1, num_gpus=2)
        complete(pool)
        assert len({worker.started.pid for worker in pool.workers if worker.started}) == 2
        evaluator = Evaluator(recipe, RunOptions(sample_len=8))
        with RunFolder(tmp_path / "run", evaluator.config(spec)) as folder:
            evaluator.ask(model, folder, pool)
            assert {item.answer for item in evaluator.answers(folder)} == {"0,1"}
    finally:
        pool.close()
        machines.shutdown()
