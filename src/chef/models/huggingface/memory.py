"""How much larger a batch may be, by the measured memory of an accelerator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

#: The share of the memory that batches may use; the rest is a reserve, for fragmentation too.
SHARE = 0.85


def headroom(device: torch.device, cuda: Any = None) -> float:
    """How many times the memory of the largest batch so far is free; 1 where it cannot be measured.

    Called between batches, so what is allocated then (weights, kept images) belongs to no batch.
    """
    if device.type != "cuda":
        return 1.0
    if cuda is None:
        import torch

        cuda = torch.cuda
    free, _ = cuda.mem_get_info(device)
    ours = cuda.memory_reserved(device)  # memory that PyTorch has reserved and can reuse
    idle = cuda.memory_allocated(device)
    largest: int = cuda.max_memory_allocated(device) - idle
    if largest <= 0:
        return 1.0
    planned: float = SHARE * (free + ours) - idle
    return max(1.0, planned / largest)
