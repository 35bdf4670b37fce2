"""The mapping from a row to a question: how the rows of a table are laid out, asked and scored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

import msgspec

from chef.common.options import lettered
from chef.errors import SampleError
from chef.frozen import Frozen

#: What the rows of a table of one's own are.
Kind: TypeAlias = Literal["mcq", "yesno", "vqa", "caption"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LayoutName: TypeAlias = Literal[
    "plain", "mcq", "no_hint", "mmmu", "mmmu_pro", "muir", "natural", "picture", "turns",
    "lettered", "hinted",
]  # fmt: skip


class Family(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Benchmarks that are asked and scored alike.

    Attributes:
        kind: how a row becomes a question and its answer.
        layout: how its text and images are arranged.
        wording: the pool of its instruction.
        metric: the metric, with VLMEvalKit's own rules under the same name where it has any.
        recipe: the shipped recipe, a file of ``VLMEvalKit/``; empty: none.
        circular: whether its files hold the rotations of each question.
        judge: the kind of judgement without which its answers have no score; empty: none.
        block: how many rows, in the order of their indices, are scored as one; 0: each alone.
        hidden: the answer of rows whose answer is not published; empty: none.
    """

    kind: Literal[Kind, "turns"]
    layout: LayoutName
    wording: str
    metric: str
    recipe: str = ""
    circular: bool = False
    judge: str = ""
    block: int = 0
    hidden: str = "?"


#: How the rows of a table of one's own are asked, in ChEF's layouts.
OWN: Mapping[Kind, Family] = {
    "mcq": Family(kind="mcq", layout="lettered", wording="VQA", metric="Accuracy", hidden=""),
    "yesno": Family(kind="yesno", layout="hinted", wording="POPE", metric="YesNo", hidden=""),
    "vqa": Family(kind="vqa", layout="hinted", wording="VQA", metric="Accuracy", hidden=""),
    "caption": Family(
        kind="caption", layout="picture", wording="caption", metric="Caption", hidden=""
    ),
}


#: ``numbered``: ``<image 2>`` is the second image; ``in_order``: each ``<image>`` is the next one;
#: ``any``: as the text has them, and those before it say no more than that images come first.
Marks: TypeAlias = Literal["", "numbered", "in_order", "any"]


class Layout(Frozen):
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
    "lettered": Layout(lettered=True, hint=True, marks="any"),
    "hinted": Layout(hint=True, marks="any"),
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
