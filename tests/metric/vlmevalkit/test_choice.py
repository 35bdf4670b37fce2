"""Multiple choice and circular evaluation by VLMEvalKit's rules, with values worked out by hand."""

from __future__ import annotations

import pytest

from chef.metric.vlmevalkit.table import accuracy_table


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


FOUR = ["zebra", "walrus", "ocelot", "gecko"]


def mcq(make, name, answer, gt=0, choices=FOUR, **fields):
    return make(name, answer, choices=list(choices), gt_choice=gt, **fields)


@pytest.mark.parametrize(
    ("answer", "gt", "parsed", "hit"),
    [
        ("A", 0, 0, 1),
        ("B", 0, 1, 0),
        ("it is a walrus", 1, 1, 1),
        ("Z", 0, None, 0),
        ("", 0, None, 0),
        (None, 0, None, 0),
        (3, 0, None, 0),
        ("Cannot determine the answer", 0, None, 0),
        ("(a)", 0, None, 0),  # chef's own rules read this one
        ("<think>it is B</think> A or C", 1, None, 0),
    ],
)
@pytest.mark.parametrize("name", ["VQA", "Accuracy", "MMBenchVQA", "MMMU_Metric"])
def test_one_answer(scored, make, name, answer, gt, parsed, hit):
    report = scored(name, [mcq(make, "1", answer, gt)])
    (entry,) = report.samples
    assert (entry["parsed"], entry["metric_result"]) == (parsed, hit)
    assert report.metrics["Overall"].value == hit
    assert report.coverage.unparsed == (parsed is None)


def test_the_labels_of_the_sample_and_letters_beyond_d(scored, make):
    many = [f"x{number}y" for number in range(12)]
    report = scored(
        "VQA", [mcq(make, "1", "The answer: L", 11, many), mcq(make, "2", "M", 0, many)]
    )
    assert [entry["parsed"] for entry in report.samples] == [11, None]
    named = make("1", "C", choices=["cat", "dog"], labels=["A", "C"], gt_choice=1)
    assert scored("VQA", [named]).samples[0]["metric_result"] == 1


def test_an_option_chosen_by_its_score_is_taken_by_its_index(scored, make):
    report = scored("VQA", [mcq(make, "1", "zebra", 1, choice=1, options=FOUR)])
    assert report.samples[0]["metric_result"] == 1


def test_the_share_of_hits_with_its_n_and_interval(scored, make):
    report = scored("VQA", [mcq(make, str(n), "A" if n < 3 else "B") for n in range(4)])
    overall = report.metrics["Overall"]
    assert (overall.value, overall.n, overall.unit) == (0.75, 4, "0-1")
    # Wilson's interval of 3 of 4.
    assert (overall.low, overall.high) == (
        pytest.approx(0.3006, abs=1e-4),
        pytest.approx(0.9544, abs=1e-4),
    )


def test_the_table_of_splits_and_categories():
    rows = [
        {"metric_result": 1.0, "split": "dev", "category": "b", "l2-category": "Z"},
        {"metric_result": 0.0, "split": "dev", "category": "a", "l2-category": "Z"},
        {"metric_result": 1.0, "split": "test", "category": "a", "l2-category": "Y"},
    ]
    dev, test = accuracy_table(rows)
    assert list(dev) == ["split", "Overall", "Y", "Z", "a", "b"]
    assert dev == {"split": "dev", "Overall": 0.5, "Y": None, "Z": 0.5, "a": 0, "b": 1}
    assert test == {"split": "test", "Overall": 1, "Y": 1, "Z": None, "a": 1, "b": None}
    assert accuracy_table([{"metric_result": 0.0}]) == [{"split": "none", "Overall": 0.0}]


