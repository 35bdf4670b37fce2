"""Yes/no benchmarks by VLMEvalKit's rules, with values worked out by hand from the description."""

from __future__ import annotations

import pytest

PERCEPTION = [
    "OCR",
    "artwork",
    "celebrity",
    "color",
    "count",
    "existence",
    "landmark",
    "position",
    "posters",
    "scene",
]
REASONING = ["code_reasoning", "commonsense_reasoning", "numerical_calculation", "text_translation"]


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


def ask(make, name, answer, truth, **fields):
    return make(name, answer, gt_answers=truth, choices=["Yes", "No"], **fields)


@pytest.mark.parametrize(
    ("answer", "truth", "parsed", "hit"),
    [
        ("Yes", "Yes", "yes", 1),
        ("no.", "Yes", "no", 0),
        ("No", "no", "no", 1),
        ("**Yes**", "Yes", None, 0),
        ("Yes, there is no cat", "No", None, 0),
        ("True", "Yes", None, 0),
        ("(A)", "Yes", None, 0),
        ("", "No", None, 0),
        (None, "No", None, 0),
        (1, "Yes", None, 0),
    ],
)
def test_one_answer(scored, make, answer, truth, parsed, hit):
    (entry,) = scored("YesNo", [ask(make, "1", answer, truth)]).samples
    assert (entry["parsed"], entry["metric_result"]) == (parsed, hit)


def test_other_benchmarks_have_means_overall_and_of_categories(scored, make):
    report = scored(
        "YesNo",
        [
            ask(make, "1", "Yes", "Yes", category="a", **{"l2-category": "X"}),
            ask(make, "2", "Yes", "No", category="a", **{"l2-category": "Y"}),
            ask(make, "3", "what?", "No", category="b", **{"l2-category": "Y"}),
            ask(make, "4", "No", "No"),
        ],
    )
    assert values(report) == {"Overall": 50, "a": 50, "b": 0, "X": 100, "Y": 0}


def test_vsr_has_its_f1_in_another_unit(scored, make):
    # Two true positives, one false positive, one false negative (unknown), one true negative.
    answers = ["Yes", "yes", "Yes", "hm", "No"]
    truths = ["Yes", "Yes", "No", "Yes", "No"]
    rows = [ask(make, str(n), *pair) for n, pair in enumerate(zip(answers, truths, strict=True))]
    found = values(scored("YesNo", rows, "VSR-zeroshot"))
    assert found == {
        "precision": pytest.approx(200 / 3),
        "recall": pytest.approx(200 / 3),
        "acc": 60,
        "f1_score": pytest.approx(2 / 3),
    }


def test_mme_one_subtask(scored, make):
    rows = [
        # Both right, one right, none right; a lone row is left out.
        ask(make, "1", "Yes", "Yes", category="count", image_path="a"),
        ask(make, "2", "No", "No", category="count", image_path="a"),
        ask(make, "3", "Yes", "Yes", category="count", image_path="b"),
        ask(make, "4", "Yes", "No", category="count", image_path="b"),
        ask(make, "5", "maybe", "Yes", category="count", image_path="c"),
        ask(make, "6", "", "No", category="count", image_path="c"),
        ask(make, "7", "Yes", "Yes", category="count", image_path="d"),
    ]
    found = values(scored("MMEVQA", rows))
    # acc 3 of 6 rows, acc_plus 1 of 3 images.
    assert found["count"] == pytest.approx(50 + 100 / 3)
    assert found["incomplete_images"] == 1
    assert found["perception"] is None  # nine subtasks are missing


@pytest.mark.parametrize("right", ["both", "first", "none"])
def test_mme_sums_ten_and_four_subtasks(scored, make, right):
    rows = []
    for name in (*PERCEPTION, *REASONING):
        for place, truth in enumerate(("Yes", "No")):
            wanted = {"both": True, "first": place == 0, "none": False}[right]
            answer = truth if wanted else "No" if truth == "Yes" else "Yes"
            # The same path in another subtask is another image.
            rows.append(ask(make, f"{name}{place}", answer, truth, category=name, image_path="x"))
    found = values(scored("MMEVQA", rows))
    points = {"both": 200, "first": 50, "none": 0}[right]
    assert found["perception"] == 10 * points
    assert found["reasoning"] == 4 * points
    assert {found[name] for name in (*PERCEPTION, *REASONING)} == {points}


def hallusion(make, place, answer, l2="VD"):
    return ask(make, f"VD_illusion_1_{place}", answer, "Yes", **{"l2-category": l2})


def test_hallusionbench_rows_figures_and_questions(scored, make):
    rows = [
        # Set 0: figures 0 and 1, questions 0 and 1.
        hallusion(make, "0_0_0", "Yes"),
        hallusion(make, "0_0_1", "Yes"),
        hallusion(make, "0_1_0", "Yes"),
        hallusion(make, "0_1_1", "No"),
        # Set 1: one figure, one question.
        hallusion(make, "1_0_0", "Yes"),
    ]
    found = values(scored("HallusionBench", rows))
    # Rows 4 of 5; figures (0,0) right, (0,1) wrong, (1,0) right; questions likewise.
    assert found == {
        "aAcc": 80,
        "fAcc": pytest.approx(200 / 3),
        "qAcc": pytest.approx(200 / 3),
        "VD/aAcc": 80,
        "VD/fAcc": pytest.approx(200 / 3),
        "VD/qAcc": pytest.approx(200 / 3),
    }


