import math
import shutil
import sys
from importlib.util import find_spec
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from chef.errors import DependencyError
from chef.metric.caption.caption import Caption, LAMMCaption
from chef.metric.caption.overlap import (
    _say_once,
    bleu_counts,
    cider_d,
    corpus_bleu,
    meteor,
    rouge_l,
    sentence_bleu,
)
from chef.reading.names import mentioned_labels
from chef.reading.words import tokens

TRUE = ["A Red ball!", "red"]
DOG = [["a", "dog"]]
CAT = [["a", "cat"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('A man\'s T-shirt: "red", 3.', "a man 's t-shirt red 3"),
        ("红色 circle", "红 色 circle"),
        ("...", ""),
        ("They can't, cannot, won’t.", "they ca n't can not wo n't"),
        ("It's 1,000 and 3.5 km at 10:30.", "it 's 1,000 and 3.5 km at 10:30"),
        ("Salt & pepper, 50% off.", "salt & pepper 50 % off"),
    ],
)
def test_tokens(text, words):
    assert tokens(text) == words.split()


def test_rouge_by_hand():
    # longest common subsequence "a circle": precision 2/3, recall 2/2; beta 1.2
    expected = 2.44 * 2 / 3 / (1 + 1.44 * 2 / 3)
    assert rouge_l(["a", "red", "circle"], [["a", "circle"]]) == pytest.approx(expected)
    # the best precision and the best recall may be those of two references
    best = 2.44 * 2 / 3 / (1 + 1.44 * 2 / 3)
    assert rouge_l(["a", "b", "c"], [["a", "b", *"xyz"], ["c"]]) == pytest.approx(best)
    assert rouge_l(["a", "red", "circle"], [["blue"], ["a", "red", "circle"]]) == 1
    assert rouge_l([], [["a"]]) == 0


def test_bleu_by_hand():
    # 1-grams 2 of 3 (one "the" is clipped away), 2-grams 1 of 2; lengths 3 and 4
    counts = bleu_counts(["the", "the", "cat"], [["the", "cat", "sat", "down"]])
    brevity = math.exp(1 - 4 / 3)
    assert corpus_bleu([counts], 1, None).value == pytest.approx(100 * 2 / 3 * brevity)
    assert corpus_bleu([counts], 2, None).value == pytest.approx(
        100 * math.sqrt(2 / 3 / 2) * brevity
    )
    assert corpus_bleu([counts], 3, None).value == 0
    assert corpus_bleu([], 4, None).value is None


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_bleu_is_that_of_sacrebleu(order):
    said = ["a red circle and a blue star", "two stars", "", "a small red circle on a big star"]
    references = [
        ["a red circle and a blue star on white", "a circle and a star"],
        ["two blue stars", "stars"],
        ["a square", "one square"],
        ["a small red circle on a large star", "a big star under a small red circle"],
    ]
    counts = [
        bleu_counts(s.split(), [r.split() for r in rs])
        for s, rs in zip(said, references, strict=True)
    ]
    theirs = BLEU(tokenize="none", smooth_method="none", max_ngram_order=order, force=True)
    score = theirs.corpus_score(
        said, [list(column) for column in zip(*references, strict=True)]
    ).score
    estimate = corpus_bleu(counts, order, None)
    assert estimate.value == pytest.approx(score)
    assert 0 <= estimate.low <= estimate.high <= 100


def test_cider_of_exact_captions():
    # "a" is in both images and tells nothing; "dog" and "a dog" match, orders 3 and 4 are empty.
    assert cider_d([DOG[0], CAT[0]], [DOG, CAT]) == pytest.approx([5, 5])


def test_cider_clips_repetition():
    # order 1: min(2L, L) L / (2L L) = 1/2; order 2: "dog dog" is not there
    assert cider_d([["dog", "dog"], []], [DOG, CAT]) == pytest.approx([10 * 0.5 / 4, 0])


def test_cider_punishes_another_length():
    # order 1 matches wholly; one word of difference at sigma 6
    assert cider_d([["dog"], []], [DOG, CAT])[0] == pytest.approx(2.5 * math.exp(-1 / 72))


def test_cider_averages_the_references():
    both = cider_d([["a", "dog"], []], [[["a", "dog"], ["blue", "sky"]], CAT])
    alone = cider_d([["a", "dog"], []], [[["a", "dog"]], CAT])
    assert both[0] == pytest.approx(alone[0] / 2)


def test_cider_of_long_exact_captions_is_ten():
    first, second = ["a", "b", "c", "d", "e"], ["v", "w", "x", "y", "z"]
    assert cider_d([first, second], [[first], [second]]) == pytest.approx([10, 10])
    assert cider_d([second, first], [[first], [second]]) == pytest.approx([0, 0])
    assert cider_d([], []) == []


