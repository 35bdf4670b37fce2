"""Classes named in answers: the class itself, its synonyms, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.common.boxes import VOC2012
from chef.metric.classification.classes import CGClassification, LAMMClassification
from chef.metric.classification.synonyms import recognised, synonyms
from chef.scenario.lamm import LABELS

CHOICES = {"choices": list(LABELS)}


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


def test_coarse_classes_by_hand(make):
    said = [
        ("A cat.", "cat"),  # itself
        ("Two CATS", "cat"),  # plural, another case
        ("a kitten", "cat"),  # a synonym only
        ("a hot dog", "dog"),  # something else
        ("This is not a dog", "dog"),  # negated
        ("a catfish", "cat"),  # part of a word
        ("a car or a truck", "truck"),  # one of several, as in ChEF
        ("no idea", "ship"),
    ]
    report = CGClassification().evaluate(
        [make(str(i), a, gt_answers=t, **CHOICES) for i, (a, t) in enumerate(said)]
    )
    assert [entry["metric_result"] for entry in report.samples] == [1, 1, 0, 0, 0, 0, 1, 0]
    assert [entry["synonym_result"] for entry in report.samples] == [1, 1, 1, 0, 0, 0, 1, 0]
    assert values(report) == pytest.approx({"ACC": 37.5, "SYN_ACC": 50, "match_ratio": 50})
    assert report.samples[6]["parsed"] == ["automobile", "truck"]
    assert report.coverage.unparsed == 4


def test_classes_chosen_by_score(make):
    fields = {"options": list(LABELS), **CHOICES}
    report = CGClassification().evaluate(
        [
            make("1", "cat", choice=0, gt_choice=0, gt_answers="cat", **fields),
            make("2", "cat", choice=0, gt_choice=6, gt_answers="dog", **fields),
        ]
    )
    assert values(report) == {"ACC": 50, "match_ratio": 100}  # SYN_ACC would be ACC again


def test_without_a_truth_nothing_is_scored(make):
    (entry,) = CGClassification().evaluate([make("1", "a cat")]).samples
    assert entry["no_truth"]


def test_lamm_counts_in_shares(make):
    report = LAMMClassification().evaluate(
        [
            make("1", "The label is automobile.", gt_answers="automobile", **CHOICES),
            make("2", "a car", gt_answers="automobile", **CHOICES),
            make("3", "a horse", gt_answers="deer", **CHOICES),
        ]
    )
    assert values(report)["ACC"] == pytest.approx(2 / 3)
    assert report.metrics["ACC"].unit == "0-1"


@pytest.mark.parametrize(
    ("text", "labels", "found"),
    [
        ("a potted plant on the dining table", ["pottedplant", "diningtable"], 2),
        ("people, and a TV set", ["person", "tvmonitor", "train"], 2),
        ("a motor cycle", ["motorbike"], 0),
        ("black hair", ["black", "blond"], 1),
        ("", ["cat"], 0),
    ],
)
def test_joined_labels_and_synonyms(text, labels, found):
    assert len(recognised(text, labels)) == found


def test_every_label_names_itself():
    for label in (*LABELS, *VOC2012):
        assert recognised(f"There is a {label} here.", [*LABELS, *VOC2012]).count(label) == 1
        assert label not in synonyms(label)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=8),
    st.randoms(),
)
def test_figures_are_shares_whatever_the_order(make, pairs, random):
    answers = [
        make(str(i), f"a {said}", gt_answers=true, **CHOICES)
        for i, (said, true) in enumerate(pairs)
    ]
    before = CGClassification().evaluate(answers)
    random.shuffle(answers)
    assert values(CGClassification().evaluate(answers)) == values(before)
    assert values(before)["ACC"] == pytest.approx(100 * sum(a == b for a, b in pairs) / len(pairs))
    assert all(0 <= value <= 100 for value in values(before).values())
    assert values(before)["ACC"] <= values(before)["SYN_ACC"]
