import hashlib
import os
from typing import Any, List, Optional, Sequence, Tuple, Union

from PIL import Image

from mmte.methods.base import BaseMethod
from mmte.utils.registry import registry
from mmte import ImageTxtSample, TxtSample, _OutputType


@registry.register_method()
class ToySwatch(BaseMethod):
    """Pairs a text with a plain picture of the last colour that the text names (white where it names none)."""

    method_ids: List[str] = ["toy-swatch"]

    def __init__(self, method_id: str, img_dir: str, img_size: Tuple[int, int] = (8, 8), lazy_mode: bool = True) -> None:
        super().__init__(method_id, img_dir, lazy_mode)
        self.img_size = tuple(img_size)
        self.swatch_dir = img_dir
        self.lazy = lazy_mode
        os.makedirs(img_dir, exist_ok=True)

    def hash(self, to_hash_str: str, **kwargs) -> str:
        return hashlib.sha3_256(to_hash_str.encode("utf-8")).hexdigest()

    def generate_image(self, text: str) -> Image.Image:
        paint = {"red": (255, 0, 0), "green": (0, 160, 0), "blue": (0, 0, 255), "black": (0, 0, 0)}
        words = [w.strip(".,?!").lower() for w in text.split()]
        named = [w for w in words if w in paint]
        colour = paint[named[-1]] if named else (255, 255, 255)
        height, width = self.img_size
        return Image.new("RGB", (width, height), colour)

    def run(self, data: _OutputType, **kwargs) -> _OutputType:
        path = os.path.join(self.swatch_dir, self.hash(data["text"]) + ".png")
        if not self.lazy or not os.path.exists(path):
            self.generate_image(data["text"]).save(path)
        return ImageTxtSample(image_path=path, text=data["text"], target=data["target"], extra=data["extra"])
