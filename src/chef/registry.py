"""Registries map names to classes, which are imported on first use; and the ids of users' classes.

Each subpackage has its own registry (``SCENARIOS`` in `chef.scenario`, ``METRICS`` in
`chef.metric`, ...). An entry is ``"Name": "module:Class"``, so listing names imports nothing.
A further table of the same form names the classes with ChEF's own rules, for ``compat: upstream``;
or rows say what is otherwise by the rules of others.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from chef.errors import ConfigError, first_line, nearest, similar

T = TypeVar("T")
#: What the names of modules begin with that plugins become.
PLUGIN = "chef_plugin_"
#: The plugins of the recipe that is read or run: their classes come before chef's of their names.
_SCOPE: ContextVar[Collection[str]] = ContextVar("plugins in scope", default=())
#: The names under which recipes and model files know the classes that were looked up.
_NAMES: dict[type[object], str] = {}


class Registry(Generic[T]):
    """The registry of one kind of ingredient.

    Args:
        kind: the kind of ingredient, in the singular, for error messages.
        table: maps names to ``module:Class``.
        upstream: the same for names that have a different class with ``compat: upstream``.
        rows: a function ``module:function`` that returns, for each ``compat``, by names what makes
            the class with these rules of chef's own. It is called when a name is looked up.
        further: a function ``module:function`` that returns further names with their classes. It
            is called when a name is looked up that the table does not have; iteration leaves these
            names out, and `further` has them.

    Attributes:
        packages: of the names that installed packages have registered, which package.
        refused: the errors of names that installed packages have, but that cannot be registered.
    """

    def __init__(
        self,
        kind: str,
        table: Mapping[str, str],
        upstream: Mapping[str, str] | None = None,
        rows: str | None = None,
        further: str | None = None,
    ) -> None:
        self.kind = kind
        self._upstream = dict(upstream or {})
        self._made: dict[tuple[str, str], type[T]] = {}
        self._rows = rows
        self._table: dict[str, str | type[T]] = dict(table)
        self._loaded: dict[str, type[T]] = {}
        self._shadows: dict[str, dict[str, type[T]]] = {}
        self._further = further
        self.packages: dict[str, str] = {}
        self.refused: dict[str, ConfigError] = {}

    @cached_property
    def further(self) -> Mapping[str, str]:
        """Names that iteration leaves out, because there are many of them, with their classes."""
        found: Mapping[str, str] = _called(self._further)
        return found

    @cached_property
    def _rules(self) -> Mapping[str, Mapping[str, str | Callable[[type[T]], type[T]]]]:
        """The tables of those who have rules of their own."""
        return {"upstream": self._upstream, **_called(self._rows)}

    @property
    def upstream(self) -> Collection[str]:
        """The names that have a class of their own with ``compat: upstream``."""
        return self._rules["upstream"].keys()

    def all_names(self) -> list[str]:
        """Every name that `get` knows."""
        return sorted({*self._table, *self.further})

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._table))

    def classes(self) -> Iterator[tuple[str, type[T]]]:
        """The names with their classes, but for those that cannot be imported: an installed package
        may be broken.
        """
        for name in self:
            with suppress(ConfigError):
                yield name, self.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._table or name in self.further

    def register(self, name: str, target: str | type[T], package: str = "") -> None:
        """Register an ingredient from outside chef.

        It takes the place of one of the `further` names. A class of a plugin takes the place of
        chef's of that name as well, of a package's or of another plugin's, in the recipes that
        name the plugin: see `in_scope`.

        Args:
            name: what recipes or model files call it.
            target: the class, or ``module:Class``.
            package: the installed package that has it; empty: a plugin does.

        Raises:
            ConfigError: the name is already registered for something else; or two plugins that are
                in scope have it.
        """
        if not isinstance(target, str) and is_plugin(target) and self._is_others(name, target):
            self._refuse_both(name, target)
            self._shadows.setdefault(name, {})[target.__module__] = target
            return
        if self._table.get(name, target) != target:
            raise ConfigError(
                f"{self.kind} '{name}' is already registered as {self._table[name]}",
                hint="choose another name",
            )
        self._table[name] = target
        self.packages[name] = package

    def _is_others(self, name: str, kind: type[T]) -> bool:
        """Whether a name is one of chef's or of a package, or that of a class of another plugin."""
        before = self._table.get(name, "")
        if isinstance(before, str):
            return bool(before)
        return self._is_chefs(name) or (is_plugin(before) and _module(before) != kind.__module__)

    def _refuse_both(self, name: str, kind: type[T]) -> None:
        """ConfigError where another plugin of the recipe that is read has a class of that name."""
        modules = {_module(self._table.get(name, "")), *self._shadows.get(name, {})}
        rivals = sorted(modules & {*_SCOPE.get()} - {kind.__module__})
        if rivals and kind.__module__ in _SCOPE.get():
            files = [getattr(sys.modules.get(one), "__file__", one)
                     for one in (rivals[0], kind.__module__)]  # fmt: skip
            raise ConfigError(
                f"{self.kind} '{name}' is a class of two plugins: {' and '.join(files)}",
                hint="give one of the two classes another name",
            )

    def replace(self, name: str, target: type[T]) -> None:
        """Register a class anew that was edited and run again, as in a notebook."""
        self._table[name] = target
        self._loaded.pop(name, None)

    def _is_chefs(self, name: str) -> bool:
        target = self._table.get(name, "")
        module = target if isinstance(target, str) else target.__module__
        return module.startswith("chef.") and not module.startswith("chef.scenario.vlmevalkit")

    def _shadow(self, name: str) -> type[T] | None:
        """The class of a plugin in scope that has the name of one of chef's."""
        own = self._shadows.get(name, {})
        return next((kind for module, kind in own.items() if module in _SCOPE.get()), None)

    def shadowed_by(self, module: str) -> list[str]:
        """The names of chef's that classes of a plugin have, too."""
        return [
            name for name, own in self._shadows.items() if module in own and self._is_chefs(name)
        ]

    def is_in_scope(self, name: str) -> bool:
        """Whether a name is that of a class of a plugin that the recipe names."""
        target = self._shadow(name) or self._table.get(name, "")
        return not isinstance(target, str) and target.__module__ in _SCOPE.get()

    def registered_in(self, module: str) -> list[str]:
        """The names under which classes of a module were registered; nothing is imported."""
        return [
            name
            for name, target in sorted(self._table.items())
            if _module(target) == module or module in self._shadows.get(name, {})
        ]

    def target(self, name: str) -> str | type[T]:
        """``module:Class`` of a name, or the class itself where it is known; nothing is imported.

        Raises:
            KeyError: the name is unknown.
        """
        entry = self._loaded.get(name) or self._table.get(name)
        return entry if entry is not None else self.further[name]

    def compats(self, name: str) -> tuple[str, ...]:
        """The values of ``compat`` for which a name has a class of its own.

        >>> Registry("metric", {"M": "m:M", "N": "m:N"}, {"M": "old:M"}).compats("M")
        ('upstream',)
        """
        return tuple(compat for compat, table in self._rules.items() if name in table)

    def get(
        self,
        name: str,
        *,
        where: str | None = None,
        upstream: bool = False,
        compat: str = "corrected",
    ) -> type[T]:
        """Return the class of a name; import it on first use.

        Args:
            name: the name of the ingredient.
            where: location for error messages, for example a file and key.
            upstream: the same as ``compat="upstream"``.
            compat: return the class with these rules, if there is one.

        Raises:
            ConfigError: the name is unknown (the error suggests the closest one), or the import
                failed.
        """
        if name not in self:
            if error := self.refused.get(name):
                raise ConfigError(f"{error.what} ({error.where})", where=where, hint=error.hint)
            hint = nearest_name(name, self)
            raise ConfigError(f"unknown {self.kind} '{name}'", where=where, hint=hint)
        if (own := self._shadow(name)) is not None:
            _NAMES.setdefault(own, name)
            return own
        compat = "upstream" if upstream else compat
        if name in self._rules.get(compat, {}):
            kind = self._by_rules(name, compat, where)
            _NAMES.setdefault(kind, name)
            return kind
        if name not in self._loaded:
            target = self._table.get(name) or self.further[name]
            if isinstance(target, str):
                target = self._import(name, target, where)
            _NAMES.setdefault(target, name)
            self._loaded[name] = target
        return self._loaded[name]

    def _by_rules(self, name: str, compat: str, where: str | None) -> type[T]:
        """The class with somebody else's rules."""
        rule = self._rules[compat][name]
        if isinstance(rule, str):
            return self._import(name, rule, where)
        if (name, compat) not in self._made:
            own = self._table[name]
            self._made[name, compat] = rule(
                self._import(name, own, where) if isinstance(own, str) else own
            )
        return self._made[name, compat]

    def _import(self, name: str, target: str, where: str | None) -> type[T]:
        package, of_package = self.packages.get(name), ""
        hint = f"check {target}, where it is registered"
        if package:
            of_package = f" of {package}"
            hint += f"; update the package, or remove it: pip uninstall {package.split()[0]}"
        try:
            return cast("type[T]", _class_at(target))
        except (Exception, SystemExit) as error:
            if not package and not isinstance(error, ImportError | AttributeError):
                raise
            raise ConfigError(
                f"the {self.kind} '{name}'{of_package} cannot be imported "
                f"({type(error).__name__}: {first_line(error)})",
                where=where,
                hint=hint,
            ) from error


