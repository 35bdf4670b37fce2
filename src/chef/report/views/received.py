"""What a model makes of a picture before it looks: its processor resizes, tiles and pads it.

It is told by the processor's own configuration where that fixes the size, else by the processor
itself, which is called with a white picture of that size. No model is loaded, and nothing is
downloaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from chef.guard.files import read_text, user_path

#: What is said where nothing tells it.
UNKNOWN = "not known"
#: The files that hold the options of an image processor, the newer one first.
_FILES = ("processor_config.json", "preprocessor_config.json")
#: The bytes that such a file has at most.
_LARGEST = 2**20
#: Image processors that resize, crop and do nothing else, by the beginnings of their names.
_PLAIN = ("CLIP", "Siglip", "ViT")
_STRETCHED = ", its sides stretched"


def receiver_of(model: Mapping[str, Any]) -> Callable[[int, int], str]:
    """What a model (``model_cfg``) makes of a picture of a width and a height in pixels: words."""
    name, options = str(model.get("model_name", "")), dict(model.get("processor_options") or {})
    if name == "tiny":
        folder = Path(str(resources.files("chef").joinpath("assets", "tiny")))
    elif name == "HuggingFace" and isinstance(path := model.get("model_path"), str):
        folder = user_path(path)
    else:
        return lambda *_: UNKNOWN
    config = {**_config(folder), **options}
    kind = str(config.get("image_processor_type", ""))
    is_plain = kind.startswith(_PLAIN) and "Next" not in kind
    if is_plain and (size := _fixed(config)) is not None:
        return cache(lambda width, height: _resized(config, size, width, height))
    if not config:  # a name on the hub, or a folder that is gone
        return lambda *_: UNKNOWN
    return cache(lambda width, height: _called(folder, options, width, height))


def _config(folder: Path) -> dict[str, Any]:
    """The options of the image processor in a folder; empty where there are none."""
    for name in _FILES:
        try:
            data = json.loads(read_text(folder / name, limit=_LARGEST))
        except (OSError, ValueError):
            continue
        inner = data.get("image_processor", data) if isinstance(data, dict) else {}
        return inner if isinstance(inner, dict) else {}
    return {}


def _fixed(config: Mapping[str, Any]) -> tuple[int, int] | None:
    """Width and height of what every picture becomes; None where they depend on the picture."""
    size = config.get("crop_size" if config.get("do_center_crop") else "size")
    if isinstance(size, Mapping):
        size = size.get("width"), size.get("height")
    elif isinstance(size, int):
        size = size, size
    if isinstance(size, tuple) and all(isinstance(item, int) and item > 0 for item in size):
        return size
    return None


def _resized(config: Mapping[str, Any], size: tuple[int, int], width: int, height: int) -> str:
    """What one step of resizing, and perhaps of cropping, makes of a picture."""
    wide, high = size
    text = f"{wide} × {high}"
    pixels = wide * high
    if config.get("do_center_crop"):
        edge = config.get("size")
        short = edge.get("shortest_edge") if isinstance(edge, Mapping) else edge
        scale = (short if isinstance(short, int) else min(size)) / min(width, height)
        shown = min(1.0, wide / (scale * width)) * min(1.0, high / (scale * height))
        if shown < 0.995:
            text += f", of the middle: {_percent(shown)} of the picture is in it"
    elif _is_stretched(wide, high, width, height):
        text += _STRETCHED
    return f"{text}{_share(pixels, width * height)}"


def _is_stretched(wide: int, high: int, width: int, height: int) -> bool:
    return not 0.98 < wide * height / (high * width) < 1.02


def _share(pixels: int, sent: int) -> str:
    share = pixels / max(1, sent)
    return f", {_percent(share)} of the pixels" if share < 1 else ", enlarged" if share > 1 else ""


def _percent(share: float) -> str:
    """A share in percent, with two digits that count.

    >>> _percent(0.42), _percent(0.000675)
    ('42%', '0.068%')
    """
    return f"{100 * share:.2g}%" if share < 0.995 else "100%"


def _called(folder: Path, options: Mapping[str, Any], width: int, height: int) -> str:
    """What the processor itself makes of a white picture of that size."""
    import PIL.Image

    try:
        given = _processor(str(folder), json.dumps(options, sort_keys=True))(
            PIL.Image.new("RGB", (width, height), "white"), return_tensors="pt"
        )
        return described(given, width, height)
    except Exception:  # of another version of the library, say: the page does without it
        return UNKNOWN


@cache
def _processor(folder: str, options: str) -> Any:
    from transformers import AutoImageProcessor

    return AutoImageProcessor.from_pretrained(folder, local_files_only=True, **json.loads(options))


def described(given: Mapping[str, Any], width: int, height: int) -> str:
    """What an image processor gives for one white picture of so many pixels, in words.

    ``pixel_values`` are ``(..., channels, height, width)`` with one tile or more, or flattened
    patches with ``image_grid_thw``, their numbers along time, height and width.
    """
    sent = width * height
    values = given["pixel_values"]
    if "image_grid_thw" in given:
        frames, high, wide = (int(item) for item in given["image_grid_thw"][0])
        side = (values.shape[-1] / 3) ** 0.5  # two frames of one patch stand side by side
        patch = round(side / 2**0.5) if side != int(side) else int(side)
        pixels = frames * high * wide * patch * patch
        return f"{wide * patch} × {high * patch}{_share(pixels, sent)}"
    tiles = values.reshape(-1, *values.shape[-3:])
    white = tiles.amax((0, 2, 3), keepdim=True)
    content = (tiles >= white - 1e-3).all(1)  # what the processor added is darker
    kept = int(content.sum())
    count = int(content.flatten(1).any(1).sum())
    text = f"{tiles.shape[-1]} × {tiles.shape[-2]}"
    if count > 1:
        text = f"{count} tiles of {text}"
    padded = count * tiles.shape[-1] * tiles.shape[-2] - kept
    if padded > 0.01 * kept:
        text += f", {_percent(padded / (padded + kept))} of it padding"
    elif count == 1 and _is_stretched(tiles.shape[-1], tiles.shape[-2], width, height):
        text += _STRETCHED
    return f"{text}{_share(kept, sent)}"
