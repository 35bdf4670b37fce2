"""Questions with options against the transcription (sections 9.3, 9.7 and 15)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from chef.metric import METRICS
from chef.reading.rules.chef_options import cascade, mapped_option
from chef.scoring.answers import with_group_sizes
from chef.types import Prediction
from upstream_rules import transcription
from upstream_rules.against import (
    CHOICES,
    COUNT,
    check_figures,
    check_findings,
    evaluated,
    findings,
    prediction,
    texts,
    thought,
    told,
)
from upstream_rules.groups import MILLION, Row
from upstream_rules.random_answers import answer
from upstream_rules.verdicts import LETTERS

VQA = METRICS.get("VQA", compat="upstream")
InstructFollow = METRICS.get("Instruct_Follow", compat="upstream")
LammVQA = METRICS.get("LAMM_VQA", compat="upstream")
MMBenchCalibration = METRICS.get("MMBench_Calibration", compat="upstream")
MMBenchVQA = METRICS.get("MMBenchVQA", compat="upstream")
VQACalibration = METRICS.get("ScienceQA_Calibration", compat="upstream")

#: Sets of no more than four options, as in MMBench.
FEW = tuple(choices for choices in CHOICES if len(choices) <= 4)
MAPPED = (
    ("Smith", "Jones", "A", "B"),
    ("(A", "(B", "(C"),
    ("1", "2", "3"),
    ("a", "b", "A"),
    ("dog", "cat", "I"),
    ("left", "right"),
)


class Asked(NamedTuple):
    """An answer in chef's form and in that of the transcription."""

    prediction: Prediction
    row: Row


def asked(seed: int, ids: Sequence[int], sets: Sequence[Sequence[str]] = CHOICES) -> list[Asked]:
    """Random answers to questions with these ids: texts, with and without reasoning, and options
    chosen by their scores.
    """
    rng = random.Random(seed)
    rows = []
    for number in ids:
        choices = rng.choice(sets)
        gold, prob = rng.randrange(len(choices)), rng.choice((rng.random(), 0.25, 0.5))
        lettered = rng.random() < 0.5
        options = [f"({LETTERS[place]}" for place in range(len(choices))] if lettered else choices
        fields = {"options": list(options), "choices": list(choices), "gt_choice": gold}
        thinking, said = thought(rng, choices), answer(rng, choices)
        if rng.random() < 0.3:
            choice = rng.randrange(len(choices))
            given = options[choice]
            one = prediction(str(number), given, choice=choice, prob=prob, **fields)
            rows.append(Asked(one, Row(number, given, choices, gold, prob)))
        else:
            one = prediction(str(number), said, CoT_answer=thinking, prob=prob, **fields)
            rows.append(Asked(one, Row(number, told(thinking, said), choices, gold, prob)))
    return rows