def _class_at(target: str) -> type[Any]:
    """The class of ``module:Class``; whatever its import raises, and TypeError: it is no class."""
    module, _, attribute = target.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    if not isinstance(kind, type):
        raise TypeError(f"{attribute} is no class")
    return kind


def _called(function: str | None) -> Mapping[str, Any]:
    """What a function ``module:function`` returns; nothing where there is none."""
    if function is None:
        return {}
    module, _, name = function.partition(":")
    found: Mapping[str, Any] = getattr(importlib.import_module(module), name)()
    return found


def _module(target: str | type[Any]) -> str:
    """The module of a class; empty where it is only named."""
    return "" if isinstance(target, str) else target.__module__


def is_plugin(kind: type[Any]) -> bool:
    """Whether a class is one of a plugin."""
    return kind.__module__.startswith(PLUGIN)


def set_scope(modules: Collection[str]) -> None:
    """Let the classes of these plugins come before chef's, until other plugins are loaded."""
    _SCOPE.set(frozenset(modules))


@contextmanager
def in_scope(modules: Collection[str]) -> Iterator[None]:
    """Let the classes of these plugins come before chef's in the block."""
    token = _SCOPE.set(frozenset(modules))
    try:
        yield
    finally:
        _SCOPE.reset(token)


def of_session(name: str) -> str:
    """What to do with a class of a notebook, or of the script that runs, by its name; else empty.

    >>> of_session("Nothing")
    ''
    """
    kind = vars(sys.modules["__main__"]).get(name)
    if not isinstance(kind, type):
        return ""
    hint = f"'{name}' is a class of this session, which no file can name: write it into a file of "
    hint += "its own, and name that: plugins: [FILE.py]"
    if hasattr(kind, "generate_one"):
        hint += f"; or give an object of it in place of the name: {name}()"
    if hasattr(kind, "metric_func"):
        hint += f"; or give the class to chef.score(RUN, metric={name})"
    return hint


