"""How the rows of a table are laid out, asked and scored, and what their cells say."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from chef.common.circular import circular_group
from chef.common.options import YES_NO, lettered, list_literal, yes_or_no
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


Cells: TypeAlias = Mapping[str, str]

#: Compiled when they are first needed: lists of benchmarks need none of them.
_LABEL = r"\(?([A-Za-z])\)?[.:]?"
_LABEL_AND_TEXT = r"(?s)\(?([A-Za-z])(?:\)[.:]?|[.:])\s+(.+)"


def choices_of(cells: Cells, labels: Sequence[str]) -> dict[str, str]:
    """The options by label; an empty cell alone is a missing one: "None" and "NA" are answers."""
    return {label: cells[label] for label in labels if cells[label] != ""}


def guess_kind(columns: Collection[str], answers: Iterable[str]) -> Kind:
    """The kind of a file's questions, from its columns and the cells in ``answer``.

    >>> guess_kind(("index", "question", "answer"), ["Yes", "", "no"])
    'yesno'
    """
    if {"A", "B"} <= set(columns):
        return "mcq"
    known = {text for answer in answers if (text := answer.strip())}
    return "yesno" if known and all(map(yes_or_no, known)) else "vqa"


def row_groups(cells: Cells, *, is_circular: bool) -> dict[str, str]:
    """The fields with categories, image file and, of a file with rotations, the group of a row."""
    # What tells questions about one image apart from others: both of MME's have to be right.
    columns = ("category", "l2-category", "split", "setting", "image_path")
    groups = {column: text for column in columns if (text := cells.get(column, ""))}
    group = circular_group(
        cells["index"].strip(), cells.get("g_index", ""), is_circular=is_circular
    )
    return groups if group is None else {**groups, "circular_group": group}


def find_choice(answer: str, choices: Mapping[str, str]) -> int:
    """The position of the option that an answer cell names.

    The cell is read as a label (``B``), else as the text of an option, else as a label in another
    form (``(B)``, ``b.``, ``B. dog``).

    >>> find_choice("B", {"A": "cat", "B": "dog"}), find_choice("Cat", {"A": "cat", "B": "dog"})
    (1, 0)

    Raises:
        SampleError: the cell names no option or more than one.
    """
    labels = list(choices)
    if answer in choices:
        return labels.index(answer)
    if len(matches := by_text(answer, choices)) == 1:
        return labels.index(matches[0])
    if matches:
        raise SampleError(
            f"the answer {answer!r} is the text of options {' and '.join(matches)}",
            hint="give the answer as a label",
        )
    both = re.fullmatch(_LABEL_AND_TEXT, answer.strip())
    if both and choices.get(both[1].upper(), "").strip().casefold() == both[2].casefold():
        return labels.index(both[1].upper())
    match = re.fullmatch(_LABEL, answer)
    if match and (label := match[1].upper()) in choices:
        return labels.index(label)
    raise SampleError(
        f"the answer {answer!r} is not among the options {', '.join(labels)}",
        hint="give a label or the text of an option",
    )


def by_text(answer: str, choices: Mapping[str, str]) -> list[str]:
    """The labels of the options whose text an answer is; case counts where it tells them apart."""
    for fold in (str.strip, str.casefold):
        wanted = fold(answer.strip())
        if matches := [label for label, text in choices.items() if fold(text.strip()) == wanted]:
            return matches
    return []


def without_labels(choices: Mapping[str, str]) -> Mapping[str, str]:
    """The options without their own labels, where each begins with it and goes on.

    >>> without_labels({"A": "A. red", "B": "(B) blue"})
    {'A': 'red', 'B': 'blue'}
    >>> without_labels({"A": "A. red", "B": "blue"})
    {'A': 'A. red', 'B': 'blue'}
    """
    first, beginning = next(iter(choices.items()), ("", ""))
    if first not in beginning[:2].upper():  # nearly no options have labels, and the first tells
        return choices
    pairs = {label: re.fullmatch(_LABEL_AND_TEXT, text.strip()) for label, text in choices.items()}
    texts = {label: pair[2] for label, pair in pairs.items() if pair and pair[1].upper() == label}
    return texts if len(texts) == len(choices) > 1 else choices


def is_label(answer: str) -> bool:
    """Whether an answer cell is a label in any form, perhaps with the text of its option.

    >>> is_label("(B)"), is_label("b."), is_label("B. dog"), is_label("dog")
    (True, True, True, False)
    """
    text = answer.strip()
    return any(re.fullmatch(form, text) for form in (_LABEL, _LABEL_AND_TEXT))


def choice_fields(choices: Mapping[str, str], cells: Cells) -> dict[str, Any]:
    """The fields with options and the right one; SampleError for one option, or none right."""
    if len(choices) == 1:
        raise SampleError(f"only one option, {next(iter(choices))}", hint="give at least two")
    fields: dict[str, Any] = {"choices": list(choices.values()), "labels": list(choices)}
    if answer := cells.get("answer", "").strip():
        labels = fields["labels"]
        is_label = answer in choices
        fields["gt_choice"] = labels.index(answer) if is_label else find_choice(answer, choices)
    return fields


def yes_no(cells: Cells) -> tuple[str | None, dict[str, Any]]:
    """The yes/no answer of a row, None where it is not known, and its fields; else SampleError."""
    fields: dict[str, Any] = {"choices": list(YES_NO)}
    reference = None
    if answer := cells.get("answer", "").strip():
        reference = yes_or_no(answer)
        if reference is None:
            raise SampleError(f"the answer {answer!r} is neither yes nor no")
        fields["gt_choice"] = YES_NO.index(reference)
    return reference, fields


def references(answer: str) -> list[str] | None:
    """The accepted answers of an open question; None without.

    SampleError for a list of no texts.
    """
    answer = answer.strip()
    listed = list_literal(answer) if answer.startswith("[") else None
    if listed is None and answer.startswith(("['", '["')):
        raise SampleError(
            f"the answer {answer[:60]!r} is a list that cannot be read",
            hint="write a JSON list of strings",
        )
    if listed is None or (listed and not any(isinstance(item, str) for item in listed)):
        return [answer] if answer else None  # "[0.1, 0.2]": a box or an interval is one answer
    if not listed or not all(_is_reference(item) for item in listed):
        raise SampleError(
            f"the answer {answer[:60]!r} is no list of texts", hint="write a JSON list of strings"
        )
    return [str(item) for item in listed]


def _is_reference(item: object) -> bool:
    if isinstance(item, str):
        return bool(item.strip())
    return isinstance(item, int | float) and not isinstance(item, bool) and math.isfinite(item)


@dataclass(slots=True)
class Chance:
    """Counts right guesses, row by row.

    Rows whose answer is known are those that are scored; where no answer is known, all count. A
    row without options is an open question, which no guess answers; one with one option is an
    error and does not count. Both figures are a pair: without and with a known answer.
    """

    right: tuple[float, float] = (0.0, 0.0)
    rows: tuple[int, int] = (0, 0)

    def add(self, options: int, *, is_answered: bool) -> None:
        """Count a row with so many options."""
        if options == 1:
            return
        guess = 1 / options if options else 0.0
        if is_answered:
            self.right = self.right[0], self.right[1] + guess
            self.rows = self.rows[0], self.rows[1] + 1
        else:
            self.right = self.right[0] + guess, self.right[1]
            self.rows = self.rows[0] + 1, self.rows[1]

    def score(self, kind: Kind) -> float | None:
        """The score in 0..1; None where it is not defined."""
        if kind == "yesno":
            return 0.5
        which = int(self.rows[1] > 0)
        if kind != "mcq" or not self.right[which]:
            return None
        return self.right[which] / self.rows[which]


def chance(kind: Kind, rows: Iterable[tuple[int, str]]) -> float | None:
    """The score of random guessing over rows, each its number of options and its answer.

    >>> chance("mcq", [(4, "A"), (2, "B"), (2, "")]), chance("vqa", [(0, "cat")])
    (0.375, None)
    """
    found = Chance()
    for options, answer in rows:
        found.add(options, is_answered=bool(answer.strip()))
    return found.score(kind)
