"""ChEF's sequence of corruptions: one of each group, then all of geometry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from chef.common.logs import logger
from chef.method.corruptions import digital, noise, weather
from chef.method.corruptions.base import SEVERITIES, ChangedImages, Corruption
from chef.types import Sample

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes

_log = logger(__name__)


class CorruptionStep(NamedTuple):
    """One step of the sequence: a corruption at a severity of 1 to 5."""

    kind: type[Corruption]
    severity: int

    def to_json(self) -> dict[str, object]:
        """As ``Image_Corruptions_info.json`` has it."""
        return {"corruption_type": self.kind.title, "severity": self.severity}


class ImageSequence(ChangedImages):
    """One random corruption of noise, blur, weather and digital each, then all four of geometry.

    Each has a severity of its own, 1 to 5, all as likely. One that fails is drawn again.
    """

    groups: ClassVar[Sequence[Sequence[type[Corruption]]]] = (
        (noise.GaussianNoise, noise.ShotNoise, noise.ImpulseNoise, noise.SpeckleNoise),
        (noise.DefocusBlur, noise.GlassBlur, noise.MotionBlur, noise.ZoomBlur, noise.GaussianBlur),
        (weather.Snow, weather.Frost, weather.Fog, weather.Brightness, weather.Spatter),
        (digital.Contrast, digital.ElasticTransform, digital.Pixelate, digital.Jpeg,
         digital.Saturate),
        (digital.CenterCrop,), (digital.ResizeX,), (digital.ResizeY,), (digital.Rotate,),
    )  # fmt: skip

    def changed(self, pixels: Bytes, rng: Generator) -> Bytes:
        return self.run(pixels, rng)[0]

    def steps(self, sample: Sample, place: int = 0) -> list[CorruptionStep]:
        """What is done to an image of a sample, in order; it is done for that."""
        import numpy as np

        return self.run(np.asarray(sample.images[place].view()), self.stream(sample, place))[1]

    def run(self, pixels: Bytes, rng: Generator) -> tuple[Bytes, list[CorruptionStep]]:
        """The changed image, and what was done to it, in order."""
        steps = []
        for group in self.groups:
            left = [*group]
            while left:
                kind = left.pop(int(rng.integers(len(left))))
                step = CorruptionStep(kind, int(rng.integers(1, SEVERITIES + 1)))
                try:
                    pixels = kind.corrupted(pixels, kind.levels[step.severity - 1], rng)
                except (ValueError, ArithmeticError) as error:
                    _log.warning("%s: %s; another one is drawn", kind.title, error)
                else:
                    steps.append(step)
                    break
        return pixels, steps
