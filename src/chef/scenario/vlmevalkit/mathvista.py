"""The columns of MathVista that say how its answers are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.common.options import letters, list_literal
from chef.errors import SampleError

Cells = Mapping[str, str]

#: What an answer of each type is called where a judge is told what to look for.
_FORMS = {"integer": "a whole number", "list": "a list of numbers", "text": "a short text"}


def mathvista_fields(cells: Cells) -> dict[str, Any]:
    """The fields of a row: type of the answer, precision, choices, the right one, task and skills.

    Raises:
        SampleError: a cell cannot be read, or the right choice is not among the choices.
    """
    found: dict[str, Any] = {"answer_type": cells.get("answer_type", "").strip() or "text"}
    if (precision := _precision(cells)) is not None:
        found["precision"] = precision
    found["answer_form"] = _form(found["answer_type"], precision)
    if cells.get("question_type", "").strip().startswith("multi"):
        found |= {**_choices(cells), "answer_form": "the text of one of the choices"}
    if task := cells.get("task", "").strip():
        found["task"] = task
    if skills := _listed(cells.get("skills", "")):
        found["skills"] = skills
    return found


def _choices(cells: Cells) -> dict[str, Any]:
    texts = _listed(cells.get("choices", ""))
    labels = letters(len(texts))
    if not texts:
        raise SampleError(
            f"the column 'choices' holds no list: {cells.get('choices', '')[:60]!r}",
            hint='write a JSON list of strings: ["first choice", "second choice"]',
        )
    option, answer = cells.get("answer_option", "").strip(), cells.get("answer", "").strip()
    found: dict[str, Any] = {"choices": texts, "labels": list(labels)}
    if option in labels:
        return {**found, "gt_choice": list(labels).index(option)}
    if answer in texts:
        return {**found, "gt_choice": texts.index(answer)}
    if option or answer:
        raise SampleError(
            f"the answer {(option or answer)[:60]!r} is not among the choices",
            hint="write its letter in 'answer_option', or its text in 'answer'",
        )
    return found


def _precision(cells: Cells) -> int | None:
    cell = cells.get("precision", "").strip()
    try:
        return int(float(cell)) if cell else None
    except (ValueError, OverflowError):
        raise SampleError(
            f"the precision {cell[:60]!r} is no number", hint="write the number of decimals"
        ) from None


def _form(kind: str, precision: int | None) -> str:
    if kind == "float":
        many = "a decimal number" if precision is None else f"a number with {precision} decimals"
        return many.replace("1 decimals", "1 decimal")
    return _FORMS.get(kind, "a short answer")


def _listed(cell: str) -> list[str]:
    """The texts of a list literal, or of a list with commas."""
    found = list_literal(cell.strip())
    if found is None:
        found = [part.strip() for part in cell.split(",")] if not cell.startswith("[") else []
    return [str(item) for item in found if str(item).strip()]
