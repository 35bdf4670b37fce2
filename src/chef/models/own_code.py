"""The code of a class, for the fingerprint of a user's model, and what its methods name.

Files of plugins are digested whole, with those that they import. The code of a class of a script or
a notebook says nothing of a helper or a word that stands outside of it: its parents, functions, and
values of globals are looked up.
"""

from __future__ import annotations

import ast
import dis
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from textwrap import dedent
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from chef.common.digest import digest, file_digest
from chef.common.user_code import is_users_file
from chef.errors import DataError
from chef.guard.secrets import is_secret_key
from chef.registry import is_plugin

#: What chef sets in a class itself, and what a class has for Python.
_CHEFS = frozenset({"name", "takes_paths", "_generates_rows", "_abc_impl"})
_STORES = frozenset({"STORE_GLOBAL", "STORE_DEREF"})
_LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})
#: The container behind an id, and its digest when it was seen first. Methods may fill one, such as
#: a list of what was asked, and are no other model then.
_first: dict[int, tuple[Any, str]] = {}


def own_code(kind: type[Any]) -> str:
    """The code of a class, and of a class of the session what its methods name, as far as it can be
    seen.
    """
    return "\n".join([class_code(kind), *_named(kind).lines])


def unseen_names(kind: type[Any], *, with_state: bool) -> list[str]:
    """What the methods of a class of the session name, and `own_code` does not cover: objects, and
    with the state what the methods themselves change.
    """
    around = _named(kind)
    return [*around.unseen, *around.state] if with_state else [*around.unseen]


def _named(kind: type[Any]) -> Named:
    # The files of plugins are digested whole; what chef and packages have comes with a version.
    is_class = isinstance(kind, type)  # and no function that makes a model
    is_of_session = is_class and _is_users_class(kind) and not is_plugin(kind)
    return Named(kind if is_of_session else object)


class Named:
    """What a class names, looked up when this is made.

    Attributes:
        lines: the code and the values that can be seen, as text.
        unseen: the names of those that cannot be seen.
        state: the names that the methods assign, such as a counter, and of containers whose content
            is another one than when they were first seen.
    """

    def __init__(self, kind: type[Any]) -> None:
        self.lines: list[str] = []
        self.unseen: dict[str, None] = {}
        self.state: dict[str, None] = {}
        self._known: set[int] = {id(kind)}
        self._add_members(kind)
        for parent in kind.__mro__[1:]:
            self._add_class(parent)

    def _add_class(self, kind: type[Any]) -> None:
        if id(kind) in self._known or not _is_users_class(kind):
            return
        self._known.add(id(kind))
        self.lines.append(class_code(kind))
        self._add_members(kind)
        for parent in kind.__mro__[1:]:
            self._add_class(parent)

    def _add_members(self, kind: type[Any]) -> None:
        place = _place_of(kind)
        for name, value in sorted(vars(kind).items()):
            functions = [*functions_of(value)]
            for function in functions:
                if place is not None and not place.has(function):  # it was put there later
                    self.lines.append(f"{kind.__qualname__}.{name}: {function_code(function)}")
                self._add_names(function)
            if not functions and not name.startswith("__") and name not in _CHEFS:
                self._add(f"{kind.__qualname__}.{name}", value)

    def _add_function(self, function: FunctionType) -> None:
        if id(function) not in self._known and _is_users_file(function.__code__.co_filename):
            self._known.add(id(function))
            self.lines.append(function_code(function))
            self._add_names(function)

    def _add_names(self, function: FunctionType) -> None:
        """Take in what a function names outside of itself."""
        attributes: set[str] = set()
        stored: set[str] = set()
        loaded: dict[str, None] = {}
        for code in _codes(function.__code__):
            for step in dis.get_instructions(code):
                name = str(step.argval)
                if step.opname in _LOADS:
                    loaded[name] = None
                elif step.opname in _STORES:
                    stored.add(name)
                elif step.opname.startswith(("LOAD_ATTR", "LOAD_METHOD")):
                    attributes.add(name)
                elif step.opname == "IMPORT_NAME":
                    self._add_import(name.partition(".")[0])
        space = function.__globals__
        values = {name: space[name] for name in loaded if name in space}
        values |= dict(_closure(function)) | _defaults(function)
        for name in sorted(values):
            if name in stored:  # a counter, or what is loaded once
                self.state[name] = None
            elif isinstance(values[name], ModuleType):
                self._add_module(name, values[name], attributes)
            else:
                self._add(name, values[name])

    def _add_module(self, name: str, module: ModuleType, attributes: set[str]) -> None:
        """Take in those attributes of a user's module that a function may mean."""
        if not _is_users_module(module.__name__):
            return
        for attribute in sorted(attributes & vars(module).keys()):
            value, path = vars(module)[attribute], f"{name}.{attribute}"
            if not isinstance(value, ModuleType):
                self._add(path, value)
            elif path.count(".") < 3:  # modules may name each other
                self._add_module(path, value, attributes)

    def _add_import(self, name: str) -> None:
        """Take in the file of a module that is imported in a function, now or later."""
        spec = None
        if name and name not in sys.stdlib_module_names and name != "chef":
            try:
                spec = importlib.util.find_spec(name)
            except (ImportError, ValueError):
                return
        if spec is None or spec.origin is None or not _is_users_file(spec.origin):
            return
        try:
            self.lines.append(f"import {name} {file_digest(Path(spec.origin))}")
        except DataError:
            self.unseen[name] = None

    def _add(self, name: str, value: Any) -> None:
        try:
            self._add_value(name, value)
        except Exception:  # code of the value's class, such as a __getattr__, fails
            self.unseen[name] = None

    def _add_value(self, name: str, value: Any) -> None:
        if is_secret_key(name.rpartition(".")[2], value):
            return
        functions = [*functions_of(value)]
        for function in functions:
            self._add_function(function)
        if isinstance(value, type):
            self._add_class(value)
        elif id(value) in _first or isinstance(value, Mapping | list | tuple | set | frozenset):
            self._add_container(name, value)
        elif is_plain(value):
            self.lines.append(f"{name} = {digest(value)}")
        elif isinstance(value, re.Pattern):
            self.lines.append(f"{name} = {value.pattern!r} {value.flags}")
        elif not functions and not _is_installed(value):
            self.unseen[name] = None

    def _add_container(self, name: str, value: Any) -> None:
        now = digest(value) if is_plain(value) else ""
        _, first = _first.setdefault(id(value), (value, now))
        if not first:
            self.unseen[name] = None
            return
        self.lines.append(f"{name} = {first}")
        if first != now:
            self.state[name] = None