def nearest_name(name: str, registry: Registry[Any]) -> str:
    """A hint for an unknown name: where it is a class of the session, else the most similar one,
    else those that iteration gives.
    """
    if hint := of_session(name):
        return hint
    near = similar(name, registry.all_names())
    return f"did you mean '{near}'?" if near else nearest(name, registry)


def recipe_name(kind: type[object]) -> str:
    """What recipes and model files call a class, for messages; its own name if no registry has it.

    >>> recipe_name(dict)
    'dict'
    """
    return _NAMES.get(kind, kind.__name__)


def class_ids(kind: type[object], attribute: str, example: str) -> Sequence[str]:
    """The ids of a class.

    Args:
        kind: the class.
        attribute: where it names them.
        example: an id, for the hint.

    Raises:
        ConfigError: it names none, or something else than texts.

    >>> class Mine:
    ...     dataset_ids = ["my-set"]
    >>> class_ids(Mine, "dataset_ids", "my-set")
    ['my-set']
    """
    given = getattr(kind, attribute, ())
    is_text = isinstance(given, str) or not isinstance(given, Collection)
    if is_text or not given or not all(isinstance(name, str) and name for name in given):
        raise ConfigError(
            f"{kind.__name__} names no {attribute}",
            hint=f'write {attribute} = ["{example}"] into the class',
        )
    return list(given)


def check_id(kind: type[object], attribute: str, given: str, what: str) -> None:
    """Check that an id is one of a class. ConfigError suggests the nearest one."""
    known = list(getattr(kind, attribute, ()))
    if given not in known:
        raise ConfigError(f"{kind.__name__} has no {what} '{given}'", hint=nearest(given, known))
