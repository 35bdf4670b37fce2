"""The forms in which a cell holds images."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from scenario.records_table.conftest import failure, png

from chef.errors import ImageError
from chef.scenario.table.images import RowImages
from chef.scenario.table.scenario import Records

Make = Callable[..., Records]
RED, BLUE = png("red"), png("blue", 300)
TEXT = base64.b64encode(RED).decode()


def test_every_form_of_an_image(tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(RED)
    absolute = str(tmp_path / "red.png")
    broken = "\n".join(TEXT[at : at + 76] for at in range(0, len(TEXT), 76))
    picture = PIL.Image.new("RGB", (8, 8), "red")
    cells: list[tuple[Any, int]] = [
        (RED, 1),
        (bytearray(RED), 1),
        ({"bytes": RED, "path": None}, 1),
        ({"bytes": RED, "path": "elsewhere.png"}, 1),
        ({"bytes": None, "path": "red.png"}, 1),
        ({"image_url": {"url": f"data:image/png;base64,{TEXT}"}}, 1),
        ("red.png", 1),
        (absolute, 1),
        (TEXT, 1),
        (broken, 1),
        (f"data:image/png;base64,{TEXT}", 1),
        (picture, 1),
        ([RED, "red.png", {"bytes": RED}], 3),
        (json.dumps(["red.png", TEXT]), 2),
        ("['red.png', 'red.png']", 2),
        (None, 0),
        ("", 0),
        (float("nan"), 0),
        ([], 0),
        ([None, RED], 1),
        ({"bytes": None, "path": None}, 0),
        (b"", 0),
    ]
    for cell, count in cells:
        images = RowImages(tmp_path, ["image"]).of({"image": cell}, ("a.jsonl", 3))
        assert len(images) == count, cell
        for image in images:
            assert image.load().getpixel((0, 0)) == (255, 0, 0)


def test_addresses_are_read_when_the_pixels_are_needed() -> None:
    cell = ["https://example.invalid/a.png"]
    (image,) = RowImages(Path(), ["image"]).of({"image": cell}, ("a.jsonl", 1))
    assert image.where == {"url": "https://example.invalid/a.png"}


def test_long_base64_is_decoded_whole(records: Make) -> None:
    text = base64.b64encode(BLUE).decode()
    assert len(text) > 1024
    assert records([{"question": "q", "image": text}])[0].images[0].size == (300, 300)


def test_several_columns_keep_their_order(records: Make) -> None:
    rows = [
        {"question": "q", "left": TEXT, "right": [None, base64.b64encode(BLUE).decode()]},
        {"question": "q", "left": None, "right": [TEXT]},
    ]
    scenario = records(rows, columns={"images": ["right", "left"]})
    assert [image.size for image in scenario[0].images] == [(300, 300), (8, 8)]
    assert [image.where["image"] for image in scenario[0].images] == [1, 2]
    assert len(scenario[1].images) == 1


def test_paths_begin_at_the_file_or_at_image_root(records: Make, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(RED)
    rows = [{"question": "q", "image": "a.png"}]
    assert "paths begin at" in failure(records(rows), 0)
    scenario = records(rows, image_root=str(tmp_path / "pictures"))
    assert scenario[0].images[0].where == {"path": str(tmp_path / "pictures" / "a.png")}


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("none.png", "image file not found: "),
        ("x" * 300, "File name too long"),
        ("a\0b.png", "image file not found"),
        ("/dev/zero", "is a device, not a file"),
        (".", "is a folder, not a file"),
        ("ftp://example.org/a.png", "only http and https addresses are read"),
        (5, "'image' is 5, not an image"),
        (True, "'image' is True, not an image"),
        ({"width": 3}, "a mapping with width, not an image"),
        ("{'bytes': b'...'}", "a mapping as text"),
        ("['a.png", "the list in column 'image' cannot be read"),
        ("[__import__('os')]", "cannot be read"),
        ("data:image/png;base64,???", "the image is not base64"),
        ("x?" * 1000, "the image is not base64"),
        ([["a.png"], 7], "image file not found"),
        (base64.b64encode(b"<html>404 Not Found</html>").decode(), "it is a page in HTML"),
        ("images/training/000000000001", "image file not found"),
    ],
)
def test_what_is_no_image_is_one_error_with_the_column(
    records: Make, cell: Any, words: str
) -> None:
    scenario = records([{"question": "q", "image": TEXT}, {"question": "q", "image": cell}])
    message = failure(scenario, 1)
    assert "row 2: column 'image': " in message
    assert words in message
    assert "\n  -> " in message
    assert scenario[0].images


def test_bytes_that_are_no_image_fail_when_they_are_decoded(records: Make) -> None:
    scenario = records([{"question": "q", "image": {"bytes": b"no image"}}], "a.parquet")
    with pytest.raises(ImageError, match=r"row 1, image 1: not an image"):
        scenario[0].images[0].load()


def test_pictures_of_datasets_are_read_as_they_are_stored(tmp_path: Path) -> None:
    import datasets

    features = datasets.Features(
        {
            "question": datasets.Value("string"),
            "image": datasets.Image(),
            "more": datasets.List(datasets.Image()),
        }
    )
    stored = {"bytes": RED, "path": None}
    content = {"question": ["q"], "image": [stored], "more": [[stored, stored]]}
    made = datasets.Dataset.from_dict(content, features)
    made.to_parquet(tmp_path / "a.parquet")
    made.save_to_disk(tmp_path / "saved")
    for path in ("a.parquet", "saved"):
        scenario = Records(
            path=str(tmp_path / path), columns={"images": ["image", "more"]}, source="file"
        )
        assert [image.source for image in scenario[0].images] == [RED] * 3