def class_code(kind: type[Any]) -> str:
    """The source of a class; of one from a notebook or an interpreter what it compiles to."""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):  # a class without a file
        return "\n".join(_compiled(kind))


def function_code(function: FunctionType) -> str:
    """The source of a function without comments; what it compiles to where it has none alone."""
    try:
        tree = ast.parse(dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return "\n".join(_parts(function.__code__))
    is_alone = function.__name__ != "<lambda>" and len(tree.body) == 1
    return ast.unparse(tree) if is_alone else "\n".join(_parts(function.__code__))


def functions_of(value: Any) -> Iterator[FunctionType]:
    """The functions behind an attribute: itself, or what a decorator has wrapped."""
    if isinstance(value, property):
        candidates = [value.fget, value.fset, value.fdel]
    else:
        inner = getattr(value, "__func__", None) or getattr(value, "func", None) or value
        candidates = [inspect.unwrap(inner)]
    yield from (item for item in candidates if inspect.isfunction(item))


def is_plain(value: Any) -> bool:
    """Whether a value has the same text in every process; an object's may contain its address."""
    if isinstance(value, Mapping):
        return all(isinstance(key, str) for key in value) and all(map(is_plain, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_plain, value))
    return value is None or isinstance(value, str | int | float | bytes | PurePath)


def _compiled(kind: type[Any]) -> Iterator[str]:
    for name, value in sorted(vars(kind).items()):
        for function in functions_of(value):
            yield from (f"{name}: {part}" for part in _parts(function.__code__))
        if isinstance(value, str | int | float | bool) and not name.startswith("__"):
            yield f"{name} = {value!r}"


def _parts(code: CodeType) -> Iterator[str]:
    """Instructions, names and constants; those of inner functions too."""
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))  # its order differs from process to process
        else:
            yield repr(constant)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _closure(function: FunctionType) -> Iterator[tuple[str, Any]]:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        try:
            if name != "__class__":  # of super()
                yield name, cell.cell_contents
        except ValueError:  # it has no value yet
            continue


def _defaults(function: FunctionType) -> dict[str, Any]:
    """The default values of a function's arguments."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    positional = zip(names[len(names) - len(defaults) :], defaults, strict=True)
    return {**dict(positional), **(function.__kwdefaults__ or {})}


class _Place(NamedTuple):
    """The lines of a file that a class is written in."""

    file: str | None
    first: int
    end: int

    def has(self, function: FunctionType) -> bool:
        """Whether a function is written there, so that the class's code has it."""
        code = function.__code__
        return code.co_filename == self.file and self.first <= code.co_firstlineno < self.end


def _place_of(kind: type[Any]) -> _Place | None:
    """Where a class is written; None of one without a file, which counts by what it compiles to."""
    try:
        lines, first = inspect.getsourcelines(kind)
        return _Place(inspect.getsourcefile(kind), first, first + len(lines))
    except (OSError, TypeError):
        return None


def _is_users_class(kind: type[Any]) -> bool:
    if kind.__module__ == "builtins":  # one that `exec` made has no module
        return bool(kind.__flags__ & 1 << 9)
    return _is_users_module(kind.__module__)


def _is_users_module(name: str) -> bool:
    if name == "__main__":
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and _is_users_file(file)


def _is_users_file(file: str) -> bool:
    """Whether code is a user's; that which `exec` compiled of a text is, too."""
    return is_users_file(file) or (file.startswith("<") and not file.startswith("<frozen"))


def _is_installed(value: Any) -> bool:
    """Whether a value is a function, or the like, of Python or of an installed package."""
    if isinstance(value, ModuleType):
        return True
    module = getattr(value, "__module__", None)
    is_code = callable(value) and hasattr(value, "__name__")
    return is_code and not (isinstance(module, str) and _is_users_module(module))
