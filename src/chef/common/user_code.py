"""A user's own files: where one raised an error, and the package that its relative imports mean."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import linecache
import opcode
import os
import re
import site
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from chef.common.front_modules import SYSTEMS, System, file_beside
from chef.errors import ChefError, ExitError, message_of, similar
from chef.frozen import Frozen

PACKAGE = Path(__file__).resolve().parents[1]
#: Frames of the engine differ with the batches, and tell nothing about an error in a sample.
_ENGINE = str(PACKAGE / "engine") + os.sep
#: How Python begins to say that a function was called with the wrong arguments.
_CALL = re.compile(r"([\w.]+)\(\) (?:takes |missing |got an unexpected |got multiple )")


class CodeLine(Frozen):
    """A line of a user's file.

    >>> str(CodeLine("own.py", 3, "generate", "return self.modle(prompt)"))
    'own.py:3, in generate: return self.modle(prompt)'
    """

    file: str
    line: int
    function: str
    text: str

    def __str__(self) -> str:
        function = f", in {self.function}" if self.function else ""
        return f"{self.file}:{self.line}{function}" + (f": {self.text}" if self.text else "")


def user_place(error: BaseException) -> CodeLine | None:
    """The last line of a user's file in the traceback of an error, or of the error that caused it.

    A user's file belongs neither to chef, nor to Python, nor to an installed package. Where chef
    calls a user's function with arguments that it does not take, it is the line of its definition.
    """
    for item in _chain(error):
        if isinstance(item, SyntaxError) and item.filename and is_users_file(item.filename):
            return CodeLine(_shown(item.filename), item.lineno or 0, "", (item.text or "").strip())
        frames = list(traceback.walk_tb(item.__traceback__))
        if (place := _wrong_signature(item)) is not None:
            return place
        if (
            isinstance(item, ChefError)
            and frames
            and is_users_file(frames[-1][0].f_code.co_filename)
        ):
            continue  # raised by the user's file on purpose: its text is the explanation
        for frame, line in reversed(frames):
            file = frame.f_code.co_filename
            if is_users_file(file):
                text = linecache.getline(file, line, frame.f_globals).strip()
                return CodeLine(_shown(file), line, frame.f_code.co_name, text)
    return None


def function_place(function: Callable[..., object]) -> str:
    """Where a user's function stands, as ``file:line, in name``; empty for one of chef's own."""
    code = getattr(function, "__code__", None)
    if code is None or not is_users_file(code.co_filename):
        return ""
    return f"{_shown(code.co_filename)}:{code.co_firstlineno}, in {code.co_name}"


def _wrong_signature(error: BaseException) -> CodeLine | None:
    """Where a user's function is defined that was not called from a user's file as it should be."""
    called = _CALL.match(message_of(error)) if isinstance(error, TypeError) else None
    frames = list(traceback.walk_tb(error.__traceback__))
    if called is None or (frames and is_users_file(frames[-1][0].f_code.co_filename)):
        return None
    for module in reversed(list(sys.modules.values())):  # of two of one name, the later one
        file = getattr(module, "__file__", None)
        if module is None or not (module.__name__ == "__main__" or (file and is_users_file(file))):
            continue
        found: Any = module
        for part in called[1].split("."):
            found = vars(found).get(part) if hasattr(found, "__dict__") else None
        code = getattr(inspect.unwrap(found) if callable(found) else None, "__code__", None)
        if code is not None and is_users_file(code.co_filename):
            line = code.co_firstlineno
            text = linecache.getline(code.co_filename, line, vars(module)).strip()
            return CodeLine(_shown(code.co_filename), line, code.co_name, text)
    return None


def describe_failure(error: BaseException) -> dict[str, str]:
    """``type`` and ``message`` of an error of one sample, ``at`` in the user's file, ``traceback``
    if unexplained.
    """
    message = str(error) if isinstance(error, ChefError) else message_of(error, repr)
    record = {"type": type(error).__name__, "message": message}
    if (place := user_place(error)) is not None:
        record["at"] = str(place)
    if not isinstance(error, ChefError):
        record["traceback"] = traceback_of(error, engine=False)
    return record


#: In how many blocks of `contained` each thread is; under the lock.
_depths: dict[int, int] = {}
_lock = threading.Lock()


def _current_folder() -> str:
    """Where the process works; empty where that folder was removed and has no name."""
    try:
        return os.getcwd()  # noqa: PTH109 # several times a sample, and a path takes 6 times as long
    except OSError:
        return ""


def give_up(thread: int) -> None:
    """Wait no more for a thread that is stuck in a block of `contained`, and may never leave it."""
    with _lock:
        _depths.pop(thread, None)


class contained:  # noqa: N801 (a block, as `contextlib.suppress` is; entered once a sample)
    """Turn into ExitError what would end the process, if a user's code raises it.

    That is ``SystemExit``, ``GeneratorExit``, ``KeyboardInterrupt`` and any other `BaseException`;
    a real Ctrl-C (`is_interrupt`) and ``passing`` pass. The working folder is put back, for paths
    are relative; several threads may be in blocks at once.
    """

    __slots__ = ("_passing", "what")
    #: The folder of the process when the first thread entered a block; empty: it has no name.
    _folder = ""

    def __init__(self, what: str, passing: tuple[type[BaseException], ...] = ()) -> None:
        self.what, self._passing = what, passing

    def __enter__(self) -> Self:
        thread = threading.get_ident()
        with _lock:
            if not _depths:
                contained._folder = _current_folder()
            _depths[thread] = _depths.get(thread, 0) + 1
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        thread = threading.get_ident()
        with _lock:
            depth = _depths.pop(thread, 0)
            if depth > 1:
                _depths[thread] = depth - 1
            if depth and contained._folder and _current_folder() != contained._folder:
                with suppress(OSError):
                    os.chdir(contained._folder)
        if error is None or isinstance(error, (Exception, *self._passing)) or is_interrupt(error):
            return
        raise exit_error(error, self.what) from error


def exit_error(error: BaseException, what: str) -> ExitError:
    """The ordinary error that stands for one that would end the process."""
    found = ExitError(
        f"{what} raised {message_of(error, repr)}, which would end the process",
        hint="raise an error that says what is wrong; a model or a plugin may not end the run",
    )
    found.__cause__ = error
    return found


def is_interrupt(error: BaseException) -> bool:
    """Whether an error is a Ctrl-C (or SIGTERM), and not a ``raise KeyboardInterrupt`` in a file.

    A signal interrupts a line between two instructions, while a statement raises by an instruction
    of its own. Only the statements of a user's file count: libraries raise it anew for a signal.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    if frames is None:
        return True
    code = frames.tb_frame.f_code
    is_raised = code.co_code[frames.tb_lasti] == opcode.opmap["RAISE_VARARGS"]
    return not (is_raised and is_users_file(code.co_filename))


