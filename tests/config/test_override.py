"""An override changes one key of plain data; all else stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from chef.config.override import set_override
from chef.errors import ConfigError

CONTENT = {"a": {"b": 1, "c": [1, {"d": 2}]}, "e": "${a}", "f": None, "g": "x"}


@pytest.mark.parametrize(
    ("override", "key", "value"),
    [
        ("a.b=2", "a", {"b": 2, "c": [1, {"d": 2}]}),
        ("a.c.1.d=3", "a", {"b": 1, "c": [1, {"d": 3}]}),
        ("a.c[0]=x", "a", {"b": 1, "c": ["x", {"d": 2}]}),
        ("a={b: 3, z: 4}", "a", {"b": 3, "c": [1, {"d": 2}], "z": 4}),
        ("a.c={y: 1}", "a", {"b": 1, "c": {"y": 1}}),
        ("a=[1]", "a", [1]),
        ("f.g.h=1e-3", "f", {"g": {"h": 0.001}}),
        ("g.h=1", "g", {"h": 1}),
        ("e.b=5", "e", {"b": 5, "c": [1, {"d": 2}]}),  # a copy of what it names
        ("new=", "new", None),
    ],
)
def test_one_key_changes(override: str, key: str, value: Any) -> None:
    before = repr(CONTENT)
    changed = set_override(CONTENT, override, {})
    assert changed == {**CONTENT, key: value}
    assert repr(CONTENT) == before


@pytest.mark.parametrize("override", ["a.c.2=1", "a.c.d=1", "a.c.0.x=1", "a.b=[", "a.b=!!float x"])
def test_what_cannot_be_set_is_refused(override: str) -> None:
    with pytest.raises(ConfigError, match="override 'a"):
        set_override(CONTENT, override, {})
