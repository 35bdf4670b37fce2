"""The source of the package, read and parsed once for all tests that look at it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache

from conftest import ROOT

PACKAGE = ROOT / "src" / "chef"


@cache
def texts() -> Mapping[str, str]:
    """The text of every file, by its path within the package."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {file.relative_to(PACKAGE).as_posix(): file.read_text() for file in files}


@cache
def trees() -> Mapping[str, ast.Module]:
    """The tree of every file, by its path within the package."""
    return {name: ast.parse(text) for name, text in texts().items()}


@cache
def nodes(tree: ast.AST) -> Sequence[ast.AST]:
    """All nodes of a tree, as `ast.walk` has them; to find them takes as long as to parse."""
    return tuple(ast.walk(tree))


@cache
def called(call: ast.Call) -> str:
    """What is called, as it is written."""
    return ast.unparse(call.func)
