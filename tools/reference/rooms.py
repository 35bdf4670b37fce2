"""The page docs/reference/rooms.md: a map of each room, from the docstrings of its modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "chef"
#: The blocks of docs/architecture.md, and the rooms of each.
BLOCKS = {
    "ask": (
        "scenario", "method", "preparing", "instruction", "inferencer", "embedding", "engine",
        "models",
    ),
    "keep": ("run",),
    "score": ("reading", "metric", "stats", "judge", "scoring"),
    "show": ("report", "document", "suite"),
    "front": ("cli", "config", "session", "workers", "shards", "fronts", "common", "guard"),
}  # fmt: skip
_HEAD = """\
# The rooms

Written by `python tools/write_reference.py` from the first sentence of each module; a test holds
it. A room is a folder of `src/chef`; the blocks are those of the [picture](../architecture.md).
"""
_DATA = (".yaml", ".tsv", ".html", ".css", ".js")


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for block, rooms in BLOCKS.items():
        parts.append(f"\n## Block: {block}\n")
        for room in rooms:
            if (PACKAGE / room).is_dir():
                parts += [f"\n### {room}\n\n{sentence(PACKAGE / room / '__init__.py')}\n\n"]
                parts += [f"- `{name}`: {text}\n" for name, text in modules(PACKAGE / room)]
    parts.append("\n## Files without a room\n\n")
    parts += [f"- `{name}`: {text}\n" for name, text in modules(PACKAGE, inner=False)]
    return "".join(parts)


def modules(folder: Path, *, inner: bool = True) -> Iterator[tuple[str, str]]:
    """Paths within a room, folders with a slash, and the first sentence on each, in order.

    Args:
        folder: of the room.
        inner: whether folders in it are gone through, too.
    """
    for path in sorted(folder.rglob("*") if inner else folder.glob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and (path / "__init__.py").exists() and inner:
            yield f"{name}/", sentence(path / "__init__.py")
        elif path.suffix == ".py" and path.name != "__init__.py":
            yield name, sentence(path)
        elif path.suffix in _DATA and inner:
            yield from _data(path, name)


def _data(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """A file of data; of a folder with several of a kind, the first stands for all."""
    alike = sorted(path.parent.glob(f"*{path.suffix}"))
    about = f"data ({path.suffix[1:]})"
    if len(alike) <= 3:
        yield name, comment(path) or about
    elif path == alike[0]:
        yield f"{Path(name).parent.as_posix()}/*{path.suffix}", f"{len(alike)} files of {about}"


def sentence(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line; empty where there is none."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) if path.exists() else ""
    return " ".join((text or "").partition("\n\n")[0].replace("``", "`").split())


def comment(path: Path) -> str:
    """The comment with which a file of data begins, on one line."""
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("# "):
            break
        lines.append(line[2:])
    return " ".join(lines).partition(". ")[0]