def test_hallusionbench_figures_and_questions_are_not_the_same(scored, make):
    rows = [hallusion(make, f"0_{figure}_0", "Yes" if figure else "No") for figure in range(3)]
    found = values(scored("HallusionBench", rows))
    assert [found[name] for name in ("aAcc", "fAcc", "qAcc")] == pytest.approx(
        [200 / 3, 200 / 3, 0]
    )


def test_hallusionbench_sets_of_another_l2_category_are_others(scored, make):
    rows = [
        hallusion(make, "0_0_0", "Yes"),
        ask(make, "VS_chart_1_0_0_0", "No", "Yes", **{"l2-category": "VS"}),
    ]
    found = values(scored("HallusionBench", rows))
    assert [found[name] for name in ("aAcc", "fAcc", "qAcc")] == [50, 50, 50]
    assert [found[name] for name in ("VD/aAcc", "VS/fAcc", "VS/qAcc")] == [100, 0, 0]


def test_pope_counts_a_row_once_for_each_of_its_categories(scored, make):
    rows = [
        ask(make, "1", "Yes", "Yes", category="random,popular,adversarial"),
        ask(make, "2", "Yes", "No", category="adversarial"),
        ask(make, "3", "hm", "Yes", category="random"),
        ask(make, "4", "No", "No", category="random"),
    ]
    found = values(scored("POPE_Metric", rows))
    # Exploded: TP 3, FP 1, FN 1 (unknown counts as no), TN 1; right 3 + 1 of 6.
    assert {key: found[key] for key in ("Overall", "acc", "precision", "recall")} == {
        "Overall": pytest.approx(75),
        "acc": pytest.approx(400 / 6),
        "precision": 75,
        "recall": 75,
    }
    assert found["popular/Overall"] == found["popular/acc"] == 100
    # TP 1, FP 1: precision 1/2, recall 1, F1 2/3.
    assert found["adversarial/Overall"] == pytest.approx(200 / 3)
    assert (found["adversarial/precision"], found["adversarial/recall"]) == (50, 100)
    # TP 1, FN 1, TN 1.
    assert found["random/Overall"] == pytest.approx(200 / 3)
    assert found["random/acc"] == pytest.approx(200 / 3)


def test_pope_is_0_where_it_would_divide_by_zero(scored, make):
    found = values(scored("POPE_Metric", [ask(make, "1", "No", "No")]))
    assert found == {"Overall": 0, "acc": 100, "precision": 0, "recall": 0}


def test_pope_blanks_after_a_comma_stay(scored, make):
    found = values(scored("POPE_Metric", [ask(make, "1", "Yes", "Yes", category="a, b")]))
    assert "a/acc" in found
    assert " b/acc" in found


def test_amber_averages_three_kinds(scored, make):
    def row(name, category, answer):
        return ask(make, name, answer, "Yes", category=category)

    found = values(
        scored(
            "AMBER",
            [
                row("1", "discriminative-attribute-state", "Yes"),
                row("2", "discriminative-attribute-number", "No"),
                row("3", "discriminative-attribute-action", "No"),
                row("4", "discriminative-attribute-action", "No"),
                row("5", "discriminative-hallucination", "Yes"),
                row("6", "discriminative-relation", "Yes"),
                row("7", "relation", "what"),
            ],
        )
    )
    assert found == {
        "Avg ACC": pytest.approx((25 + 100 + 50) / 3),
        "Attribute": 25,
        "Existence": 100,
        "Relation": 50,
    }


@pytest.mark.parametrize(
    ("answers", "truths", "expected"),
    [
        # Nothing was said or meant to be yes.
        (["No", "No"], ["No", "No"], (0, 0, 100, 0)),
        # Every answer is yes: precision is the share of true ones.
        (["Yes"] * 4, ["Yes", "No", "No", "No"], (25, 100, 25, 0.4)),
        # An unknown answer is no false positive, and never right.
        (["Yes", "hm", "hm"], ["Yes", "Yes", "No"], (100, 50, 100 / 3, 2 / 3)),
    ],
)
def test_vsr(scored, make, answers, truths, expected):
    rows = [ask(make, str(n), *pair) for n, pair in enumerate(zip(answers, truths, strict=True))]
    found = values(scored("YesNo", rows, "VSR-zeroshot"))
    keys = ("precision", "recall", "acc", "f1_score")
    assert tuple(found[key] for key in keys) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("categories", "expected"),
    [
        # The average is of kinds, not of rows.
        (["discriminative-attribute-state"] * 3 + ["relation"], (100 + 0) / 2),
        (["discriminative-hallucination"] * 4, 75),
        (["discriminative-attribute-state", "discriminative-relation"] * 2, (100 + 50) / 2),
    ],
)
def test_the_average_of_amber(scored, make, categories, expected):
    """The last of the rows is wrong."""
    rows = [
        ask(make, str(n), "Yes" if n < 3 else "No", "Yes", category=category)
        for n, category in enumerate(categories)
    ]
    assert values(scored("AMBER", rows))["Avg ACC"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [(["Yes", "Yes"], 100), (["Yes", "yes and no"], 50), (["", "nothing"], 0)],
)
def test_the_mean_of_other_benchmarks(scored, make, answers, expected):
    rows = [ask(make, str(n), answer, "Yes") for n, answer in enumerate(answers)]
    assert values(scored("YesNo", rows))["Overall"] == expected