def unequal_ids(seed: int) -> list[int]:
    """Ids of questions with up to four rows, in order; rows are missing, main rows as well."""
    rng = random.Random(seed)
    questions = range(1, COUNT // 2)
    return sorted(
        place + turn * MILLION for place in questions for turn in range(4) if rng.random() < 0.5
    )[:COUNT]


@pytest.mark.parametrize("choices", CHOICES)
@pytest.mark.parametrize("known", ["ABCDEFG", "ABCD"])
@pytest.mark.parametrize("content_only", [False, True])
def test_cascade(choices: Sequence[str], known: str, content_only: bool) -> None:
    for text in texts(21, choices):
        found = cascade(text, choices, known=known, content_only=content_only)
        letter = None if found.value is None else LETTERS[found.value]
        expected = transcription.fetch_answer(text, choices, content_only, known)
        assert (letter, found.rule == "option", found.rule == "content") == expected, text


@pytest.mark.parametrize("options", MAPPED)
def test_mapped_options(options: Sequence[str]) -> None:
    for text in texts(22, options):
        found = mapped_option(text, options).value
        given = None if found is None else options[found]
        assert given == transcription.followed_option(text, options), text


@pytest.mark.parametrize("content_only", [False, True])
def test_vqa(content_only: bool) -> None:
    rows = asked(23, range(COUNT))
    said = [row.prediction for row in rows]
    report = evaluated(VQA(content_only=content_only), said)
    check_figures(report, transcription.vqa([row.row for row in rows], content_only))
    right = [transcription.vqa([row.row], content_only)["ACC"] / 100 for row in rows]
    check_findings(said, findings(report), right)


@pytest.mark.parametrize("count", [3, 10, 17, COUNT])
def test_scienceqa_calibration(count: int) -> None:
    # Equal probabilities keep the order of the ids.
    rows = asked(24, range(100_000, 100_000 + count))
    said = [row.prediction for row in rows]
    report = evaluated(VQACalibration(), said)
    values, bins = transcription.scienceqa_calibration([row.row for row in rows])
    check_figures(report, {**values, "ECE": bins.error})
    assert report.details["Acc_bins"] == pytest.approx(bins.accuracies)
    assert report.details["Prob_bins"] == pytest.approx(bins.probs)
    right = [transcription.vqa([row.row])["ACC"] / 100 for row in rows]
    check_findings(said, findings(report, "correct"), right)


@pytest.mark.parametrize("content_only", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_mmbench(content_only: bool, named: bool) -> None:
    ids = unequal_ids(25)
    rows = asked(26, ids, FEW)
    if named:  # as chef's own scenario names the questions
        for row in rows:
            assert isinstance(row.prediction.sample, dict)
            row.prediction.sample["circular_group"] = str(row.row.id % MILLION)
    report = evaluated(MMBenchVQA(content_only=content_only), [row.prediction for row in rows])
    check_figures(report, transcription.mmbench([row.row for row in rows], content_only))


@pytest.mark.parametrize("count", [5, COUNT])
def test_mmbench_calibration(count: int) -> None:
    rows = asked(27, unequal_ids(28)[:count], FEW)
    report = evaluated(MMBenchCalibration(), [row.prediction for row in rows])
    values, chosen, bins = transcription.mmbench_calibration([row.row for row in rows])
    check_figures(report, {**values, "ECE": bins.error})
    assert report.details["prednum"] == chosen
    assert report.details["Acc_bins"] == pytest.approx(bins.accuracies)
    assert report.details["Prob_bins"] == pytest.approx(bins.probs)


def test_instruct_follow() -> None:
    rng = random.Random(29)
    said, rows = [], []
    numbers = unequal_ids(30)
    rng.shuffle(numbers)  # the first row in the file counts
    for number in numbers:
        options = rng.choice(MAPPED)
        gold, text, thinking = rng.randrange(len(options)), answer(rng, options), thought(rng)
        fields = {"options": list(options), "choices": list(CHOICES[0][:3]), "gt_choice": gold}
        said.append(prediction(str(number), text, CoT_answer=thinking, **fields))
        rows.append(Row(number, told(thinking, text), options, gold))
    report = evaluated(InstructFollow(), with_group_sizes(said))
    check_figures(report, {"score": transcription.instruct_follow(rows)})
    right = [transcription.instruct_follow([row]) / 100 for row in rows]
    check_findings(said, findings(report), right)


@pytest.mark.parametrize("choices", CHOICES)
def test_lamm_vqa(choices: Sequence[str]) -> None:
    rng = random.Random(31)
    said, right = [], []
    for place, text in enumerate(texts(32, choices)):
        gold, thinking = rng.randrange(len(choices)), thought(rng, choices)
        fields = {"choices": list(choices), "gt_choice": gold}
        said.append(prediction(place, text, CoT_answer=thinking, **fields))
        right.append(transcription.lamm_vqa_right(told(thinking, text), choices, gold))
    report = evaluated(LammVQA(), said)
    check_findings(said, findings(report), right)
    check_figures(report, {"vision_acc": sum(right) / len(right)})
