"""`compat: upstream`: examples chosen and shown as ChEF does, defects included."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import FAKES
from fakes import Numbers
from instruction.encoders import encoder_of, picture, sample
from instruction.test_retrievers import Pictures

from chef.config import load_recipe
from chef.errors import ConfigError, SampleError
from chef.evaluator import Evaluator, RunOptions
from chef.instruction import RETRIEVERS, Instruction
from chef.instruction.retriever.upstream import EvaluatedSet
from chef.instruction.retriever.upstream.kinds import TopkImg
from chef.instruction.upstream import ChefFormat
from chef.types import Sample, Text


def ready(kind, scenario, batch_size=1, order=None, **options):
    retriever = RETRIEVERS.get(kind, upstream=True)(**options)
    positions = range(len(scenario)) if order is None else order
    retriever.prepare(EvaluatedSet(scenario, positions, batch_size))
    return retriever


def names(examples) -> list[str]:
    return [example.id for example in examples]


def test_random_draws_the_legacy_stream_in_order_and_may_show_the_query() -> None:
    scenario = Numbers(size=12)
    retriever = ready("random", scenario, ice_num=3, random_seed=1)
    np.random.seed(1)  # noqa: NPY002 (ChEF's own stream)
    draws = [np.random.choice(12, 3, replace=False) for _ in range(12)]  # noqa: NPY002
    expected = [[f"n{i}" for i in drawn] for drawn in draws]
    found = [names(retriever.retrieve(scenario[index])) for index in range(12)]
    assert found == expected
    assert any(f"n{index}" in found[index] for index in range(12))


def test_positions_are_those_of_the_subset_in_the_order_drawn() -> None:
    scenario = Numbers(size=40)
    order = [31, 5, 17, 2]
    retriever = ready("random", scenario, order=order, ice_num=2, random_seed=3)
    stream = np.random.RandomState(3)
    lists = [[f"n{order[i]}" for i in stream.choice(4, 2, replace=False)] for _ in range(4)]
    assert names(retriever.retrieve(scenario[17])) == lists[2]
    with pytest.raises(SampleError, match="none of the evaluated samples"):
        retriever.retrieve(scenario[3])


def test_a_short_last_batch_gets_the_lists_of_others() -> None:
    # 10 samples in batches of 4: the last batch has length 2 and starts at 2 * 2, not at 8.
    scenario = Numbers(size=10)
    places = [EvaluatedSet(scenario, range(10), 4).place(f"n{index}") for index in range(10)]
    assert places == [0, 1, 2, 3, 4, 5, 6, 7, 4, 5]
    retriever = ready("random", scenario, batch_size=4, ice_num=2)
    assert retriever.retrieve(scenario[8]) == retriever.retrieve(scenario[4])


def test_fixed_is_one_draw_or_the_assigned_ones_for_all() -> None:
    scenario = Numbers(size=9)
    drawn = [f"n{i}" for i in np.random.RandomState(7).choice(9, 2, replace=False)]
    retriever = ready("fixed", scenario, ice_num=2, random_seed=7)
    assert {tuple(names(retriever.retrieve(scenario[i]))) for i in range(9)} == {tuple(drawn)}
    assigned = ready("fixed", scenario, ice_num=2, ice_assigned_ids=[4, 1])
    assert names(assigned.retrieve(scenario[4])) == ["n4", "n1"]


def by_red(samples, ice_num=1, batch_size=1) -> TopkImg:
    retriever = TopkImg(ice_num=ice_num)
    assert not retriever.encoder.unit
    retriever.encoder = encoder_of(lambda image: image.load().getpixel((0, 0)))
    retriever.encoder.unit = False
    retriever.prepare(EvaluatedSet(Pictures(samples), range(len(samples)), batch_size))
    return retriever


def test_likeness_is_the_inner_product_so_bright_images_win() -> None:
    samples = [
        sample("grey", picture(255, 255, 255)),
        sample("dark red", picture(60, 0, 0)),
        sample("red", picture(120, 0, 0)),
    ]
    retriever = by_red(samples)
    # 120 * 255 > 120 * 60; only the query itself is left out.
    assert names(retriever.retrieve(samples[2])) == ["grey"]
    assert names(retriever.retrieve(samples[0])) == ["red"]


def test_a_rotation_is_not_looked_at_and_finds_its_own_question() -> None:
    samples = [
        sample("1", picture(200, 0, 0), group="1"),
        sample("1000001", picture(200, 0, 0), group="1"),
        sample("2", picture(100, 0, 0), group="2"),
        sample("3", picture(50, 0, 0), group="3"),
    ]
    retriever = by_red(samples)
    assert names(retriever.retrieve(samples[1])) == ["1"]
    assert names(retriever.retrieve(samples[0])) == ["2"]
    # Of three that are looked at, four are wanted: -1 stands for what is not there.
    assert names(by_red(samples, 3).retrieve(samples[0])) == ["2", "3", "3"]


def test_examples_run_into_the_question_and_lists_keep_their_brackets() -> None:
    samples = [Sample(f"{n}", (), question=f"{n}?", answer=[f"a{n}", f"b{n}"]) for n in range(3)]
    scenario = Pictures(samples)
    retriever = ready("fixed", scenario, ice_num=2, ice_assigned_ids=[1, 2])
    style = ChefFormat(add_sysmsg=True)
    handler = Instruction(
        "VQA", "", retriever, style, defined_prompt="{question} So?",
        defined_template="It is {option}",
    )  # fmt: skip
    (turn,) = handler.query(samples[0]).conversation
    assert turn.text == "1?\nIt is ['a1', 'b1']\n2?\nIt is ['a2', 'b2']0? So?"


def test_images_of_examples_come_first() -> None:
    samples = [sample(name, picture(shade)) for name, shade in (("a", 1), ("b", 2), ("c", 3))]
    retriever = ready("fixed", Pictures(samples), ice_num=2, ice_assigned_ids=[2, 1])
    handler = Instruction("VQA", "", retriever, ChefFormat())
    (turn,) = handler.query(samples[0]).conversation
    assert turn.images == (*samples[2].images, *samples[1].images, *samples[0].images)
    assert isinstance(turn.parts[-1], Text)


RECIPE = f"""\
compat: upstream
plugins: [{FAKES}]
scenario_cfg: {{dataset_name: Numbers, size: 30}}
eval_cfg:
  instruction_cfg:
    incontext_cfg: {{retriever_type: random, ice_num: 2, random_seed: 1}}
  inferencer_cfg: {{inferencer_type: PPL, batch_size: 4}}
