"""Digits: the handwritten digits of scikit-learn, which need no download."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Literal, get_args

from chef.common.digest import fraction
from chef.common.options import letters
from chef.common.seeding import sample_rng
from chef.errors import DependencyError
from chef.image import Image
from chef.scenario.base import Scenario, check_name
from chef.scenario.shapes.drawing import SIZE, Split
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

#: The names of the ten digits.
LABELS = {"digits": tuple("0123456789"), "letters": tuple(letters(10))}
#: The scans are 8 x 8 pixels with values 0 (paper) to 16 (ink).
_SIDE, _INK = 8, 16


def split_of(pixels: bytes) -> Split:
    """The split by the pixels alone: 60% train, 15% pool, 25% test; equal scans fall together."""
    share = fraction(pixels)
    if share < 0.6:
        return "train"
    return "pool" if share < 0.75 else "test"


@cache
def load_scans() -> tuple[tuple[bytes, int], ...]:
    """The 1,797 scans, 64 bytes in 0..16 by row, and digits; DependencyError: no scikit-learn."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise DependencyError(
            "Digits reads its data from scikit-learn", hint="pip install scikit-learn"
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
    """Handwritten digits as images; the ten options are their names.

    The question comes from the wording pool.

    Args:
        split: the embedded model was trained on ``train``; ``pool`` is for in-context examples.
        labels: ``letters`` replaces the name of each digit with a letter. Only in-context examples
            show which letter belongs to which digit, so the scores show whether a model learns
            from them.
        seed: the random seed of the letters.
    """

    name = "Digits"
    wording = "coarse_grained_classification"
    metric = "Accuracy"
    random_accuracy = 1 / 10

    def __init__(
        self,
        *,
        split: Split = "test",
        labels: Literal["digits", "letters"] = "digits",
        seed: int = 0,
    ) -> None:
        check_name("split", "Digits", split, get_args(Split))
        check_name("labels", "Digits", labels, LABELS)
        self.split, self.labels, self.seed = split, labels, seed
        self.options = LABELS[labels]
        #: The position of the option for each digit.
        self.meaning = list(range(10))
        if labels == "letters":
            sample_rng(seed, "Digits", labels).shuffle(self.meaning)
        self._indices: tuple[int, ...] | None = None

    def pool(self) -> Digits | None:
        if self.split == "pool":
            return None
        return Digits(split="pool", labels=self.labels, seed=self.seed)

    @property
    def indices(self) -> tuple[int, ...]:
        """The positions of this split's scans in scikit-learn's data set, read on first use."""
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
        name, correct = self.sample_id(index), self.meaning[digit]
        return Sample(
            id=name,
            images=(Image(partial(render, pixels), name=name),),
            options=self.options,
            answer=self.options[correct],
            fields={"gt_choice": correct, "choices": list(self.options)},
        )
