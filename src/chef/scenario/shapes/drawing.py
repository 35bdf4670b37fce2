"""Scenes of coloured shapes on a 3 x 3 grid, and their images.

The *content* of a scene is the shape and the colour in each cell; sizes and exact positions vary at
random. The content alone decides the split, so no scene is in two splits.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from chef.common.digest import fraction
from chef.frozen import Frozen

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

Split: TypeAlias = Literal["train", "pool", "test"]
Box: TypeAlias = tuple[float, float, float, float]
#: Cell, colour and shape of a thing.
Content: TypeAlias = tuple[int, str, str]
#: Numbers of 0 to 1, at random: how large a thing is, and how far right and down it is in its cell.
Shares: TypeAlias = tuple[float, float, float]
Item = TypeVar("Item")

COLORS: dict[str, tuple[int, int, int]] = {
    "red": (214, 40, 40),
    "orange": (255, 140, 0),
    "yellow": (246, 214, 40),
    "green": (40, 160, 70),
    "blue": (40, 90, 220),
    "purple": (145, 65, 185),
}
_COLORS = sorted(COLORS)
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
    def content(self) -> tuple[Content, ...]:
        """Cell, colour and shape of every thing: scenes with equal content look alike."""
        return tuple((thing.cell, thing.color, thing.shape) for thing in self.things)

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of every thing."""
        return tuple(thing.label for thing in self.things)


def split_of(content: Iterable[Content]) -> Split:
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
        content, shares, ground = _any_scene(rng)
        if split_of(content) == split:  # most are none of it, so their things are not made
            return Scene(tuple(map(_placed, content, shares)), ground)


def _any_scene(rng: random.Random) -> tuple[list[Content], list[Shares], tuple[int, int, int]]:
    """The content of a scene, where its things are in their cells, and its background."""
    # Some scenes have few colours or shapes; otherwise one would rarely occur three times.
    colors = _some(rng, _COLORS, (2, 3, 6)[_below(rng, 3)])
    shapes = _some(rng, SHAPES, (2, 3, 5)[_below(rng, 3)])
    cells = sorted(_some(rng, range(GRID * GRID), 1 + _below(rng, MAX_OBJECTS)))
    content, shares = list[Content](), list[Shares]()
    for cell in cells:
        color, shape = colors[_below(rng, len(colors))], shapes[_below(rng, len(shapes))]
        content.append((cell, color, shape))
        shares.append((rng.random(), rng.random(), rng.random()))
    level = 232 + _below(rng, 24)
    ground = (level, min(255, level - 4 + _below(rng, 9)), min(255, level - 4 + _below(rng, 9)))
    return content, shares, ground


def _below(rng: random.Random, number: int) -> int:
    """A whole number from 0 to below ``number``, as `random.Random.choice` takes it.

    Its methods draw the same, but take twice as long, and a scene is made of up to forty.
    """
    bits = number.bit_length()
    place = rng.getrandbits(bits)
    while place >= number:
        place = rng.getrandbits(bits)
    return place


def _some(rng: random.Random, items: Sequence[Item], number: int) -> list[Item]:
    """Some of a few items, without repetition, as `random.Random.sample` draws them."""
    rest, picks = list(items), list[Item]()
    for last in range(len(rest) - 1, len(rest) - 1 - number, -1):
        place = _below(rng, last + 1)
        picks.append(rest[place])
        rest[place] = rest[last]  # the last one takes its place
    return picks


def draw_thing(rng: random.Random, cell: int, color: str, shape: str) -> Thing:
    """A thing in a cell, 0 to 8, with a size and an exact position at random."""
    return _placed((cell, color, shape), (rng.random(), rng.random(), rng.random()))


def _placed(content: Content, shares: Shares) -> Thing:
    """A thing; ``shares`` say how large it is, and where it is in its cell."""
    cell, color, shape = content
    least, most = _RADIUS
    size, across, down = shares
    radius = least + (most - least) * size
    play = CELL / 2 - radius - _MARGIN
    x = (cell % GRID + 0.5) * CELL + (-play + 2 * play * across)
    y = (cell // GRID + 0.5) * CELL + (-play + 2 * play * down)
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