"""


def test_a_recipe_hands_the_switch_to_its_examples(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(RECIPE)
    found = Evaluator(load_recipe(path), RunOptions(sample_len=6))
    order = np.random.RandomState(0).choice(30, 6, replace=False)
    stream = np.random.RandomState(1)
    lists = [[f"n{order[i]}" for i in stream.choice(6, 2, replace=False)] for _ in range(6)]
    # The last two make a batch of two: its lists begin at 1 * 2.
    query = found.instruction.query(found.scenario[int(order[4])])
    assert list(query.examples) == lists[2]
    effective = found.recipe.effective()["eval_cfg"]["instruction_cfg"]["incontext_cfg"]
    assert effective["compat"] == "upstream"
    assert "PPL, random" in caplog.text


def test_what_decides_the_examples_is_recorded(tmp_path: Path) -> None:
    from chef.config import load_model

    path = tmp_path / "r.yaml"
    path.write_text(RECIPE)
    (tmp_path / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    model = load_model(tmp_path / "m.yaml")

    def decided(*overrides: str, **options: int) -> dict[str, str]:
        recipe = load_recipe(path, overrides)
        return Evaluator(recipe, RunOptions(**options)).config(model)["decided_by"]

    first = decided(sample_len=6)
    assert first == decided(sample_len=6)
    assert first["examples"] != decided(sample_len=7)["examples"]
    assert first["examples"] != decided(sample_len=6, batch_size=2)["examples"]
    corrected = "eval_cfg.instruction_cfg.incontext_cfg.compat=corrected"
    assert "examples" not in decided(corrected, sample_len=6)


def test_a_retriever_of_ones_own_without_upstream_mode(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from chef.instruction.retriever import Retriever\n"
        "class Plain(Retriever):\n    def preference(self, query):\n        return iter(range(5))\n"
    )
    path = tmp_path / "r.yaml"
    text = RECIPE.replace("plugins: [", "plugins: [mine.py, ")
    path.write_text(text.replace("retriever_type: random", "retriever_type: Plain"))
    with pytest.raises(
        ConfigError, match="the retriever Plain has no rules of ChEF's own"
    ) as caught:
        load_recipe(path)
    assert "write incontext_cfg.compat: corrected" in str(caught.value)
    corrected = "eval_cfg.instruction_cfg.incontext_cfg.compat=corrected"
    assert Evaluator(load_recipe(path, [corrected])).preview()


@pytest.mark.parametrize("kind", ["random", "fixed"])
def test_all_samples_may_be_examples(kind: str) -> None:
    scenario = Numbers(size=4)
    retriever = ready(kind, scenario, ice_num=4, random_seed=5)
    first = np.random.RandomState(5).choice(4, 4, replace=False)
    assert names(retriever.retrieve(scenario[0])) == [f"n{index}" for index in first]
    with pytest.raises(ConfigError, match="5 examples are wanted, and the pool has 4"):
        ready(kind, scenario, ice_num=5)


def test_assigned_ids_may_be_repeated() -> None:
    scenario = Numbers(size=2)
    retriever = ready("fixed", scenario, ice_num=3, ice_assigned_ids=[1, 0, 1])
    assert names(retriever.retrieve(scenario[0])) == ["n1", "n0", "n1"]
    with pytest.raises(ConfigError, match="2 ids for 3 examples"):
        ready("fixed", scenario, ice_num=3, ice_assigned_ids=[1, 1])


def test_the_last_sample_fills_up_where_neighbours_are_missing() -> None:
    samples = [sample("a", picture(200, 0, 0)), sample("b", picture(100, 0, 0))]
    # Four are wanted of two: the query itself, "b" and twice -1.
    assert names(by_red(samples, 3).retrieve(samples[0])) == ["b", "b", "b"]
