"""Images as files that other processes may read at any time."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from chef.errors import RunError

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


def write_image(path: Path, image: Pixels | bytes, hint: str) -> None:
    """Write an image, which appears complete: another process may read or write it meanwhile.

    Args:
        path: the file; its folder is made.
        image: pixels, which become a PNG, or the bytes of a file.
        hint: what to do where it cannot be written.

    Raises:
        RunError: it cannot be written.
    """
    if not isinstance(image, bytes):
        encoded = io.BytesIO()
        image.save(encoded, "PNG", compress_level=1)  # four times as fast as the default
        image = encoded.getvalue()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            file.write(image)
        Path(file.name).replace(path)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise RunError(f"an image cannot be written ({reason})", where=str(path), hint=hint) from (
            error
        )
