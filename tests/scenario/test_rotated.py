"""``rotation: k``: the options of every question moved on by k letters, under the same ids."""

from __future__ import annotations

import re

import pytest

from chef.config import load_recipe
from chef.errors import ConfigError
from chef.scenario import Scenario


def shapes(*overrides: str) -> Scenario:
    given = ["scenario_cfg.size=12", *overrides]
    return load_recipe("Shapes/ppl", given).scenario.build()


def listed(question: str) -> dict[str, str]:
    """The text after each letter, read from the question alone."""
    return dict(re.findall(r"\((\w)\) ([^(\n]+?)(?=\s*(?:\(|\n|$))", question))


@pytest.mark.parametrize("places", [1, 3, 4, 6])
def test_texts_move_and_the_right_text_stays_right(places: int) -> None:
    plain, moved = shapes(), shapes(f"scenario_cfg.rotation={places}")
    for index in range(len(plain)):
        before, after = plain[index], moved[index]
        assert after.id == before.id == moved.sample_id(index)
        old, new = listed(before.question), listed(after.question)
        letters = "ABCD"
        assert [new[letter] for letter in letters] == [
            old[letters[(at + places) % 4]] for at in range(4)
        ]
        right = letters[before.fields["gt_choice"]]
        assert new[letters[after.fields["gt_choice"]]] == old[right]
        assert after.images == before.images or after.images[0].name == before.images[0].name


def test_no_rotation_is_the_same_recipe() -> None:
    recipes = [load_recipe("Shapes/ppl", given) for given in ([], ["scenario_cfg.rotation=0"])]
    assert recipes[0].effective() == recipes[1].effective()
    turned = load_recipe("Shapes/ppl", ["scenario_cfg.rotation=2"])
    assert turned.effective()["scenario_cfg"]["rotation"] == 2


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["scenario_cfg.rotation=-1"], "0 or more places"),
        (["scenario_cfg.rotation=one"], "int"),
        (["scenario_cfg.rotation=1", "scenario_cfg.circular=true"], "leave out rotation or"),
    ],
)
def test_mistakes(overrides: list[str], told: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_recipe("Shapes/ppl", overrides)
    assert told in str(error.value)


def test_questions_without_listed_options_stay() -> None:
    plain, moved = shapes("scenario_cfg.task=yesno"), shapes(
        "scenario_cfg.task=yesno", "scenario_cfg.rotation=1"
    )  # fmt: skip
    assert [moved[at].question for at in range(5)] == [plain[at].question for at in range(5)]
