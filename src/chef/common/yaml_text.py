"""YAML from outside, measured before anything is built of it.

A few hundred bytes of YAML can stand for gigabytes: an alias (``*name``) repeats what it names, and
aliases of aliases multiply. So only the nodes of the text are made first, counted as they are, and
its size with all aliases written out is computed from them.
"""

from __future__ import annotations

from functools import lru_cache
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


class YamlTooLargeError(ValueError):
    """The text stands for more than is read.

    Attributes:
        line: the line in the text, from 1; None where it is the text as a whole.
    """

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line


def compose(text: str) -> yaml.Node | None:
    """The nodes of a YAML text; nothing is built of them.

    Raises:
        YamlTooLargeError: it exceeds a limit of this module.
        yaml.YAMLError: its syntax is wrong.
    """
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
    import yaml

    compose(text)
    return yaml.safe_load(text)


@lru_cache(1)
def _loaders() -> tuple[type[_Loader], type[_Loader]]:
    """Loaders whose composer counts the nodes and their depth: a fast one, and a plain one.

    The fast one takes the events of libyaml, which is ten times as fast; where PyYAML was built
    without it, both are the same.
    """
    import yaml
    from yaml.composer import Composer

    class Bounded(Composer):
        nodes = depth = 0

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
