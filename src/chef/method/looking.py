"""Does a model look? A sample without its image or its question, or with another image."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from chef.common.seeding import sample_rng
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.method.base import Method
from chef.method.corruptions.base import ChangedImages
from chef.method.wording.base import parts_of
from chef.scenario.base import Scenario
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes

T = TypeVar("T", bound=Scenario)
#: So many samples are drawn for another image before all are looked through in order.
_DRAWN = 64


class WithoutImage(Method):
    """A sample without its images and their marks in the text; the rest stays as it is."""

    def transform(self, sample: Sample) -> Sample:
        text, turns = sample.question, sample.turns
        for mark in sample.image_marks:
            text = text.replace(mark, "")
            turns = tuple(replace(turn, question=turn.question.replace(mark, "")) for turn in turns)
        return replace(sample, images=(), image_marks=(), question=text, turns=turns)


class WithoutOptionImages(Method):
    """A sample without the images that stand in its list of options; those of the question stay.

    A sample none of whose options has an image is an error.
    """

    def transform(self, sample: Sample) -> Sample:
        parts = parts_of(sample)
        asked = parts.before + parts.asked
        gone = {mark for mark in sample.image_marks if mark in parts.after and mark not in asked}
        if not gone:
            raise SampleError(
                f"{self.method_id} leaves out the images of options, and the sample has none",
                where=f"sample '{sample.id}'",
                hint="use the method on a scenario whose options are images",
            )
        pairs = zip(sample.images, sample.image_marks, strict=True)
        kept = [(image, mark) for image, mark in pairs if mark not in gone]
        after = parts.after
        for mark in gone:
            after = after.replace(mark, "")
        return replace(
            sample,
            images=tuple(image for image, _ in kept),
            image_marks=tuple(mark for _, mark in kept),
            question=asked + after,
        )


class WithoutQuestion(Method):
    """A sample whose question is the list of its options alone; images stay.

    The recipe's own wording around it stays. A sample without a question of its own is an error.
    """

    def transform(self, sample: Sample) -> Sample:
        parts = parts_of(sample)
        if not parts.asked.strip() or not sample.options:
            lacks = "options" if parts.asked.strip() else "question of its own"
            raise SampleError(
                f"{self.method_id} leaves the options of a question, and the sample has no {lacks}",
                where=f"sample '{sample.id}'",
                hint="use the method on a scenario whose samples have questions with options",
            )
        return replace(sample, question=parts.after.lstrip())


class OneColor(ChangedImages):
    """Each image of a sample in one color, in its own size.

    Args:
        color: red, green and blue, 0 to 255; a middle gray where none is given.
        seed: nothing is drawn at random.

    Raises:
        ConfigError: that is no color.
    """

    def __init__(self, method_id: str, *, color: list[int] | None = None, seed: int = 0) -> None:
        super().__init__(method_id, seed=seed)
        self.color = [128, 128, 128] if color is None else color
        if len(self.color) != 3 or min(self.color) < 0 or max(self.color) > 255:
            raise ConfigError(
                f"color is {color}",
                where=f"method_cfg.{method_id}.color",
                hint="give red, green and blue, 0 to 255: [128, 128, 128]",
            )

    def changed(self, pixels: Bytes, rng: Generator) -> Bytes:
        del rng
        import numpy as np

        return np.full_like(pixels, np.asarray(self.color, dtype=np.uint8))


class Counterfactual(Method):
    """A sample of Shapes about its scene with one object changed, so that another option is right.

    The reference is the option that is right then; see `chef.scenario.shapes.counterfactual`.
    """

    def __init__(self, method_id: str) -> None:
        super().__init__(method_id)
        self._scenario: Shapes | None = None

    def on(self, scenario: Scenario) -> Method:
        if not isinstance(scenario, Shapes):
            raise ConfigError(
                f"{scenario.name} cannot be drawn again with one object changed",
                where=f"method_cfg.{self.method_id}",
                hint="it is for Shapes, as the only method and without rotations of options",
            )
        bound = Counterfactual(self.method_id)
        bound._scenario = scenario
        return bound

    def transform(self, sample: Sample) -> Sample:
        scenario = bound_to(self._scenario, self.method_id)
        return scenario.counterfactual(int(sample.id.rpartition("-")[2]))


class OtherImage(Method):
    """The image of another sample of the scenario, with other pixels than any of the sample's own.

    It is drawn by the seed and the id of the sample among all samples of the scenario, so it
    depends neither on order nor on workers, nor on how many samples are asked. In a list of
    methods, the other sample is changed by those before this one, as the sample is.

    Args:
        seed: of the draw; each sample has a stream of its own.
    """

    def __init__(self, method_id: str, *, seed: int = 0) -> None:
        super().__init__(method_id)
        self.seed = seed
        self._scenario: Scenario | None = None

    def on(self, scenario: Scenario) -> Method:
        bound = OtherImage(self.method_id, seed=self.seed)
        bound._scenario = scenario
        return bound

    def transform(self, sample: Sample) -> Sample:
        if not sample.images:
            raise SampleError(
                f"{self.method_id} takes another image, and the sample has none",
                where=f"sample '{sample.id}'",
                hint="use the method on a scenario with images",
            )
        taken = {image.digest for image in sample.images}
        images = []
        others = self._others(sample)
        for _ in sample.images:
            images.append(self._next(sample, others, taken))
            taken.add(images[-1].digest)
        return replace(sample, images=tuple(images))

    def _next(self, sample: Sample, others: Iterator[Image], taken: set[str]) -> Image:
        for image in others:
            if image.digest not in taken:
                return image
        raise SampleError(
            "no other sample has another image",
            where=f"sample '{sample.id}'",
            hint="use the method on a scenario with several images",
        )

    def _others(self, sample: Sample) -> Iterator[Image]:
        """The images of other samples, the drawn ones first; what cannot be made is passed over."""
        scenario = bound_to(self._scenario, self.method_id)
        places = range(len(scenario))
        rng = sample_rng(self.seed, self.method_id, sample.id)
        for place in chain(rng.sample(places, min(_DRAWN, len(places))), places):
            if scenario.sample_id(place) == sample.id:
                continue
            yield from _images(scenario, place)


def bound_to(scenario: T | None, method_id: str) -> T:
    """The scenario that a method was given by `Method.on`; `ConfigError` where there is none."""
    if scenario is None:
        raise ConfigError(
            f"{method_id} needs the scenario",
            hint="call `on` with the scenario whose samples are changed",
        )
    return scenario


def _images(scenario: Scenario, place: int) -> tuple[Image, ...]:
    """The images of a sample; none where it cannot be made, which is an error of that sample."""
    try:
        images = scenario[place].images
        for image in images:
            image.view()
    except Exception:
        return ()
    return images