def test_a_category_replaces_an_l2_category_of_its_name():
    rows = [
        {"metric_result": 1.0, "l2-category": "x", "category": "y"},
        {"metric_result": 0.0, "l2-category": "z", "category": "x"},
    ]
    assert accuracy_table(rows) == [{"split": "none", "Overall": 0.5, "x": 0, "z": 0, "y": 1}]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("coarse_perception", "CP"),
        ("finegrained_perception (instance-level)", "FP-S"),
        ("finegrained_perception (cross-instance)", "FP-C"),
        ("logic_reasoning", "LR"),
        ("relation_reasoning", "RR"),
        ("attribute_reasoning", "AR"),
        ("color", "color"),
    ],
)
def test_the_categories_of_mmbench_are_abbreviated_in_its_own_tables(name, shown):
    rows = [{"metric_result": 1.0, "l2-category": name}]
    assert shown in accuracy_table(rows, dataset_name="MMBench_DEV_EN")[0]
    assert name in accuracy_table(rows, dataset_name="SEEDBench_IMG")[0]


def test_several_splits_have_an_overall_each(scored, make):
    answers = [
        mcq(make, "1", "A", split="dev"),
        mcq(make, "2", "B", split="dev"),
        mcq(make, "3", "A", split="test"),
    ]
    report = scored("VQA", answers)
    assert values(report) == {
        "Overall": pytest.approx(2 / 3),
        "dev/Overall": 0.5,
        "test/Overall": 1,
    }
    assert report.details["table"] == [
        {"split": "dev", "Overall": 0.5},
        {"split": "test", "Overall": 1.0},
    ]


def rotated(make, question, number, answer, gt):
    fields = {"circular_group": question, "circular_size": 2}
    index = str(int(question) + number * 1_000_000)
    return mcq(make, index, answer, gt, ["zebra", "walrus"], **fields)


def test_circular_every_row_that_is_there_has_to_be_right(scored, make):
    rows = [
        rotated(make, "1", 0, "A", 0), rotated(make, "1", 1, "B", 1),  # right
        rotated(make, "2", 0, "A", 0), rotated(make, "2", 1, "A", 1),  # wrong in its rotation
        rotated(make, "3", 0, "A", 0), rotated(make, "3", 1, "what?", 1),  # unread: wrong
        rotated(make, "4", 0, "A", 0),  # its rotation is missing: unnoticed
        rotated(make, "5", 1, "B", 1),  # no main row: it carries no score
    ]  # fmt: skip
    report = scored("MMBenchVQA", rows)
    assert values(report) == {"Overall": 0.5, "circ0": 1, "all_rows": 0.75}
    assert report.metrics["Overall"].n == 4
    assert report.details["table"] == [{"split": "none", "Overall": 0.5}]


def test_groups_without_a_name_are_those_of_the_index_modulo_a_million(scored, make):
    rows = [
        mcq(make, "7", "A", 0, ["zebra", "walrus"]),
        mcq(make, "1000007", "A", 1, ["zebra", "walrus"]),
        mcq(make, "8", "A", 0, ["zebra", "walrus"]),
    ]
    assert values(scored("MMBenchVQA", rows)) == {
        "Overall": 0.5,
        "circ0": 1,
        "all_rows": pytest.approx(2 / 3),
    }


@pytest.mark.parametrize(
    ("answer", "hit"),
    [
        ("42", 1),
        ("It is 42.", 1),
        ("A fine day", 1),  # a letter by accident
        ("B", 0),
        ("43", 0),
        ("other answers", 0),
    ],
)
def test_open_questions_of_mmmu_become_questions_of_two_options(scored, make, answer, hit):
    report = scored("MMMU_Metric", [make("1", answer, question_type="open", gt_answers="42")])
    assert report.samples[0]["metric_result"] == hit


@pytest.mark.parametrize(
    ("dataset", "circular"),
    [
        ("MMBench_DEV_EN", True),
        ("CCBench", True),
        ("BLINK_circular", True),
        ("mmcr", True),
        ("SEEDBench_IMG", False),
        ("", False),
    ],
)
def test_the_name_of_the_data_set_says_whether_rows_are_scored_together(
    scored, make, dataset, circular
):
    rows = [rotated(make, "1", 0, "A", 0), rotated(make, "1", 1, "A", 1)]
    report = scored("Accuracy", rows, dataset)
    assert report.metrics["Overall"].value == (0 if circular else 0.5)
    assert ("circ0" in report.metrics) is circular
    assert report.chance_for == (("circ0",) if circular else ("Overall",))
