"""What is known of the rows of a TSV without their images: their texts, and which share one."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import PIL.Image
import pytest

from chef.metric.vqa.yesno import Pope
from chef.scenario.table import rows
from chef.scenario.table.scenario import Records
from chef.scenario.tsv.scenario import Tsv
from chef.types import Prediction, Sample, Status


def _image(side: int = 40) -> str:
    content = io.BytesIO()
    PIL.Image.effect_noise((side, side), 90).save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def _write(path: Path, rows: Sequence[Sequence[object]]) -> Path:
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.fixture
def choices(tmp_path: Path) -> Path:
    """A good row, one with quotes and a tab, one without a question, one too short."""
    return _write(
        tmp_path / "my.tsv",
        [
            ["index", "image", "question", "hint", "A", "B", "answer", "category"],
            [1, _image(), "Which?", "", "ant", "bee", "A", "insects"],
            [2, 1, '"Which of\t""these""?"', "a hint", "cat", "dog", "B", "mammals"],
            [3, _image(), "", "", "cat", "dog", "B", ""],
            [4, _image(), "Which?"],
            [5, _image(), "A \x1f in it?", "", "one", "two", "A", ""],
        ],
    )


def _made(data: Tsv | Records, index: int) -> Sample | None:
    try:
        return replace(data[index], images=())
    except Exception:
        return None


@pytest.mark.parametrize("kept", [1 << 20, -1])
def test_outlines_are_the_samples_without_images(
    choices: Path, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the texts were kept when the file was indexed, or are read again."""
    monkeypatch.setattr(rows, "_MAX_KEPT", kept)
    data = Tsv(path=str(choices))
    outlines = list(data.outlines())
    assert outlines == [_made(data, index) for index in range(5)]
    assert [found and found.question.count("Which") for found in outlines] == [1, 1, None, None, 0]


def test_outlines_of_records(choices: Path) -> None:
    text = choices.read_text().replace("2\t1\t", f"2\t{_image()}\t")
    table = choices.with_suffix(".txt")
    table.write_text(text)
    data = Records(path=str(table), format="tsv", where={"category": ["insects", "mammals"]})
    outlines = list(data.outlines())
    assert outlines == [_made(data, index) for index in range(len(data))]
    assert [found is None for found in outlines] == [False, False, True]


def test_questions_about_one_image_are_a_cluster_by_references_too(tmp_path: Path) -> None:
    """Six questions about each of four images: right about two images, wrong about the others."""
    rows: list[list[object]] = [["index", "image", "question", "answer"]]
    for number in range(24):
        first = number - number % 6
        # The third refers to the second, which refers to the first.
        named = number - 1 if number % 6 == 2 else first
        image = _image(8) if number == first else named
        rows.append([number, image, "Is it there?", "Yes" if number < 12 else "No"])
    data = Tsv(path=str(_write(tmp_path / "pope.tsv", rows)))
    assert [data[n].fields["image_row"] for n in (0, 1, 2, 8)] == ["0", "0", "0", "6"]
    predictions = [
        Prediction(sample.id, Status.OK, answer="Yes", sample=sample.to_record())
        for sample in map(data.__getitem__, range(24))
    ]
    found = Pope().evaluate(predictions).metrics["Accuracy"]
    assert (found.value, found.n, found.method) == (0.5, 24, "wilson, clustered")
    # Four images, of which two are all right: (4 / 3) * 4 * 3**2 / 24**2 is the variance.
    assert found.stderr == pytest.approx((4 / 3 * 4 * 9 / 24**2) ** 0.5)


def test_an_image_that_one_row_shows_is_no_cluster(tmp_path: Path) -> None:
    rows = [["index", "image", "question", "answer"], [1, _image(8), "Is it?", "Yes"]]
    data = Tsv(path=str(_write(tmp_path / "my.tsv", rows)))
    assert "image_row" not in data[0].fields
