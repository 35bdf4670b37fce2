"""``circular: true``: the rotations of any multiple-choice scenario, worked out by hand."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from options_by_hand import TEXTS, sample
from vlmevalkit_by_hand.rotations import ROTATED

from chef.common.circular import rotation_index, rotation_step
from chef.config.recipe import load_recipe
from chef.errors import ConfigError, SampleError
from chef.evaluator import Evaluator
from chef.image import Image
from chef.metric import METRICS
from chef.scenario.base import Scenario
from chef.scenario.circular import Circular
from chef.scenario.tsv.scenario import Tsv
from chef.types import Prediction, Sample, Status, TurnSpec


class Fixed(Scenario):
    """The samples that it is given; an exception stands for one that cannot be made."""

    name = "Fixed"
    wording = "VQA"
    metric = "VQA"
    random_accuracy = 0.25
    groupings = ("kind",)

    def __init__(self, *samples: Any) -> None:
        self.samples = samples
        self.made: list[int] = []

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> Sample:
        self.made.append(index)
        if isinstance(self.samples[index], Exception):
            raise self.samples[index]
        found: Sample = self.samples[index]
        return found

    def sample_id(self, index: int) -> str:
        return getattr(self.samples[index], "id", "broken")


def test_rows_ids_groups_and_sizes():
    data = Circular(Fixed(sample("7"), sample("9", TEXTS[:2])))
    assert [data.sample_id(place) for place in range(len(data))] == [
        "7", "1000007", "2000007", "3000007", "9", "1000009",
    ]  # fmt: skip
    assert [data.group(place) for place in range(6)] == ["7"] * 4 + ["9"] * 2
    made = [data[place] for place in range(6)]
    assert [item.id for item in made] == [data.sample_id(place) for place in range(6)]
    assert [item.fields["circular_group"] for item in made] == ["7"] * 4 + ["9"] * 2
    assert [item.fields["circular_size"] for item in made] == [4] * 4 + [2] * 2
    assert [item.fields["choices"][0] for item in made] == [
        "ant",
        "bee",
        "cat",
        "dog",
        "ant",
        "bee",
    ]


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["7", "8"], "1000007"),
        (["7", "999999"], "1000007"),
        (["7", "1000000"], "10000007"),
        (["7", "12345678"], "100000007"),
        (["7", "art_8"], "1000007"),
    ],
)
def test_no_id_occurs_twice(ids, expected):
    data = Circular(Fixed(*map(sample, ids)))
    names = [data.sample_id(place) for place in range(len(data))]
    assert expected in names
    assert len(set(names)) == len(names) == 8


def test_an_id_that_is_no_number_gets_a_suffix():
    assert [rotation_index("art_8", number) for number in range(3)] == [
        "art_8",
        "art_8~1",
        "art_8~2",
    ]
    assert rotation_step([]) == 1_000_000


@pytest.mark.parametrize(
    "case",
    [
        sample(correct=None),
        sample(texts=["ant", "B", "cat", "dog"]),
        sample(texts=["ant", "bee", "Both A and B", "dog"]),
        sample(texts=["ant", "bee", "cat", "A, B or C"]),
        sample(question="Which?"),
        sample(question="Which?\n(A) ant (B) bee (C) cat"),
        sample(turns=(TurnSpec(),)),
        sample(fields={"choices": ["ant"], "labels": ["A"]}, options=()),
        Sample("7", question="Red?", fields={"choices": ["Yes", "No"], "gt_choice": 0}),
        Sample("7", question="How many?", answer="3"),
    ],
)
def test_what_is_asked_once(case):
    data = Circular(Fixed(case, sample("8")))
    assert len(data) == 1 + 4
    assert data[0].question == case.question
    assert (data[0].fields["circular_group"], data[0].fields["circular_size"]) == ("7", 1)


def test_what_is_asked_once_is_told_with_the_reason(caplog):
    unlisted = sample("9", question="Which one?")
    with caplog.at_level("INFO", "chef"):
        assert len(Circular(Fixed(sample("8"), unlisted, sample("10", correct=None)))) == 6
    assert "1 of 3 do not list their options: write them into the question" in caplog.text
    assert "1 of 3 have no known answer (gt_choice" in caplog.text
    with pytest.raises(ConfigError) as failure:
        len(Circular(Fixed(unlisted)))
    assert "1 of 1 do not list their options" in str(failure.value)
    assert "as (A) ..., A. ..., A) ... or A: ..." in str(failure.value)


def test_images_are_shared_and_samples_made_once_for_all_rotations():
    image = Image(lambda: PIL.Image.new("RGB", (2, 2)))
    base = Fixed(sample(images=(image,)))
    data = Circular(base)
    assert len(data) == 4
    base.made.clear()
    assert all(data[place].images == (image,) for place in range(4))
    assert base.made == [0]


def test_a_sample_that_cannot_be_made_is_one_row_and_its_own_error():
    data = Circular(Fixed(SampleError("torn"), KeyError("options"), "no sample", sample("8")))
    assert len(data) == 3 + 4
    with pytest.raises(SampleError, match="torn"):
        data[0]
    with pytest.raises(KeyError):
        data[1]
    assert data[2] == "no sample"


def test_data_that_has_rotations_or_no_questions_to_rotate_is_refused():
    with pytest.raises(ConfigError, match="has rotations already"):
        len(Circular(Fixed(sample(fields={"circular_group": "7", "circular_size": 4}))))
    with pytest.raises(ConfigError, match="no question can be rotated"):
        len(Circular(Fixed(Sample("7", question="How many?", answer="3"))))
    assert len(Circular(Fixed())) == 0


def test_it_is_its_scenario_in_everything_else():
    data = Circular(Fixed(sample()))
    assert (data.name, data.wording, data.random_accuracy) == ("Fixed", "VQA", 0.25)
    assert data.grouped_by() == {"kind": "kind"}
    assert data.metric == "MMBenchVQA"


def test_the_metric_needs_every_rotation():
    data = Circular(Fixed(sample("7"), sample("8")))
    made = [data[place] for place in range(8)]
    right = [item.answer for item in made]
    right[5] = "(C)"  # one rotation of question 8
    rows = [
        Prediction(item.id, Status.OK, answer=answer, sample=item.to_record())
        for item, answer in zip(made, right, strict=True)
    ]
    ours = METRICS.get(data.metric)().evaluate(rows).metrics["circular_acc"]
    assert (ours.value, ours.n, ours.unit) == (50, 2, "%")
    theirs = METRICS.get(data.metric, compat="vlmevalkit")().evaluate(rows).metrics["Overall"]
    assert (theirs.value, theirs.n, theirs.unit) == (0.5, 2, "0-1")
    lost = METRICS.get(data.metric)().evaluate(rows[:-1])
    assert lost.metrics["incomplete_groups"].value == 1


RECIPE = """\
scenario_cfg: {scenario}
eval_cfg: {{inferencer_cfg: {{inferencer_type: PPL}}}}
"""


def evaluator(folder: Path, **scenario: Any) -> Evaluator:
    path = folder / "recipe.yaml"
    path.write_text(RECIPE.format(scenario=json.dumps({**scenario, "circular": True})))
    return Evaluator(load_recipe(path))


def test_a_tsv_without_rotations(tmp_path):
    content = io.BytesIO()
    PIL.Image.new("RGB", (2, 2)).save(content, "PNG")
    image = base64.b64encode(content.getvalue()).decode()
    (tmp_path / "my.tsv").write_text(
        f"index\timage\tquestion\tA\tB\tC\tanswer\n3\t{image}\tWhich?\tant\tbee\tcat\tB\n"
        "4\t3\tWhat?\tone\ttwo\t\tA\n"
    )
    asked = evaluator(tmp_path, dataset_name="Tsv", path="my.tsv")
    assert sorted(asked.ids) == ["1000003", "1000004", "2000003", "3", "4"]
    last = asked.scenario[2]
    assert last.id == "2000003"
    assert (last.fields["choices"], last.answer) == (["cat", "ant", "bee"], "(C)")
    assert asked.metric.primary == "vanilla_acc"
    digests = asked.scenario.row_digests()
    assert sorted(digests) == sorted(asked.ids)
    assert len(set(digests.values())) == 5


def test_config_yaml_has_the_key_only_where_it_is_set(tmp_path):
    with_it = evaluator(tmp_path, dataset_name="Shapes", size=2)
    assert with_it.recipe.effective()["scenario_cfg"]["circular"] is True
    plain = load_recipe(tmp_path / "recipe.yaml", ["scenario_cfg.circular=false"])
    assert "circular" not in plain.effective()["scenario_cfg"]
    assert len(plain.scenario.build()) * 4 == len(with_it.scenario)


def test_a_subset_takes_whole_questions(tmp_path, caplog):
    from chef.run.plan import RunOptions

    recipe = evaluator(tmp_path, dataset_name="Shapes", size=6).recipe
    caplog.set_level("INFO")
    drawn = Evaluator(recipe, RunOptions(sample_len=8)).ids
    assert "the limit counts answers: 8, in 2 groups scored as one" in caplog.text
    assert len(drawn) == 8
    assert len({name.partition("~")[0] for name in drawn}) == 2


@pytest.mark.parametrize("name", ROTATED)
def test_rotations_worked_out_from_the_description_of_vlmevalkit(name, write_tsv) -> None:
    question, largest, expected = ROTATED[name]
    # Another question that can be rotated, and one with the largest index.
    others = [(index, {"A": "one", "B": "two"}, "A") for index in {9999, largest} - {question[0]}]
    table = [
        {"index": str(index), "question": "Which?", "answer": answer,
         **{label: texts.get(label, "") for label in "ABCDE"}}
        for index, texts, answer in [question, *others]
    ]  # fmt: skip
    scenario = Circular(Tsv(path=write_tsv(table), kind="mcq"))
    main = str(question[0])
    rows = [place for place in range(len(scenario)) if scenario.group(place) == main]
    assert [scenario.sample_id(place) for place in rows] == [str(index) for index, _, _ in expected]
    for place, (_, texts, answer) in zip(rows, expected, strict=True):
        if len(rows) == 1 and answer not in texts:
            continue  # the row itself is an error, or an open question
        made = scenario[place]
        assert dict(zip(made.fields["labels"], made.fields["choices"], strict=True)) == texts
        assert made.answer == f"({answer})"
        assert all(f"({label}) {text}" in made.question for label, text in texts.items())
