"""The fast parser of YAML gives the nodes, places and errors of the plain one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from chef.common.yaml_text import YamlTooLargeError, _loaders, as_yaml, compose, load

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
        expected = [*told(yaml.compose(text, _loaders()[1]))]
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


TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["1e3", "1_0", "0o7", "012", "1:20", ".5", "yes", "nan", "2020-01-01", "~", "=", "<<", "- a"]
)
PLAIN = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | TEXTS
PLAIN |= st.floats(allow_nan=False)
DATA = st.recursive(PLAIN, lambda one: st.lists(one) | st.dictionaries(TEXTS, one), max_leaves=9)


@given(DATA)
def test_what_is_written_is_read_as_it_was(data: object) -> None:
    assert repr(load(as_yaml(data))) == repr(data)


def test_no_alias_is_written() -> None:
    inner = {"a": 1}
    assert as_yaml({"p": inner, "q": [inner]}) == "p:\n  a: 1\nq:\n- a: 1\n"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("1e-3", 0.001), ("2020-01-01", "2020-01-01"), ("'1e3'", "1e3"), ("!!str 1e3", "1e3"),
        ("a: &x {b: 1}\nc: {<<: *x, d: 2}\ne: {<<: *x, b: 3}",
         {"a": {"b": 1}, "c": {"b": 1, "d": 2}, "e": {"b": 3}}),
    ],
)  # fmt: skip
def test_what_a_text_stands_for(text: str, data: object) -> None:
    assert load(text) == data


@pytest.mark.parametrize("text", ["a: 1\na: 2", "a: {b: 1, b: 1}", "!!set {x}", "!!binary YQ=="])
def test_what_is_no_plain_data_is_refused(text: str) -> None:
    with pytest.raises((yaml.YAMLError, ValueError)):
        load(text)
