"""Pictures in full, held against their pixels, and what processors make of them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from chef.image import Image
from chef.report.views import thumbnails
from chef.report.views.received import UNKNOWN, described, receiver_of
from chef.report.views.thumbnails import full, is_exact, thumbnail


def encoded(form: str, mode: str = "RGB", size: tuple[int, int] = (40, 30), **how: Any) -> bytes:
    pixels = PIL.Image.radial_gradient("L").resize(size).convert(mode)
    stream = io.BytesIO()
    pixels.save(stream, form, **how)
    return stream.getvalue()


def pixels_of(data: bytes) -> bytes:
    with PIL.Image.open(io.BytesIO(data)) as opened:
        return opened.convert("RGB").tobytes()


@pytest.mark.parametrize(("form", "mime"), [("PNG", "png"), ("JPEG", "jpeg"), ("WEBP", "webp")])
def test_a_file_that_browsers_show_is_shown_as_it_is(form: str, mime: str) -> None:
    data = encoded(form)
    assert full(Image(data)) == (f"image/{mime}", data, True)


@pytest.mark.parametrize(
    "data",
    [
        encoded("TIFF"), encoded("BMP"), encoded("PNG", "RGBA"), encoded("PNG", "LA"),
        encoded("JPEG", "CMYK"), encoded("GIF", "P", transparency=0),
        encoded("PNG", save_all=True, append_images=[PIL.Image.new("RGB", (40, 30))]),
    ],
    ids=["TIFF", "BMP", "transparent", "transparent grey", "CMYK", "GIF", "animated"],
)  # fmt: skip
def test_others_are_shown_with_the_pixels_that_were_sent(data: bytes) -> None:
    image = Image(data)
    found = full(image)
    assert (found.mime, found.is_exact) == ("image/png", True)
    assert pixels_of(found.data) == image.view().tobytes()


def test_a_drawn_picture_is_encoded() -> None:
    image = Image(lambda: PIL.Image.linear_gradient("L"))
    assert pixels_of(full(image).data) == image.view().tobytes()


def test_a_picture_that_is_too_large_says_that_it_is_not_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thumbnails, "LARGEST", 100)
    found = full(Image(encoded("PNG", size=(300, 200))))
    assert (found.mime, found.is_exact) == ("image/jpeg", False)
    with PIL.Image.open(io.BytesIO(found.data)) as opened:
        assert opened.size == (300, 200)


@pytest.mark.parametrize(
    ("image", "exact"),
    [
        (Image(encoded("JPEG", size=(90, 60))), True),
        (Image(encoded("JPEG", size=(200, 100))), False),
        (Image(lambda: PIL.Image.linear_gradient("L")), True),  # 256 x 256, drawn
        (Image(lambda: PIL.Image.new("RGB", (321, 20), "red")), False),
    ],
)
def test_a_small_picture_is_its_own_thumbnail(image: Image, exact: bool) -> None:
    data = thumbnail(image)
    assert is_exact(data) is exact
    assert (pixels_of(data) == image.view().tobytes()) is exact


def test_the_tiny_model_squeezes_every_picture() -> None:
    told = receiver_of({"model_name": "tiny"})
    assert told(72, 72) == "72 × 72"
    assert told(720, 360) == "72 × 72, its sides stretched, 2% of the pixels"
    assert told(36, 36) == "72 × 72, enlarged"


def test_what_is_not_known_is_said_so(tmp_path: Path) -> None:
    gone = {"model_name": "HuggingFace", "model_path": str(tmp_path / "gone")}
    for model in ({}, {"model_name": "openai"}, gone):
        assert receiver_of(model)(10, 10) == UNKNOWN
    (tmp_path / "preprocessor_config.json").write_text("[1]")
    assert receiver_of({**gone, "model_path": str(tmp_path)})(10, 10) == UNKNOWN


def test_the_middle_of_a_picture(tmp_path: Path) -> None:
    config = {
        "image_processor_type": "CLIPImageProcessor", "do_center_crop": True,
        "size": {"shortest_edge": 100}, "crop_size": {"height": 100, "width": 100},
    }  # fmt: skip
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(config))
    told = receiver_of({"model_name": "HuggingFace", "model_path": str(tmp_path)})
    assert told(200, 200) == "100 × 100, 25% of the pixels"
    expected = "100 × 100, of the middle: 50% of the picture is in it, 12% of the pixels"
    assert told(400, 200) == expected


def test_tiles_and_padding_are_counted() -> None:
    import torch

    tiles = torch.full((1, 3, 3, 10, 10), -1.0)
    tiles[:, :2, :, :, :5] = 1.0  # two tiles, each white in one half
    tiles[:, 2, :, :5] = 1.0
    told = described({"pixel_values": tiles}, 30, 10)
    assert told == "3 tiles of 10 × 10, 50% of it padding, 50% of the pixels"
    patches = torch.zeros(6, 3 * 2 * 14 * 14)
    grid = {"pixel_values": patches, "image_grid_thw": torch.tensor([[1, 2, 3]])}
    assert described(grid, 84, 56) == "42 × 28, 25% of the pixels"
