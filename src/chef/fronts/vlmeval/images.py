"""Functions of ``vlmeval.smp.vlm``: images joined, rows as texts."""

from __future__ import annotations

import json
import string
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.image import Image, side_by_side

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


def concat_images_vlmeval(
    images: Sequence[Any],
    target_size: int = -1,
    mode: str = "h",
    return_image: bool = False,
) -> str | Pixels:
    """Images side by side (``h``) or stacked (``v``), at most ``target_size`` pixels long."""
    pixels = [Image(item).load() for item in images]
    if mode == "v":
        turned = [item.transpose(_turn(clockwise=False)) for item in pixels]
        whole = side_by_side(turned).transpose(_turn(clockwise=True))
    else:
        whole = side_by_side(pixels)
    if target_size > 0:
        whole.thumbnail((target_size, target_size))
    if return_image:
        return whole
    path = Path(tempfile.mkdtemp()) / "joined.png"
    whole.save(path)
    return str(path)


def _turn(*, clockwise: bool) -> Any:
    from PIL.Image import Transpose

    return Transpose.ROTATE_270 if clockwise else Transpose.ROTATE_90


def mmqa_display(question: Mapping[str, Any], target_size: int = -1) -> None:
    """Print a row without its images; letters that have no text are left out."""
    from chef.common.printing import say

    del target_size
    empty = {label for label in string.ascii_uppercase if not question.get(label)}
    cells = {key: str(item) for key, item in question.items() if key not in {"image", *empty}}
    say(json.dumps(cells, ensure_ascii=False, indent=2))
