"""Ray, started quietly for one run, or joined where it runs already."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
import time
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from chef.errors import ConfigError, DependencyError, RunError

#: Only lines of the journal travel; Ray would take 30 % of the machine's memory.
OBJECT_STORE = 128 * 2**20
#: Variables that decide where a worker finds things; secrets are not sent.
CARRIED = ("CHEF_CACHE", "HF_HOME", "HF_HUB_OFFLINE", "TOKENIZERS_PARALLELISM")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Ray, connected.

    Attributes:
        ours: whether this run has started it, or connected to it, and so ends that too.
        machines: how many it has now.
        gpus: how many it has now.
        seconds: how long connecting took.
    """

    ours: bool
    machines: int
    gpus: int
    seconds: float

    def close(self) -> None:
        """Leave it; one that was started here ends, with every process of it."""
        if self.ours:
            import ray

            ray.shutdown()


def check_ray() -> None:
    """Refuse a run that needs Ray where there is none.

    Raises:
        DependencyError: Ray is not installed.
    """
    if find_spec("ray") is None:
        raise DependencyError(
            "--workers and --ray-address need Ray", hint="pip install 'chef-eval[ray]'"
        )


def connect(workers: int | None, address: str | None) -> Cluster:
    """Connect to Ray at ``address``; without one, to what this process uses, or a new one.

    Raises:
        RunError: it cannot be reached or started.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # Ray's default, 15, starves replicas on a machine where anything else computes.
    os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    clock = time.perf_counter()
    ours = not ray.is_initialized()
    if address is not None:
        _check_address(address)
    if ours:
        options: dict[str, Any] = {"address": address}
        if address is None:
            options = {
                "address": "local",
                "num_cpus": workers,
                "include_dashboard": False,
                "object_store_memory": OBJECT_STORE,
            }
        # Ray takes SIGTERM for itself; a polite stop is to end as it does without workers.
        main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            raise RunError(
                f"Ray cannot be {'reached' if address else 'started'} "
                f"({type(error).__name__}: {error})",
                where=f"--ray-address {address}" if address else "--workers",
                hint="look at 'ray status' there; where it asks for a token, set RAY_AUTH_MODE and "
                "RAY_AUTH_TOKEN as it does"
                if address
                else None,
            ) from error
        finally:
            if main:
                signal.signal(signal.SIGTERM, before)
    machines = sum(node["Alive"] for node in ray.nodes())
    gpus = int(ray.cluster_resources().get("GPU", 0))
    return Cluster(ours, max(1, machines), gpus, time.perf_counter() - clock)


def _check_address(address: str) -> None:
    """Ray itself waits for minutes for an address that does not answer, and ends the process."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # 'auto'
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise RunError(
            f"there is no answer from there ({error})",
            where=f"--ray-address {address}",
            hint="give the address that 'ray start --head' printed",
        ) from None


def gpus_each(device: object, workers: int | None, gpus: int) -> int:
    """How many GPUs a replica takes: one if there are any and the model may use it.

    Args:
        device: of the model file; None where its model has no such key.
        workers: how many replicas are wanted; None where that is not said.
        gpus: that there are; 0 where they may still come.

    Raises:
        ConfigError: the device is one particular GPU, or there are too few.
    """
    name = "auto" if device is None else str(device)
    if name.startswith("cuda:"):
        raise ConfigError(
            f"device '{name}' is one particular GPU, and every worker has its own",
            where="--workers",
            hint="use --device cuda, and CUDA_VISIBLE_DEVICES to choose among GPUs",
        )
    if name not in ("auto", "cuda") or not gpus:
        return 0
    if workers is not None and workers > gpus:
        raise ConfigError(
            f"{workers} workers and {gpus} GPU(s): each replica needs one",
            where="--workers",
            hint=f"--workers {gpus}, or --device cpu",
        )
    return 1


def environment() -> dict[str, str]:
    """Variables with which a worker imports and finds what this process does."""
    installed = tuple({sys.prefix, sys.base_prefix})
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 (the empty one is here)
    ours = [path for path in paths if not path.startswith(installed)]
    carried = {name: os.environ[name] for name in CARRIED if name in os.environ}
    return {"PYTHONPATH": os.pathsep.join(ours), **carried}
