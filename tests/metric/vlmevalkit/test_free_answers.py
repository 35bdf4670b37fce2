"""Free answers by VLMEvalKit's rules: its four scores, OCRBench, and captions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.metric.vlmevalkit.scores import (
    accuracy,
    anls,
    corpus_bleu,
    method_of,
    relaxed_accuracy,
    rouge_l,
    vqa_score,
)


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        # Of ten references k are equal: each of them has k - 1 others, the rest has k.
        ("red", ["red"] * 10, 1),
        ("red", ["red"] * 4 + ["blue"] * 6, 1),
        ("red", ["red"] * 3 + ["blue"] * 7, (3 * 2 / 3 + 7) / 10),
        ("red", ["red"] * 2 + ["blue"] * 8, (2 * 1 / 3 + 8 * 2 / 3) / 10),
        ("red", ["red"] + ["blue"] * 9, 9 / 30),
        ("red", ["blue"] * 10, 0),
        # Few references: nobody has three others.
        ("red", ["red"], 0),
        ("red", ["red", "red"], 1 / 3),
        ("red", ["red", "red", "red"], 2 / 3),
        ("red", ["red"] * 4, 1),
        # Both sides are normalised, always.
        ("The Two dogs.", ["2 dogs"] * 4, 1),
        ("none", ["0"] * 4, 1),
        ("a", ["the"] * 4, 1),
        ("", ["a"] * 4, 1),
        ("1,000", ["1000"] * 4, 1),
        ("red car", ["red"] * 4, 0),
        (5, ["5"] * 4, 1),
        ("nan", [math.nan] * 4, 1),
    ],
)
def test_vqa_score(answer, references, expected):
    assert vqa_score(answer, references) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("cat", ["cat"], 1),
        ("CAT", ["cat"], 1),
        ("cats", ["cat"], 3 / 4),
        ("dog", ["cat"], 0),
        ("ca", ["cat", "dog"], 2 / 3),
        ("ab", ["a"], 1 / 2),  # 0.5 itself is not below the threshold
        ("abc", ["a"], 0),
        # Blanks are collapsed for the distance, and count in the length.
        ("a    b", ["a  x"], 1 - 1 / 6),
        ("  cat  ", ["cat"], 1),
        ("", ["cat"], 0),
        ("", [""], 1),
        ("Äpfel", ["äpfel"], 1),
        (12, ["12"], 1),
    ],
)
def test_anls(answer, references, expected):
    assert anls(answer, references) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("105", ["100"], 1),
        ("95", ["100"], 1),
        ("106", ["100"], 0),
        ("94.9", ["100"], 0),
        ("-104", ["-100"], 1),
        ("5%", ["0.05"], 1),
        ("5%", ["5"], 0),
        ("5", ["5%"], 0),
        ("5%", ["5%"], 1),
        ("0", ["0.0"], 0),
        ("0", ["0"], 1),
        ("1,000", ["1000"], 0),
        ("1,000", ["1,000"], 1),
        ("1e3", ["1000"], 1),
        ("Red", ["red"], 1),
        ("red", ["blue", "RED"], 1),
        ("blue", ["red"], 0),
        ("about 100", ["100"], 0),
        ("", ["100"], 0),
        ("%", ["%"], 1),
        (100, ["100"], 1),
    ],
)
def test_relaxed_accuracy(answer, references, expected):
    assert relaxed_accuracy(answer, references) == expected


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        (" Red ", ["red"], 1),
        ("red", [" RED\n"], 1),
        ("red.", ["red"], 0),
        ("the red", ["red"], 0),
        ("red", ["blue", "red"], 1),
        ("", ["red"], 0),
        ("1", [1], 1),
    ],
)
def test_accuracy(answer, references, expected):
    assert accuracy(answer, references) == expected


@pytest.mark.parametrize(
    ("dataset", "method"),
    [
        ("TextVQA_VAL", "vqa_score"),
        ("ChartQA_TEST", "relaxed_accuracy"),
        ("OCRVQA_TESTCORE", "accuracy"),
        ("GQA_TestDev_Balanced", "mean_accuracy"),
        ("DocVQA_VAL", "anls"),
        ("InfoVQA_VAL", "anls"),
        ("Anything", "vqa_score"),
        ("", "vqa_score"),
    ],
)
def test_the_score_of_a_data_set(dataset, method):
    assert method_of(dataset) == method


@given(st.text(max_size=20), st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_all_scores_are_shares(answer, references):
    for score in (vqa_score, anls, relaxed_accuracy, accuracy):
        assert 0 <= score(answer, references) <= 1


@pytest.mark.parametrize(
    ("name", "dataset", "expected"),
    [
        ("Accuracy", "TextVQA_VAL", 0),
        ("Accuracy", "DocVQA_VAL", 1),
        ("Accuracy", "ChartQA_TEST", 1),
        ("Accuracy", "GQA", 1),
        ("VQAAccuracy", "", 0),
        ("ANLS", "", 1),
        ("RelaxedAccuracy", "", 1),
        ("ExactMatch", "", 1),
    ],
)
def test_a_single_reference_by_every_metric(scored, make, name, dataset, expected):
    report = scored(name, [make("1", "Red", gt_answers=["red"])], dataset)
    assert report.samples[0]["metric_result"] == expected


def test_free_answers_have_their_mean_in_percent_overall_and_by_split(scored, make):
    rows = [
        make("1", "red", gt_answers=["red"], split="val"),
        make("2", "blue", gt_answers=["red"], split="val"),
        make("3", "red", gt_answers=["red"], split="test"),
        make("4", "red", gt_answers=["red"], split="test"),
    ]
    report = scored("Accuracy", rows, "ChartQA_TEST")
    assert values(report) == {"Overall": 75, "test/Overall": 100, "val/Overall": 50}
    assert {item.unit for item in report.metrics.values()} == {"%"}


def test_the_chain_of_thought_is_part_of_the_answer(scored, make):
    report = scored("ExactMatch", [make("1", "<think>hm</think>red", gt_answers=["red"])])
    assert report.samples[0]["metric_result"] == 0


HME = "Handwritten Mathematical Expression Recognition"


@pytest.mark.parametrize(
    ("category", "answer", "references", "right"),
    [
        ("Regular Text Recognition", "It says STOP here", ["stop"], 1),
        ("Regular Text Recognition", "nonstop", ["stop"], 1),
        ("Doc-oriented VQA", "in May\n2020", ["May 2020"], 1),
        ("Doc-oriented VQA", "in June", ["May", "June"], 1),
        ("Doc-oriented VQA", "M a y", ["May"], 0),
        ("Doc-oriented VQA", "", ["May"], 0),
        (HME, r"\frac { 1 } { x }", [r"\frac{1}{x}"], 1),
        (HME, "a + b", ["a+b"], 1),
        (HME, "A+B", ["a+b"], 0),
    ],
)
@pytest.mark.parametrize("compat", ["corrected", "vlmevalkit"])
def test_ocrbench_contains(make, category, answer, references, right, compat):
    from chef.metric import METRICS

    metric = METRICS.get("OCRBench", compat=compat)()
    report = metric.evaluate([make("1", answer, gt_answers=references, category=category)])
    assert report.samples[0]["metric_result"] == right


def test_the_scores_of_ocrbench(scored, make):
    rows = [
        make("1", "stop", gt_answers=["stop"], category="Regular Text Recognition"),
        make("2", "12", gt_answers=["12"], category="Digit String Recognition"),
        make("3", "x", gt_answers=["y"], category="Artistic Text Recognition"),
        make("4", "a b", gt_answers=["ab"], category=HME),
        make("5", "no", gt_answers=["yes"], category="Key Information Extraction"),
    ]
    found = values(scored("OCRBench", rows))
    assert found == {
        "Final Score": 3,
        "Final Score Norm": pytest.approx(0.3),
        "Text Recognition": 2,
        "Scene Text-centric VQA": 0,
        "Doc-oriented VQA": 0,
        "Key Information Extraction": 0,
        HME: 1,
    }


def test_bleu_by_hand():
    # Unigrams 3/4, bigrams 2/3, trigrams 1/2, 4-grams 0/1; as long as the nearest reference.
    one, two, three, four = corpus_bleu(["the red dog runs"], [["the red dog sits", "a dog"]])
    assert one == pytest.approx(3 / 4)
    assert two == pytest.approx(math.sqrt(3 / 4 * 2 / 3))
    assert three == pytest.approx((3 / 4 * 2 / 3 / 2) ** (1 / 3))
    assert four == pytest.approx((1 / 4 * 1e-15) ** (1 / 4), rel=1e-6)


def test_bleu_takes_case_and_punctuation_as_they_are():
    assert corpus_bleu(["a dog."], [["a dog"]])[0] == pytest.approx(1 / 2)
    assert corpus_bleu(["A dog"], [["a dog"]])[0] == pytest.approx(1 / 2)
    assert corpus_bleu(["a dog"], [["a dog"]])[1] == pytest.approx(1)


def test_bleu_of_short_captions_and_of_two_equally_near_references():
    # One word of two: exp(1 - 2).
    assert corpus_bleu(["dog"], [["a dog"]])[0] == pytest.approx(math.exp(-1))
    # Two words, references of one and three: the shorter one counts, so nothing is lost.
    assert corpus_bleu(["a dog"], [["dog", "a red dog"]])[0] == pytest.approx(1)
    assert corpus_bleu([""], [["a dog"]])[0] == pytest.approx(0, abs=1e-6)


def test_bleu_sums_over_the_corpus_before_it_divides():
    # 1 of 1 and 0 of 3 words: 1 of 4, and no reference is longer.
    found = corpus_bleu(["dog", "x y z"], [["dog"], ["a b c"]])
    assert found[0] == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("candidate", "references", "precision", "recall"),
    [
        ("a red dog", ["a red dog"], 1, 1),
        ("a red dog", ["a dog"], 2 / 3, 1),
        ("a dog", ["a red dog"], 1, 2 / 3),
        ("a red dog", ["a dog", "the red cat"], 2 / 3, 1),
        # The best precision and the best recall may be those of two references.
        ("a b c d", ["a b c x y z", "d"], 3 / 4, 1),
        ("A dog.", ["a dog"], 0, 0),
        ("", ["a dog"], 0, 0),
        ("a  dog", ["a dog"], 2 / 3, 1),  # two blanks have an empty word between them
    ],
)
def test_rouge_l(candidate, references, precision, recall):
    beta = 1.2
    expected = 0
    if precision and recall:
        expected = (1 + beta**2) * precision * recall / (recall + beta**2 * precision)
    assert rouge_l(candidate, references) == pytest.approx(expected)


def test_captions_as_they_are(scored, make):
    rows = [
        make("1", "a red dog", gt_answers=["a red dog", "the dog"]),
        make("2", "a Cat.", gt_answers=["a cat"]),
    ]
    found = values(scored("Caption", rows))
    # Words 3 + 1 of 5; bigrams 2 + 0 of 3; ROUGE-L 1 and 1/2.
    assert found["Bleu_1"] == pytest.approx(80)
    assert found["Bleu_2"] == pytest.approx(100 * math.sqrt(4 / 5 * 2 / 3))
    assert found["ROUGE_L"] == pytest.approx(75)
    # With two images a word in both weighs 0, any other log 2. Caption 1 against its first
    # reference: orders 1 to 3 are equal, order 4 is empty: 3/4. Against "the dog": order 1 has
    # "dog" of (red, dog) and (the, dog): 1/2; lengths differ by one word. Caption 2 is 0.
    second = 0.5 / 4 * math.exp(-1 / 72)
    assert found["CIDEr"] == pytest.approx(100 * 10 * (0.75 + second) / 2 / 2)


def test_one_caption_has_no_cider_beyond_0(scored, make):
    found = values(scored("Caption", [make("1", "a dog", gt_answers=["a dog"])]))
    assert found["CIDEr"] == 0
    assert found["Bleu_1"] == pytest.approx(100)
