"""YAML from outside, measured before anything is built of it.

A few hundred bytes of YAML can stand for gigabytes: an alias (``*name``) repeats what it names, and
aliases of aliases multiply. So only the nodes of the text are made first, counted as they are, and
its size with all aliases written out is computed from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import yaml

    class _Loader(Protocol):
        def __init__(self, stream: str) -> None: ...
        def get_single_node(self) -> yaml.Node | None: ...
        def dispose(self) -> None: ...


#: The largest file, in bytes. The largest recipe that chef ships has 4 kB.
MAX_BYTES = 1_000_000
#: The largest number of values and keys, with aliases written out.
MAX_NODES = 20_000
#: How many lists and mappings may be inside one another.
MAX_DEPTH = 50
#: The most characters of a number: Python refuses, or takes long over, much longer ones.
MAX_DIGITS = 100

_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_CHARACTERS_PER_NODE = 50
_STRING, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"
#: What other readers of YAML take for true or false.
_TRUTH_VALUES = frozenset(
    form for word in ("y", "yes", "n", "no", "true", "false", "on", "off")
    for form in (word, word.capitalize(), word.upper())
)  # fmt: skip
#: A float, also without a point: ``1e-3``.
_FLOAT = r"""(?:[-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*(?:[eE][-+]?[0-9]+)?
    |[-+]?[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+)
    |\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?
    |[-+]?[0-9]+(?:_[0-9]+)*(?::[0-5]?[0-9])+\.[0-9_]*
    |[-+]?\.(?:inf|Inf|INF)
    |\.(?:nan|NaN|NAN))\Z"""


class YamlTooLargeError(ValueError):
    """The text stands for more than is read, from its ``line``, from 1, or as a whole."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line


def compose(text: str) -> yaml.Node | None:
    """The nodes of a YAML text; nothing is built of them. YamlTooLargeError, yaml.YAMLError."""
    import yaml

    if len(text) > MAX_BYTES:
        raise YamlTooLargeError(f"has {len(text):,} characters, and {MAX_BYTES:,} are allowed")
    fast, plain = _loaders()
    try:
        node = _composed(text, fast)
    except (yaml.YAMLError, UnicodeError):  # it is told as Python's parser tells it
        node = _composed(text, plain)
    if node is not None:
        _Expansion().check(node)
    return node


def _composed(text: str, loader_class: type[_Loader]) -> yaml.Node | None:
    loader = loader_class(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return node


def load(text: str) -> Any:
    """The content of a YAML text.

    Raises:
        YamlTooLargeError: it exceeds a limit of this module.
        yaml.YAMLError: its syntax is wrong.
        ValueError: a value is none of its tag, such as ``!!float x``.
    """
    return built(compose(text))


def built(node: yaml.Node | None) -> Any:
    """The plain data of nodes, aliases as copies.

    yaml.YAMLError: a key twice, an unknown tag; ValueError.
    """
    return None if node is None else plain(_constructor()().construct_document(node))


def shipped(package: str, *path: str) -> Any:
    """The content of a YAML file at a path in a package of chef, which needs no bounds."""
    import yaml

    folder = Path(__file__).parents[1].joinpath(*package.split(".")[1:])
    text = folder.joinpath(*path).read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast
    return yaml.load(text, loader)  # noqa: S506 (both loaders are safe)


def as_yaml(data: Any) -> str:
    """Plain data as YAML, keys in their order; `load` reads the same.

    yaml.YAMLError: it is not plain.
    """
    import yaml

    return yaml.dump(data, Dumper=_dumper(), allow_unicode=True, sort_keys=False)


@lru_cache(1)
def _loaders() -> tuple[type[_Loader], type[_Loader]]:
    """Loaders that count nodes and depth: one of libyaml, ten times as fast, and a plain one."""
    import yaml
    from yaml.composer import Composer

    class Bounded(Composer):
        nodes = depth = 0
        yaml_implicit_resolvers = _resolvers()

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            self.nodes, self.depth = self.nodes + 1, self.depth + 1
            event: Any = self.peek_event()  # type: ignore[attr-defined]
            line = event.start_mark.line + 1
            if self.depth > MAX_DEPTH:
                raise YamlTooLargeError(f"is nested deeper than {MAX_DEPTH} levels", line)
            if self.nodes > MAX_NODES:
                raise YamlTooLargeError(f"has more than {MAX_NODES:,} values", line)
            node: yaml.Node | None = super().compose_node(parent, index)
            self.depth -= 1
            return node

    class Plain(Bounded, yaml.SafeLoader):
        """All in Python."""

    if not yaml.__with_libyaml__:
        return Plain, Plain

    class Fast(Bounded, yaml.CSafeLoader):
        def __init__(self, stream: str) -> None:
            yaml.CSafeLoader.__init__(self, stream)
            Composer.__init__(self)

    return Fast, Plain


def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """What a value without quotes and tag is, by its first sign. No text is a date."""
    import yaml

    usual: dict[str, list[tuple[str, re.Pattern[str]]]] = yaml.SafeLoader.yaml_implicit_resolvers
    resolvers = {
        sign: [item for item in items if not item[0].endswith(":timestamp")]
        for sign, items in usual.items()
    }
    number = re.compile(_FLOAT, re.VERBOSE)
    for sign in "-+0123456789.":
        resolvers[sign] = [*resolvers.get(sign, ()), (_NUMBERS[1], number)]
    return resolvers


@lru_cache(1)
def _constructor() -> type[yaml.constructor.SafeConstructor]:
    """Makes values of nodes; a key that stands twice in a mapping is an error."""
    from yaml.constructor import ConstructorError, SafeConstructor

    class Unique(SafeConstructor):
        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            own = [pair for pair in node.value if pair[0].tag != _MERGE]
            names: set[str] = set()
            for key, _ in own:
                if key.tag == _STRING and key.value in names:
                    what = f"found duplicate key {key.value}"
                    first = "while constructing a mapping"
                    raise ConstructorError(first, node.start_mark, what, key.start_mark)
                names |= {key.value} if key.tag == _STRING else set()
            if len(own) < len(node.value):
                super().flatten_mapping(node)
                merged = node.value[: len(node.value) - len(own)]
                node.value = [pair for pair in merged if pair[0].value not in names] + own

    return Unique


@lru_cache(1)
def _dumper() -> type[yaml.SafeDumper]:
    """Writes no aliases, and texts that look like numbers or truth values in quotes."""
    import yaml

    base: Any = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper

    class Plain(base):  # type: ignore[misc]
        def ignore_aliases(self, data: Any) -> bool:
            del data
            return True

    def text(dumper: yaml.SafeDumper, data: object) -> yaml.ScalarNode:
        words = str(data)
        style = "'" if words in _TRUTH_VALUES or _is_number(words) else None
        return dumper.represent_scalar(_STRING, words, style=style)

    for kind in (str, PurePath):
        Plain.add_multi_representer(kind, text)
    Plain.add_representer(str, text)
    Plain.add_multi_representer(float, lambda dumper, data: dumper.represent_float(float(data)))
    Plain.add_multi_representer(int, lambda dumper, data: dumper.represent_int(int(data)))
    return Plain


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def plain(value: Any) -> Any:
    """A copy of plain data, in which nothing stands twice as one object; ValueError for dates,
    sets, ...
    """
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"{value!r} is no text, number, list or mapping")


def within(values: Any, at: Sequence[str]) -> Any:
    """What stands at a place of nested mappings and lists; None where nothing does."""
    for key in at:
        if isinstance(values, list) and key.isdecimal() and int(key) < len(values):
            values = values[int(key)]
        else:
            values = values.get(key) if isinstance(values, Mapping) else None
    return values


class _Expansion:
    """The size of nodes with all aliases written out. An alias is the node that it names."""

    def __init__(self) -> None:
        self._sizes: dict[int, int | None] = {}

    def check(self, node: yaml.Node) -> int:
        """The number of values in the node; characters of long texts count, too."""
        import yaml

        if id(node) in self._sizes:
            known = self._sizes[id(node)]
            if known is None:
                raise YamlTooLargeError("an anchor refers to itself", _line(node))
            return known
        self._sizes[id(node)] = None
        size = 1
        if isinstance(node, yaml.ScalarNode):
            if node.tag in _NUMBERS and len(node.value) > MAX_DIGITS:
                raise YamlTooLargeError(
                    f"a number has {len(node.value):,} digits, and {MAX_DIGITS} are allowed",
                    _line(node),
                )
            size += len(node.value) // _CHARACTERS_PER_NODE
        elif isinstance(node, yaml.MappingNode):
            size += sum(self.check(item) for pair in node.value for item in pair)
        elif isinstance(node, yaml.SequenceNode):
            size += sum(self.check(item) for item in node.value)
        if size > MAX_NODES:
            raise YamlTooLargeError(
                f"stands for more than {MAX_NODES:,} values, with its aliases (*name) written out",
                _line(node),
            )
        self._sizes[id(node)] = size
        return size


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
