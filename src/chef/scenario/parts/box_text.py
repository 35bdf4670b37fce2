"""Boxes as text, in the formats of different families of models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from chef.scenario.shapes.drawing import Box

Template: TypeAlias = Literal["default", "shikra", "kosmos"]

#: The number of patches along each side of an image of Kosmos-2.
GRID = 32


def box_writer(template: Template) -> Callable[[str, Box], str]:
    """The function that writes a box of a class in the style of ``template``."""
    if template == "default":
        return lambda _, box: default(box)
    if template == "shikra":
        return shikra
    return lambda _, box: kosmos(box)


def default(box: Box) -> str:
    """Numbers with two decimals, or one if the second is 0.

    >>> default((0.0, 0.5, 0.123, 1.0))
    '[0.0, 0.5, 0.12, 1.0]'
    """
    edges = (f"{edge:.2f}" for edge in box)
    return f"[{', '.join(edge.removesuffix('0') for edge in edges)}]"


def shikra(label: str, box: Box) -> str:
    """The class, then numbers with three decimals.

    >>> shikra("dog", (0.0, 0.5, 0.1234, 1.0))
    'dog[0.000,0.500,0.123,1.000]'
    """
    return f"{label}[{','.join(f'{edge:.3f}' for edge in box)}]"


def kosmos(box: Box, last: int = GRID - 1) -> str:
    """The patches that contain the top left and the bottom right corner.

    Args:
        box: in fractions of the image.
        last: the largest column and row of a patch.

    >>> kosmos((0.0, 0.5, 0.5, 1.0))
    '<object><patch_index_0512><patch_index_1008></object>'
    """

    def patch(x: float, y: float) -> str:
        column, row = min(last, int(x * GRID)), min(last, int(y * GRID))
        return f"<patch_index_{row * GRID + column:04d}>"

    return f"<object>{patch(*box[:2])}{patch(*box[2:])}</object>"
