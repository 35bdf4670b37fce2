"""The table of scenarios by ChEF's own rules, and how a recipe asks for them."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from chef.config import load_recipe
from chef.scenario import SCENARIOS

RECIPE = """\
scenario_cfg: {{dataset_name: {name}, {needs}}}
eval_cfg: {{inferencer_cfg: {{inferencer_type: PPL}}}}
"""


@pytest.mark.parametrize("name", SCENARIOS.upstream)
def test_every_name_leads_to_another_class_with_the_same_arguments(name: str) -> None:
    corrected, upstream = SCENARIOS.get(name), SCENARIOS.get(name, upstream=True)
    assert issubclass(upstream, corrected)
    assert upstream is not corrected
    assert upstream.__module__.startswith("chef.scenario.upstream.")
    assert not corrected.__module__.startswith("chef.scenario.upstream.")
    assert inspect.signature(upstream) == inspect.signature(corrected)
    assert "compat" not in inspect.signature(corrected).parameters


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_other_name_depends_on_compat(name: str) -> None:
    corrected, upstream = SCENARIOS.get(name), SCENARIOS.get(name, upstream=True)
    if name not in SCENARIOS.upstream:
        assert upstream is corrected
        assert "compat" not in inspect.signature(corrected).parameters


@pytest.mark.parametrize("name", SCENARIOS.upstream)
@pytest.mark.parametrize(
    ("keys", "compat"),
    [
        ([], "corrected"),
        (["compat=upstream"], "upstream"),
        (["scenario_cfg.compat=upstream"], "upstream"),
        (["compat=upstream", "scenario_cfg.compat=corrected"], "corrected"),
    ],
)
def test_compat_of_the_recipe_chooses_the_class(
    name: str, keys: list[str], compat: str, tmp_path: Path
) -> None:
    path = tmp_path / "r.yaml"
    needs = "dataset_id: g-text-none" if name == "MMTrustEval" else "base_data_path: nowhere"
    path.write_text(RECIPE.format(name=name, needs=needs))
    recipe = load_recipe(path, keys)
    assert recipe.scenario.kind is SCENARIOS.get(name, upstream=compat == "upstream")
    effective = recipe.effective()["scenario_cfg"]
    assert (effective["dataset_name"], effective["compat"]) == (name, compat)
