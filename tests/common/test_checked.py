"""Values of a configuration are taken as they are written: nothing is converted that loses."""

from __future__ import annotations

from typing import Any, Literal

import pytest
import yaml

from chef.common.checked import check_value
from chef.errors import ConfigError


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("5", int), ("0.5", float), ("true", bool), (1, bool), (0, bool), ("null", int | None),
        (5, str), (1.5, int), (True, int), ("a", list[str]), (["1"], list[int]),
        ({"a": "1"}, dict[str, int]), ("corect", Literal["corrected", "upstream"]),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused(value: Any, kind: Any) -> None:
    with pytest.raises(ConfigError, match="does not fit") as caught:
        check_value(value, kind, "recipe.yaml:3: eval_cfg.n")
    assert caught.value.where == "recipe.yaml:3: eval_cfg.n"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("value", "kind", "result"),
    [
        (5, int, 5), (5, float, 5.0), (None, int | None, None), ("5", str, "5"),
        (["1"], list[str], ["1"]), (True, bool, True),
    ],
)  # fmt: skip
def test_a_value_of_its_type_stays(value: Any, kind: Any, result: Any) -> None:
    checked = check_value(value, kind, "n")
    assert checked == result
    assert type(checked) is type(result)


@pytest.mark.parametrize(
    ("value", "kind", "hint"),
    [
        ("\n", list[str] | None, 'write a list: ["\\n"]'),
        ("model.py", list[str], "write a list: [model.py]"),
        ("no", list[str], 'write a list: ["no"]'),
        ([False], list[str] | None, 'put the texts in quotes: ["no"]'),
        ([1, 2], list[str] | Literal["answers"], 'put the texts in quotes: ["1", "2"]'),
        (3, list[str] | Literal["answers"], "one of: answers, or a list"),
        ({"a": "frist"}, dict[str, Literal["first"]], "did you mean 'first'? one of: first"),
    ],
)
def test_what_a_hint_says_fits_when_it_is_followed(value: Any, kind: Any, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_value(value, kind, "n")
    assert caught.value.hint == hint
    before, bracket, written = hint.partition("[")
    if bracket and before.endswith(": "):
        check_value(yaml.safe_load(bracket + written), kind, "n")
