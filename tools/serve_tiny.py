"""Serve the embedded model behind OpenAI's interface, with `transformers serve`.

python tools/serve_tiny.py           # until Ctrl-C; configs/models/tiny_served.yaml reaches it
python tools/serve_tiny.py --demo    # evaluate it through the server, then stop the server
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from guard import need_chef

need_chef()

from chef.cli.failures import exit_code, print_error  # noqa: E402
from chef.errors import ChefError, ConfigError, RunError  # noqa: E402
from chef.models.tiny import FOLDER  # noqa: E402

ROOT = Path(__file__).parents[1]
#: `transformers serve` listens there.
HOST = "127.0.0.1"
#: The port in configs/models/tiny_served.yaml.
PORT = 8000
#: One thread: so small a model gains nothing from more, and they wait for each other where other
#: programs use the same cores.
_THREADS = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
#: Seconds until the server has loaded the model.
START_LIMIT = 180.0
#: Seconds that the server has to end by itself.
STOP_LIMIT = 10.0


def base_url(port: int) -> str:
    """What a model file gives as ``base_url``."""
    return f"http://{HOST}:{port}/v1"


def free_port() -> int:
    """A port that no program listens on."""
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


def start(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start the server in a process group of its own.

    It is started where the model's folder is, so that the model is called ``tiny``: the server
    answers only to the name that it was started with.

    Args:
        port: where it listens.
        folder: for its log (``server.log``), and an empty cache of the hub, so that it neither
            looks for models nor downloads any.

    Raises:
        ConfigError: the extra is not installed, or the port is taken.
    """
    if importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("uvicorn") is None:
        raise ConfigError(
            "`transformers serve` lacks fastapi or uvicorn",
            hint="pip install 'chef-eval[serving]'",
        )
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise ConfigError(
            f"no server can listen on port {port} ({os.strerror(error.errno or 0)})",
            hint="stop the program that uses it, or choose another port: "
            "make serve-demo PORT=8001, or --port 8001",
        ) from None
    cache = folder / "hub"
    cache.mkdir(parents=True, exist_ok=True)
    with (folder / "server.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603 (nothing of it comes from outside)
            [
                sys.executable, "-m", "transformers.cli.transformers",
                "serve", FOLDER.name, "--host", HOST, "--port", str(port), "--device", "cpu",
            ],
            cwd=FOLDER.parent, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            env={**os.environ, **_THREADS, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "1"},
            start_new_session=True,
        )  # fmt: skip


def wait_until_ready(
    process: subprocess.Popen[bytes], port: int, folder: Path, limit: float = START_LIMIT
) -> None:
    """Wait until the model is loaded and the server answers.

    Raises:
        RunError: it has ended, or is not ready within the limit, in seconds.
    """
    deadline = time.monotonic() + limit
    while not _is_healthy(port):
        ended = process.poll() is not None
        if ended or time.monotonic() > deadline:
            told = (folder / "server.log").read_text(errors="replace").strip().splitlines()[-5:]
            what = "has ended" if ended else f"is not ready after {limit:.0f} s"
            raise RunError(f"the server {what}; its last lines:\n" + "\n".join(told))
        time.sleep(0.1)


def _is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=5) as reply:
            return bool(json.load(reply)["status"] == "ok")
    except (OSError, ValueError, KeyError):
        return False


def stop(group: int) -> None:
    """End a process group: politely, and after a while without asking.

    Args:
        group: the id of the process that `start` has started.
    """
    deadline = time.monotonic() + STOP_LIMIT
    try:
        os.killpg(group, signal.SIGTERM)
        while time.monotonic() < deadline:
            with suppress(ChildProcessError):  # another process has started it
                os.waitpid(group, os.WNOHANG)
            os.killpg(group, 0)
            time.sleep(0.05)
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass  # all of it has ended


@contextmanager
def serving(port: int = PORT) -> Iterator[str]:
    """The embedded model behind a server, until the end of the block.

    Args:
        port: where it listens.

    Returns:
        What a model file gives as ``base_url``.

    Raises:
        ConfigError: the extra is not installed, or the port is taken.
        RunError: the server does not start.
    """
    with tempfile.TemporaryDirectory(prefix="serve-tiny-") as scratch:
        folder = Path(scratch)
        process = start(port, folder)
        try:
            wait_until_ready(process, port, folder)
            yield base_url(port)
        finally:
            stop(process.pid)


def evaluate(port: int, save_dir: str) -> int:
    """Evaluate the served model on 50 questions, and return chef's exit code."""
    command = [
        "eval", "--model_cfg", "configs/models/tiny_served.yaml",
        "--recipe_cfg", "configs/recipes/Shapes/direct.yaml", "--limit", "50",
        "--save_dir", save_dir,
    ]  # fmt: skip
    if port != PORT:
        command.append(f"model_cfg.base_url={base_url(port)}")
    print(f"== chef {' '.join(command)}", flush=True)
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "chef", *command], cwd=ROOT, check=False
    ).returncode


def main() -> int:
    """Serve until Ctrl-C, or as long as the evaluation takes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=PORT, help=f"where to listen ({PORT})")
    parser.add_argument("--demo", action="store_true", help="evaluate the model, then stop")
    parser.add_argument("--save_dir", default="results", help="folder of the demo's results")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the server ends with this process
    print("== starting `transformers serve` with the embedded model (some seconds)", flush=True)
    try:
        with serving(options.port) as url:
            print(f"== it answers at {url}", flush=True)
            if options.demo:
                code = evaluate(options.port, options.save_dir)
                print("== stopping it. To start it by hand: python tools/serve_tiny.py, or")
                where = FOLDER.parent.relative_to(ROOT) if FOLDER.is_relative_to(ROOT) else FOLDER
                print(f"==   cd {where} && transformers serve {FOLDER.name} --device cpu")
                return code
            other = "" if options.port == PORT else f" model_cfg.base_url={url}"
            print(f"== chef eval --model_cfg tiny_served --recipe_cfg Shapes/direct{other}")
            print("== Ctrl-C stops it", flush=True)
            signal.pause()
    except KeyboardInterrupt:
        print()
    except ChefError as error:
        print_error(error)
        return exit_code(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
