"""The order of the rooms: what may import what, and no circle anywhere.

The floors are those of CONTRIBUTING.md, from the top down. Imports under ``TYPE_CHECKING``
and inside functions count too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from conftest import ROOT
from package_source import nodes, trees

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "chef"

#: From the top floor down. Rooms of one floor may import each other in one direction only.
FLOORS = (
    ("__main__", "cli"),
    ("chef", "suite", "api", "fronts"),
    ("session",),
    ("workers", "shards", "evaluator"),
    ("scoring", "judge", "report", "preparing"),
    ("config", "run", "engine"),
    ("inferencer",),
    ("instruction", "metric"),
    ("scenario", "models", "reading", "method"),
    ("embedding", "types", "common", "document"),
    ("stats",),
    ("registry", "image", "guard", "errors", "frozen"),
)
FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}


@cache
def modules() -> dict[str, ast.Module]:
    dotted = {f"chef.{name.removesuffix('.py').replace('/', '.')}": name for name in trees()}
    return {name.removesuffix(".__init__"): trees()[file] for name, file in dotted.items()}


def imported(name: str, tree: ast.Module, known: Mapping[str, object]) -> Iterator[str]:
    """The modules of the package that a module imports, wherever the import stands."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                target = inner if inner in known else str(node.module)
                if target != name:
                    yield target


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


@cache
def graph() -> Mapping[str, set[str]]:
    known = modules()
    return {name: set(imported(name, tree, known)) for name, tree in known.items()}


def check(imports: Mapping[str, set[str]]) -> list[str]:
    """What is wrong: imports upwards, and circles of modules or of rooms."""
    rooms: dict[str, set[str]] = {}
    for name, targets in imports.items():
        rooms.setdefault(room(name), set()).update({room(target) for target in targets})
    wrong = [
        f"{name} imports {target}"
        for name, targets in imports.items()
        for target in sorted(targets)
        if FLOOR[room(target)] < FLOOR[room(name)]
    ]
    apart = {name: targets - {name} for name, targets in rooms.items()}
    for links in (imports, apart):
        try:
            TopologicalSorter(links).prepare()
        except CycleError as error:
            wrong.append(" -> ".join(error.args[1]))
    return wrong


def test_rooms_import_what_stands_below_them() -> None:
    assert check(graph()) == []


def test_every_room_has_its_floor() -> None:
    assert {room(name) for name in modules()} <= set(FLOOR)


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("chef.types", "chef.evaluator"),
        ("chef.config.recipe", "chef.run.folder"),
        ("chef.metric.base", "chef.inferencer.base"),
    ],
)
def test_a_wrong_import_is_found(module: str, target: str) -> None:
    links = dict(graph())
    links[module] = {*links[module], target}
    links[target] = {*links[target], module}
    assert check(links)


@pytest.mark.parametrize(
    ("module", "target"),
    [("chef.metric.base", "chef.evaluator"), ("chef.errors", "chef.types")],
)
def test_an_import_upwards_is_found_without_a_circle(module: str, target: str) -> None:
    known = {name: set[str]() for name in graph()}
    assert check({**known, module: {target}}) == [f"{module} imports {target}"]


def test_contributing_has_the_floors() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| \d+ \| (.+) \|$", text, re.MULTILINE)
    assert tuple(tuple(re.findall(r"`(\w+)`", row)) for row in rows) == FLOORS


def test_contributing_and_the_architecture_name_files_that_are_there() -> None:
    for page in ("CONTRIBUTING.md", "docs/architecture.md"):
        text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
        names = re.findall(r"`((?:\w+/)+(?:\w+\.(?:py|yaml))?|\w+\.py)`", text)
        assert len(names) >= 10
        tops = (ROOT, PACKAGE, *(ROOT / name for name in ("tools", "tests", "benchmarks")))
        inner = (PACKAGE / "metric", PACKAGE / "report" / "page")  # named after their room
        places = (*tops, *inner)
        missing = [name for name in names if not any((top / name).exists() for top in places)]
        assert not missing, page


def test_the_picture_shows_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    (picture,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()) <= 400
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms <= set(re.findall(r"\w+", picture))


def test_few_files_stand_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 9
