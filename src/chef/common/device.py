"""The device that a network runs on."""

from __future__ import annotations

import ctypes
import gc
import platform
import sys
from typing import TYPE_CHECKING

from chef.errors import ConfigError

if TYPE_CHECKING:
    import torch


def pick_device(name: str) -> torch.device:
    """The device of that name; ``auto`` is the GPU if there is one.

    ConfigError: it does not exist here.
    """
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        hint = "write cuda for a GPU, cuda:1 for the second, mps for one of Apple's, cpu, or auto"
        raise ConfigError(f"'{name}' is no device", where="device", hint=hint) from None
    try:
        torch.empty(0, device=device)
    except Exception as error:  # every backend fails in its own way
        reason = str(error).splitlines()[0].partition(". Please")[0]
        raise ConfigError(
            f"device '{name}' is not available ({reason})", where="device", hint=_hint()
        ) from None
    return device


def keep_freed_memory(device: torch.device) -> None:
    """Let the C library keep what activations on the CPU took, for those of the next call.

    By default it maps every large tensor anew, and the kernel clears its pages: with glibc these
    are page faults by the ten thousand for a question of 600 tokens. Weights that are
    loaded before this stay mapped, so they go back to the system when the model is released.
    """
    if device.type == "cpu" and platform.libc_ver()[0] == "glibc":
        _set_malloc(mapped=0, kept=2**31 - 1)


def free_memory() -> None:
    """Give the memory of networks that nothing uses any more back to the device."""
    gc.collect()  # networks and their hooks may refer to each other
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.empty_cache()
    if torch is not None and platform.libc_ver()[0] == "glibc":
        _set_malloc(mapped=65_536, kept=128 * 1024)  # the defaults
        ctypes.CDLL(None).malloc_trim(0)


def _set_malloc(*, mapped: int, kept: int) -> None:
    """Set how many blocks are mapped at most, and from how many free bytes on some are returned."""
    libc = ctypes.CDLL(None)
    libc.mallopt(-4, mapped)  # M_MMAP_MAX of malloc.h
    libc.mallopt(-1, kept)  # M_TRIM_THRESHOLD


def _hint() -> str:
    import torch

    count = torch.cuda.device_count()
    if count:
        return f"use 'auto', 'cpu', or 'cuda:N' for one of the {count} GPU(s) that PyTorch sees"
    built = torch.version.cuda is not None or torch.version.hip is not None
    why = "PyTorch sees no GPU here" if built else "this PyTorch is built for the CPU alone"
    return f"{why}: use --device cpu, or remove 'device' (auto)"
