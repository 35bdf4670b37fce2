"""LAMM's metrics, scored by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.common.boxes import Box, iou
from chef.errors import ConfigError
from chef.metric import METRICS
from chef.metric.classification.classes import (
    LAMMFacialHair,
    LAMMFacialSmile,
    UCMercedClassification,
    read_smile,
)
from chef.metric.detection.lamm import (
    InsideBbox,
    InsideHumanBbox,
    LAMMDetection,
    matching_size,
    parse_sentences,
)
from chef.metric.vqa.texts_in_images import SVTOCR
from chef.reading.points import parse_points
from chef.reading.rules.chef_texts import quoted_by_any
from chef.reading.words import quoted
from chef.scenario.lamm import LAND_USES as LAND

UpstreamSmile = METRICS.get("LAMM_Facial_Smile_Classification", compat="upstream")
UpstreamOCR = METRICS.get("SVT_OCR", compat="upstream")

CAT = {"label": "cat", "bbox": [0.0, 0.0, 0.5, 0.5]}
DOG = {"label": "dog", "bbox": [0.5, 0.5, 1.0, 1.0]}
NAMES = (
    "CG_Classification", "InsideBbox", "InsideHumanBbox", "KOSMOS_Detection",
    "LAMM_Classification", "LAMM_Detection", "LAMM_Facial_Hair_Classification",
    "LAMM_Facial_Smile_Classification", "SVT_OCR", "UCMerced_Classification",
)  # fmt: skip


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


@pytest.mark.parametrize("name", NAMES)
def test_no_answers_are_no_crash(name, make):
    metric = METRICS.get(name)(dataset_name="x")
    assert all(value is None for value in values(metric.evaluate([])).values())
    assert metric.primary in values(metric.evaluate([]))
    (entry,) = metric.evaluate([make("1", "yes")]).samples
    assert entry["no_truth"]


def test_detection_by_hand(make):
    text = "The cat object is at [0, 0, .5, .5]. This is classified as dog with [.5, .5, 1, 0.8]."
    report = LAMMDetection().evaluate(
        [
            make("1", text, gt_answers=[CAT, DOG]),
            # the wrong category in the right place; IoU 0.3
            make("2", "The dog is at [0, 0, .5, .15].", gt_answers=[CAT]),
            make("3", "nothing", gt_answers=[DOG]),
        ]
    )
    assert values(report) == pytest.approx(
        {
            "recall@0.50": 50,
            "prec@0.50": 200 / 3,
            "recall_wocat@0.50": 50,
            "prec_wocat@0.50": 200 / 3,
            "recall@0.25": 50,
            "prec@0.25": 200 / 3,
            "recall_wocat@0.25": 75,
            "prec_wocat@0.25": 100,
        }
    )
    assert report.primary == "recall@0.50"
    assert report.coverage.unparsed == 1


def test_nothing_predicted_is_a_precision_of_0(make):
    figures = values(LAMMDetection().evaluate([make("1", "nothing", gt_answers=[CAT])]))
    assert set(figures.values()) == {0}


def test_the_threshold_itself_matches(make):
    report = LAMMDetection(iou_thres=[0.5]).evaluate(
        [make("1", "The cat is at [0, 0, .5, .25]", gt_answers=[CAT])]
    )
    assert values(report)["recall@0.50"] == 100
    for bad in ([], [0.0], [1.5]):
        with pytest.raises(ConfigError):
            LAMMDetection(iou_thres=bad)


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("The dog object is at [0, 0, 1, 1].", "dog"),
        ("It can be classified as a dining table at [0, 0, 1, 1].", "dining table"),
        ("An object of the category of sheep: [0, 0, 1, 1].", "sheep"),
        ("The category is bus, [0, 0, 1, 1].", "bus"),
        ("It belongs to the class of cars [0, 0, 1, 1]", "cars"),
        ("There is a person at [0, 0, 1, 1]", "person"),
    ],
)
def test_sentences_state_their_category(sentence, label):
    (box,) = parse_sentences(sentence)
    assert box.label == label


def test_a_sentence_gives_one_box():
    text = "A cat [0, 0, .5, .5] and a cat [.5, .5, 1, 1]. A dog [0, 0, 1, 1]"
    assert [box.label for box in parse_sentences(text)] == ["cat", "dog"]


_tenths = st.integers(0, 6).map(lambda number: number / 10)
_box = st.tuples(_tenths, _tenths).map(lambda c: Box("a", (*c, c[0] + 0.3, c[1] + 0.3)))


@settings(max_examples=60, deadline=None)
@given(st.lists(_box, max_size=4), st.lists(_box, max_size=4))
def test_the_matching_is_the_largest(said, truth):
    def size(order):
        return sum(iou(a.bbox, b.bbox) >= 0.25 for a, b in zip(said, order, strict=False))

    padded = [*truth, *[Box("a", (9, 9, 10, 10))] * len(said)]
    best = max(map(size, itertools.permutations(padded, len(said))), default=0)
    assert matching_size(said, truth, 0.25, lambda *_: True) == best


def test_points_in_boxes(make):
    report = InsideBbox().evaluate(
        [
            make("1", "The cat is at [0.2, 0.2], the dog at [0.1, 0.9].", gt_answers=[CAT, DOG]),
            make("2", "[0.7, 0.7]", gt_answers=[DOG]),  # not named
            make("3", "a dog (0.5, 0.7)", gt_answers=[DOG]),  # on the edge
            make("4", "a puppy (0.6, 0.7)", gt_answers=[DOG]),
        ]
    )
    assert values(report)["ACC"] == pytest.approx(100 * 2 / 5)
    assert [entry["metric_result"] for entry in report.samples] == [0.5, 0, 0, 1]


def test_points_on_a_person(make):
    fields = {"gt_answers": [[10, 10], [30, 40, 1]], "image_size": [100, 50]}
    report = InsideHumanBbox().evaluate(
        [
            make("1", "[0.2, 0.5]", **fields),  # pixel (20, 25)
            make("2", "[0.9, 0.5], [0.15, 0.7]", **fields),
            make("3", "[0.1, 0.5]", **fields),  # on the edge
            make("4", "in the middle", **fields),
        ]
    )
    assert values(report)["ACC"] == 50
    assert report.coverage.unparsed == 1
    lacking = InsideHumanBbox().evaluate([make("1", "[0, 0]", gt_answers=[[1, 2]])])
    assert "image_size" in lacking.samples[0]["error"]["message"]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("[0.1, 0.2]", [(0.1, 0.2)]),
        ("[0.1 0.2, .3 .4]", [(0.1, 0.2), (0.3, 0.4)]),
        ("2 dogs at (0.1, 0.2)", [(0.1, 0.2)]),
        ("x = 0.1, y = 0.2", [(0.1, 0.2)]),
        ("(see) 0.5", []),
        ("", []),
    ],
)
def test_points(text, points):
    assert parse_points(text) == points


def test_land_use(make):
    said = ["It is a tennis court.", "DENSERESIDENTIAL", "residential", "a parking lot by a river"]
    true = ["tennis court", "dense residential", "dense residential", "river"]
    report = UCMercedClassification().evaluate(
        [
            make(str(i), a, gt_answers=t, choices=list(LAND))
            for i, (a, t) in enumerate(zip(said, true, strict=True))
        ]
    )
    assert [entry["metric_result"] for entry in report.samples] == [1, 1, 0, 1]
    assert values(report)["ACC"] == 75


def test_hair(make):
    said = [("Blonde", "blond"), ("It is black.", "Black_Hair"), ("grey hair", "brown")]
    report = LAMMFacialHair().evaluate(
        [make(str(i), a, gt_answers=t) for i, (a, t) in enumerate(said)]
    )
    assert [entry["metric_result"] for entry in report.samples] == [1, 1, 0]
    assert report.metrics["ACC"].unit == "0-1"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes, she is.", "1"),
        ("No.", "-1"),
        ("The man is smiling.", "1"),
        ("He is not smiling", "-1"),
        ("She smiles, I know nothing else.", "1"),
        ("A face.", None),
        ("smiling or not smiling", None),
    ],
)
def test_smiles(text, value):
    assert read_smile(text).value == value


def test_a_smile_by_chef_s_own_rule(make):
    answers = [make("1", "A face.", gt_answers="1"), make("2", "Do not know", gt_answers="1")]
    assert values(UpstreamSmile().evaluate(answers))["ACC"] == 0.5
    assert values(LAMMFacialSmile().evaluate(answers)) == {"ACC": 0, "match_ratio": 0}


def test_words_read(make):
    report = SVTOCR().evaluate(
        [
            make("1", 'It says "HOTEL, Park".', gt_answers=["hotel", "park"]),
            make("2", "Cafe. The inn", gt_answers=["cafe", "bar"]),
            make("3", 'the bar says "open"', gt_answers=["bar"]),
            make("4", "", gt_answers=["bar"]),
        ]
    )
    assert [entry["metric_result"] for entry in report.samples] == [1, 0.5, 0, 0]
    assert values(report)["ACC"] == pytest.approx(1.5 / 4)
    assert report.coverage.unparsed == 1
    literal = UpstreamOCR().evaluate([make("1", "It's 'a bar'.", gt_answers=["bar"])])
    assert values(literal)["ACC"] == 1


@pytest.mark.parametrize(
    ("text", "corrected", "upstream"),
    [
        ('a "b" c "d" e', "b. d", "b.  c . d"),
        ("it's a man's hat", "it's a man's hat", "s a man"),
        ('an "open quote', 'an "open quote', 'an "open quote'),
        ("“curly”", "curly", "“curly”"),
        ("plain", "plain", "plain"),
    ],
)
def test_quotes(text, corrected, upstream):
    assert quoted(text) == corrected
    assert quoted_by_any(text) == upstream
