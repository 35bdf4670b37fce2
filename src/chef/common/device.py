"""The device that a network runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.errors import ConfigError

if TYPE_CHECKING:
    import torch


def pick_device(name: str) -> torch.device:
    """The device of that name; ``auto`` is the GPU if there is one.

    Raises:
        ConfigError: the device does not exist on this machine.
    """
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except Exception as error:  # every backend fails in its own way
        reason = str(error).splitlines()[0]
        raise ConfigError(
            f"device '{name}' is not available ({reason})",
            where="device",
            hint="use 'auto', 'cpu', or 'cuda:N' for one of the "
            f"{torch.cuda.device_count()} GPU(s) that PyTorch sees",
        ) from None
    return device
