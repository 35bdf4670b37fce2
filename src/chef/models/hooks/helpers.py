"""The methods that ChEF's base class gives to models, and that their hooks call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.device import pick_device
from chef.image import Image, side_by_side

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


class ChefHelpers:
    """Images and devices, as models written for ChEF handle them."""

    device: Any = None

    def get_image_list(self, image_list: Any) -> list[Pixels]:
        """One image or a list (PIL, paths, URLs, `Image`) as RGB PIL images; else an ImageError."""
        several = image_list if isinstance(image_list, list | tuple) else [image_list]
        return [
            (item if isinstance(item, Image) else Image(item)).load()
            for item in several
            if item is not None
        ]

    def horizontal_concat(self, image_list: Any) -> Pixels:
        """The images side by side: in order, aligned at the top, black below smaller ones."""
        return side_by_side(self.get_image_list(image_list))

    def move_to_device(self, what: Any = None, device: Any = None) -> Any:
        """Move ``self.model`` (``what`` is None or a device) or data; else a ConfigError."""
        if what is None or isinstance(what, str | int) or type(what).__name__ == "device":
            self.device = _device(what if what is not None else device or self.device)
            model: Any = getattr(self, "model", None)
            return model.to(self.device) if hasattr(model, "to") else model
        return _moved(what, _device(device or self.device))


def _device(name: Any) -> Any:
    if name is None:
        return pick_device("auto")
    return pick_device(f"cuda:{name}" if isinstance(name, int) else str(name))


def _moved(value: Any, device: Any) -> Any:
    if isinstance(value, str | bytes | Path):
        return value
    if isinstance(value, Mapping) and not hasattr(value, "to"):
        return {key: _moved(item, device) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_moved(item, device) for item in value]
    return value.to(device) if hasattr(value, "to") else value
