"""Constructor arguments whose types are dataclasses: their fields are keys of the recipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import FAKES

from chef.common.keys import fold, keys_of, spelled
from chef.config import load_recipe
from chef.config.installed import REGISTRIES
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.inferencer.cot import Reasoning
from chef.inferencer.decoding import Decoding
from chef.inferencer.direct import Direct
from chef.instruction import Instruction

RECIPE = """\
plugins: [{fakes}, mine.py]
scenario_cfg: {{dataset_name: Numbers, size: 6}}
eval_cfg:
  inferencer_cfg:
    inferencer_type: {name}
    {line}
"""

PLUGIN = """\
from dataclasses import dataclass, field
from chef.common.keys import spelled
from chef.errors import ConfigError
from chef.inferencer.decoding import Decoding
from chef.inferencer.direct import Direct

@dataclass(frozen=True)
class Votes:
    rounds: int = 3
    least: float = field(default=0.5, metadata=spelled("quorum"))
    def __post_init__(self):
        if self.rounds < 1:
            raise ConfigError("nothing would be asked", where="rounds")
        if self.least > 1:
            raise ValueError("a quorum above 1 is never reached")

class Voting(Direct):
    def __init__(self, instruction, *, votes: Votes, name: str = "v",
                 decoding: Decoding = Decoding(max_new_tokens=5, temperature=0.7)) -> None:
        super().__init__(instruction, decoding=decoding)
        self.votes, self.name = votes, name

class Plain(Direct):
    def __init__(self, instruction, *, max_new_tokens: int = 3, CoT: bool = True) -> None:
        super().__init__(instruction, max_new_tokens=max_new_tokens, CoT=CoT)
"""


@pytest.fixture
def write(tmp_path: Path):
    (tmp_path / "mine.py").write_text(PLUGIN)

    def write(name: str, line: str = "batch_size: 2") -> Path:
        path = tmp_path / "r.yaml"
        path.write_text(RECIPE.format(fakes=FAKES, name=name, line=line))
        return path

    return write


def test_the_fields_are_keys_with_their_own_names_types_and_defaults(write) -> None:
    recipe = load_recipe(write("Voting", "quorum: 1\n    max_new_tokens: 9"))
    assert recipe.inferencer.options == {
        "rounds": 3, "quorum": 1.0, "name": "v",
        "max_new_tokens": 9, "stop": None, "temperature": 0.7, "top_p": 1.0,
    }  # fmt: skip
    section = recipe.effective()["eval_cfg"]["inferencer_cfg"]
    assert section == {"inferencer_type": "Voting", **recipe.inferencer.options}
    made = Evaluator(recipe).inferencer
    assert (made.votes.rounds, made.votes.least, made.name) == (3, 1.0, "v")
    assert made.decoding == Decoding(max_new_tokens=9, temperature=0.7)
    assert made.reasoning == Reasoning()


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("quorun: 1", "quorun", "did you mean 'quorum'?"),
        ("least: 1", "least", "unknown key for Voting"),
        ("votes: {rounds: 1}", "votes", "unknown key for Voting"),
        ("rounds: many", "rounds", "expected 'int'"),
        ("rounds: 0", "rounds", "nothing would be asked"),
        ("quorum: 2.0", "inferencer_cfg", "a quorum above 1 is never reached"),
        ("top_p: 0.0", "top_p", "more than 0, at most 1"),
        ("temperature: .inf", "temperature", "a finite number"),
        ("max_new_tokens: 0", "max_new_tokens", "1 or more"),
    ],
)
def test_a_mistake_is_refused_with_its_line_when_the_recipe_is_read(
    write, line: str, place: str, words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe(write("Voting", line))
    assert f"r.yaml:{4 if place == 'inferencer_cfg' else 6}: " in str(caught.value)
    assert f"{place}: " in str(caught.value)
    assert words in str(caught.value)


def test_ranges_of_keys_that_a_class_passes_on_name_the_key_too(write) -> None:
    with pytest.raises(ConfigError, match=r"r.yaml:6: eval_cfg.inferencer_cfg.max_new_tokens"):
        Evaluator(load_recipe(write("Plain", "max_new_tokens: 0")))
    with pytest.raises(ConfigError, match=r"r.yaml:6: .*cot_max_new_tokens is 0"):
        load_recipe(write("Direct", "cot_max_new_tokens: 0"))
    examples = "incontext_cfg: {retriever_type: fixed, ice_num: -1}"
    path = write("Direct")
    path.write_text(path.read_text() + f"  instruction_cfg:\n    {examples}\n")
    with pytest.raises(ConfigError, match=r"r.yaml:8: .*ice_num is -1"):
        load_recipe(path)


def test_a_subclass_may_pass_the_keys_of_a_group_one_by_one(write) -> None:
    found = Evaluator(load_recipe(write("Plain", "CoT: false"))).inferencer
    assert (found.max_new_tokens, found.reasoning.wanted) == (3, False)
    instruction = Instruction("VQA")
    assert Direct(instruction, stop=["\n"]).decoding == Decoding(stop=["\n"])
    with pytest.raises(TypeError, match="max_new_token"):
        Direct(instruction, max_new_token=3)
    with pytest.raises(TypeError, match="given as a whole and by its keys"):
        Direct(instruction, max_new_tokens=3, decoding=Decoding())


@dataclass
class Pages:
    first: int
    last: int = field(default=9, metadata=spelled("to"))
    read: list[int] = field(default_factory=list)
    count: int = field(default=0, init=False)


def test_required_fields_and_those_that_are_no_keys() -> None:
    def constructor(self, given, *more, pages: Pages, name: str = "x", **rest) -> None: ...

    keys = {key.name: key.default for key in keys_of(constructor)}
    assert set(keys) == {"given", "first", "to", "read", "name"}
    assert (keys["to"], keys["read"], keys["name"]) == (9, [], "x")
    assert fold(constructor, {"name": "y"}) == {"name": "y"}
    assert fold(constructor, {"first": 1, "to": 2, "else": 3}) == {
        "pages": Pages(1, 2), "else": 3,
    }  # fmt: skip


def test_a_group_with_a_key_that_is_needed(write, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN.replace("rounds: int = 3", "rounds: int"))
    with pytest.raises(ConfigError, match="Voting needs the key 'rounds'"):
        load_recipe(write("Voting"))


def test_two_arguments_with_one_key_are_a_mistake_of_the_author() -> None:
    def twice(self, first: Pages, to: int) -> None: ...

    with pytest.raises(ConfigError, match=r"'first' and 'to' of .*twice both give the key 'to'"):
        keys_of(twice)


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda r: r.kind)
def test_no_ingredient_has_a_key_twice(registry) -> None:
    for name in registry:
        for upstream in {False, name in registry.upstream}:
            assert isinstance(keys_of(registry.get(name, upstream=upstream).__init__), tuple)
