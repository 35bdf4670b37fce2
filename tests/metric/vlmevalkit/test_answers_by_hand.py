"""Free answers against cases worked by hand, and captions against the papers' formulas."""

from __future__ import annotations

import answers_by_hand as by_hand
import pytest
from captions_by_hand import CAPTIONS, bleu, cider, rouge_l

from chef.metric import METRICS
from chef.metric.vlmevalkit.scores import method_of
from chef.reading.rules.vqa_normal import process_answer

COMPATS = ("vlmevalkit", "corrected")


@pytest.fixture
def score(make):
    """``score("ANLS", compat, "cat", ["cats"])``: the score of one answer."""

    def of_one(metric, compat, answer, references, **fields):
        record = make("1", answer, gt_answers=list(references), **fields)
        (found,) = METRICS.get(metric, compat=compat)().evaluate([record]).samples
        return found["metric_result"]

    return of_one


def spread(counts):
    return [reference for reference, count in counts.items() for _ in range(count)]


def test_there_are_enough_cases_and_none_stands_twice():
    tables = [
        value for name, value in vars(by_hand).items() if name.isupper() and isinstance(value, list)
    ]
    assert sum(map(len, tables)) >= 250
    for table in tables:
        assert len({repr(row) for row in table}) == len(table)


@pytest.mark.parametrize(("text", "expected"), by_hand.NORMALISED)
def test_what_is_compared(text, expected):
    assert process_answer(text) == expected


@pytest.mark.parametrize(("text", "upstream", "corrected"), by_hand.FULL_STOPS)
def test_full_stops(score, text, upstream, corrected):
    assert process_answer(text) == upstream
    if corrected:
        assert score("VQAAccuracy", "corrected", text, [corrected]) == 1


@pytest.mark.parametrize(("answer", "counts", "expected"), by_hand.SEVERAL_REFERENCES)
def test_several_references(score, answer, counts, expected):
    references = spread(counts)
    assert score("VQAAccuracy", "vlmevalkit", answer, references) == pytest.approx(expected)
    if answer and len(references) >= 4:  # chef has rules of its own for the others
        assert score("VQAAccuracy", "corrected", answer, references) == pytest.approx(expected)


@pytest.mark.parametrize(("answer", "count", "expected"), by_hand.FEW_EQUAL_REFERENCES)
def test_few_references(score, answer, count, expected):
    assert score("VQAAccuracy", "vlmevalkit", answer, ["cat"] * count) == pytest.approx(expected)
    assert score("VQAAccuracy", "corrected", answer, ["cat"] * count) == (answer == "cat")


@pytest.mark.parametrize(("answer", "reference", "upstream", "corrected"), by_hand.SINGLE_REFERENCE)
def test_a_single_reference(score, answer, reference, upstream, corrected):
    assert score("VQAAccuracy", "vlmevalkit", answer, [reference]) == upstream
    assert score("VQAAccuracy", "corrected", answer, [reference]) == corrected


@pytest.mark.parametrize("compat", COMPATS)
@pytest.mark.parametrize(("answer", "references", "expected"), by_hand.ANLS)
def test_anls(score, compat, answer, references, expected):
    assert score("ANLS", compat, answer, references) == pytest.approx(expected)


@pytest.mark.parametrize(("answer", "reference", "expected"), by_hand.ANLS_RAW_LENGTH)
def test_anls_divides_by_the_length_of_the_raw_texts(score, answer, reference, expected):
    assert score("ANLS", "vlmevalkit", answer, [reference]) == pytest.approx(expected)


@pytest.mark.parametrize(("answer", "reference", "upstream", "corrected"), by_hand.RELAXED)
def test_relaxed_accuracy(score, answer, reference, upstream, corrected):
    assert score("RelaxedAccuracy", "vlmevalkit", answer, [reference]) == upstream
    if corrected is not None:
        assert score("RelaxedAccuracy", "corrected", answer, [reference]) == corrected


@pytest.mark.parametrize(("answer", "reference", "expected"), by_hand.ACCURACY)
def test_accuracy(score, answer, reference, expected):
    assert score("ExactMatch", "vlmevalkit", answer, [reference]) == expected


@pytest.mark.parametrize(("name", "rule"), by_hand.RULES_BY_NAME)
def test_the_rule_of_a_benchmark(name, rule):
    assert method_of(name) == rule


@pytest.mark.parametrize("compat", COMPATS)
@pytest.mark.parametrize(("category", "answer", "references", "expected"), by_hand.OCRBENCH)
def test_ocrbench(score, compat, category, answer, references, expected):
    assert score("OCRBench", compat, answer, references, category=category) == expected


def test_parts_are_splits_else_categories(make):
    """Four answers, three right; of category x two of three, of split val one of two."""
    rows = [
        {"gt_answers": ["cat"], "category": category, "split": split}
        for category, split in (("x", "val"), ("x", "val"), ("x", "test"), ("y", "test"))
    ]
    answers = ("cat", "dog", "cat", "cat")
    for name, dataset, figure in (("ANLS", "", "ANLS"), ("Accuracy", "DocVQA_VAL", "Overall")):
        metric = METRICS.get(name, compat="vlmevalkit")(dataset)
        for parts, dropped in (({"val": 50, "test": 100}, ()), ({"x": 200 / 3, "y": 100}, "split")):
            kept = [{key: row[key] for key in row if key != dropped} for row in rows]
            records = [make(str(n), answers[n], **row) for n, row in enumerate(kept)]
            found = {key: item.value for key, item in metric.evaluate(records).metrics.items()}
            expected = {f"{part}/{figure}": pytest.approx(value) for part, value in parts.items()}
            assert found == {figure: 75, **expected}


@pytest.mark.parametrize(("compat", "column"), [("vlmevalkit", 0), ("corrected", 2)])
def test_captions(make, compat, column):
    rows = [make(str(place), row[0], gt_answers=row[1]) for place, row in enumerate(CAPTIONS)]
    found = METRICS.get("Caption", compat=compat)().evaluate(rows).metrics
    candidates = [row[column].split() for row in CAPTIONS]
    references = [[text.split() for text in row[column + 1]] for row in CAPTIONS]
    for order in (1, 2, 3, 4):
        assert found[f"Bleu_{order}"].value == pytest.approx(
            100 * bleu(candidates, references, order)
        )
    assert found["ROUGE_L"].value == pytest.approx(100 * rouge_l(candidates, references))
    assert found["CIDEr"].value == pytest.approx(100 * cider(candidates, references))
