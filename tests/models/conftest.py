"""One small random checkpoint per family, built once and loaded as any other checkpoint."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_models import BUILDERS

from chef.image import Image
from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Conversation, Text, Turn


def drawn(width: int, height: int, seed: int) -> Image:
    """An image of noise: a function draws it, so that nothing needs a file."""

    def draw() -> Any:
        import numpy as np
        from PIL import Image as PIL

        rng = np.random.default_rng(seed)
        return PIL.fromarray(rng.integers(0, 255, (height, width, 3), dtype=np.uint8))

    return Image(draw)


def turn(role: Any, *parts: str | Image) -> Turn:
    return Turn(role, tuple(Text(part) if isinstance(part, str) else part for part in parts))


@pytest.fixture(scope="session")
def load(checkpoint: Callable[[str], Path]) -> Callable[[str], HuggingFaceModel]:
    @functools.cache
    def model(family: str) -> HuggingFaceModel:
        return HuggingFaceModel(str(checkpoint(family)), device="cpu")

    return model


@pytest.fixture(params=sorted(BUILDERS))
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def model(family: str, load: Callable[[str], HuggingFaceModel]) -> HuggingFaceModel:
    return load(family)


@pytest.fixture(scope="session")
def images() -> list[Image]:
    return [drawn(40, 30, 0), drawn(30, 60, 1), drawn(28, 28, 2), drawn(50, 50, 3)]


@pytest.fixture
def conversations(family: str, images: list[Image]) -> list[Conversation]:
    """Ragged in every way: lengths, sizes and numbers of images, turns, no image at all."""
    one, two, three, four = images
    made: list[Conversation] = [
        (turn("user", one, "What is it?"),),
        (turn("user", two, three, "Which of the two shapes is red, and how many are there?"),),
        (
            turn("user", four, "How many?"),
            turn("assistant", "two"),
            turn("user", one, "How many?"),
        ),
        (turn("user", four, "Is the photo of the digit 7 (seven)? " * 3),),
    ]
    if family != "paligemma":  # which cannot do without an image
        made.append((turn("user", "Say yes or no."),))
        made.append((turn("system", "Be brief."), turn("user", two, "What is it?")))
    return made
