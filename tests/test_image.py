"""Images are decoded when needed, once, rotated by EXIF, and within limits."""

from __future__ import annotations

import base64
import copy
import io
import pickle
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

import chef.image
from chef.errors import ImageError, SampleError
from chef.image import Image


def picture(width: int = 5, height: int = 3) -> PIL.Image.Image:
    pixels = PIL.Image.new("RGB", (width, height))
    pixels.putdata([(n % 256, 7 * n % 256, 255 - n % 256) for n in range(width * height)])
    return pixels


def encoded(form: str, pixels: PIL.Image.Image | None = None, **options: object) -> bytes:
    file = io.BytesIO()
    (pixels or picture()).save(file, form, **options)
    return file.getvalue()


def huge_png(width: int, height: int) -> bytes:
    """A few bytes whose header claims that size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def failure(image: Image) -> ImageError:
    with pytest.raises(ImageError) as caught:
        image.load()
    assert isinstance(caught.value, SampleError)  # one sample fails, not the run
    assert caught.value.where == image.name
    return caught.value


# -- late and once ----------------------------------------------------------------------------


def test_nothing_is_read_before_the_pixels_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "late.png"
    image = Image(path)
    assert image.name == str(path)
    path.write_bytes(encoded("PNG"))
    assert image.load().tobytes() == picture().tobytes()


def test_a_source_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "once.png"
    path.write_bytes(encoded("PNG"))
    image = Image(path)
    first = image.load()
    path.unlink()
    assert image.load() == first
    assert image.digest


def test_a_function_draws_once_for_all_threads() -> None:
    calls: list[int] = []

    def draw() -> PIL.Image.Image:
        calls.append(1)
        return picture(300, 300)

    image = Image(draw)
    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(lambda _: image.load(), range(64)))
        digests = set(pool.map(lambda _: image.digest, range(64)))
    assert len(calls) == len(digests) == len({pixels.tobytes() for pixels in loaded}) == 1


@pytest.mark.parametrize("get", [Image.load, Image.view])
def test_what_is_done_to_a_handed_image_changes_no_other(get: Any) -> None:
    import PIL.ImageDraw

    image = Image(picture(40, 30))
    before = image.view().tobytes()
    painted, pasted, drawn, closed, cut, described = (get(image) for _ in range(6))
    painted.putpixel((0, 0), (1, 2, 3))
    pasted.paste((9, 9, 9), (0, 0, 20, 20))
    PIL.ImageDraw.Draw(drawn).rectangle((0, 0, 39, 29), fill=(255, 0, 255))
    closed.close()
    cut.thumbnail((4, 4))
    described.info["note"] = "changed"
    assert painted.getpixel((0, 0)) == (1, 2, 3)
    assert drawn.getpixel((39, 29)) == (255, 0, 255)
    for again in (image.load(), image.view()):
        assert (again.size, again.tobytes(), again.info) == ((40, 30), before, {})


def test_the_pixels_of_a_loaded_image_can_be_written() -> None:
    image = Image(picture(8, 8))
    own = image.load()
    own.load()[0, 0] = (7, 7, 7)
    assert own.getpixel((0, 0)) == (7, 7, 7) != image.view().getpixel((0, 0))


def test_a_view_copies_no_memory() -> None:
    image = Image(picture(8, 8))
    assert image.view().im is image.view().im
    assert image.load().im is not image.view().im


def test_a_failure_can_be_tried_again(tmp_path: Path) -> None:
    image = Image(str(tmp_path / "later.png"))
    failure(image)
    (tmp_path / "later.png").write_bytes(encoded("PNG"))
    assert image.load().size == (5, 3)


# -- pixels -----------------------------------------------------------------------------------


def test_the_digest_depends_on_pixels_not_on_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(encoded("BMP"))
    url = "data:image/png;base64," + base64.b64encode(encoded("PNG")).decode()
    sources = [encoded("PNG"), encoded("BMP"), encoded("TIFF"), path, str(path), url, picture()]
    digests = {Image(source).digest for source in [*sources, picture]}
    assert len(digests) == 1
    assert len(digests.pop()) == 32


@pytest.mark.parametrize("change", ["pixel", "shape"])
def test_other_pixels_have_another_digest(change: str) -> None:
    other = picture()
    if change == "pixel":
        other.putpixel((4, 2), (1, 2, 3))
    else:  # the same bytes in other rows
        other = PIL.Image.frombytes("RGB", (3, 5), other.tobytes())
    assert Image(other).digest != Image(picture()).digest


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_exif_rotation_is_applied(form: str, tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6  # turn by a quarter, clockwise
    wide = PIL.Image.new("RGB", (32, 16), "white")
    wide.paste((255, 0, 0), (0, 0, 8, 16))
    upright = Image(encoded(form, wide, exif=exif)).load()
    assert upright.size == Image(encoded(form, wide, exif=exif)).size == (16, 32)
    path = tmp_path / "turned"
    path.write_bytes(encoded(form, wide, exif=exif))
    assert Image(path).size == (16, 32)
    red, white = upright.getpixel((8, 2)), upright.getpixel((8, 30))
    assert isinstance(red, tuple)
    assert isinstance(white, tuple)
    assert (red[0] > 200, red[1] < 60, white[1] > 200) == (True, True, True)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "1", "LA"])
def test_every_mode_becomes_rgb(mode: str) -> None:
    form = "TIFF" if mode == "CMYK" else "PNG"
    assert Image(encoded(form, picture().convert(mode))).load().mode == "RGB"


def test_a_pil_image_is_not_touched() -> None:
    pixels = picture().convert("L")
    loaded = Image(pixels).load()
    loaded.putpixel((0, 0), (9, 9, 9))
    assert (pixels.mode, pixels.getpixel((0, 0))) == ("L", picture().convert("L").getpixel((0, 0)))


# -- what goes wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "not an image"),
        (b"just some text\n" * 50, "not an image"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "cannot be opened|not an image"),
        (encoded("PNG", picture(64, 64))[:-60], "cannot be opened"),
        (encoded("JPEG", picture(64, 64))[:-200], "cannot be opened"),
        (encoded("PNG")[:20], "cannot be opened|not an image"),
    ],
)
def test_damaged_files_are_errors(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "damaged.png"
    path.write_bytes(content)
    for image in (Image(path), Image(content)):
        error = failure(image)
        assert any(part in error.what for part in what.split("|"))
        assert error.hint
        assert "0x" not in str(error)  # no address: the journal of two runs is the same


@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        (b"", "it is empty", "fetch the file again"),
        (b" \n", "it is blank", "fetch the file again"),
        (b"\n<!DOCTYPE HTML><title>404</title>", "a page in HTML", "fetch the file again"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://..."/>', "a drawing in SVG", "convert it"),
        (b"<?xml version='1.0'?><Error>", "a document in XML", "fetch"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS", "git lfs pull"),
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF", "convert it"),
        (b"PK\x03\x04\x14\0", "an archive", "unpack it"),
        (b"\0\0\0\x18ftypmp42\0", "a video", "one of its frames"),
        (b"\0\0\0\x18ftypheic\0", "an image in HEIC", "convert it"),
        (b"\x93NUMPY\x01\0v\0", "an array of NumPy", "fromarray"),
        (b"not found here\n" * 9, "text: 'not found here not found", "fetch the file again"),
        (b"\0\x01\xfe\xff" * 9, "the bytes '00 01 fe ff 00 01 fe ff'", "replace the file"),
    ],
)
def test_bytes_that_are_no_image_are_told_by_what_they_are(
    tmp_path: Path, content: bytes, what: str, hint: str
) -> None:
    path = tmp_path / "no_image.png"
    path.write_bytes(content)
    for image in (Image(path), Image(content, "a.jsonl: row 3, image 1")):
        error = failure(image)
        assert what in error.what
        assert hint in (error.hint or "")


def test_a_file_that_may_not_be_read_is_not_called_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("chef.image.open_file", denied)
    error = failure(Image(Path("a.png")))
    assert (error.what, error.hint) == (
        "the image file cannot be opened: Permission denied", "check its permissions",
    )  # fmt: skip


def test_a_changed_byte_is_noticed() -> None:
    content = bytearray(encoded("PNG", picture(64, 64)))
    content[len(content) // 2] ^= 0xFF
    failure(Image(bytes(content)))


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert failure(Image(tmp_path / "none.png")).what == "image file not found"
    failure(Image(tmp_path))


@pytest.mark.parametrize("side", [10_001, 50_000])
def test_a_decompression_bomb_is_not_decoded(side: int) -> None:
    # Pillow refuses the larger on its own; the smaller is only above our limit.
    assert side**2 > chef.image.MAX_PIXELS
    content = huge_png(side, side)
    assert len(content) < 100
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "pixels" in failure(Image(content)).what


def test_the_pixel_limit_holds_without_the_one_of_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIL.Image, "MAX_IMAGE_PIXELS", None)
    assert "50000 x 50000 pixels" in failure(Image(huge_png(50_000, 50_000))).what


def test_an_image_at_the_limit_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chef.image, "MAX_PIXELS", 15)
    assert Image(encoded("PNG")).load().size == (5, 3)
    monkeypatch.setattr(chef.image, "MAX_PIXELS", 14)
    assert "5 x 3 pixels" in failure(Image(encoded("PNG"))).what


@pytest.mark.parametrize("url", ["data:image/png;base64,x", "data:image/png;base64,", "data:"])
def test_a_bad_data_url(url: str) -> None:
    assert failure(Image(url)).where == "image in a data URL"


def test_a_large_url_does_not_end_up_in_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chef.image, "MAX_DOWNLOAD", 100)
    error = failure(Image("data:text/plain," + "x" * 1000))
    assert error.what == "larger than 100 bytes"
    assert len(str(error)) < 100


def test_a_function_that_fails() -> None:
    def draw() -> PIL.Image.Image:
        raise ValueError("no ink")

    error = failure(Image(draw, "a drawing"))
    assert (error.where, "no ink" in error.what) == ("a drawing", True)


# -- travelling -------------------------------------------------------------------------------


def test_pickling_keeps_pixels_and_name(tmp_path: Path) -> None:
    path = tmp_path / "p.png"
    path.write_bytes(encoded("PNG"))
    drawn = lambda: picture()  # noqa: E731, PLW0108 - a lambda cannot be pickled
    for source in (path, str(path), encoded("PNG"), picture(), drawn):
        image = Image(source, "mine")
        for twin in (pickle.loads(pickle.dumps(image)), copy.deepcopy(image)):
            assert (twin.name, twin.digest) == ("mine", image.digest)


def test_pickling_a_path_does_not_read_it() -> None:
    assert pickle.loads(pickle.dumps(Image("none.png"))).source == "none.png"


def test_sixteen_bits_are_scaled_not_clipped(tmp_path: Path) -> None:
    import numpy as np
    from PIL import Image as Pillow

    ramp = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    path = tmp_path / "deep.png"
    Pillow.fromarray(ramp).save(path)
    assert np.array_equal(np.asarray(Image(path).load())[..., 0], ramp >> 8)


def test_floating_point_pixels_are_refused() -> None:
    from PIL import Image as Pillow

    with pytest.raises(ImageError, match="floating-point"):
        Image(Pillow.new("F", (2, 2))).load()


def test_the_images_of_one_sample_have_a_bound_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chef.image, "MAX_SAMPLE_PIXELS", 100)
    content = encoded("PNG")
    width, height = Image(content).size
    many = [Image(content) for _ in range(100 // (width * height) + 2)]
    with pytest.raises(ImageError, match="pixels together"):
        chef.image.check_pixels(many)
    assert all(image._pixels is None for image in many), "decoded before the check"
    chef.image.check_pixels([many[0]] * 1000)  # one image, shown often
    chef.image.check_pixels(many[:1])


def test_an_address_that_does_not_answer_is_no_damaged_file() -> None:
    with pytest.raises(ImageError) as caught:
        Image("http://127.0.0.1:1/x.png").load()
    assert "http://127.0.0.1:1/x.png: cannot be fetched: " in str(caught.value)
    assert "refused" in str(caught.value)
    assert "check the address and the network" in str(caught.value)


@pytest.mark.parametrize("is_late", [False, True])
def test_the_size_of_a_png_is_read_without_its_pixels(is_late: bool) -> None:
    """EXIF data that turn a picture may stand before its pixels, or behind them."""
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    stream = io.BytesIO()
    PIL.Image.new("RGB", (30, 20)).save(stream, "PNG", exif=exif)
    data = stream.getvalue()
    start, at = data.index(b"eXIf") - 4, data.index(b"IEND") - 4
    end = start + 12 + int.from_bytes(data[start : start + 4], "big")
    late = data[:start] + data[end:at] + data[start:end] + data[at:]
    assert Image(late if is_late else data).size == (20, 30)
    plain = data[:start] + data[end:]
    place = plain.index(b"IDAT") + 6  # damage that only decoding sees
    broken = plain[:place] + b"\xff\xff" + plain[place + 2 :]
    assert Image(plain).size == Image(broken).size == (30, 20)
    with pytest.raises(ImageError):
        Image(broken).load()
