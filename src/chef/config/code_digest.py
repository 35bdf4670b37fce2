"""Digests of Python files by what their code does: comments, docstrings and format do not count."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from chef.common.digest import content_digest, stream_digest

#: What stands between the digest of the code and that of the text.
_BETWEEN = ":"
#: Code with one of these may show its docstrings to a model.
_READS_DOCSTRINGS = (b"__doc__", b"getdoc")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@lru_cache(maxsize=64)
def parsed(source: bytes) -> ast.Module:
    """The tree of a Python file, one per content, not to be changed; SyntaxError or ValueError if
    none.
    """
    return ast.parse(source)


@lru_cache(maxsize=64)
def source_digest(source: bytes, left_out: tuple[ast.stmt, ...] = ()) -> str:
    """``CODE:TEXT``, 32 hex digits each, of a file that can be parsed; CODE lacks the definitions
    left out.
    """
    tree = parsed(source)
    places = {(node.lineno, node.col_offset) for node in left_out}
    has_docstrings = any(word in source for word in _READS_DOCSTRINGS)
    code = content_digest("".join(_parts(tree, places, has_docstrings=has_docstrings)))
    return f"{code}{_BETWEEN}{_text_digest(source, left_out)}"


def is_same_code(one: Any, other: Any) -> bool:
    """Whether two digests are of the same code; one of an earlier version is of the text alone.

    >>> is_same_code("c1:t1", "c1:t2"), is_same_code("t1", "c1:t1"), is_same_code("c1:t1", "c2:t2")
    (True, True, False)
    """
    if not isinstance(one, str) or not isinstance(other, str):
        return bool(one == other)
    return not {*one.split(_BETWEEN)}.isdisjoint(other.split(_BETWEEN))


def of_code(digests: Iterable[str]) -> list[str]:
    """Of each digest the part that is of the code; versions of packages stay as they are."""
    return [digest.partition(_BETWEEN)[0] for digest in digests]


def of_text(digests: Iterable[str]) -> list[str]:
    """Of each digest the part that is of the text, as earlier versions stored it alone."""
    return [digest.rpartition(_BETWEEN)[2] for digest in digests]


def digest_of_all(digests: Sequence[str], make: Callable[..., str]) -> str:
    """One digest of several files, as of `source_digest`, or versions of packages; ``make`` digests
    texts.
    """
    code, text = make(*of_code(digests)), make(*of_text(digests))
    return code if code == text else f"{code}{_BETWEEN}{text}"


def _text_digest(source: bytes, left_out: Collection[ast.stmt]) -> str:
    if not left_out:
        return content_digest(source)
    lines = source.splitlines(keepends=True)
    for node in left_out:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
        # Blank lines around a class belong to nothing.
        lines[first - 1 : node.end_lineno] = [b""] * ((node.end_lineno or first) - first + 1)
    return stream_digest(line for line in lines if line.strip())


def _parts(
    node: Any, left_out: Collection[tuple[int, int]], *, has_docstrings: bool
) -> Iterator[str]:
    """The tree as text, without fields that are empty, which differ between Python's versions."""
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for name, value in ast.iter_fields(node):
            if name == "body" and isinstance(value, list):
                value = [one for one in value if (one.lineno, one.col_offset) not in left_out]  # noqa: PLW2901
                if isinstance(node, _DOCUMENTED) and not has_docstrings and _is_text(value[:1]):
                    value = value[1:]  # noqa: PLW2901
            if value is not None and value != [] and name not in ("kind", "type_ignores"):
                yield f" {name}="
                yield from _parts(value, left_out, has_docstrings=has_docstrings)
        yield ")"
    elif isinstance(node, list):
        yield "["
        for item in node:
            yield from _parts(item, left_out, has_docstrings=has_docstrings)
            yield ","
        yield "]"
    else:
        yield repr(node)


def _is_text(first: list[ast.stmt]) -> bool:
    """Whether a body begins with a docstring."""
    value = first[0].value if first and isinstance(first[0], ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
