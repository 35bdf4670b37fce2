"""Keys of classes whose constructor ends in ``**kwargs``."""

from __future__ import annotations

import pytest

from chef.common.keys import class_keys, constructors, make, passes_on
from chef.errors import ConfigError
from chef.inferencer.direct import Direct
from chef.instruction.handler import Instruction
from chef.metric import Metric
from chef.models import Model
from chef.scenario.digits import Digits
from chef.types import Sample


class Passing(Direct):
    def __init__(self, own: int = 1, **kwargs):
        super().__init__(**kwargs)
        self.own = own


class Fixing(Passing):
    def __init__(self, **kwargs):
        super().__init__(max_new_tokens=3, **kwargs)


class Named(Direct):
    def __init__(self, instruction_handler, **kwargs):
        super().__init__(instruction_handler, **kwargs)


class Last(Metric):
    def __init__(self, threshold=0.5, **kwargs):
        super().__init__(**kwargs)
        self.threshold = threshold

    def metric_func(self, answers):
        return 0


def test_the_keys_of_the_whole_chain() -> None:
    names = [key.name for key in class_keys(Fixing)]
    assert names[0] == "own"
    assert {"instruction", "max_new_tokens", "temperature", "CoT"} <= {*names}
    assert len(constructors(Fixing)) == 3
    assert [key.name for key in class_keys(Last)] == ["threshold", "dataset_name"]


def test_what_passes_nothing_on() -> None:
    assert passes_on(Fixing)
    assert not passes_on(Direct)
    assert not passes_on(Model)  # it has the constructor of object
    assert class_keys(Model) == ()


@pytest.mark.parametrize("kind", [Passing, Fixing, Named])
def test_what_the_evaluator_gives_arrives(kind: type[Direct]) -> None:
    instruction = Instruction("VQA")
    made = make(kind, (instruction,), {"temperature": 0.5})
    assert made.instruction is instruction
    assert made.decoding.temperature == 0.5
    assert made.max_new_tokens == (3 if kind is Fixing else 16)


def test_the_first_argument_is_not_taken_for_the_data_set() -> None:
    made = make(Last, ("MME",), {})
    assert (made.dataset_name, made.threshold) == ("MME", 0.5)
    assert make(Last, ("MME",), {"threshold": 2}).threshold == 2


def test_a_scenario_and_an_instruction() -> None:
    class Few(Digits):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)

    class Worded(Instruction):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)

    assert {key.name for key in class_keys(Few)} == {key.name for key in class_keys(Digits)}
    made = make(Worded, ("VQA", "Be brief."), {"prompt_assigned_ids": 2})
    query = made.query(Sample("1", question="Which?"))
    assert query.conversation[0].text == "Be brief."
    assert made.prompt == "{question}"


def test_a_value_given_twice() -> None:
    with pytest.raises(ConfigError, match=r"Fixing cannot be made: .*max_new_tokens"):
        make(Fixing, (Instruction("VQA"),), {"max_new_tokens": 4})


def test_errors_of_the_constructor_itself_stay() -> None:
    class Broken(Last):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            len(3)

    with pytest.raises(TypeError, match=r"object of type 'int' has no len\(\)"):
        make(Broken, ("x",), {})
