"""The text of a question as its family lays it out; wordings come from the instruction's pool.

ChEF's layouts and those of VLMEvalKit, described by what they contain; where an image stands in a
text, it is marked by `chef.scenario.questions.question`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chef.common.options import lettered
from chef.errors import SampleError
from chef.scenario.questions.family import LayoutName

#: ``numbered``: ``<image 2>`` is the second image; ``in_order``: each ``<image>`` is the next one.
Marks: TypeAlias = Literal["", "numbered", "in_order"]


@dataclass(frozen=True, slots=True)
class Layout:
    """What the text of a question consists of, and where its images stand.

    Attributes:
        listed: ``Question:`` and the options, one a line; else the question alone.
        lettered: ChEF's form of options, ``(A) cat``, which are scored as ``(A`` without the
            closing bracket; a row without options has the question alone.
        hint: a line ``Hint:`` before the question, where the row has a hint.
        head: a line ``Options:`` before the options.
        marks: the placeholders of images; empty: all images stand before the text.
        has_text: False where the question is in the picture, or the wording is all of it.
    """

    listed: bool = False
    lettered: bool = False
    hint: bool = False
    head: bool = True
    marks: Marks = ""
    has_text: bool = True


LAYOUTS: Mapping[LayoutName, Layout] = {
    "plain": Layout(),
    "mcq": Layout(listed=True, hint=True),
    "no_hint": Layout(listed=True),
    "mmmu": Layout(listed=True, hint=True, marks="numbered"),
    "mmmu_pro": Layout(listed=True, marks="numbered"),
    "muir": Layout(listed=True, hint=True, head=False, marks="in_order"),
    "natural": Layout(),
    "picture": Layout(has_text=False),
    "turns": Layout(marks="in_order"),
    "lettered": Layout(lettered=True, hint=True),
    "hinted": Layout(hint=True),
}


def text_of(layout: Layout, cells: Mapping[str, str], choices: Mapping[str, str]) -> str:
    r"""The text of a row before the wording is added; empty where the layout has none.

    Args:
        layout: what it consists of.
        cells: the row, by column.
        choices: the texts of the options by their labels; empty: an open question.

    >>> row = {"question": "What is it?", "hint": "It purrs."}
    >>> print(text_of(LAYOUTS["mcq"], row, {"A": "cat", "B": "dog"}))
    Hint: It purrs.
    Question: What is it?
    Options:
    A. cat
    B. dog
    >>> text_of(LAYOUTS["plain"], row, {})
    'What is it?'

    Raises:
        SampleError: the question is missing.
    """
    if not layout.has_text:
        return ""
    question = cells.get("question", "").strip()
    if not question:
        raise SampleError("the question is missing", hint="fill the column 'question'")
    hint = cells.get("hint", "").strip() if layout.hint else ""
    if layout.lettered and choices:
        return lettered(question, hint, choices)
    lines = [f"Hint: {hint}"] if hint else []
    if not layout.listed:
        return "\n".join([*lines, question])
    lines.append(f"Question: {question}")
    if choices and layout.head:
        lines.append("Options:")
    return "\n".join([*lines, *(f"{label}. {text}" for label, text in choices.items())])
