"""The fast parser of YAML gives the nodes, places and errors of the plain one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml
from conftest import ROOT

from chef.common.yaml_text import YamlTooLargeError, compose

SHIPPED = sorted(ROOT.glob("configs/**/*.yaml"))
ODD = (
    "", "# nothing", "a: ä\nb: 日本 😀\n", "a: &x {b: 1}\nc: *x\n",
    "a: |\n  one\n\n  two\nb: >-\n  x\n", "? k\n: v\n", "'a b': \"c\\td\"\n",
    "- - 1\n  - [2, {c: 3}]\n", "---\na: 1\n...\n", "a: !!float x\n",
    "\ufeffa: 1\n", "a: 1e3\r\nb: 0o7\r\n",
)  # fmt: skip
BROKEN = (
    "a: b: c", "a: [1", "a:\n\tb: 1", "a: 'x", "a: *x", "--- a\n--- b", "a: \x07", "a: \ud800",
    "{a: 1}}", "%YAML 3.0\n---\na", "- a\nb: 1",
)  # fmt: skip


def told(node: yaml.Node | None) -> Iterator[tuple[object, ...]]:
    """Everything of a node and of those in it that chef uses."""
    if node is None:
        return
    start = node.start_mark
    yield node.tag, start.line, start.column, node.value if isinstance(node.value, str) else ""
    for item in node.value if not isinstance(node.value, str) else ():
        for one in item if isinstance(item, tuple) else (item,):
            yield from told(one)


def test_nodes_and_places_are_those_of_the_plain_parser() -> None:
    assert len(SHIPPED) > 100
    for text in (*(path.read_text("utf-8") for path in SHIPPED), *ODD):
        expected = [*told(yaml.compose(text, yaml.SafeLoader))]
        assert [*told(compose(text))] == expected, text


@pytest.mark.parametrize("text", BROKEN)
def test_errors_are_those_of_the_plain_parser(text: str) -> None:
    with pytest.raises(yaml.YAMLError) as plain:
        yaml.compose(text, yaml.SafeLoader)
    with pytest.raises(type(plain.value)) as raised:
        compose(text)
    assert str(raised.value) == str(plain.value)


@pytest.mark.parametrize("text", ["[" * 60, "{a: " * 60 + "1" + "}" * 60, "- " * 60])
def test_depth_is_limited_before_the_syntax_is_known(text: str) -> None:
    with pytest.raises(YamlTooLargeError, match="nested deeper than 50 levels"):
        compose(text)


def test_nodes_are_limited() -> None:
    with pytest.raises(YamlTooLargeError, match="more than 20,000 values") as refused:
        compose("- 1\n" * 20_001)
    assert refused.value.line == 20_000
