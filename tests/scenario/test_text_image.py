"""Text drawn as a picture."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageFont

from chef.errors import DataError
from chef.scenario.text_image import text_image, wrapped


def test_one_line_is_centred_on_a_picture_of_full_width() -> None:
    image = text_image("Hi", font_size=20, max_width=200)
    assert image.size == (200, 22)
    dark = np.flatnonzero((np.asarray(image.convert("L")) < 128).any(axis=0))
    assert dark.size
    assert abs((dark[0] + dark[-1]) / 2 - 100) < 6


def test_words_are_wrapped_and_the_height_follows_the_lines() -> None:
    font = ImageFont.load_default(20)
    word = font.getlength("word") + font.getlength(" ")
    lines = wrapped("word " * 5, font, 2 * word)
    assert lines == ["word word", "word word", "word"]
    assert text_image("word " * 5, font_size=20, max_width=math.ceil(2 * word)).height == 66


def test_a_first_word_that_is_too_wide_leaves_an_empty_line_and_widens_the_picture() -> None:
    font = ImageFont.load_default(20)
    assert wrapped("abcdefghij k", font, 10) == ["", "abcdefghij", "k"]
    image = text_image("abcdefghij k", font_size=20, max_width=10)
    assert image.size == (int(font.getlength("abcdefghij")), 66)


def test_no_text_is_an_empty_picture() -> None:
    image = text_image("", font_size=20, max_width=30)
    assert image.size == (30, 22)
    assert image.getextrema() == ((255, 255),) * 3


def test_a_font_that_is_none_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.ttf").write_text("no font")
    with pytest.raises(DataError, match=r"a\.ttf: cannot be read as a font"):
        text_image("a", font=tmp_path / "a.ttf")
