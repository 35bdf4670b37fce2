"""What a reader can count on in the source: sizes, docstrings, and plain words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping

import pytest
from package_source import called, nodes, texts, trees

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


def test_files_and_functions_are_short() -> None:
    long = [name for name, text in texts().items() if text.count("\n") > 400]
    for name, tree in trees().items():
        for item, _ in definitions(tree):
            lines = (item.end_lineno or 0) - item.lineno
            if not isinstance(item, ast.ClassDef) and lines >= 80:
                long.append(f"{name}: {item.name}")
    assert long == []


def undocumented(tree: ast.Module) -> Iterator[str]:
    """What is public in a module and has no docstring, the module itself included."""
    if not ast.get_docstring(tree):
        yield "the module"
    public = [item for item, seen in definitions(tree) if seen]
    # A method that overrides one says only what is different; the base class documents the rest.
    methods = {
        item.name
        for owner in public
        if isinstance(owner, ast.ClassDef) and owner.bases
        for item in owner.body
        if isinstance(item, ast.FunctionDef)
    }
    for item in public:
        if not ast.get_docstring(item) and item.name not in methods and not is_overload(item):
            yield item.name


def test_what_is_public_is_documented() -> None:
    assert {name: [*lacking] for name, tree in trees().items()
            if (lacking := list(undocumented(tree)))} == {}  # fmt: skip
    assert [*undocumented(ast.parse("class A:\n    def f(self): ..."))] == ["the module", "A", "f"]


def test_words_are_plain() -> None:
    odd = []
    for name, text in texts().items():
        # Patterns in the room of reading hold the words of models.
        of_models = name.rpartition("/")[0] == "reading"
        for number, line in enumerate(text.splitlines(), 1):
            is_word = not (of_models and PATTERN.match(line)) and line.strip() not in ALIASES
            if is_word and ODD.search(line):
                odd.append(f"{name}:{number}: {line.strip()}")
    assert odd == []


def others(
    ways: Callable[[ast.AST], Iterator[str]], allowed: Mapping[str, set[str]]
) -> dict[str, set[str]]:
    """What files do in other ways than they may, by their paths."""
    every = {name: set(ways(tree)) - allowed.get(name, set()) for name, tree in trees().items()}
    return {name: of for name, of in every.items() if of}


#: What speaks to other machines; `guard/http.py` is the one place that asks.
NETWORK = {
    "httpx", "httpx2", "httpcore", "httpcore2", "urllib.request", "urllib.error", "urllib3",
    "http.client", "http.server", "requests", "aiohttp", "socket", "openai", "websockets", "ftplib",
    "smtplib",
}  # fmt: skip
SPEAKERS = {
    "guard/http.py": {"httpx2"},
    "suite/pages/server.py": {"http.server"},  # on the loopback address alone
    "workers/cluster.py": {"socket"},  # whether Ray listens
}


def network_in(tree: ast.AST) -> Iterator[str]:
    """The modules for the network that a module imports, wherever the import stands."""
    for node in nodes(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            is_import = called(node).rpartition(".")[2] in {"import_module", "__import__"}
            names = [str(node.args[0].value)] if is_import else []
        for name in names:
            yield from (one for one in NETWORK if name == one or name.startswith(f"{one}."))


def test_http_is_spoken_in_one_place() -> None:
    speaking = {name: set(network_in(tree)) for name, tree in trees().items()}
    assert {name: ways for name, ways in speaking.items() if ways} == SPEAKERS


@pytest.mark.parametrize(
    "code",
    [
        "import httpx2", "from urllib import request", "import urllib.request as web",
        "def f():\n    from http.client import HTTPSConnection", "import urllib.error",
        "import importlib\nimportlib.import_module('requests.sessions')", "__import__('socket')",
    ],
)  # fmt: skip
def test_another_way_to_speak_http_is_found(code: str) -> None:
    assert list(network_in(ast.parse(code)))
    assert not list(network_in(ast.parse("from urllib.parse import urlsplit\nimport http")))


#: The files that may write and print; everything else goes through them, so no writer can forget
#: to remove secrets. The others write no text: a lock, vectors, downloads, images, nothing.
WRITERS = {
    "common/printing.py": {"print", ".write", "os.open", "os.fdopen"},  # /dev/null
    "common/writing.py": {"os.write", ".write", "NamedTemporaryFile", ".save"},
    "common/yaml_text.py": {"yaml.dump"},  # to a text
    "common/logs.py": {"logging.getLogger"},
    # The handler of the logger, through `shown`.
    "cli/terminal.py": {"logging.getLogger", ".write"},
    "guard/files.py": {"os.open", "os.fdopen"},  # for reading
    "guard/trust.py": {"os.open", "os.write", ".write"},  # a key, and digests
    "guard/folder.py": {"os.open", "os.fdopen"},  # what is written comes from the callers below
    "common/hub.py": {"logging.getLogger"},  # to silence one of transformers
    "report/export/tables.py": {".open", ".save"},  # of rows without secrets
    "run/session.py": {".write"},  # through `shown`
    "scenario/table/session.py": {".save"},  # to memory
    "method/corruptions/digital.py": {".save"},  # to memory
    "scenario/table/arrow.py": {".write"},  # rows of data, to a file without a name
    "metric/second_reader.py": {"os.fdopen", ".write"},  # pipes between two processes of chef's
    "embedding/cache.py": {"NamedTemporaryFile", "np.save"},
    "models/api/chat.py": {".save"},  # to memory
    "suite/pages/server.py": {".write"},  # pages of `write_page`, and messages without secrets
    "report/views/thumbnails.py": {".save"},  # to memory
    "models/hooks/vlmevalkit/image_files.py": {".save"},  # to memory
    "scenario/hooks/vlmevalkit/files.py": {".to_csv", ".write_bytes"},  # to a text; packed
    # Images; results, through `files`.
    "scenario/hooks/vlmevalkit/helpers.py": {".save", ".write_bytes", ".dump"},
    "scenario/hooks/vlmevalkit/families.py": {".dump"},  # `files`, of a user's own rows
    "scenario/hooks/vlmevalkit/base.py": {".write_bytes"},
    "fronts/vlmeval/files.py": {".to_csv", ".save"},  # to a text; an image of a plugin
    "metric/hooks.py": {".dump"},  # `files`, of rows without secrets
    "scenario/download.py": {".open", ".write"},
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
    for node in nodes(tree):
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        last = name.rpartition(".")[2]
        parts = [*node.args, *(word.value for word in node.keywords)][:2] if last == "open" else []
        is_open = any(
            set(mode.strip("'\"")) & set("wax+")
            for mode in map(ast.unparse, parts)
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


def test_text_leaves_by_the_known_ways_only() -> None:
    assert others(ways_of_writing, WRITERS) == {}
    assert set(WRITERS) <= set(trees())


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


#: The rooms that handle run folders, whose files are opened by `guard/folder.py` alone.
OF_RUNS = (
    "run",
    "judge",
    "scoring",
    "report",
    "suite",
    "session",
    "workers",
    "shards",
    "api.py",
    "metric/hooks",
)
#: What else these rooms open, look at or move, which is no file of a run folder.
OTHER_FILES = {
    # Folders themselves: made, found, moved aside.
    "run/configuration.py": {"os.scandir", ".stat", ".is_symlink", ".exists", ".glob"},
    "run/folder.py": {".mkdir", ".is_symlink"},
    "run/reading.py": {".exists", ".rename"},
    # Pictures in memory, and the configuration of a model's processor.
    "report/views/thumbnails.py": {".open"},
    "report/views/received.py": {"files.read_text"},
    "scoring/surroundings.py": {".mkdir"},
    "suite/sweep/samples.py": {".mkdir"},
    "suite/trust/logs.py": {"files.read_text", ".stat", ".exists", ".rglob", ".is_file"},  # logs
    "session/model_runs.py": {".exists"},
    "session/folders.py": {".exists", ".iterdir"},
    "report/labels/result.py": {"files.read_text", ".exists"},  # sheets that people fill in
    "session/tasks.py": {".exists", "os.access"},
    "metric/hooks.py": {".mkdir", "shutil.rmtree"},  # which follows no link
    # Files that the user names, or that chef writes elsewhere.
    "report/compare/opening.py": {".is_file"},
    "session/same_rows.py": {".iterdir"},  # the runs of a model
    "suite/members/file.py": {".is_file", ".read_text"},  # the suite
    "report/export/tables.py": {".open", ".exists", ".unlink", ".mkdir", ".replace"},
    "report/export/figures.py": {".mkdir", ".read_text"},  # where the user says; the style sheet
    "report/page/write.py": {".mkdir", ".rmdir"},
    "report/task_log.py": {"files.read_text", ".exists", ".mkdir", ".rename"},
    "run/environment.py": {".is_file"},  # the recipe
    "metric/chef_answers.py": {"files.read_text"},
    "scoring/answers.py": {"files.read_bytes", "files.problem_of"},
    "scoring/record.py": {".is_file"},  # the recipe; the path that is given
    "scoring/run_folder.py": {".is_file"},  # the recipe
    "suite/pages/pages.py": {".is_file"},
    "suite/pages/view.py": {".is_file"},
    "suite/sweep/varied.py": {".glob"},
    # Images, where a trusted run has them.
    "report/views/images.py": {".stat", "files.problem_of"},
    "run/asked_data.py": {".stat"},
    # Files of the package; of /proc.
    "report/page/render.py": {".read_text"},
    "suite/trust/scores.py": {".read_text"},
    "workers/replica.py": {".glob", ".read_bytes"},
    # Of a store that is a folder, and of /proc; the run folder in chef's cache of a stored part.
    "shards/store.py": {"os.link", ".read_text"},
    "shards/asking.py": {"shutil.rmtree"},
}
FILE_CALLS = {
    "open", "io.open", "os.open", "os.stat", "os.lstat", "os.replace", "os.rename", "os.unlink",
    "os.remove", "os.truncate", "os.listdir", "os.scandir", "os.link", "os.symlink", "os.mkdir",
    "os.makedirs", "os.mkfifo", "os.access", "os.walk", "tempfile.NamedTemporaryFile",
    "shutil.rmtree", "shutil.copy", "shutil.copyfile", "shutil.copytree", "shutil.move",
}  # fmt: skip
FILE_METHODS = {
    "open", "read_text", "read_bytes", "write_text", "write_bytes", "stat", "lstat", "exists",
    "is_file", "is_symlink", "unlink", "rename", "truncate", "touch", "symlink_to", "hardlink_to",
    "chmod", "glob", "rglob", "iterdir", "walk", "rmdir", "mkdir", "samefile",
}  # fmt: skip


def ways_to_files(tree: ast.AST) -> Iterator[str]:
    """Every call that opens, looks at, moves or removes a file, and every import of one."""
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "chef.guard.files":
            names = [item.name for item in node.names if item.name.islower()]
            opens_none = {"user_path", "case_hint"}
            yield from (f"files.{name}" for name in names if name not in opens_none)
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        last = name.rpartition(".")[2]
        if name in FILE_CALLS:
            yield name
        elif "." in name and last in FILE_METHODS:
            yield f".{last}"
        elif last == "replace" and len(node.args) == 1 and not node.keywords:
            yield ".replace"  # of a path; texts are replaced by two arguments


def test_files_of_run_folders_are_opened_in_one_place() -> None:
    ways = others(ways_to_files, OTHER_FILES)
    assert {name: of for name, of in ways.items() if name.startswith(OF_RUNS)} == {}
    assert set(OTHER_FILES) <= set(trees())


@pytest.mark.parametrize(
    "line",
    [
        "open(p)", "os.open(p, 0)", "p.open('ab')", "p.read_text()", "p.write_bytes(b'')",
        "os.stat(p)", "(a / b).is_file()", "p.unlink()", "p.replace(q)", "os.truncate(p, 0)",
        "from chef.guard.files import read_text", "shutil.rmtree(p)", "next(p.glob('*'))",
    ],
)  # fmt: skip
def test_the_rule_above_sees_other_ways_to_files(line: str) -> None:
    assert list(ways_to_files(ast.parse(line)))