def test_a_perfect_describer(make):
    texts = ["a red circle above a blue star", "two green squares on a white ground"]
    report = Caption().evaluate(
        [make(str(i), text.upper() + ".", gt_answers=[text]) for i, text in enumerate(texts)]
    )
    for name in ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L"):
        assert report.metrics[name].value == pytest.approx(100)
    assert report.metrics["CIDEr"].value == pytest.approx(1000)
    assert report.primary == "CIDEr"
    assert "object_recall" not in report.metrics


def test_captions_by_hand(make):
    report = Caption().evaluate(
        [
            make("1", "A red circle and a blue star.", gt_answers=["a red circle and a blue star"],
                 objects=["red circle", "blue star"]),
            make("2", "Two red circles.", gt_answers=["a green square"], objects=["green square"]),
            make("3", "", gt_answers=["a blue star"], objects=["blue star"]),
        ]
    )  # fmt: skip
    assert report.metrics["object_recall"].value == pytest.approx(100 * 2 / 4)
    assert report.metrics["object_precision"].value == pytest.approx(100 * 2 / 3)
    assert report.metrics["object_exact"].value == pytest.approx(100 / 3)
    assert report.metrics["ROUGE_L"].value == pytest.approx(100 / 3)
    assert [entry["metric_result"] for entry in report.samples] == [1, 0, 0]
    assert report.samples[0]["objects_named"] == ["blue star", "red circle"]
    assert report.coverage.unparsed == 1
    assert report.metrics["Bleu_1"].unit == "0-100"


def test_one_caption_has_no_cider(make):
    report = Caption().evaluate([make("1", "a dog", gt_answers="a dog")])
    assert report.metrics["CIDEr"].value is None
    assert report.metrics["Bleu_2"].value == pytest.approx(100)


def test_captions_chosen_by_score(make):
    fields = {"options": ["a cat", "a dog"], "gt_answers": ["a dog"]}
    report = Caption().evaluate(
        [
            make("1", "a dog", choice=1, gt_choice=1, **fields),
            make("2", "a cat", choice=0, **fields),
        ]
    )
    assert report.metrics["ACC"].value == 50
    assert report.primary == "ACC"
    assert "BLEU4" not in report.metrics


def test_reasoning_is_no_part_of_the_caption(make):
    entry = Caption().evaluate([make("1", "<think>hm</think>a dog", gt_answers="a dog")]).samples[0]
    assert (entry["parsed"], entry["metric_result"]) == ("a dog", 1)


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("Red circles and a blue star", ["blue star", "red circle"]),
        ("infrared circlet", []),
        ("a red\ncircle", ["red circle"]),
        ("a dark-red circle", []),
        ("no red circle", []),
        ("two boxes and three berries", ["berry", "box"]),
    ],
)
def test_objects_are_named_in_whole_words(text, objects):
    assert mentioned_labels(text, ["red circle", "blue star", "box", "berry"]) == objects


def test_the_longest_object_wins():
    assert mentioned_labels("a red circle", ["circle", "red circle"]) == ["red circle"]
    both = ["circle", "red circle"]
    assert mentioned_labels("a red circle, a circle", both) == both


def test_sentence_bleu_by_hand():
    # 1-grams 5 of 5, then 3 of 4, 2 of 3, 1 of 2; lengths 5 and 6
    expected = (0.75 * 2 / 3 / 2) ** 0.25 * math.exp(1 - 6 / 5)
    assert sentence_bleu(
        ["a", "dog", "on", "a", "sofa"], [["a", "dog", "on", "a", "red", "sofa"]]
    ) == (pytest.approx(expected))
    assert sentence_bleu(["a", "dog", "on"], [["a", "dog", "on"]]) == 0  # no four words
    assert sentence_bleu([], [["a"]]) == 0


def test_a_figure_has_one_name(make):
    report = Caption().evaluate([make("1", "a dog", gt_answers="a dog")])
    # Not both Bleu_4 and ChEF's BLEU4, or ROUGE_L and ChEF's Rouge, in one table.
    assert not {"BLEU4", "Rouge"} & report.metrics.keys()
    assert {"Bleu_4", "ROUGE_L"} <= report.metrics.keys()


