"""The pools keep the ids and roles of ChEF; the wording is data and may change."""

from __future__ import annotations

import string
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from conftest import FAKES

from chef.config import load_recipe
from chef.config.instruction import pool_of
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.instruction.pools import load_pool
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.vlmevalkit.table import table
from chef.types import Sample

#: Pool: single-turn prompts, templates, multi-turn prompts, multi-turn templates.
SHAPE = {
    "coarse_grained_classification": (20, 4, 0, 0),
    "fine_grained_classification": (1, 1, 1, 0),
    "caption": (21, 2, 0, 0),
    "VQA": (8, 3, 0, 0),
    "POPE": (1, 2, 0, 0),
    "detection": (2, 1, 3, 3),
    "detection_lamm": (2, 1, 3, 3),
}
BARE = (
    "counting",
    "Winoground",
    "VQA_lamm",
    "caption_lamm",
    "Facial_cls_lamm",
    "classification_lamm",
    "Classification_octavius3d",
    "VQA_octavius3d",
    "Caption_octavius3d",
)
#: Those of VLMEvalKit's layouts; tests/scenario/vlmevalkit/test_layouts.py has their prompts.
LAYOUTS = tuple(sorted({family.wording for family in table().families.values()}))
TASKS = (*SHAPE, *BARE)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("task", SHAPE)
def test_number_of_ids(task: str) -> None:
    pool = load_pool(task)
    found = (pool.prompts, pool.templates, pool.multiturn_prompts, pool.multiturn_templates)
    assert tuple(map(len, found)) == SHAPE[task]


@pytest.mark.parametrize("task", [*BARE, "POPE", ""])
def test_bare_tasks_and_none_ask_the_question(task: str) -> None:
    pool = load_pool(task)
    assert pool.wording == task
    assert pool.prompts == ("{question}",)
    assert pool.templates[0] == "{option}"
    assert pool.multiturn_prompts == ()


@pytest.mark.parametrize("task", TASKS)
def test_templates_end_in_the_option_and_say_it_once(task: str) -> None:
    pool = load_pool(task)
    paired = [template for pair in pool.multiturn_templates for template in pair]
    for template in (*pool.templates, *paired):
        assert template.endswith("{option}")
        assert template.count("{") == 1
        assert template.format(option="x").endswith("x")


@pytest.mark.parametrize("task", LAYOUTS)
def test_forms_have_as_many_prompts_and_answers_stand_bare(task: str) -> None:
    pool = load_pool(task)
    assert pool.templates == ("{option}",)
    assert all(len(prompts) == len(pool.prompts) for prompts in pool.forms.values())
    assert all(prompt.startswith("{question}") for form in pool.forms.values() for prompt in form)


@pytest.mark.parametrize("task", TASKS)
def test_prompts_take_what_the_task_gives(task: str) -> None:
    pool = load_pool(task)
    wanted = {"question"} if task in (*BARE, "VQA", "POPE") else set()
    assert all(fields(prompt) == wanted for prompt in pool.prompts)
    for first, later in pool.multiturn_prompts:
        assert fields(first) == set()
        assert fields(later) == {"prefix"}


@pytest.mark.parametrize("task", TASKS)
def test_prompts_of_a_pool_differ(task: str) -> None:
    assert len(set(load_pool(task).prompts)) == len(load_pool(task).prompts)


def test_roles_that_matter_to_the_letter() -> None:
    coarse, vqa = load_pool("coarse_grained_classification"), load_pool("VQA")
    assert coarse.prompts[0].endswith(" ")
    assert not coarse.prompts[1].endswith((" ", "?", "."))
    assert coarse.templates[1] == "{option}"
    assert all(prompt.startswith("{question}") for prompt in vqa.prompts)
    assert vqa.prompts[2] == "{question}"
    assert vqa.prompts[5].endswith("ANSWER:")
    assert vqa.prompts[7].endswith("Answer:")
    assert "(option)" in vqa.prompts[6]
    assert vqa.templates[2] == "{option}"
    # ChEF's own opens a quotation here and never closes it, which shifts the scores.
    assert '"' not in load_pool("caption").templates[0]
    assert load_pool("POPE").templates[0] == "{option}"
    later = [pair[1] for pair in load_pool("detection").multiturn_prompts]
    assert "[x0,y0,x1,y1]" in later[1]
    assert later[2] == "<grounding><phrase>{prefix}</phrase>"


