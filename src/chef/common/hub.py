"""Checkpoints of the Hugging Face hub: whether it is reached, and whether weights are whole."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from chef.errors import RunError, first_line
from chef.guard.files import open_file, read_bytes

#: Seconds to wait for the hub. The library retries each file for much longer.
TIMEOUT = 5.0


@lru_cache(1)
def unreachable() -> str | None:
    """Why the hub cannot be reached; None if it can be, or the library is offline. Asked once."""
    from huggingface_hub import constants, get_session

    if constants.HF_HUB_OFFLINE:
        return None  # the library does not ask the hub, and says so
    try:
        get_session().head(constants.ENDPOINT, timeout=TIMEOUT)
    except Exception as error:  # of the HTTP library, whichever the hub's library uses
        reason = first_line(error)
        return f"{constants.ENDPOINT}: {reason}"
    return None


#: How many keys a message names.
_SHOWN = 3
#: The largest header of a safetensors file that is read; the library has the same limit.
_HEADER = 100_000_000
#: Types of tensors in safetensors files that hold weights as they are.
_FLOATS = ("F64", "F32", "F16", "BF16", "F8_", "F4", "F6_", "C64")


def check_complete(
    report: Mapping[str, Any], where: str, *, used: str = "", unused: Sequence[str] = ()
) -> tuple[str, ...]:
    """RunError for a network with weights that its checkpoint lacks: they would be random.

    ``report`` is what transformers' ``from_pretrained(..., output_loading_info=True)`` returns,
    without tied weights; only the prefix ``used`` counts, and no name with one of ``unused``.
    Returns notices.
    """

    def matters(key: str) -> bool:
        return key.startswith(used) and not any(part in key for part in unused)

    missing = sorted(filter(matters, map(str, report.get("missing_keys", ()))))
    # An entry is a key, or a key with both shapes.
    odd = [item if isinstance(item, str) else item[0] for item in report.get("mismatched_keys", ())]
    mismatched = sorted(filter(matters, odd))
    problems = [
        f"{what}: {len(keys)} ({shown(keys)})"
        for keys, what in (
            (missing, "missing weights"),
            (mismatched, "weights of another shape than config.json says"),
        )
        if keys
    ]
    if problems:
        raise RunError(
            f"the checkpoint is not complete, and the model would be partly random; "
            f"{'; '.join(problems)}",
            where=where,
            hint="fetch it again if the download is incomplete; merge an adapter into its base "
            "model; check that the architecture in config.json is the one of the weights",
        )
    unexpected = sorted(map(str, report.get("unexpected_keys", ())))
    if not unexpected:
        return ()
    return (
        f"weights of the checkpoint that are not used: {len(unexpected)} ({shown(unexpected)})",
    )


def check_files(folder: Path, where: str) -> None:
    """RunError for a checkpoint of integers that is not quantized: the library would convert them.

    Files that cannot be read as safetensors are left to the library.
    """
    if _is_quantized(folder):
        return
    for file in sorted(folder.glob("*.safetensors")):
        wrong = [
            name
            for name, dtype in _dtypes(file).items()
            if name.endswith((".weight", ".bias")) and not dtype.startswith(_FLOATS)
        ]
        if wrong:
            raise RunError(
                f"weights in {file.name} that are integers: {len(wrong)} ({shown(wrong)})",
                where=where,
                hint="fetch it again; of a quantized checkpoint, config.json has to say so "
                "(quantization_config)",
            )


def shown(keys: Collection[str]) -> str:
    """The first few of some keys.

    >>> shown(["a", "b", "c", "d"])
    'a, b, c, ...'
    """
    first = list(keys)[:_SHOWN]
    return ", ".join([*first, *(["..."] if len(keys) > _SHOWN else [])])


@contextmanager
def no_library_report() -> Iterator[None]:
    """Keep transformers from printing its own report about keys, a table, in the block."""
    logger = logging.getLogger("transformers.modeling_utils")

    def is_other(record: logging.LogRecord) -> bool:
        return "LOAD REPORT" not in record.getMessage()

    logger.addFilter(is_other)
    try:
        yield
    finally:
        logger.removeFilter(is_other)


def _is_quantized(folder: Path) -> bool:
    try:
        config = json.loads(read_bytes(folder / "config.json"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and "quantization_config" in config


def _dtypes(file: Path) -> dict[str, str]:
    """The type of each tensor by the header of a file; empty where it cannot be read."""
    try:
        with open_file(file) as opened:
            (length,) = struct.unpack("<Q", opened.read(8))
            header = json.loads(opened.read(length)) if length <= _HEADER else {}
    except (OSError, ValueError, struct.error):
        return {}
    if not isinstance(header, dict):
        return {}
    return {
        name: str(entry.get("dtype", ""))
        for name, entry in header.items()
        if isinstance(entry, dict) and name != "__metadata__"
    }
