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


#: The files that may write and print; everything else goes through them, so no writer can forget
#: to remove secrets. The others write no text: a lock, vectors, downloads, images, nothing.
WRITERS = {
    "common/printing.py": {"print", ".write"},
    "common/writing.py": {"os.write", ".open", ".write"},
    "common/logs.py": {"logging.getLogger"},
    "cli/notices.py": {"logging.getLogger", ".write"},  # the handler of the logger, through `shown`
    "cli/terminal.py": {"os.open"},  # of /dev/null
    "run/journal.py": {"os.open"},  # of the journal, which `common/writing.py` appends to
    "run/lock.py": {"os.open"},
    "common/turns.py": {"os.open"},  # of a folder, to lock it
    "files.py": {"os.open", "os.fdopen"},  # for reading
    "common/weights.py": {"logging.getLogger"},  # to silence one of transformers
    "report/export/tables.py": {".open", ".save"},  # of rows that `export.py` has redacted
    "run/progress.py": {".write"},  # through `shown`
    "scenario/table/forward.py": {".write"},  # rows of data, to a file without a name
    "common/image_file.py": {"NamedTemporaryFile", ".write", ".save"},
    "embedding/cache.py": {"NamedTemporaryFile", "np.save"},
    "models/api/images.py": {".save"},  # to memory
    "report/views/thumbnails.py": {".save"},  # to memory
    "models/hooks/vlmevalkit/image_files.py": {".save"},  # to memory
    "scenario/hooks/vlmevalkit/files.py": {".to_csv", ".write_bytes"},  # to a text; packed
    "scenario/hooks/vlmevalkit/helpers.py": {".save", ".write_bytes"},  # images
    "scenario/hooks/vlmevalkit/tasks.py": {".dump"},  # `files`
    "scenario/hooks/vlmevalkit/images.py": {".write_bytes"},
    "scenario/hooks/vlmevalkit/fetch.py": {".open", ".write"},
    "fronts/vlmeval/files.py": {".to_csv"},  # to a text
    "fronts/vlmeval/images.py": {".save"},  # an image of a plugin
    "metric/hooks/eval_file.py": {".dump"},  # `files`, of rows without secrets
    "preparing/fetch.py": {".open", ".write"},
    "preparing/convert.py": {".write_bytes", ".save"},
}
WRITING = {
    "print", "open", "os.write", "os.open", "os.fdopen", "logging.getLogger", "logging.warning",
    "logging.info", "logging.error", "np.save", "np.savez", "json.dump", "yaml.dump",
    "OmegaConf.save",
}  # fmt: skip
WRITING_METHODS = {
    "write", "writelines", "write_text", "write_bytes", "NamedTemporaryFile", "mkstemp", "save",
    "savetxt", "to_csv", "print_exc", "copyfile", "copyfileobj", "dump",
}  # fmt: skip
#: Functions of chef's own of these names: vectors, by `embedding/cache.py`; scores, by
#: `common/writing.py`.
OWN_WRITERS = {"cache.write", "item.metric_run.write"}


def ways_of_writing(tree: ast.AST) -> Iterator[str]:
    """Every call by which a text may leave the process."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        last = name.rpartition(".")[2]
        modes = [ast.unparse(item) for item in (*node.args, *(k.value for k in node.keywords))]
        is_open = last == "open" and any(
            set(mode.strip("'\"")) & set("wax+")
            for mode in modes[:2]
            if mode.startswith(("'", '"')) and len(mode) <= 5
        )
        if is_open and name != "os.open":
            yield ".open"
        elif name in WRITING - {"open"}:
            yield name
        elif name in OWN_WRITERS:
            continue
        elif last in WRITING_METHODS:
            yield last if last == "NamedTemporaryFile" else f".{last}"


@pytest.mark.parametrize("path", SOURCE, ids=lambda path: str(path.relative_to(ROOT)))
def test_text_leaves_by_the_known_ways_only(path: Path) -> None:
    allowed = WRITERS.get(str(path.relative_to(ROOT / "src" / "chef")), set())
    assert set(ways_of_writing(ast.parse(path.read_text()))) - allowed == set()


@pytest.mark.parametrize(
    "line",
    [
        "print(x)", "p.write_text(x)", "open(p, 'w')", "p.open('ab')", "os.write(1, b)",
        "sys.stderr.write(x)", "logging.getLogger('x')", "f.write(x)", "np.save(f, x)",
        "traceback.print_exc()",
    ],
)  # fmt: skip
def test_the_rule_above_sees_other_ways(line: str) -> None:
    assert list(ways_of_writing(ast.parse(line)))
