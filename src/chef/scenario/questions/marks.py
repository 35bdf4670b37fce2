"""The placeholders of images in a text: which of a row's images stands where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.errors import SampleError
from chef.scenario.questions.layouts import Marks

#: MMMU counts from 1, with one digit.
_NUMBERED = re.compile(r"<image (\d)>")
#: MUIRBench's, and that of conversations.
_IN_ORDER = re.compile(r"<(?:image|ImageHere)>")


def mark(number: int) -> str:
    """What stands in a text for image ``number``, counted from 1."""
    return f"<image {number}>"


def marked(texts: Sequence[str], marks: Marks, images: int) -> tuple[list[str], tuple[str, ...]]:
    """The texts of a row with a placeholder of its own for each image, and these placeholders.

    Args:
        texts: its question, or the questions of its turns in order.
        marks: how they name images.
        images: how many images it has.

    >>> marked(["Is <image> on <image>?"], "in_order", 2)
    (['Is <image 1> on <image 2>?'], ('<image 1>', '<image 2>'))

    Raises:
        SampleError: a text names an image that the row does not have.
    """
    if not marks:
        return list(texts), ()
    if marks == "in_order":
        named = list(range(1, 1 + sum(len(_IN_ORDER.findall(text)) for text in texts)))
        texts = _numbered(texts, iter(named))
    else:
        named = [int(number) for text in texts for number in _NUMBERED.findall(text)]
    if beyond := [number for number in named if not 1 <= number <= images]:
        have = {0: "no image", 1: "one image"}.get(images, f"{images} images")
        raise SampleError(
            f"the question names image {beyond[0]}, and the row has {have}",
            hint="give the row a list of images, in the order in which the question names them",
        )
    return list(texts), tuple(map(mark, range(1, images + 1)))


def _numbered(texts: Sequence[str], numbers: Iterator[int]) -> list[str]:
    return [_IN_ORDER.sub(lambda _: mark(next(numbers)), text) for text in texts]
