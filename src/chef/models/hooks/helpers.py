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
    """Images and devices, as models written for ChEF handle them.

    Attributes:
        device: where `move_to_device` has moved the model, or moves data.
    """

    device: Any = None

    def get_image_list(self, image_list: Any) -> list[Pixels]:
        """The images as a list of RGB PIL images.

        Args:
            image_list: one image or a list of them: PIL images, paths, URLs or `Image`.

        Raises:
            ImageError: an image cannot be opened.
        """
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
        """Move the model or its input to the device, as ChEF's models do.

        Args:
            what: None, or the name of a device (or a ``torch.device``): ``self.model``, if there
                is one, moves there, and `device` is set. Anything else is data: tensors, and lists
                and mappings of them.
            device: where data moves; default: `device`, or the GPU if there is one.

        Returns:
            The data on the device, or the model.

        Raises:
            ConfigError: the device does not exist on this machine.
        """
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
