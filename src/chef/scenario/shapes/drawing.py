"""Scenes of coloured shapes on a 3 x 3 grid, and their images.

The *content* of a scene is the shape and the colour in each cell; sizes and exact positions vary at
random. The content alone decides the split, so no scene is in two splits.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from chef.common.digest import fraction
from chef.frozen import Frozen

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

Split: TypeAlias = Literal["train", "pool", "test"]
Box: TypeAlias = tuple[float, float, float, float]

COLORS: dict[str, tuple[int, int, int]] = {
    "red": (214, 40, 40),
    "orange": (255, 140, 0),
    "yellow": (246, 214, 40),
    "green": (40, 160, 70),
    "blue": (40, 90, 220),
    "purple": (145, 65, 185),
}
SHAPES = ("circle", "square", "triangle", "star", "cross")

#: An image has SIZE x SIZE pixels; each of its GRID x GRID cells is CELL pixels wide.
GRID, CELL = 3, 24
SIZE = GRID * CELL
MAX_OBJECTS = 6
#: Shapes are drawn this many times larger and averaged, so that their edges are smooth.
_OVERSAMPLING = 4
_RADIUS = (7.5, 10.0)
_MARGIN = 0.5


class Thing(Frozen):
    """One object: its cell (0..8 in reading order), kind, and centre and radius in pixels."""

    cell: int
    color: str
    shape: str
    x: float
    y: float
    radius: float

    @property
    def label(self) -> str:
        """Colour and shape, such as ``red star``."""
        return f"{self.color} {self.shape}"

    @property
    def box(self) -> Box:
        """``(x1, y1, x2, y2)`` in fractions of the image, y downwards."""
        points = outline(self)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return (min(xs) / SIZE, min(ys) / SIZE, max(xs) / SIZE, max(ys) / SIZE)


class Scene(Frozen):
    """Things in reading order, on a background of one light RGB colour."""

    things: tuple[Thing, ...]
    ground: tuple[int, int, int]

    @property
    def content(self) -> tuple[tuple[int, str, str], ...]:
        """Cell, colour and shape of every thing: scenes with equal content look alike."""
        return tuple((thing.cell, thing.color, thing.shape) for thing in self.things)

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of every thing."""
        return tuple(thing.label for thing in self.things)


def split_of(content: Iterable[tuple[int, str, str]]) -> Split:
    """The only split that may contain this content: 70% train, 10% pool, 20% test.

    >>> split_of([(0, "red", "circle")]) == split_of([(0, "red", "circle")])
    True
    """
    share = fraction(repr(sorted(content)))
    if share < 0.7:
        return "train"
    return "pool" if share < 0.8 else "test"


def draw_scene(rng: random.Random, split: Split) -> Scene:
    """Draw scenes of 1 to 6 things until the content of one belongs to ``split``."""
    while True:
        scene = _any_scene(rng)
        if split_of(scene.content) == split:
            return scene


def _any_scene(rng: random.Random) -> Scene:
    # Some scenes have few colours or shapes; otherwise one would rarely occur three times.
    colors = rng.sample(sorted(COLORS), rng.choice((2, 3, 6)))
    shapes = rng.sample(SHAPES, rng.choice((2, 3, 5)))
    cells = sorted(rng.sample(range(GRID * GRID), rng.randint(1, MAX_OBJECTS)))
    things = tuple(draw_thing(rng, cell, rng.choice(colors), rng.choice(shapes)) for cell in cells)
    level = rng.randint(232, 255)
    ground = (level, min(255, level + rng.randint(-4, 4)), min(255, level + rng.randint(-4, 4)))
    return Scene(things, ground)


def draw_thing(rng: random.Random, cell: int, color: str, shape: str) -> Thing:
    """A thing in a cell, 0 to 8, with a size and an exact position at random."""
    radius = rng.uniform(*_RADIUS)
    play = CELL / 2 - radius - _MARGIN
    x = (cell % GRID + 0.5) * CELL + rng.uniform(-play, play)
    y = (cell // GRID + 0.5) * CELL + rng.uniform(-play, play)
    return Thing(cell, color, shape, x, y, radius)


def outline(thing: Thing) -> list[tuple[float, float]]:
    """The corners in pixels; for a circle, the corners of its bounding box."""
    x, y, r = thing.x, thing.y, thing.radius
    if thing.shape == "circle":
        return _rectangle(x, y, r)
    if thing.shape == "square":
        return _rectangle(x, y, 0.86 * r)
    if thing.shape == "triangle":
        return [(x, y - r), (x + r, y + 0.8 * r), (x - r, y + 0.8 * r)]
    if thing.shape == "cross":
        return _cross(x, y, r, 0.34 * r)
    return _star(x, y, r)


def _rectangle(x: float, y: float, half: float) -> list[tuple[float, float]]:
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _cross(x: float, y: float, arm: float, half: float) -> list[tuple[float, float]]:
    corners = [(arm, half), (half, half), (half, arm)]
    quarter = [(x + dx, y + dy) for dx, dy in corners]
    second = [(x - dx, y + dy) for dx, dy in reversed(corners)]
    third = [(x - dx, y - dy) for dx, dy in corners]
    fourth = [(x + dx, y - dy) for dx, dy in reversed(corners)]
    return quarter + second + third + fourth


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else 0.42 * radius
        angle = math.pi * corner / 5
        points.append((x + reach * math.sin(angle), y - reach * math.cos(angle)))
    return points


def render(scene: Scene) -> Pixels:
    """Draw the image of a scene: RGB, ``SIZE x SIZE`` pixels. It is deterministic."""
    from PIL import Image, ImageDraw

    scale = _OVERSAMPLING
    canvas = Image.new("RGB", (SIZE * scale, SIZE * scale), scene.ground)
    pen = ImageDraw.Draw(canvas)
    for thing in scene.things:
        points = [(x * scale, y * scale) for x, y in outline(thing)]
        if thing.shape == "circle":
            pen.ellipse([points[0], points[2]], fill=COLORS[thing.color])
        else:
            pen.polygon(points, fill=COLORS[thing.color])
    return canvas.reduce(scale)
