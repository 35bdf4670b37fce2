"""What a reader can count on in the source: sizes, docstrings, and plain words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

SOURCE = sorted((ROOT / "src" / "chef").rglob("*.py"))
#: Words that a reader would have to translate; `CONTRIBUTING.md` says what to write instead.
ODD = re.compile(r"mend=|\bmend(?:s|ed)?\b|\bheed|\blest\b|whoever|nobody", re.IGNORECASE)

#: Former names that still work.
ALIASES = (
    "mend: the former name of ``hint``.",
    "mend: str | None = None,",
    "def mend(self) -> str | None:",
    "self.what, self.where, self.hint = what, where, hint or mend",
)


PATTERN = re.compile(r"""\s*(?:[+]\s*)?(?:r|rf|fr)?["'](?!["'])""")


def definitions(
    node: ast.AST, public: bool = True
) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, bool]]:
    """Every class and function of a module, and whether it is public."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            seen = public and not child.name.startswith("_")
            yield child, seen
            inner = seen and isinstance(child, ast.ClassDef)  # functions in functions are private
            yield from definitions(child, inner)
        elif isinstance(child, ast.If | ast.Try | ast.With):
            yield from definitions(child, public)


def is_overload(item: ast.AST) -> bool:
    return any(
        getattr(mark, "id", "") == "overload" for mark in getattr(item, "decorator_list", [])
    )


@pytest.mark.parametrize("path", SOURCE, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 400
    for item, _ in definitions(ast.parse(text)):
        if not isinstance(item, ast.ClassDef):
            assert item.end_lineno is not None
            assert item.end_lineno - item.lineno < 80, item.name


@pytest.mark.parametrize("path", SOURCE, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_public_is_documented(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree)
    public = [item for item, seen in definitions(tree) if seen]
    # A method that overrides one says only what is different; the base class documents the rest.
    methods = {
        item.name
        for owner in public
        if isinstance(owner, ast.ClassDef) and owner.bases
        for item in owner.body
        if isinstance(item, ast.FunctionDef)
    }
    lacking = [
        item.name
        for item in public
        if not ast.get_docstring(item) and item.name not in methods and not is_overload(item)
    ]
    assert lacking == []


@pytest.mark.parametrize("path", SOURCE, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_are_plain(path: Path) -> None:
    lines = path.read_text().splitlines()
    if path.parent.name == "extraction":
        # Patterns there hold the words of models.
        lines = [line for line in lines if not PATTERN.match(line)]
    assert [line for line in lines if ODD.search(line) and line.strip() not in ALIASES] == []