def told(error: BaseException) -> str:
    """The class of an error and what it says, without the remedy."""
    what = error.what if isinstance(error, ChefError) else message_of(error)
    return f"{type(error).__name__}: {what}"


def traceback_of(error: BaseException, *, engine: bool = True) -> str:
    """The traceback as Python prints it, with or without the frames of chef's engine."""
    told: traceback.TracebackException | None = traceback.TracebackException.from_exception(error)
    whole = told
    while told is not None and not engine:
        told.stack = traceback.StackSummary.from_list(
            [frame for frame in told.stack if not frame.filename.startswith(_ENGINE)]
        )
        told = told.__cause__ or told.__context__
    assert whole is not None
    return "".join(whole.format())


def forget_frames(error: BaseException | None) -> None:
    """Drop the variables, such as a network, of a traceback and its causes; its lines can still be
    shown.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The causes of an error of chef before the error; any other error before its causes."""
    if isinstance(error, ChefError):
        if error.__cause__ is not None:
            yield from _chain(error.__cause__)
        yield error
        return
    yield error
    if error.__cause__ is not None:
        yield from _chain(error.__cause__)


def _shown(file: str) -> str:
    """A path below the current folder as a relative one."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


@lru_cache(1024)
def is_users_file(file: str) -> bool:
    """Whether a file is neither chef's nor Python's nor that of an installed package; what is typed
    into an interpreter is a user's, too.
    """
    if file.startswith("<"):
        return file.startswith(("<stdin", "<ipython"))
    path = Path(file).resolve()
    if {"site-packages", "dist-packages"} & set(path.parts):
        return False
    return not any(path.is_relative_to(place) for place in _libraries())


@lru_cache(1)
def _libraries() -> tuple[Path, ...]:
    import sysconfig  # twenty milliseconds

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    places = [sysconfig.get_path(name) for name in names]
    return (PACKAGE, *(Path(item).resolve() for item in (*places, site.getusersitepackages())))


def package_of(source: bytes, file: Path | None = None) -> str:
    r"""The package that most relative imports of a file fit, as ``vlmeval.dataset``; else empty.

    Of several it is the one whose modules have most of the imported names, and of equal ones that
    in whose folder the file stands. What fits none then fails by its whole name.

    Args:
        source: the file's content.
        file: its path.

    >>> package_of(b"from .image_base import ImageBaseDataset\nfrom .mine import words")
    'vlmeval.dataset'
    >>> package_of(b"from .base import BaseEvaluator"), package_of(b"from .mine import words")
    ('mmte.evaluators', '')
    """
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError):  # Python says so itself when the file is run
        return ""
    relative = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level]
    wanted = [
        node
        for node in relative
        if not _may_be_own(node, file) or any(_is_known(item.name) for item in node.names)
    ]
    beside = "" if file is None else f"{file.parent.parent.name}.{file.parent.name}"
    fits = [
        ((*_fitting(system, place, wanted), place == beside), place) for system, place in _places()
    ]
    best, name = max(fits, key=lambda fit: fit[0])  # of equals the first
    stands = next((place for _, place in _places() if place == beside and relative), "")
    return name if any(best[:2]) else stands


def _may_be_own(node: ast.ImportFrom, file: Path | None) -> bool:
    """Whether a module may be one of the user's: many packages have one of that name, or it stands
    beside the file.
    """
    if node.module == "utils":
        return True
    if file is None or node.module is None or node.level > 1:
        return False
    return file_beside(file.parent, node.module.split(".")) is not None


def _is_known(name: str) -> bool:
    return any(name in system.names for system in SYSTEMS.values())


def _places() -> Iterator[tuple[System, str]]:
    for system in reversed([*SYSTEMS.values()]):
        for place in system.places:
            yield system, place


def _fitting(system: System, place: str, wanted: Sequence[ast.ImportFrom]) -> tuple[int, int, int]:
    """How many imported names their modules have, how many modules there are, and known names."""
    own, modules, known = 0, set[str](), 0
    for node in wanted:
        module = _absolute("." * node.level + (node.module or ""), place)
        root, _, rest = module.partition(".")
        if root != system.root or not rest or rest not in system.modules:
            continue
        modules.add(module)
        names = [item.name for item in node.names]
        own += sum(name in system.modules[rest] for name in names)
        known += sum(name in system.names for name in names)
    return own, len(modules), known


def is_of_a_system(error: BaseException) -> bool:
    """Whether an error is that something of one of the systems cannot be imported."""
    return isinstance(error, ImportError) and _root(error) in SYSTEMS


def import_hint(error: ImportError) -> str:
    """What a file can import that fails to import something of one of the systems.

    >>> error = ImportError("cannot import name 'BaseModle' from 'vlmeval.vlm'", name="vlmeval.vlm")
    >>> import_hint(error).partition("?")[0]
    "did you mean 'BaseModel'"
    """
    system = SYSTEMS[_root(error)]
    match = re.match(r"cannot import name '(\w+)'", str(error))
    near = similar(match[1], system.names) if match else None
    meant = f"did you mean '{near}'? " if near else ""
    return (
        f"{meant}chef has the names that files of {system.title} usually import "
        f"({system.example}); for anything else of the package put its file beside this one, "
        "install the package, or copy it into the file"
    )


def _root(error: ImportError) -> str:
    return (error.name or "").partition(".")[0]


def _absolute(relative: str, package: str) -> str:
    try:
        return importlib.util.resolve_name(relative, package)
    except ImportError:  # beyond the package
        return ""
