"""Images that stand in a cell as text."""

from __future__ import annotations

import base64

from chef.errors import SampleError

#: How encoded images begin: PNG, JPEG, GIF, BMP, and the container of WebP.
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF")


def decoded(text: str, what: str = "the image") -> bytes:
    """The bytes of an image in base64, or in a data URL; its pixels are decoded later.

    Args:
        text: may have white space.
        what: the image, for the error.

    Raises:
        SampleError: it is not base64.
    """
    content = text.partition(",")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except ValueError as error:  # not ASCII, or not base64
        raise SampleError(
            f"{what} is not base64: {error}", hint="encode the bytes of the image file"
        ) from None


def is_image(text: str) -> bool:
    """Whether a text is an image in base64, without white space."""
    try:
        return base64.b64decode(text, validate=True).startswith(_SIGNATURES)
    except ValueError:
        return False
