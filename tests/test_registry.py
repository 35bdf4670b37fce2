"""Names to classes: late, suggested, and never two things."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict
from collections.abc import Mapping
from fractions import Fraction

import pytest

from chef.errors import ConfigError, nearest
from chef.registry import Registry, in_scope, recipe_name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("metrik", "did you mean 'metric'?"),
        ("METRIC", "did you mean 'metric'?"),
        ("ppl", "did you mean 'PPL'?"),
        ("zzz", "known: PPL, inferencer, metric"),
    ],
)
def test_the_nearest_name(name: str, hint: str) -> None:
    assert nearest(name, ["metric", "inferencer", "PPL"]) == hint


def test_swapped_letters_of_a_short_name() -> None:
    assert nearest("Tyni", ["tiny", "PPL"]) == "did you mean 'tiny'?"


def test_no_suggestion_without_known_names() -> None:
    assert nearest("x", []) == "none is known"


def registry() -> Registry[object]:
    return Registry("scenario", {"Fraction": "fractions:Fraction", "Broken": "no_such_module:X"})


def test_a_class_is_imported_when_it_is_asked_for() -> None:
    table = registry()
    assert list(table) == ["Broken", "Fraction"]  # lists what cannot even be imported
    assert "Broken" in table
    assert table.get("Fraction") is table.get("Fraction") is Fraction
    with pytest.raises(ConfigError, match="no_such_module"):
        table.get("Broken")


def test_an_unknown_name_is_refused_with_location_and_suggestion() -> None:
    with pytest.raises(ConfigError) as caught:
        registry().get("fractoin", where="recipe.yaml:3")
    assert str(caught.value) == (
        "recipe.yaml:3: unknown scenario 'fractoin'\n  -> did you mean 'Fraction'?"
    )


def test_a_plugin_is_added_as_a_name_or_as_a_class() -> None:
    table = registry()
    table.register("Ordered", OrderedDict)
    table.register("Counter", "collections:Counter")
    assert table.get("Ordered") is OrderedDict
    assert table.get("Counter").__name__ == "Counter"


def test_a_name_cannot_be_registered_twice() -> None:
    table = registry()
    with pytest.raises(ConfigError, match="'Fraction' is already registered as fractions:Frac"):
        table.register("Fraction", OrderedDict)
    assert table.get("Fraction") is Fraction


def test_a_name_may_be_that_of_a_class_of_several_plugins() -> None:
    """Each recipe has the class of its own plugin, and one that names both is refused."""
    table = registry()
    one, other = (
        type("Mine", (), {"__module__": f"chef_plugin_{name}"}) for name in ("one", "other")
    )
    for kind in (one, other):
        with in_scope([kind.__module__]):
            table.register("Mine", kind)
            assert table.get("Mine") is kind
    with in_scope([one.__module__]):
        assert table.get("Mine") is one
    assert table.shadowed_by(other.__module__) == []
    assert table.registered_in(other.__module__) == ["Mine"]
    with (
        in_scope([one.__module__, other.__module__]),
        pytest.raises(ConfigError, match="'Mine' is a class of two plugins: chef_plugin_one and"),
    ):
        table.register("Mine", other)


def test_registering_the_same_class_again_is_allowed() -> None:
    table = registry()
    table.get("Fraction")
    table.register("Fraction", "fractions:Fraction")
    assert table.get("Fraction") is Fraction


def test_every_table_of_chef_can_be_listed_without_heavy_imports() -> None:
    code = (
        "import sys; from chef.scenario import SCENARIOS; names = list(SCENARIOS)\n"
        "assert 'Tsv' in names; SCENARIOS.get('Tsv')\n"
        "print({'torch', 'numpy', 'PIL', 'pandas', 'sklearn'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_every_name_of_the_scenario_table_leads_to_a_class() -> None:
    from chef.scenario import SCENARIOS, Scenario

    for name in SCENARIOS:
        assert issubclass(SCENARIOS.get(name), Scenario)


def test_a_class_is_named_as_recipes_name_it() -> None:
    table: Registry[object] = Registry(
        "metric",
        {"Own_Dict": "collections:UserDict"},
        {"Own_Dict": "collections:UserList"},
    )
    assert recipe_name(table.get("Own_Dict")) == "Own_Dict"
    assert recipe_name(table.get("Own_Dict", upstream=True)) == "Own_Dict"
    assert recipe_name(list) == "list"


def rules_of_others() -> Mapping[str, Mapping[str, str]]:
    return {
        "upstream": {"M": "collections:Counter"},
        "vlmevalkit": {"M": "collections:deque", "N": "collections:ChainMap"},
    }


def test_a_name_may_have_a_class_for_each_compat() -> None:
    table: Registry[object] = Registry(
        "metric",
        {"M": "fractions:Fraction", "N": "decimal:Decimal"},
        rows=f"{__name__}:rules_of_others",
    )
    assert [table.compats(name) for name in ("M", "N")] == [
        ("upstream", "vlmevalkit"),
        ("vlmevalkit",),
    ]
    assert table.get("M", compat="corrected") is Fraction
    assert table.get("M", compat="vlmevalkit").__name__ == "deque"
    assert table.get("M", compat="upstream") is table.get("M", upstream=True)
    # Rules that a name does not have are those of the first table.
    assert table.get("N", compat="upstream").__name__ == "Decimal"
    assert table.compats("unknown") == ()
