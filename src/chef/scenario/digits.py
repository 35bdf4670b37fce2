"""Digits: the handwritten digits that ship with scikit-learn. Real data without a download."""

from __future__ import annotations

import hashlib
from functools import cache, partial
from typing import TYPE_CHECKING, Literal

from chef.errors import ConfigError, DependencyError
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.drawing import SIZE, Split
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

CHOICES = tuple("0123456789")
#: The scans are 8 x 8 pixels with values 0 (paper) to 16 (ink).
_SIDE, _INK = 8, 16


def split_of(pixels: bytes) -> Split:
    """The split of a scan, from its pixels alone: 60% train, 15% pool, 25% test.

    Equal scans therefore never straddle splits, and nothing depends on the order of the data.
    """
    digest = hashlib.blake2b(pixels, digest_size=4).digest()
    share = int.from_bytes(digest, "big") / 2**32
    if share < 0.6:
        return "train"
    return "pool" if share < 0.75 else "test"


@cache
def load_scans() -> tuple[tuple[bytes, int], ...]:
    """All 1,797 scans: 64 bytes in 0..16, row by row, and the digit.

    Raises:
        DependencyError: scikit-learn is not installed.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise DependencyError(
            "Digits reads its data from scikit-learn", mend="pip install scikit-learn"
        ) from None
    data = load_digits()
    scans = data.data.astype("uint8")
    return tuple(
        (scan.tobytes(), int(digit)) for scan, digit in zip(scans, data.target, strict=True)
    )


def render(pixels: bytes) -> Pixels:
    """The scan as white ink on black, RGB, enlarged without smoothing to ``SIZE x SIZE``."""
    from PIL import Image as Pillow

    levels = bytes(value * 255 // _INK for value in pixels)
    scan = Pillow.frombytes("L", (_SIDE, _SIDE), levels)
    return scan.resize((SIZE, SIZE), Pillow.Resampling.NEAREST).convert("RGB")


class Digits(Scenario):
    """Which digit is this? Ten options; the question is the instruction's own.

    Args:
        split: ``train`` taught the embedded model, ``pool`` is for in-context examples, ``test``.
    """

    name = "Digits"
    task = "coarse_grained_classification"
    metric = "Accuracy"
    random_accuracy = 1 / len(CHOICES)

    def __init__(self, *, split: Literal["train", "pool", "test"] = "test") -> None:
        if split not in ("train", "pool", "test"):
            raise ConfigError(f"unknown split '{split}' of Digits", mend="train, pool or test")
        self.split = split
        self._indices: tuple[int, ...] | None = None

    def pool(self) -> Digits | None:
        return None if self.split == "pool" else Digits(split="pool")

    @property
    def indices(self) -> tuple[int, ...]:
        """Where this split's scans stand in scikit-learn's data set; read when first asked for."""
        if self._indices is None:
            found = (i for i, (scan, _) in enumerate(load_scans()) if split_of(scan) == self.split)
            self._indices = tuple(found)
        return self._indices

    def __len__(self) -> int:
        return len(self.indices)

    def sample_id(self, index: int) -> str:
        return f"digits-{self.indices[index]}"

    def __getitem__(self, index: int) -> Sample:
        pixels, digit = load_scans()[self.indices[index]]
        name = self.sample_id(index)
        return Sample(
            id=name,
            images=(Image(partial(render, pixels), name=name),),
            options=CHOICES,
            answer=str(digit),
            fields={"gt_choice": digit, "choices": list(CHOICES)},
        )
