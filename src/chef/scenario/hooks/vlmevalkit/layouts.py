"""How the families word a row where a class does not say it: the layouts of VLMEvalKit.

Images come first. The wordings are chef's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase

from chef.errors import SampleError

#: What stands after the options.
CHOOSE = "Answer with the letter of the right option.\n"
BRIEFLY = "Answer with a single word or a short phrase."
DESCRIBE = (
    "Describe this image in one or two sentences, directly and without words such as "
    "'the image shows' at the beginning."
)


def text_of(kind: str, cells: Mapping[str, str]) -> str:
    """The text of a row.

    Args:
        kind: the kind of question: ``mcq``, ``vqa``, ``caption``, or another for the bare question.
        cells: the row, by column.

    Raises:
        SampleError: it has no question.
    """
    if kind == "caption":
        return DESCRIBE
    question = cells.get("question", "")
    if not question.strip():
        raise SampleError("the question is missing", hint="fill the column 'question'")
    if kind == "mcq":
        return _multiple_choice(question, cells)
    return f"{question}\n{BRIEFLY}" if kind == "vqa" else question


def choices_of(cells: Mapping[str, str]) -> dict[str, str]:
    """The texts of the options of a row; only an empty cell is a missing option.

    >>> choices_of({"A": "None", "B": "", "C": "NA", "D2": "x"})
    {'A': 'None', 'C': 'NA'}
    """
    return {letter: cells[letter] for letter in ascii_uppercase if cells.get(letter, "") != ""}


def _multiple_choice(question: str, cells: Mapping[str, str]) -> str:
    hint, choices = cells.get("hint", ""), choices_of(cells)
    lines = [f"Hint: {hint}"] if hint else []
    lines.append(f"Question: {question}")
    if choices:
        lines += ["Options:", *(f"{letter}. {text}" for letter, text in choices.items()), CHOOSE]
    return "\n".join(lines)
