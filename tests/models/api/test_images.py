"""Images go to a server as they were given, unless it would see another image than chef does."""

from __future__ import annotations

import base64
import io
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from chef.errors import ImageError
from chef.image import Image
from chef.models.api import chat
from chef.models.api.chat import Encoded, ImageEncoder

RED, BLUE = (220, 20, 20), (20, 20, 220)


def picture(size: tuple[int, int] = (12, 8)) -> PIL.Image.Image:
    """Red on the left, blue on the right."""
    drawn = PIL.Image.new("RGB", size, RED)
    drawn.paste(BLUE, (size[0] // 2, 0, *size))
    return drawn


def saved(image: PIL.Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def sent(encoded: Encoded) -> tuple[str, bytes]:
    """The MIME type and the bytes that a data URL holds."""
    head, _, data = encoded.url.partition(",")
    assert head.startswith("data:")
    assert head.endswith(";base64")
    return head[len("data:") : -len(";base64")], base64.b64decode(data, validate=True)


def seen(encoded: Encoded) -> PIL.Image.Image:
    """What a server sees that neither turns images nor knows of anything but plain pictures."""
    opened = PIL.Image.open(io.BytesIO(sent(encoded)[1]))
    assert opened.getexif().get(0x0112, 1) == 1
    return opened.convert("RGB")


@pytest.mark.parametrize(
    ("kind", "mime"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp"), ("GIF", "image/gif")],
)
@pytest.mark.parametrize("way", ["path", "text", "bytes", "data"])
def test_the_original_bytes_with_the_type_of_their_content(
    kind: str, mime: str, way: str, tmp_path: Path
) -> None:
    data = saved(picture(), kind)
    path = tmp_path / "wrong.bmp"  # the suffix tells nothing
    path.write_bytes(data)
    url = "data:image/tiff;base64," + base64.b64encode(data).decode()
    source = {"path": path, "text": str(path), "bytes": data, "data": url}[way]
    encoder = ImageEncoder()
    assert sent(encoder.encoded(Image(source))) == (mime, data)
    assert encoder.notices == ()


@pytest.mark.parametrize("drawn", [True, False])
def test_drawn_images_become_png(drawn: bool) -> None:
    source: Any = picture if drawn else picture()
    encoder = ImageEncoder()
    encoded = encoder.encoded(Image(source))
    assert sent(encoded)[0] == "image/png"
    assert seen(encoded).tobytes() == picture().tobytes()
    assert encoder.notices == ()


@pytest.mark.parametrize("kind", ["BMP", "TIFF", "PPM"])
def test_other_formats_become_png_and_it_is_told_once(kind: str) -> None:
    encoder = ImageEncoder()
    for size in ((12, 8), (8, 8)):
        encoded = encoder.encoded(Image(saved(picture(size), kind)))
        assert sent(encoded)[0] == "image/png"
        assert seen(encoded).tobytes() == picture(size).tobytes()
    [notice] = encoder.notices
    assert kind in notice


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "PNG"])
def test_a_server_sees_photos_as_they_were_taken(orientation: int, kind: str) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    data = saved(picture(), kind, exif=exif)
    encoder, image = ImageEncoder(), Image(data)
    encoded = encoder.encoded(image)
    if orientation == 1:
        assert sent(encoded)[1] == data
        return
    assert sent(encoded)[0] == "image/png"
    assert seen(encoded).tobytes() == image.load().tobytes()
    assert len(encoder.notices) == 1


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_a_moving_image_the_first_picture_is_sent(kind: str) -> None:
    frames = [picture(), PIL.Image.new("RGB", (12, 8), (0, 255, 0))]
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:])
    image = Image(data)
    encoded = ImageEncoder().encoded(image)
    again = PIL.Image.open(io.BytesIO(sent(encoded)[1]))
    assert not getattr(again, "is_animated", False)
    assert seen(encoded).tobytes() == image.load().tobytes()


def test_deep_images_are_not_left_to_the_server() -> None:
    levels = np.linspace(0, 65535, 64, dtype=np.uint16).reshape(8, 8)
    image = Image(saved(PIL.Image.fromarray(levels), "PNG"))
    encoded = ImageEncoder().encoded(image)
    shown = np.asarray(seen(encoded))
    assert shown.tobytes() == image.load().tobytes()
    assert shown.max() == 255
    assert shown.min() == 0
    assert len(np.unique(shown)) == 64  # a server that clips would see white


def test_a_refused_format_is_converted_from_then_on() -> None:
    encoder, data = ImageEncoder(), saved(picture(), "WEBP", lossless=True)
    assert sent(encoder.encoded(Image(data)))[1] == data
    encoder.refuse({"WEBP"})
    encoded = encoder.encoded(Image(data))
    assert sent(encoded)[0] == "image/png"
    assert seen(encoded).tobytes() == picture().tobytes()
    jpeg = saved(picture(), "JPEG")
    assert sent(encoder.encoded(Image(jpeg)))[1] == jpeg
    encoder.refuse({"WEBP", "PNG"})
    [notice] = encoder.notices
    assert "WEBP" in notice


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    path, encoder = tmp_path / "a.png", ImageEncoder()
    path.write_bytes(saved(picture(), "PNG"))
    encoder.encoded(Image(path))
    other = saved(picture((6, 6)), "PNG")
    path.write_bytes(other)
    os.utime(path, ns=(1, 1))
    assert sent(encoder.encoded(Image(path)))[1] == other


def test_equal_images_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    true = chat._encoded

    def counted(image: Image, avoided: set[str]) -> Encoded:
        made.append(image.name)
        return true(image, avoided)

    monkeypatch.setattr(chat, "_encoded", counted)
    encoder, data = ImageEncoder(), saved(picture((300, 300)), "BMP")
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(encoder.encoded, [Image(data) for _ in range(64)]))
    assert len({item.url for item in found}) == 1
    assert len(made) == 1
    assert encoder._busy == {}


def test_what_is_kept_is_bounded() -> None:
    encoder = ImageEncoder(limit=5000)
    for width in range(10, 60):
        encoder.encoded(Image(saved(picture((width, 10)), "BMP")))
    assert 0 < encoder._size <= 5000
    assert encoder._size == sum(len(item.url) for item in encoder._kept.values())


@pytest.mark.parametrize("content", [b"", b"no image", b"\xff\xd8\xff\xe0 cut"])
def test_what_is_no_image_is_an_error_of_its_sample(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(ImageError, match=r"a\.jpg"):
        ImageEncoder().encoded(Image(path))


def test_a_missing_file_is_an_error_of_its_sample(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"gone\.png"):
        ImageEncoder().encoded(Image(tmp_path / "gone.png"))


def test_colours_of_print_are_not_left_to_the_server() -> None:
    data = saved(picture().convert("CMYK"), "JPEG", quality=95)
    encoder = ImageEncoder()
    kind, png = sent(encoder.encoded(Image(data)))
    assert kind == "image/png"
    found = np.asarray(PIL.Image.open(io.BytesIO(png)), dtype=int)
    expected = np.asarray(Image(data).load(), dtype=int)
    assert np.array_equal(found, expected)
    assert "CMYK" in encoder.notices[0]


def test_a_palette_with_transparency_travels_as_it_is() -> None:
    data = saved(picture().convert("P"), "PNG", transparency=0)
    assert sent(ImageEncoder().encoded(Image(data))) == ("image/png", data)
