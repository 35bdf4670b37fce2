"""Images in a TSV: embedded, referenced, in files, several in a row."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from chef.errors import DataError, ImageError, SampleError
from chef.scenario.tsv.scenario import Tsv

Write = Callable[..., str]


def encoded(color: str) -> str:
    file = io.BytesIO()
    PIL.Image.new("RGB", (32, 32), color).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


RED, BLUE = encoded("red"), encoded("blue")
COLORS = {(255, 0, 0): "red", (0, 0, 255): "blue", (0, 128, 0): "green"}


def scenario(write: Write, *images: str, **options: Any) -> Tsv:
    """One row an image cell; the indices are a, b, c..."""
    rows = [
        {"index": chr(ord("a") + n), "question": "Q", "image": cell}
        for n, cell in enumerate(images)
    ]
    return Tsv(path=write(rows), **options)


def colors(tsv: Tsv, index: int) -> list[str]:
    pixels = [image.load().getpixel((0, 0)) for image in tsv[index].images]
    return [COLORS[pixel] for pixel in pixels if isinstance(pixel, tuple)]


def failure(tsv: Tsv, index: int) -> str:
    with pytest.raises(SampleError) as caught:
        tsv[index]
    return str(caught.value)


def test_bytes_are_kept_as_they_are(write_tsv: Write) -> None:
    sample = scenario(write_tsv, RED)[0]
    assert sample.images[0].source == base64.b64decode(RED)
    assert sample.images[0].name.endswith("set.tsv: row 1, image 1")


@pytest.mark.parametrize(
    "cell",
    [
        f"data:image/png;base64,{RED}",
        "\n".join(RED[n : n + 76] for n in range(0, len(RED), 76)),
        f'["{RED}"]',
        f"['{RED}']",
        f" {RED}\n",
    ],
)
def test_spellings_of_one_image(write_tsv: Write, cell: str) -> None:
    assert colors(scenario(write_tsv, cell), 0) == ["red"]


def test_several_images_in_their_order(write_tsv: Write) -> None:
    tsv = scenario(write_tsv, f"['{RED}', '{BLUE}', '{RED}']", f'["{BLUE}", "{RED}"]')
    assert colors(tsv, 0) == ["red", "blue", "red"]
    assert colors(tsv, 1) == ["blue", "red"]


def test_references_lead_forward_backward_and_on(write_tsv: Write) -> None:
    tsv = scenario(write_tsv, "b", "c", RED, "b", f"['{RED}', '{BLUE}']", "e")
    assert [colors(tsv, n) for n in (0, 1, 2, 3)] == [["red"]] * 4
    assert colors(tsv, 5) == ["red", "blue"]


def test_references_to_rows_outside_the_selection(write_tsv: Write) -> None:
    rows = [
        {"index": "7", "question": "Q", "image": RED, "split": "dev"},
        {"index": "1000007", "question": "Q", "image": "7", "split": "test"},
    ]
    assert colors(Tsv(path=write_tsv(rows), split="test"), 0) == ["red"]


def test_lists_of_references(write_tsv: Write) -> None:
    tsv = scenario(write_tsv, RED, BLUE, "['b', 'a']", f'["{RED}", "b"]', "['c', 'a']")
    assert colors(tsv, 2) == ["blue", "red"]
    assert colors(tsv, 3) == ["red", "blue"]
    assert "row 3, which has 2 images, not one" in failure(tsv, 4)
    rows = [
        {"index": "1", "question": "Q", "image": RED},
        {"index": "2", "question": "Q", "image": "[1, 1]"},
    ]
    assert colors(Tsv(path=write_tsv(rows)), 1) == ["red", "red"]


def test_references_that_lead_nowhere(write_tsv: Write) -> None:
    tsv = scenario(write_tsv, "zz", "c", "d", "b", "e", "['b']", "h", "", RED)
    assert "row 1 (index 'a'): refers to the image of 'zz'" in failure(tsv, 0)
    assert "form a circle: rows 2 -> 3 -> 4 -> 2" in failure(tsv, 1)
    assert "form a circle: rows 5 -> 5" in failure(tsv, 4)
    assert "form a circle: rows 2 -> 3 -> 4 -> 2" in failure(tsv, 5)
    assert "row 8, which has no image" in failure(tsv, 6)
    assert tsv[7].images == ()
    assert colors(tsv, 8) == ["red"]


def test_a_chain_of_references_has_an_end(write_tsv: Write) -> None:
    rows = [{"index": str(n), "question": "Q", "image": str(n + 1)} for n in range(3000)]
    tsv = Tsv(path=write_tsv([*rows, {"index": "3000", "question": "Q", "image": RED}]))
    assert "more than 100 image references" in failure(tsv, 0)
    assert colors(tsv, 2950) == ["red"]


def test_an_index_that_looks_like_base64_is_a_reference(write_tsv: Write) -> None:
    rows = [
        {"index": "QUJD", "question": "Q", "image": RED},
        {"index": "2", "question": "Q", "image": "QUJD"},
    ]
    assert colors(Tsv(path=write_tsv(rows)), 1) == ["red"]


def test_the_tiniest_image_is_no_reference(write_tsv: Write) -> None:
    tiny = base64.b64encode(b"GIF89a" + bytes(20)).decode()
    assert len(tiny) <= 64
    assert scenario(write_tsv, tiny)[0].images[0].source == base64.b64decode(tiny)


@pytest.mark.parametrize("cell", ["!" * 100, "Q" * 101, "é" * 100, f"['{'!' * 100}']"])
def test_what_is_not_base64_is_an_error_of_its_row(write_tsv: Write, cell: str) -> None:
    assert "image of row 1 is not base64" in failure(scenario(write_tsv, cell, RED, "a"), 0)
    assert "image of row 1 is not base64" in failure(scenario(write_tsv, cell, RED, "a"), 2)


def test_base64_of_no_image_is_found_when_its_pixels_are_asked_for(write_tsv: Write) -> None:
    cell = base64.b64encode(b"no image at all" * 10).decode()
    sample = scenario(write_tsv, RED, cell)[1]
    with pytest.raises(ImageError, match=r"set\.tsv: row 2, image 1: not an image"):
        sample.images[0].load()


@pytest.mark.parametrize(
    "cell", ["[]", "['a'", "[1.5]", "[['a']]", "[True]", "['']", "[open('x')]"]
)
def test_lists_are_parsed_and_never_run(write_tsv: Write, cell: str) -> None:
    assert "list in column 'image' cannot be read" in failure(scenario(write_tsv, cell, RED), 0)


def test_image_paths(write_tsv: Write, tmp_path: Path) -> None:
    for folder, color in ((tmp_path, "red"), (tmp_path / "root", "blue")):
        folder.mkdir(exist_ok=True)
        for name in ("one.png", "two.png"):
            PIL.Image.new("RGB", (4, 4), color).save(folder / name)
    paths = ["one.png", "['one.png', 'two.png']", str(tmp_path / "one.png"), "none.png", ""]
    rows = [{"index": str(n), "question": "Q", "image_path": p} for n, p in enumerate(paths)]
    path = write_tsv(rows)
    beside, under = Tsv(path=path), Tsv(path=path, image_root=str(tmp_path / "root"))
    assert [colors(beside, n) for n in (0, 1, 2)] == [["red"], ["red", "red"], ["red"]]
    assert [colors(under, n) for n in (0, 1, 2)] == [["blue"], ["blue", "blue"], ["red"]]
    message = failure(under, 3)
    assert f"row 4 (index '3'): image file not found: {tmp_path / 'root' / 'none.png'}" in message
    assert beside[4].images == ()


def test_an_embedded_image_wins_over_a_path(write_tsv: Write, tmp_path: Path) -> None:
    PIL.Image.new("RGB", (4, 4), "green").save(tmp_path / "g.png")
    rows = [
        {"index": "a", "question": "Q", "image": RED, "image_path": "g.png"},
        {"index": "b", "question": "Q", "image": "", "image_path": "g.png"},
        {"index": "c", "question": "Q", "image": "b", "image_path": "missing.png"},
    ]
    tsv = Tsv(path=write_tsv(rows))
    assert [colors(tsv, n) for n in range(3)] == [["red"], ["green"], ["green"]]


def test_a_reference_to_a_bad_row_names_it(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(f"index\tquestion\timage\na\tQ\tb\nb\tQ\nc\tQ\t{RED}\n")
    assert "refers to the image of 'b', but no valid row has" in failure(Tsv(path=str(path)), 0)


def test_a_changed_file_is_no_error_of_one_sample(write_tsv: Write) -> None:
    tsv = scenario(write_tsv, RED, "a")
    Path(tsv[0].images[0].name.partition(": row")[0]).write_text("gone")
    with pytest.raises(DataError) as caught:
        tsv[1]
    assert not isinstance(caught.value, SampleError)