def test_the_best_half(make):
    options = {"options": list("abcdef"), "gt_choice": [0, 1, 2], "choice": 1}

    def chosen(name, scores):
        prediction = make(name, "b", **options)
        prediction.scores["ppl_results"] = scores
        return prediction

    answers = [
        chosen("1", [-1, -2, -3, -4, -5, -6]),  # the larger the likelier
        chosen("2", [-1, -9, -9, -2, -3, -9]),
        chosen("3", [-6, -5, -4, -3, -2, -1]),
    ]
    report = Caption(strategy="top_acc").evaluate(answers)
    assert [entry["metric_result"] for entry in report.samples] == pytest.approx([1, 1 / 3, 0])
    assert report.metrics["ACC"].value == pytest.approx(400 / 9)
    assert Caption(strategy="acc").evaluate(answers).metrics["ACC"].value == 100
    lacking = Caption(strategy="top_acc").evaluate([make("1", "b", **options)])
    assert "scores" in lacking.samples[0]["error"]["message"]


def test_captions_of_another_kind_than_the_recipe_says_are_errors(make):
    for strategy in ("acc", "top_acc"):
        report = Caption(strategy=strategy).evaluate([make("1", "a dog", gt_answers="a dog")])
        assert "strategy: direct" in report.samples[0]["error"]["message"]
        assert report.metrics["ACC"].value is None


def meteor_is_installed() -> bool:
    return find_spec("pycocoevalcap") is not None


@pytest.fixture
def unsaid():
    """Why there is no value is said once in a process."""
    _say_once.cache_clear()


def lamm_s(make, *texts: str):
    answers = [
        make(str(i), text, gt_answers=["A Red ball!", "red"]) for i, text in enumerate(texts)
    ]
    return LAMMCaption().evaluate(answers).metrics["METEOR"]


@pytest.fixture
def its_package(monkeypatch):
    """A package as far as METEOR is asked of it; what it is given is kept in ``asked``."""
    asked, module = [], ModuleType("pycocoevalcap.meteor.meteor")

    class Meteor:
        def compute_score(self, gts, res):
            asked.append((gts, res))
            if "java" in res[0][0]:
                raise FileNotFoundError("java")
            return 0.25, [0.5 for _ in res]

    module.Meteor = Meteor
    for name in ("pycocoevalcap", "pycocoevalcap.meteor"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return asked


def test_meteor_is_that_of_its_package(make, its_package):
    found = lamm_s(make, "A red, RED ball.", "a dog")
    assert (found.value, found.n, found.unit, found.low) == (25, 2, "0-100", None)
    true = ["a red ball", "red"]
    assert its_package == [({0: true, 1: true}, {0: ["a red red ball"], 1: ["a dog"]})]


def test_meteor_without_its_program_has_no_value_and_says_why(make, its_package, caplog, unsaid):
    assert lamm_s(make, "no java here").value is None
    assert "Java program failed: java -> install Java" in caplog.text


def test_meteor_without_its_package_has_no_value_and_says_why(make, monkeypatch, caplog, unsaid):
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)
    assert lamm_s(make, "a red ball").value is None
    assert "pip install pycocoevalcap" in caplog.text
    with pytest.raises(DependencyError, match="METEOR needs"):
        meteor(["a"], [["a"]])


@pytest.mark.skipif(
    not meteor_is_installed() or shutil.which("java") is None,
    reason="needs pycocoevalcap and Java",
)
def test_meteor_itself(make):
    assert lamm_s(make, "a red ball").value == pytest.approx(100)
    assert 0 < lamm_s(make, "the ball is red").value < 100


def test_lamm_s_figures(make):
    texts = ["a red circle above a blue star", "two green squares on a white ground"]
    report = LAMMCaption().evaluate(
        [make(str(i), text, gt_answers=[text]) for i, text in enumerate(texts)]
    )
    found = {name: item.value for name, item in report.metrics.items()}
    assert found.pop("METEOR") is None or meteor_is_installed()
    assert found == pytest.approx(
        {"Bleu_1": 100, "Bleu_2": 100, "Bleu_3": 100, "Bleu_4": 100, "ROUGE_L": 100, "CIDEr": 1000}
    )


_word = st.sampled_from(["a", "dog", "cat", "red", "sofa", "on"])
_caption = st.lists(_word, min_size=1, max_size=7).map(" ".join)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(_caption, _caption), min_size=1, max_size=5), st.randoms())
def test_figures_are_in_range_whatever_the_order(make, pairs, random):
    answers = [make(str(i), said, gt_answers=[true]) for i, (said, true) in enumerate(pairs)]
    before = {name: item.value for name, item in Caption().evaluate(answers).metrics.items()}
    random.shuffle(answers)
    after = {name: item.value for name, item in Caption().evaluate(answers).metrics.items()}
    assert after == before
    for name, value in before.items():
        assert value is None or 0 <= value <= (1000 if name == "CIDEr" else 100 + 1e-9)
