"""The text of a question as an image."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from chef.common.digest import file_digest
from chef.method.drawn import DrawnMethod
from chef.scenario.text_image import FONT_SIZE, MAX_WIDTH, text_image
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


class TextAsImage(DrawnMethod):
    """The text of the sample, black on white, wrapped at words.

    Args:
        method_id: the id under which it was chosen.
        font_size: in pixels.
        max_width: of a line, in pixels; the image is at least as wide.
        font: a file of TrueType or OpenType; default: Pillow's own font.
        img_dir, img_size, lazy_mode, seed: as for `DrawnMethod`; nothing is drawn at random.
    """

    paths: ClassVar[Sequence[str]] = ("font",)

    def __init__(
        self,
        method_id: str,
        *,
        font_size: int = FONT_SIZE,
        max_width: int = MAX_WIDTH,
        font: str | None = None,
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            method_id, img_dir=img_dir, img_size=img_size, lazy_mode=lazy_mode, seed=seed
        )
        self.font_size, self.max_width = font_size, max_width
        self.font = Path(font).expanduser() if font else None

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self.font_size, self.max_width, self._font_digest(), sample.question]

    def draw(self, sample: Sample) -> Pixels:
        return text_image(
            sample.question, font_size=self.font_size, max_width=self.max_width, font=self.font
        )

    def fingerprint(self) -> str:
        return self._font_digest()

    def _font_digest(self) -> str:
        return "" if self.font is None else file_digest(self.font)
