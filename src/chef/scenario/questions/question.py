"""A row and its family as a question with its reference answer: the one place for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import field

from chef.common.options import YES_NO, letters, list_literal
from chef.errors import SampleError
from chef.frozen import Frozen
from chef.scenario.questions.family import (
    LAYOUTS,
    Cells,
    Family,
    Layout,
    Marks,
    choice_fields,
    choices_of,
    references,
    text_of,
    yes_no,
)
from chef.types import TurnSpec

#: The form of a multiple-choice row without options, and of one to be answered by yes or no.
OPEN, YES_OR_NO = "open", "yes_no"
#: Options that are in the picture have so many letters.
_IN_PICTURE = 10
_PLAIN = LAYOUTS["plain"]


#: MMMU counts from 1, with one digit.
_NUMBERED = re.compile(r"<image (\d)>")
#: MUIRBench's, and that of conversations.
_IN_ORDER = re.compile(r"<(?:image|ImageHere)>")
_OPENING = re.compile(r"\s*(?:<(?:image|ImageHere)>\s*)+")


class Question(Frozen):
    """The text side of a sample, under the names of `chef.types.Sample`."""

    question: str
    options: tuple[str, ...] = ()
    answer: Any = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[TurnSpec, ...] = ()
    image_marks: tuple[str, ...] = ()
    form: str = ""


def question_of(
    family: Family,
    cells: Cells,
    labels: Sequence[str],
    images: int | None = 0,
    *,
    option_content: bool = False,
) -> Question:
    """Lay out the question of a row and find its reference answer.

    A row of multiple choice without options is an open question. ``images`` counts those of the
    row; None: its table has none, so no text names one. ``option_content`` scores texts instead of
    labels. SampleError: the question is missing, the answer is not among the options, or the text
    names an image that the row does not have.
    """
    if family.kind == "turns":
        return _turns(cells, images or 0)
    layout = LAYOUTS[family.layout]
    if family.hidden and cells.get("answer", "").strip() == family.hidden:
        cells = {**cells, "answer": ""}
    choices = choices_of(cells, labels) if family.kind == "mcq" else {}
    marks_of = layout.marks if images is not None else ""
    if marks_of == "any" and images:
        cells = {**cells, "question": without_first(cells.get("question", ""), images)}
    text, marks = text_of(layout, cells, choices), tuple[str, ...]()
    if marks_of:
        (text,), marks = marked([text], marks_of, images or 0)
    if family.kind == "yesno":
        asked = _yes_no(text, cells)
        return replace(asked, image_marks=marks) if marks else asked
    if family.layout == "natural":
        return _natural(text, cells)
    if family.layout == "picture" and family.kind == "mcq" and not choices:
        names = letters(_IN_PICTURE)
        choices = dict(zip(names, names, strict=True))
    if choices:
        asked = _choices(text, choices, cells, layout, option_content=option_content)
        return replace(asked, image_marks=marks) if marks else asked
    form = OPEN if family.kind == "mcq" and not layout.lettered else ""
    return Question(text, (), references(cells.get("answer", "")), image_marks=marks, form=form)


def _choices(
    text: str,
    choices: Mapping[str, str],
    cells: Cells,
    layout: Layout = _PLAIN,
    *,
    option_content: bool = False,
) -> Question:
    """A question with options; the labels, or their texts, are what can be scored."""
    fields = choice_fields(choices, cells)
    correct = fields.get("gt_choice")
    if option_content:
        options, closing = fields["choices"], ""
    elif layout.lettered:  # as in ChEF, "(A" is scored without the closing bracket
        options, closing = [f"({label}" for label in choices], ")"
    else:
        options, closing = fields["labels"], ""
    answer = None if correct is None else f"{options[correct]}{closing}"
    return Question(text, tuple(options), answer, fields)


def _yes_no(text: str, cells: Cells, form: str = "") -> Question:
    answer, fields = yes_no(cells)
    return Question(text, YES_NO, answer, fields, form=form)


def _natural(text: str, cells: Cells) -> Question:
    """A question of NaturalBench: of yes or no, or with options A and B in its own text."""
    kind = cells.get("type", "").strip().lower()
    if kind.startswith("yes"):
        return _yes_no(text, cells, YES_OR_NO)
    if kind and not kind.startswith("multiple"):
        raise SampleError(
            f"the type {cells['type']!r} is not known", hint="write yes_no or multiple_choice"
        )
    return _choices(text, {"A": "A", "B": "B"}, cells)


def _turns(cells: Cells, images: int) -> Question:
    """A conversation: a list of questions, and of reference answers where they are known."""
    questions = _texts(cells, "question")
    answers: Sequence[str] = _texts(cells, "answer") if cells.get("answer", "").strip() else ()
    if answers and len(answers) != len(questions):
        raise SampleError(
            f"{len(questions)} questions, and {len(answers)} answers",
            hint="give a list of as many answers as there are questions",
        )
    texts, marks = marked(questions, "in_order", images)
    turns = tuple(
        TurnSpec(
            prompt_idx=1 if number else 0,
            question=text,
            truth=answers[number] if answers else None,
        )
        for number, text in enumerate(texts)
    )
    answer = "\n".join(answers) or None
    return Question("\n".join(texts), (), answer, turns=turns, image_marks=marks)


def _texts(cells: Cells, column: str) -> list[str]:
    """The texts of a conversation, parsed and not executed; SampleError if it is no list."""
    cell = cells.get(column, "").strip()
    values = list_literal(cell) if cell.startswith("[") else None
    if not values or not all(isinstance(item, str) and item.strip() for item in values):
        raise SampleError(
            f"the column '{column}' holds no list of texts: {cell[:60]!r}",
            hint='write a JSON list of strings: ["first turn", "second turn"]',
        )
    return [str(item) for item in values]


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
    if marks == "any":
        is_numbered = any(map(_NUMBERED.search, texts))
        has_marks = is_numbered or any(map(_IN_ORDER.search, texts))
        marks = "" if not has_marks else "numbered" if is_numbered else "in_order"
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


def without_first(text: str, images: int) -> str:
    r"""A text without marks before it, if these are of all its images: those come first anyway.

    A single mark stands for all images.

    >>> without_first("<image>\nIs it red?", 1), without_first("<image> or <image>?", 2)
    ('Is it red?', '<image> or <image>?')
    """
    if len(_IN_ORDER.findall(text)) == 1:
        text = _IN_ORDER.sub("<image>" * images, text)
    opening = _OPENING.match(text)
    if opening is None or len(_IN_ORDER.findall(opening.group())) != images:
        return text
    rest = text[opening.end() :]
    return text if _IN_ORDER.search(rest) else rest


def _numbered(texts: Sequence[str], numbers: Iterator[int]) -> list[str]:
    return [_IN_ORDER.sub(lambda _: mark(next(numbers)), text) for text in texts]
