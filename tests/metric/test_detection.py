import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.common.boxes import Box, iou
from chef.errors import ConfigError
from chef.metric.detection.detection import Detection
from chef.metric.detection.matching import match, same_label

CIRCLE = {"label": "red circle", "bbox": [0.0, 0.0, 0.5, 0.5]}
STAR = {"label": "blue star", "bbox": [0.5, 0.5, 1.0, 1.0]}


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ((0, 0, 2, 2), 1.0),
        ((1, 0, 3, 2), 1 / 3),
        ((1, 1, 3, 3), 1 / 7),
        ((2, 0, 4, 2), 0.0),
        ((5, 5, 6, 6), 0.0),
        ((1, 1, 1, 1), 0.0),
    ],
)
def test_iou_by_hand(second, expected):
    assert iou((0, 0, 2, 2), second) == pytest.approx(expected)
    assert iou(second, (0, 0, 2, 2)) == pytest.approx(expected)


def test_a_table_by_hand(make):
    report = Detection().evaluate(
        [
            # both found
            make(
                "1",
                "red circle [0, 0, .5, .5]; blue star [.5, .5, 1, 1]",
                gt_answers=[CIRCLE, STAR],
            ),
            # one found twice: right once
            make("2", "red circle [0, 0, .5, .5], [0, 0, .5, .49]", gt_answers=[CIRCLE]),
            # the wrong label, and the wrong place
            make("3", "blue star [0, 0, .5, .5]", gt_answers=[CIRCLE]),
            make("4", "red circle [.5, .5, 1, 1]", gt_answers=[CIRCLE]),
            make("5", "I see something", gt_answers=[CIRCLE]),
        ]
    )
    # 3 matched, 6 predicted, 6 true
    # COCO: of the stars the first said is right, at any IoU; of five circles the first two are, the
    # rest wrong: precision 1 at the 41 recalls 0, 0.01, ..., 0.4
    coco = 100 * (1 + 41 / 101) / 2
    assert values(report) == pytest.approx(
        {"mAP@0.5": 50, "mAR@0.5": 50, "f1@0.5": 50, "COCO_AP": coco, "COCO_AP50": coco}
    )
    assert report.primary == "f1@0.5"
    assert report.metrics["mAR@0.5"].method == "wilson"
    assert report.coverage.unparsed == 1
    assert [entry["metric_result"] for entry in report.samples] == pytest.approx(
        [1, 2 / 3, 0, 0, 0]
    )
    assert report.samples[0]["matches"] == [[0, 0], [1, 1]]


def test_the_threshold_is_strict(make):
    predictions = [make("1", "red circle [0, 0, .5, .25]", gt_answers=[CIRCLE])]  # IoU 0.5
    assert Detection().evaluate(predictions).metrics["mAR@0.5"].value == 0
    report = Detection(threshold=0.4).evaluate(predictions)
    assert report.metrics["mAR@0.4"].value == 100
    assert report.primary == "f1@0.4"


def test_the_best_overlap_takes_the_box():
    said = [Box("a", (0, 0, 1.0, 0.8)), Box("a", (0, 0, 1, 1))]
    truth = [Box("a", (0, 0, 1, 1))]
    assert match(said, truth, 0.5) == [(1, 0)]
    assert match(truth, said, 0.5) == [(0, 1)]


def test_no_boxes_is_no_crash(make):
    nothing = Detection().evaluate([make("1", "none", gt_answers=[])])
    assert set(values(nothing).values()) == {None}
    assert nothing.samples[0]["metric_result"] == 1
    assert nothing.coverage.unparsed == 0
    missed = Detection().evaluate([make("1", "none", gt_answers=[CIRCLE])])
    assert values(missed) == {
        "mAP@0.5": None, "mAR@0.5": 0, "f1@0.5": 0, "COCO_AP": 0, "COCO_AP50": 0,
    }  # fmt: skip


