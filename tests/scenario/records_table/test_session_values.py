"""Values of tables in memory: numbers, images of any mode, and the rows in order, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

import chef
from chef.errors import DataError
from chef.image import Image
from chef.run.journal import JOURNAL
from chef.scenario.table.scenario import Records
from chef.scenario.table.session import plain, stored
from chef.types import Conversation

NUMBERS = {
    "question": ["How many dogs?", "How many cats?", "How many birds?"],
    "A": [3, 1, 5], "B": [4, 2, 2], "C": [5, 3, 3], "D": [6, 4, 1], "answer": [3, 2, 1],
}  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "frame", "empty cell"])
def test_numbers_that_are_options_are_read_alike(tmp_path: Path, kind: str) -> None:
    frame = pytest.importorskip("pandas").DataFrame(NUMBERS)
    path = tmp_path / f"data.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif kind == "parquet":
        frame.to_parquet(path)
    elif kind == "empty cell":  # of which pandas makes a column of floats
        frame.loc[1, "D"] = None
    source = path if path.exists() else stored(frame)
    samples = [*Records(path=str(source))]
    assert [sample.fields["gt_choice"] for sample in samples] == [0, 1, 3]
    assert samples[2].fields["choices"] == ["5", "2", "3", "1"]


def test_what_may_be_meant_otherwise_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    lines = [{"question": "How many?", "options": ["3", "4", "5", "6"], "answer": 3}]
    Records(path=str(stored(lines)))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "write answers: text" in caplog.text


@pytest.mark.parametrize("mode", ["CMYK", "YCbCr", "F", "I", "HSV", "P", "1"])
def test_images_of_any_mode(mode: str) -> None:
    assert plain(PIL.Image.new("RGB", (4, 4), "red").convert(mode)).startswith(b"\x89PNG")


class Same(chef.Model):
    """The same reply to everything."""

    def generate_one(self, conversation: Conversation, max_new_tokens: int) -> str:
        return "A"


def test_frames_are_in_the_order_of_the_data(tmp_path: Path) -> None:
    names = [f"k{n * 7 % 12}" for n in range(12)]
    data = [{"id": name, "question": "Which?", "A": "x", "B": "y", "answer": "A"} for name in names]
    done = chef.evaluate(Same(), data, save_dir=tmp_path)
    # Batches and workers answer in another order.
    journal = done.folder / JOURNAL
    journal.write_bytes(b"".join(reversed(journal.read_bytes().splitlines(keepends=True))))
    assert list(chef.load_run(done.folder).to_frame()["id"]) == names


def test_rows_are_taken_one_at_a_time() -> None:
    """A generator is walked through once; nothing but its row is held."""
    alive: list[int] = []

    class Row(dict[str, Any]):
        def __init__(self, number: int) -> None:
            super().__init__(question=str(number))
            alive.append(1)

        def __del__(self) -> None:
            alive.pop()

    most = 0

    def given() -> Iterator[Row]:
        nonlocal most
        for number in range(100):
            yield Row(number)
            most = max(most, len(alive))

    assert len(Records(path=str(stored(given())))) == 100
    assert most <= 2


def test_values_are_plain() -> None:
    numpy = pytest.importorskip("numpy")
    image = PIL.Image.new("RGB", (4, 4), "red")
    made = plain({"a": numpy.float32(1.5), "b": [numpy.int64(2)], "c": float("nan"), 4: image})
    assert made["a"] == 1.5
    assert made["b"] == [2]
    assert made["c"] is None
    assert Image(made["4"]).digest == Image(image).digest


def test_an_array_of_bytes_with_colors_is_an_image() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.zeros((4, 6, 3), dtype="uint8")
    array[..., 0] = 200
    picture = PIL.Image.new("RGB", (6, 4), (200, 0, 0))
    made = plain({"image": array, "mask": array[..., 0], "numbers": array.astype("int64")})
    assert Image(made["image"]).digest == Image(picture).digest
    assert made["mask"] == [[200] * 6] * 4
    assert made["numbers"][0][0] == [200, 0, 0]
    grey = Image(PIL.Image.new("L", (6, 4), 200)).digest
    assert Image(plain({"image": array[..., 0]})["image"]).digest == grey
    assert Image(plain({"images": [array[..., :1]]})["images"][0]).digest == grey


@pytest.mark.parametrize("make", [lambda source: source, lambda source: lambda: source])
def test_an_image_of_chef_is_one(make: Callable[[Any], Any]) -> None:
    picture = PIL.Image.new("RGB", (4, 4), "blue")
    path = stored([{"question": "Which color?", "answer": "blue", "image": Image(make(picture))}])
    assert Records(path=str(path))[0].images[0].digest == Image(picture).digest


def test_an_object_that_is_no_value_is_refused_with_its_column() -> None:
    for value in (object(), len):
        with pytest.raises(DataError, match="row 1 of the data") as caught:
            stored([{"question": "Which color?", "answer": "blue", "image": value}])
        assert f"an object of type {type(value).__name__} in column 'image'" in str(caught.value)
