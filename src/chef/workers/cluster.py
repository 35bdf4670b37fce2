"""Connect to Ray: start it for one run, or join a running cluster."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
import time
from importlib.util import find_spec
from typing import Any

from chef.errors import ConfigError, DependencyError, RunError
from chef.frozen import Frozen

#: Bytes of Ray's object store. Only journal lines are sent; Ray's default is 30 % of the memory.
OBJECT_STORE = 128 * 2**20
#: Environment variables that a worker needs to find caches. Secrets are not sent.
CARRIED = ("CHEF_CACHE", "HF_HOME", "HF_HUB_OFFLINE", "LMUData", "TOKENIZERS_PARALLELISM")


class Cluster(Frozen):
    """A connection to Ray; ``ours`` where this run started it and so closes it."""

    ours: bool
    machines: int
    gpus: int
    seconds: float

    def close(self) -> None:
        """Disconnect; if this run started Ray, stop it and all its processes."""
        if self.ours:
            import ray

            ray.shutdown()


def check_ray() -> None:
    """Raise a `DependencyError` where Ray is not installed."""
    if find_spec("ray") is None:
        raise DependencyError(
            "--workers and --ray-address need Ray", hint="pip install 'chef-eval[ray]'"
        )


def connect(workers: int | None, address: str | None) -> Cluster:
    """Connect to a running Ray, or start one on this machine with a CPU for each worker."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # Ray's default niceness, 15, starves replicas when other processes use the machine.
    os.environ.setdefault("RAY_worker_niceness", "0")
    # A process for each CPU, started in advance, has not the variables of a replica, and none uses
    # it.
    os.environ.setdefault("RAY_prestart_worker_first_driver", "0")
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
        # Ray installs its own SIGTERM handler; restore ours, so that SIGTERM ends the run as usual.
        main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            raise RunError(
                f"Ray cannot be {'reached' if address else 'started'} "
                f"({type(error).__name__}: {error})",
                where=f"--ray-address {address}" if address else "--workers",
                hint="run 'ray status' on the cluster; if it requires a token, set "
                "RAY_AUTH_MODE and RAY_AUTH_TOKEN to the cluster's values"
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
    """Fail early if nothing answers: Ray itself waits for minutes and then ends the process."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return  # 'auto'
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise RunError(
            f"no Ray cluster answers at this address ({error})",
            where=f"--ray-address {address}",
            hint="use the address that 'ray start --head' printed",
        ) from None


def gpus_each(device: object, workers: int | None, gpus: int, each: int = 0) -> int:
    """The GPUs of each replica: ``each`` (0: as the file says nothing, one if there are any).

    Without a number of workers the cluster may grow: what wants GPUs waits for them. `ConfigError`
    where the device is one GPU, or there are fewer GPUs than the workers need.
    """
    name = "auto" if device is None else str(device)
    if name.startswith("cuda:"):
        raise ConfigError(
            f"device '{name}' is one specific GPU, but every worker uses its own GPU",
            where="--workers",
            hint="use --device cuda, and select GPUs with CUDA_VISIBLE_DEVICES",
        )
    waits = workers is None and name == "cuda"
    if name not in ("auto", "cuda") or not (each or gpus or waits):
        return 0
    each = each or 1
    if workers is not None and workers * each > gpus:
        most = gpus // each
        raise ConfigError(
            f"{workers} workers were requested, but there are only {gpus} GPU(s); "
            f"each replica needs {'one' if each == 1 else each}",
            where="--workers",
            hint=f"use --workers {most}, or --device cpu"
            if most
            else "lower gpus in the model file, or join a larger cluster with --ray-address",
        )
    return each


def environment() -> dict[str, str]:
    """Return the environment variables that give a worker this process's imports and caches."""
    installed = tuple({sys.prefix, sys.base_prefix})
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 (an empty entry is the working directory)
    ours = [path for path in paths if not path.startswith(installed)]
    carried = {name: os.environ[name] for name in CARRIED if name in os.environ}
    return {"PYTHONPATH": os.pathsep.join(ours), **carried}
