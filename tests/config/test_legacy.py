"""What recipes of both generations of ChEF write, and what it is taken as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import FAKES

from chef.config import Recipe, load_recipe
from chef.config.document import Document
from chef.config.legacy import upgrade_legacy_keys
from chef.errors import ConfigError

RECIPE = """\
plugins: [{fakes}]
scenario_cfg: {{dataset_name: Numbers}}
eval_cfg:
  instruction_cfg: {{{instruction}}}
  inferencer_cfg: {{{inferencer}}}
"""


@pytest.fixture
def load(tmp_path: Path):
    def load(inferencer: str, instruction: str = "", *overrides: str) -> Recipe:
        path = tmp_path / "r.yaml"
        path.write_text(RECIPE.format(fakes=FAKES, instruction=instruction, inferencer=inferencer))
        return load_recipe(path, overrides)

    return load


PAIRS = "prompt_type: multiturn, defined_prompt: ['{question}', '{prefix}']"
EXAMPLES = "incontext_cfg: {retriever_type: random}"


@pytest.mark.parametrize(
    ("written", "instruction", "taken"),
    [
        ("Direct", "", "Direct"), ("PPL", "", "PPL"), ("Calibration", "", "PPL"),
        ("ICL_Direct", EXAMPLES, "Direct"), ("ICL_PPL", EXAMPLES, "PPL"),
        ("Multi_PPL", PAIRS, "Multi_PPL"), ("Multi_Direct", PAIRS, "Multi_Direct"),
        ("Det", PAIRS, "Det"), ("Det_PPL", PAIRS, "Det_PPL"),
    ],
)  # fmt: skip
def test_every_inferencer_of_both_generations(load, written, instruction, taken) -> None:
    recipe = load(f"inferencer_type: {written}", instruction)
    assert recipe.inferencer.name == taken
    assert (recipe.notices == ()) is (written == taken)


@pytest.mark.parametrize(
    ("overrides", "kind", "index"),
    [
        (["compat=corrected"], "singleturn", 3),
        (["compat=upstream"], "singleturn", 0),
        (["compat=upstream", "eval_cfg.instruction_cfg.prompt_assigned_ids=2"], "singleturn", 2),
    ],
)
def test_upstream_ignores_what_chooses_a_wording_in_the_first_generation(
    load, overrides, kind, index
) -> None:
    text = "query_type: query_pool, query_assigned_ids: 3, template_assigned_ids: 1"
    if len(overrides) > 1:
        text = text.replace(", query_assigned_ids: 3", "")
    recipe = load("inferencer_type: PPL", text, *overrides)
    options = recipe.instruction.options
    assert (options["prompt_type"], options["prompt_assigned_ids"]) == (kind, index)
    assert options["template_assigned_ids"] == 1
    ignored = [notice for notice in recipe.notices if "ignored, as by ChEF" in notice]
    assert bool(ignored) is (overrides[0] == "compat=upstream")


@pytest.mark.parametrize(
    ("place", "override"),
    [
        ("scenario_cfg.dataset_name", "ScanQA_LAMM"),
        ("scenario_cfg.dataset_name", "OctaviusPCLDataset"),
        ("eval_cfg.inferencer_cfg.inferencer_type", "Direct3D"),
        ("eval_cfg.metric_cfg.metric_type", "Octavius3D"),
    ],
)
def test_point_clouds_are_refused_with_the_reason(load, place: str, override: str) -> None:
    with pytest.raises(ConfigError, match=f"'{override}' is about point clouds") as caught:
        load("inferencer_type: PPL", "", f"{place}={override}")
    assert place in str(caught.value)


def understood(scenario: dict[str, Any], metric: dict[str, Any]) -> tuple[dict[str, Any], int]:
    recipe = {
        "scenario_cfg": scenario,
        "eval_cfg": {"instruction_cfg": {}, "inferencer_cfg": {}, "metric_cfg": metric},
    }
    notices = upgrade_legacy_keys(recipe, Document(Path("r.yaml"), {}, {}, {}), "corrected")
    return recipe, len(notices)


@pytest.mark.parametrize("single", [True, False])
def test_one_turn_or_several_in_the_first_generation(single: bool) -> None:
    options = {"negative_opt_num": 3, "single_turn": single}
    recipe, notices = understood({"dataset_name": "Omnibenchmark", "ppl_cfg": options}, {})
    assert recipe["scenario_cfg"]["multi_turn"] is not single
    assert recipe["scenario_cfg"]["ppl_cfg"] == {"negative_opt_num": 3}
    assert notices == 1
    with pytest.raises(ConfigError, match="disagree"):
        understood({"ppl_cfg": {"single_turn": single}, "multi_turn": single}, {})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("multi_ppl", {"inference_type": "multiturn", "ppl": True}),
        ("single_ppl", {"inference_type": "singleturn", "ppl": True}),
        ("direct", {"inference_type": "singleturn", "ppl": False}),
    ],
)
def test_how_a_metric_of_the_first_generation_names_its_answers(old: str, new: dict) -> None:
    recipe, notices = understood({"dataset_name": "Omnibenchmark"}, {"inference_type": old})
    assert recipe["eval_cfg"]["metric_cfg"] == new
    assert notices == 1
    recipe, notices = understood({"dataset_name": "FSC147"}, {"inference_type": old})
    assert (recipe["eval_cfg"]["metric_cfg"], notices) == ({"inference_type": old}, 0)
    with pytest.raises(ConfigError, match="disagree"):
        understood(
            {"dataset_name": "Omnibenchmark"}, {"inference_type": old, "ppl": not new["ppl"]}
        )
