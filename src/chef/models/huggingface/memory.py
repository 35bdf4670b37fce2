"""How much larger a batch may be, as far as the memory of an accelerator goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

#: The share of the memory that batches may plan with; the rest is for fragments and surprises.
SHARE = 0.85


def headroom(device: torch.device, cuda: Any = None) -> float:
    """How many times the memory of the largest batch so far there is; 1 where nobody can tell.

    Asked between batches: what is allocated then (weights, kept images) is no batch's.

    Args:
        device: where the model is.
        cuda: ``torch.cuda``.
    """
    if device.type != "cuda":
        return 1.0
    if cuda is None:
        import torch

        cuda = torch.cuda
    free, _ = cuda.mem_get_info(device)
    ours = cuda.memory_reserved(device)  # what PyTorch has taken and will use again
    idle = cuda.memory_allocated(device)
    largest: int = cuda.max_memory_allocated(device) - idle
    if largest <= 0:
        return 1.0
    planned: float = SHARE * (free + ours) - idle
    return max(1.0, planned / largest)