def test_boxes_in_thousandths_and_as_data(make):
    predictions = [make("1", "red circle [0, 0, 500, 500]", gt_answers=[CIRCLE])]
    assert Detection(box_scale=1000).evaluate(predictions).metrics["f1@0.5"].value == 100
    former = Detection(scale=1000)
    assert former.evaluate(predictions).metrics["f1@0.5"].value == 100
    assert (
        Detection().evaluate([make("1", [CIRCLE], gt_answers=[CIRCLE])]).metrics["f1@0.5"].value
        == 100
    )


def found_at(prediction, **keys):
    (entry,) = Detection(**keys).evaluate([prediction]).samples
    return entry["parsed"][0]["bbox"] if "parsed" in entry else entry["error"]["message"]


def test_boxes_in_pixels(make, tmp_path):
    from PIL import Image

    text = "red circle [0, 20, 100, 50]"
    box = [0, 0.4, 0.5, 1]
    known = make("1", text, gt_answers=[CIRCLE], image_size=[200, 50])
    assert found_at(known, box_scale="pixel") == box
    Image.new("RGB", (200, 50)).save(tmp_path / "1.png")
    there = make("1", text, gt_answers=[CIRCLE], image_path=str(tmp_path / "1.png"))
    assert found_at(there, box_scale="pixel") == box
    turned = Image.new("RGB", (50, 200))
    turned.getexif()[0x0112] = 6  # shown turned by a quarter
    turned.save(tmp_path / "1.jpg", exif=turned.getexif())
    there = make("1", text, gt_answers=[CIRCLE], image_path=str(tmp_path / "1.jpg"))
    assert found_at(there, box_scale="pixel") == box
    as_data = make("1", [{**CIRCLE, "bbox": [0, 20, 100, 50]}], gt_answers=[], image_size=[200, 50])
    assert found_at(as_data, box_scale="pixel") == box


@pytest.mark.parametrize(
    "fields", [{}, {"image_path": "none.png"}, {"image_size": [200]}, {"image_size": [0, 50]}]
)
def test_an_unknown_size_is_an_error_of_the_sample(make, fields):
    prediction = make("1", "red circle [0, 20, 100, 50]", gt_answers=[CIRCLE], **fields)
    assert "the size of the image is not known" in found_at(prediction, box_scale="pixel")
    assert Detection(box_scale="pixel").evaluate([prediction]).coverage.errors == 1


@pytest.mark.parametrize(
    ("scale", "text", "box"),
    [
        (1, "[0, 0, 0.5, 0.5]", [0, 0, 0.5, 0.5]),
        (999, "[0, 0, 333, 999]", [0, 0, 1 / 3, 1]),
        (1000, "[0, 0, 500, 1000]", [0, 0, 0.5, 1]),
        # the scale of the recipe counts, also where it is wrong
        (1, "[0, 0, 500, 1000]", [0, 0, 500, 1000]),
        # no coordinate above 1: these are fractions
        (1000, "[0, 0, 0.5, 1]", [0, 0, 0.5, 1]),
        ("pixel", "[0, 0, 0.5, 1]", [0, 0, 0.5, 1]),
        (1000, "[0, 0, 0.5, 1], [0, 0, 1.5, 2]", [0, 0, 0.0005, 0.001]),
        (1000, "[0%, 0%, 50%, 100%]", [0, 0, 0.5, 1]),
        (1000, "<loc0000><loc0000><loc0512><loc0256> star", [0, 0, 0.25, 0.5]),
    ],
)
def test_scales(make, scale, text, box):
    prediction = make("1", text, gt_answers=[CIRCLE], image_size=[40, 30])
    assert found_at(prediction, box_scale=scale) == pytest.approx(box)


def test_a_box_without_a_label_is_what_the_question_names(make):
    def score(question):
        record = make("1", "[0, 0, .5, .5]", gt_answers=[CIRCLE, STAR], question=question)
        return Detection().evaluate([record]).samples[0]["hits"]

    assert score("Where is the red circle?") == 1
    assert score("Where is the blue star?") == 0
    assert score("Where are the red circle and the blue star?") == score("") == 0


