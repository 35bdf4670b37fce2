"""What training asks about: drawn scenes and scanned digits, from the train splits only."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from chef.scenario import digits
from chef.scenario.shapes.drawing import Scene, draw_scene, render
from chef.scenario.shapes.questions import listing
from tiny.wording import Exchange, caption, digit_exchange, scene_exchange

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

SYSTEM_MESSAGES = (
    "You are a helpful assistant.",
    "Answer the question about the image.",
    "The examples are not about the image; they only show the form of an answer.",
)


class DigitSource:
    """The scans of the train split, slightly distorted: a thousand scans would be memorised."""

    def __init__(self) -> None:
        self.scans = [scan for scan in digits.load_scans() if digits.split_of(scan[0]) == "train"]

    def draw(self, rng: random.Random) -> tuple[Pixels, int]:
        """A random scan and its digit."""
        """A random scan and its digit."""
        scan, label = rng.choice(self.scans)
        return distort(digits.render(scan), rng), label

    def draw_digit(self, digit: int, rng: random.Random) -> Pixels:
        """A random scan of one digit."""
        """A random scan of one digit."""
        scan = rng.choice([scan for scan, label in self.scans if label == digit])
        return distort(digits.render(scan), rng)


def distort(picture: Pixels, rng: random.Random) -> Pixels:
    """Rotate, scale, shear and shift a little; a quarter of the pictures stay unchanged."""
    from PIL import Image

    if rng.random() < 0.25:
        return picture
    side, half = picture.size[0], picture.size[0] / 2
    a, e = rng.uniform(0.88, 1.14), rng.uniform(0.88, 1.14)
    b, d = rng.uniform(-0.2, 0.2), rng.uniform(-0.14, 0.14)
    c = half - a * half - b * half + rng.uniform(-6, 6)
    f = half - d * half - e * half + rng.uniform(-6, 6)
    smooth = rng.choice((Image.Resampling.NEAREST, Image.Resampling.BILINEAR))
    moved = picture.transform((side, side), Image.Transform.AFFINE, (a, b, c, d, e, f), smooth)
    gain = rng.uniform(0.75, 1.15)
    return moved.point([min(255, int(level * gain)) for level in range(256)] * 3)


class Subject:
    """Something to ask about: its picture, its description, and exchanges about it.

    Args:
        rng: decides what is shown and asked.
        source: the source of digits.
        digit: show a digit instead of a scene.
        scene: the scene to show; None draws one.
    """

    def __init__(
        self, rng: random.Random, source: DigitSource, *, digit: bool, scene: Scene | None = None
    ) -> None:
        self.rng = rng
        if digit:
            self.picture, self.label = source.draw(rng)
            self.description = f"a handwritten {self.label}"
        else:
            self.scene = scene or draw_scene(rng, "train")
            self.picture = render(self.scene)
            self.description = listing(self.scene.labels)
        self.digit, self.letter_only = digit, False

    def ask(self, kind: str | None = None) -> Exchange:
        """One exchange about it, of a kind or of a random one."""
        """One exchange about it, of a kind or of a random one."""
        if self.digit:
            exchange = digit_exchange(self.label, self.rng, kind)
        else:
            exchange = scene_exchange(self.scene, self.rng, kind)
        return exchange.letter_only() if self.letter_only else exchange


def corpus(source: DigitSource, rng: random.Random, number: int) -> Iterator[str]:
    """Text to train the tokenizer on: questions and answers like those of the training."""
    for _ in range(number):
        subject = Subject(rng, source, digit=rng.random() < 0.2)
        exchange = subject.ask()
        yield f"{exchange.prompt}\n{exchange.given}{exchange.answer}"
        if not subject.digit:
            yield caption(subject.scene, rng).answer
    yield from SYSTEM_MESSAGES
