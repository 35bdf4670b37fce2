"""All corruptions, and pictures for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from chef.method import METHODS
from chef.method.corruptions.base import Corruption
from chef.method.sequences import ImageSequence

KINDS = [kind for group in ImageSequence.groups for kind in group]


def scene(height: int = 120, width: int = 160) -> np.ndarray[Any, Any]:
    """An image with edges, gradients and fine texture, with all channels different."""
    y, x = np.mgrid[:height, :width]
    fine = np.random.default_rng(0).integers(-20, 20, (height, width))
    disk = (np.hypot(y - height / 2, x - width / 2) < height / 4) * 90
    planes = [60 + x * 120 // width + disk, 120 + 60 * np.sin(y / 7) + fine, 200 - disk + fine]
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def made(kind: type[Corruption], pixels: Any, severity: int, seed: int = 0) -> Any:
    level = kind.levels[severity - 1]
    return kind.corrupted(pixels, level, np.random.default_rng(seed)).astype(np.float64)


def names() -> dict[type, str]:
    return {METHODS.get(name): name for name in METHODS}


SAME_SIZE = [kind for kind in KINDS if kind not in {group[0] for group in ImageSequence.groups[4:]}]
