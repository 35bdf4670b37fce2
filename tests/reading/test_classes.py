"""Classes of language that a blind set of answers showed, each with many cases: `classes.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from reading.test_fresh_answers import verdict

CLASSES: dict[str, list[list[Any]]] = yaml.load(
    (Path(__file__).parent / "classes.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
)


def case(row: list[Any], name: str) -> dict[str, Any]:
    """A row of the class ``name`` of the table as `verdict` takes it."""
    question, *shown, answer, reading = row
    entry = {"id": "case", "question": question, "answer": answer, "reading": reading}
    if not shown:
        return {**entry, "kind": "yes_no"}
    if not shown[0]:
        return {**entry, "kind": "number"}
    if isinstance(reading, bool) or name.startswith("free answers"):
        return {**entry, "kind": "free", "references": shown[0]}
    return {**entry, "kind": "options", "options": dict(zip("ABCDEFG", shown[0], strict=False))}


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_language_are_read(name: str) -> None:
    misread = [row for row in CLASSES[name] if verdict(case(row, name)) != "right"]
    assert misread == []