def test_every_file_is_a_known_pool() -> None:
    folder = files("chef.instruction") / "pools"
    names = {entry.name for entry in folder.iterdir()}
    assert names == {"upstream", *(f"{task}.yaml" for task in (*TASKS, *LAYOUTS))}
    assert {entry.name for entry in (folder / "upstream").iterdir()} < names


@pytest.mark.parametrize("task", TASKS)
def test_chef_s_own_lists_have_as_many_ids(task: str) -> None:
    ours, chefs = load_pool(task), load_pool(task, upstream=True)
    for kind in ("prompts", "templates", "multiturn_prompts", "multiturn_templates"):
        assert len(getattr(ours, kind)) == len(getattr(chefs, kind))


def test_nothing_stands_between_question_and_suffix_in_chef() -> None:
    ours, chefs = load_pool("VQA").prompts, load_pool("VQA", upstream=True).prompts
    assert list(chefs) == [prompt.replace("{question}\n", "{question}") for prompt in ours]
    assert load_pool("VQA", upstream=True).templates == load_pool("VQA").templates
    assert load_pool("caption", upstream=True).templates[0].endswith(': " {option}')


def test_a_task_name_cannot_leave_the_folder() -> None:
    with pytest.raises(ConfigError, match=r"no pool of wordings '\.\./pools/VQA'"):
        load_pool("../pools/VQA")


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_has_a_pool_or_says_that_it_has_none(name: str) -> None:
    kind = SCENARIOS.get(name)
    if isinstance(getattr(kind, "wording", None), str):
        assert load_pool(pool_of(kind)).known is kind.has_wordings
    if not kind.has_wordings:
        with pytest.raises(ConfigError):
            load_pool(kind.wording)  # where there is a pool, the scenario must not deny it


def test_a_scenario_of_ones_own_with_an_unknown_task_is_told_what_to_write(
    recipe_file: Callable[..., Path], tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    # Classes of other names: a fixture of another module may have registered those of the fakes.
    text = FAKES.read_text().replace("Numbers", "Figures").replace("Hashing", "Digesting")
    own.write_text(text.replace('task = "VQA"', 'task = "VQA_lama"'))
    path = recipe_file()
    path.write_text(path.read_text().replace(str(FAKES), str(own)).replace("Numbers", "Figures"))
    with pytest.raises(ConfigError, match="no pool of wordings 'VQA_lama'") as caught:
        load_recipe(path)
    assert "r.yaml:3: scenario_cfg.dataset_name" in str(caught.value)
    assert "did you mean 'VQA_lamm'?; or write has_wordings = False" in str(caught.value)
    plain = tmp_path / "plain.py"
    declared = 'task = "VQA_lama"\n    has_wordings = False'
    plain.write_text(
        own.read_text()
        .replace('task = "VQA_lama"', declared)
        .replace("Figures", "N")
        .replace("Digesting", "H")
    )
    path.write_text(path.read_text().replace(str(own), str(plain)).replace("Figures", "N"))
    found = Evaluator(load_recipe(path))
    assert (found.instruction.prompts, found.scenario.wording) == (("{question}",), "VQA_lama")
    ids = "eval_cfg.instruction_cfg={prompt_assigned_ids: 1}"
    with pytest.raises(ConfigError, match="outside the prompts of a scenario without wordings"):
        load_recipe(path, [ids])


def test_task_is_the_former_name_of_wording() -> None:
    class Old(Scenario):
        name, task, metric = "Old", "counting", "Counting"

        def __len__(self) -> int:
            return 0

        def __getitem__(self, index: int) -> Sample:
            raise IndexError(index)

        def sample_id(self, index: int) -> str:
            return str(index)

    assert (Old.wording, Old().task) == ("counting", "counting")
    own = Old()
    own.task = "VQA"
    assert (own.wording, Old.wording) == ("VQA", "counting")