def test_average_precision_falls_with_tighter_overlap(make):
    # IoU 0.8: right at the 7 thresholds 0.5, 0.55, ..., 0.8
    report = Detection().evaluate([make("1", "red circle [0, 0, .5, .4]", gt_answers=[CIRCLE])])
    assert values(report)["COCO_AP50"] == pytest.approx(100)
    assert values(report)["COCO_AP"] == pytest.approx(70)


def test_a_synonym_names_the_class(make):
    person = {"label": "person", "bbox": [0, 0, 0.5, 0.5]}
    report = Detection().evaluate(
        [
            make("1", "a woman [0, 0, .5, .5]", gt_answers=[person]),
            make("2", "a hot dog [0, 0, .5, .5]", gt_answers=[{**person, "label": "dog"}]),
        ]
    )
    assert [entry["metric_result"] for entry in report.samples] == [1, 0]
    assert values(report)["COCO_AP"] == pytest.approx(50)


@pytest.mark.parametrize(
    "keys",
    [
        {"threshold": 1.0},
        {"threshold": -0.1},
        {"scale": 0.0},
        {"box_scale": 0},
        {"box_scale": float("inf")},
        {"box_scale": "pixels"},
        {"box_scale": 999, "scale": 1000},
    ],
)
def test_keys_out_of_range(keys):
    with pytest.raises(ConfigError):
        Detection(**keys)


@pytest.mark.parametrize("truth", ["x", [{"label": "a"}], [{"label": "a", "bbox": [1, 2]}], [3]])
def test_a_malformed_truth_is_an_error(make, truth):
    assert Detection().evaluate([make("1", "x", gt_answers=truth)]).coverage.errors == 1


def test_labels():
    assert same_label("Red Circle", "a red circle.")
    assert same_label("dining table", "diningtable")
    assert same_label("potted-plant", "pottedplant")
    assert not same_label("red circle", "circle")
    assert not same_label("", "circle")


_boxes = st.lists(
    st.tuples(st.sampled_from(["red circle", "blue star"]), *[st.integers(0, 40)] * 2), max_size=5
)


@settings(max_examples=20, deadline=None)
@given(st.lists(_boxes, min_size=1, max_size=5).filter(any))
def test_a_perfect_detector_scores_100(make, images):
    predictions = []
    for i, boxes in enumerate(images):
        truth = [
            {"label": label, "bbox": [x / 100, y / 100, x / 100 + 0.3, y / 100 + 0.3]}
            for label, x, y in boxes
        ]
        text = "; ".join(f"{item['label']} {item['bbox']}" for item in truth)
        predictions.append(make(str(i), text, gt_answers=truth))
    figures = values(Detection().evaluate(predictions))
    assert list(figures.values()) == pytest.approx([100] * 5)
    assert values(Detection().evaluate(predictions[::-1])) == figures


def test_average_precision_is_that_of_pycocotools_and_has_an_interval(make, monkeypatch):
    from pycocotools.cocoeval import COCOeval

    rng = np.random.default_rng(0)
    predictions = []
    for place in range(25):
        true = [
            {"label": str(rng.choice(["cat", "dog"])), "bbox": [x, y, x + 0.3, y + 0.3]}
            for x, y in 0.6 * rng.random((3, 2))
        ]
        said = [
            {**box, "bbox": (np.array(box["bbox"]) + 0.1 * rng.random()).tolist()} for box in true
        ]
        predictions.append(make(str(place), said[: place % 4], gt_answers=true))
    seen = []
    evaluate = COCOeval.evaluate

    def watched(self):
        evaluate(self)
        self.accumulate()
        seen.append([float(row[row > -1].mean()) for row in self.eval["precision"]])

    monkeypatch.setattr(COCOeval, "evaluate", watched)
    metrics = Detection().evaluate(predictions).metrics
    for key, wanted in (("COCO_AP", np.mean(seen[0])), ("COCO_AP50", seen[0][0])):
        item = metrics[key]
        assert item.value == pytest.approx(100 * wanted)
        assert 0 <= item.low < item.value < item.high <= 100
        assert item.method == "bootstrap"
