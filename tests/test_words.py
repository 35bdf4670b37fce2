"""One meaning for a name: participles that stand for a noun, and classes of one name, only fall."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml
from package_source import PACKAGE, nodes, trees

BUDGETS = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text())


def stored(tree: ast.Module) -> Iterator[str]:
    """The names of variables, each time one is set, of parameters and of functions."""
    for node in nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def test_participles_stand_for_fewer_nouns() -> None:
    counts = Counter(name for tree in trees().values() for name in stored(tree))
    above = {
        word: f"{counts[word]} times, {most} allowed"
        for word, most in BUDGETS["participles"].items()
        if counts[word] > most
    }
    assert above == {}, "name what it is: matches, settings, names"


def test_a_class_has_a_name_of_its_own() -> None:
    """Of public classes; ``upstream`` has those of chef again, with the rules of ChEF."""
    homes: dict[str, list[str]] = {}
    for file, tree in trees().items():
        for node in tree.body:
            is_public = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            if is_public and "/upstream/" not in f"/{file}":
                homes.setdefault(node.name, []).append(file)
    shared = {name: files for name, files in homes.items() if len(files) > 1}
    assert shared.keys() <= set(BUDGETS["classes"]), shared


def test_the_rule_above_sees_names() -> None:
    code = "def found(given):\n  for kept in given:\n    (made := kept)\n  return lambda told: 0"
    assert sorted(stored(ast.parse(code))) == ["found", "given", "kept", "made", "told"]


def test_a_function_of_a_page_has_a_name_of_its_own() -> None:
    """The scripts of a page share one scope, in which a second function takes the first's place."""
    scripts = sorted((PACKAGE / "report" / "page" / "templates").glob("*.js"))
    names = [
        name
        for script in scripts
        for name in re.findall(r"^(?:async )?function (\w+)", script.read_text(), re.MULTILINE)
    ]
    assert len(names) > 50
    assert [name for name, times in Counter(names).items() if times > 1] == []
