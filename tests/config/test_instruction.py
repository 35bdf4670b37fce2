"""The instruction of a recipe: wordings checked when it is read, pools and classes of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import FAKES

from chef.config import load_model, load_recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator

RECIPE = """\
plugins: [{fakes}]
scenario_cfg:
  dataset_name: Numbers
eval_cfg:
  instruction_cfg:
    {line}
  inferencer_cfg: {{inferencer_type: PPL}}
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(line: str, fakes: str = str(FAKES)) -> Path:
        path = tmp_path / "r.yaml"
        path.write_text(RECIPE.format(fakes=fakes, line=line))
        return path

    return write


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("defined_prompt: What is it", r"no \{question\}, and samples of 'VQA' ask one"),
        ("defined_template: '{option} it is'", r"must end with \{option\}"),
        ("defined_template: It is", r"must end with \{option\}"),
        ("prompt_assigned_ids: 8", "id 8 is outside the prompts of pool 'VQA', which has 8"),
        ("template_assigned_ids: 3", "id 3 is outside the templates"),
        ("pool_file: nowhere.yaml", "no such file"),
        ("instruction_type: Mine", "unknown instruction 'Mine'"),
    ],
)
def test_an_unusable_wording_is_refused_when_the_recipe_is_read(write, line, words) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load_recipe(write(line))
    assert "r.yaml:6: eval_cfg.instruction_cfg" in str(caught.value)


def test_tasks_that_ask_nothing_need_no_place_for_a_question(write) -> None:
    path = write("defined_prompt: What is it")
    path.write_text(path.read_text().replace("Numbers", "Shapes\n  task: caption\n  ppl: false"))
    assert load_recipe(path).instruction.options["defined_prompt"] == "What is it"


POOL = """\
prompts:
  - "{question} Well?"
  - "Now: {question}"
"""


def asked(path: Path) -> tuple[str, str]:
    found = Evaluator(load_recipe(path))
    query = found.instruction.query(found.scenario[0])
    return query.conversation[-1].text, query.answer_prefix


def test_a_custom_pool_replaces_the_lists_it_defines(write, tmp_path: Path) -> None:
    (tmp_path / "pool.yaml").write_text(POOL)
    path = write("pool_file: pool.yaml\n    prompt_assigned_ids: 1\n    template_assigned_ids: 1")
    assert asked(path) == ("Now: 0?", "The correct option is ")
    (tmp_path / "pool.yaml").write_text(POOL + 'templates: ["So {option}"]\n')
    assert asked(write("pool_file: pool.yaml")) == ("0? Well?", "So ")
    with pytest.raises(ConfigError, match="id 2 is outside the prompts"):
        load_recipe(write("pool_file: pool.yaml\n    prompt_assigned_ids: 2"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("promts: [a]", "unknown list 'promts'\n  -> did you mean 'prompts'"),
        ("prompts: a", "is no pool of wordings"),
        ("prompts: []", "the list 'prompts' is empty"),
        ("templates: [It is]", r"must end with \{option\}"),
        ("multiturn_prompts: [[a, b, c]]", "is no pool of wordings"),
        ("prompts: [What is it]", r"no \{question\}"),
        ("prompts: [", "cannot be read"),
        ("- a", "is no pool of wordings"),
    ],
)
def test_an_invalid_pool_is_refused(write, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "pool.yaml").write_text(text + "\n")
    with pytest.raises(ConfigError, match=words):
        load_recipe(write("pool_file: pool.yaml"))


def test_a_changed_pool_is_another_configuration(write, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    model = load_model(tmp_path / "m.yaml")
    configs = []
    for text in (POOL, POOL.replace("Well", "So")):
        (tmp_path / "pool.yaml").write_text(text)
        configs.append(Evaluator(load_recipe(write("pool_file: pool.yaml"))).config(model))
    one, two = (config["decided_by"]["wording"] for config in configs)
    assert one != two
    section = configs[0]["recipe_cfg"]["eval_cfg"]["instruction_cfg"]
    assert section["pool_file"] == "pool.yaml"


OWN = """\
from chef.instruction import Instruction

class Polite(Instruction):
    def __init__(self, task, system_message="", retriever=None, style=None, *,
                 please: str = "Please", prompt_assigned_ids: int = 0) -> None:
        super().__init__(task, system_message, retriever, style,
                         prompt_assigned_ids=prompt_assigned_ids)
        self.please = please

    def word(self, sample):
        return f"{self.please}: {super().word(sample)}"
"""


def test_a_custom_class(write, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    both = f"{FAKES}, own.py"
    path = write("instruction_type: Polite\n    please: Kindly\n    prompt_assigned_ids: 2", both)
    assert asked(path)[0] == "Kindly: 0?"
    effective = load_recipe(path).effective()["eval_cfg"]["instruction_cfg"]
    assert effective == {
        "instruction_type": "Polite", "please": "Kindly", "prompt_assigned_ids": 2,
    }  # fmt: skip
    with pytest.raises(ConfigError, match="did you mean 'please'"):
        load_recipe(write("instruction_type: Polite\n    pleas: Kindly", both))


def test_a_custom_class_shows_examples_too(write, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    line = (
        "instruction_type: Polite\n"
        "    incontext_cfg: {retriever_type: fixed, ice_assigned_ids: [6]}"
    )
    found = Evaluator(load_recipe(write(line, f"{FAKES}, own.py")))
    query = found.instruction.query(found.scenario[0])
    assert query.conversation[0].text.startswith("Please: 6?")
    assert query.examples == ("n6",)
