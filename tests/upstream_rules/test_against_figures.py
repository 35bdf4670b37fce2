"""Yes and no, counts, pairs and MMMU against the transcription (sections 9.3 to 9.7 and 15)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.vqa.winoground import WinogroundCapMetric, WinogroundMetric
from chef.reading.rules.chef_options import mmmu_option
from chef.reading.rules.chef_texts import chef_open_answer
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
from upstream_rules.groups import MMERow
from upstream_rules.mmmu import NAMES, PUBLISHED_INDICATORS, MMMURow

Ch3EfMetric = METRICS.get("Ch3Ef_Metric", compat="upstream")
MMMUMetric = METRICS.get("MMMU_Metric", compat="upstream")
Counting = METRICS.get("Counting", compat="upstream")
MMEVQA = METRICS.get("MMEVQA", compat="upstream")
Pope = METRICS.get("POPE_Metric", compat="upstream")

TASKS = ("color", "count", "OCR", "scene")
PAIRS = ("c0i0", "c0i1", "c1i0", "c1i1")
GOLDS = ("5", "dog", "D", "b", "1,000", "12", "a red bus", ".5", "cat", "-3", "two", "2e3")


def verdict(rng: random.Random, said: str) -> dict[str, Any]:
    """A written answer, or an option chosen by its score."""
    if rng.random() < 0.2:
        choice = rng.randrange(2)
        return {"said": ("Yes", "No")[choice], "choice": choice, "options": ["Yes", "No"]}
    return {"said": said, "CoT_answer": thought(rng)}


def stored(given: dict[str, Any]) -> str:
    """The answer as ChEF stores it."""
    return told(given.get("CoT_answer"), given["said"])


def test_mme() -> None:
    rng = random.Random(41)
    said, rows = [], []
    for place, text in enumerate(texts(42, ("Yes", "No", "yes it is", "no, it is not"))):
        # About two questions to an image, now and then none, one or more; images may be shared.
        task, image, gold = rng.choice(TASKS), f"{rng.randrange(1500)}.png", rng.choice(TRUTHS)
        given = verdict(rng, text)
        rows.append(MMERow(task, image, stored(given), gold))
        said.append(
            prediction(
                place, given.pop("said"), task_type=task, image_path=image, gt_answers=gold, **given
            )
        )
    report = evaluated(MMEVQA(), said)
    check_figures(report, transcription.mme(rows))
    right = [transcription.mme_reading(row.answer) == row.gt.lower() for row in rows]
    check_findings(said, findings(report), right)


TRUTHS = ("Yes", "No")


@pytest.mark.parametrize("labels", [("yes", "no"), ("no",), ("yes",), ("yes", "no", "No", "maybe")])
def test_pope(labels: tuple[str, ...]) -> None:
    rng = random.Random(43)
    said, answers, golds = [], [], []
    for place, text in enumerate(texts(44)):
        given, gold = verdict(rng, text), rng.choice(labels)
        answers.append(stored(given))
        golds.append(gold)
        said.append(prediction(place, given.pop("said"), gt_answers=gold, **given))
    report = evaluated(Pope(), said)
    check_figures(report, transcription.pope(answers, golds))
    right = [
        (transcription.pope_reading(text) == "yes") == (gold != "no")
        for text, gold in zip(answers, golds, strict=True)
    ]
    check_findings(said, findings(report), right)


def test_counting() -> None:
    rng = random.Random(45)
    said, answers, golds = [], [], []
    for place, text in enumerate(texts(46)):
        gold, thinking = rng.randrange(40), thought(rng)
        answers.append(told(thinking, text))
        golds.append(gold)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=gold))
    report = evaluated(Counting(inference_type="direct"), said)
    check_figures(report, transcription.counting(answers, golds))
    read = [transcription.first_number(text) for text in answers]
    check_findings(said, findings(report, "parsed"), read)


def test_counting_of_options() -> None:
    rng = random.Random(47)
    said, answers, golds = [], [], []
    for place in range(COUNT):
        gold = rng.randrange(60)
        options = [str(number) for number in transcription.fsc147_options(gold)]
        choice = rng.randrange(len(options))
        answers.append(options[choice])
        golds.append(gold)
        fields = {"options": options, "gt_answers": gold, "gt_choice": options.index(str(gold))}
        said.append(prediction(place, options[choice], choice=choice, **fields))
    report = evaluated(Counting(inference_type="ppl"), said)
    check_figures(report, transcription.counting(answers, golds))


def test_winoground() -> None:
    rng = random.Random(48)
    said, captions, rows = [], [], []
    for place in range(COUNT):
        shuffle = rng.choice((1, 2))
        yes = [rng.choice((rng.uniform(-5, 0), -1.0)) for _ in PAIRS]
        rows.append((yes, shuffle))
        for kind, score in zip(PAIRS, yes, strict=True):
            fields = {"main_id": str(place), "type": kind, "shuffle": shuffle}
            said.append(
                prediction(
                    len(said),
                    "Yes",
                    options=["Yes", "No"],
                    ppl_results=[score, -1.0],
                    choice=0,
                    gt_answers="Yes",
                    **fields,
                )
            )
        statements = [f"the statement {kind}" for kind in PAIRS]
        fields = {"options": statements, "shuffle": shuffle, "gt_choice": 0}
        captions.append(prediction(place, statements[0], ppl_results=list(yes), choice=0, **fields))
    expected = transcription.winoground(rows)
    check_figures(evaluated(WinogroundMetric(), said), expected)
    report = evaluated(WinogroundCapMetric(), captions)
    check_figures(report, expected)
    alone = [transcription.winoground([row])["Group"] for row in rows]
    check_findings(captions, findings(report), alone)


def test_ch3ef() -> None:
    rng = random.Random(49)
    offered = ("I don't know.", "yes", "no", "it is red", "I don't know")
    said, right = [], []
    for place in range(COUNT):
        options = rng.sample(offered, rng.randrange(2, 6))
        choice = rng.randrange(len(options))
        right.append(transcription.ch3ef_right(options[choice], options))
        said.append(prediction(place, options[choice], choice=choice, options=options, gt_choice=0))
    report = evaluated(Ch3EfMetric(), said)
    check_findings(said, findings(report), right)
    check_figures(report, {"ACC": 100 * sum(right) / len(right)})


@pytest.mark.parametrize("choices", CHOICES)
def test_mmmu_options(choices: tuple[str, ...]) -> None:
    for seed, text in enumerate(texts(50, choices)):
        found = mmmu_option(text, choices, random.Random(seed)).value
        assert found is not None
        expected = transcription.mmmu_choice(text, choices, random.Random(seed))
        assert NAMES[found] == expected, text


def test_mmmu() -> None:
    rng, stream = random.Random(51), random.Random(42)
    said, rows, right = [], [], []
    for place, text in enumerate(texts(52, (*GOLDS, *CHOICES[0]))):
        subject, thinking = rng.choice(("Art", "Music", "Physics")), thought(rng)
        whole, options = told(thinking, text), rng.choice(CHOICES)
        fields: dict[str, Any] = {"subject": subject, "CoT_answer": thinking}
        if rng.random() < 0.5:
            gold = rng.choice(GOLDS)
            rows.append(MMMURow(subject, whole, (), gold))
            right.append(transcription.mmmu_open_right(whole, gold, PUBLISHED_INDICATORS))
            fields |= {"question_type": "open", "gt_answers": gold, "gt_choice": None}
        else:
            place_of_gold = rng.randrange(len(options))
            chosen = transcription.mmmu_choice(whole, options, stream)
            right.append(chosen == NAMES[place_of_gold])
            fields |= {
                "question_type": "multiple-choice",
                "choices": list(options),
                "gt_choice": place_of_gold,
            }
        said.append(prediction(place, text, **fields))
    report = evaluated(MMMUMetric(), said)
    check_findings(said, findings(report), right)
    subjects = [prediction.sample["subject"] for prediction in said]
    for subject in set(subjects):
        own = [hit for name, hit in zip(subjects, right, strict=True) if name == subject]
        expected = {"acc": 100 * sum(own) / len(own), "correct_nums": sum(own)}
        expected["sample_nums"] = len(own)
        check_figures(report, {f"{subject}/{key}": value for key, value in expected.items()})
    check_figures(
        report, {"Overall/acc": 100 * sum(right) / len(right), "Overall/sample_nums": len(right)}
    )


@pytest.mark.parametrize("gold", [*GOLDS, ("no", "12"), ("['a red bus', '5']",)])
def test_mmmu_open(gold: str | tuple[str, ...]) -> None:
    golds = (gold,) if isinstance(gold, str) else gold
    for text in texts(53, (*GOLDS, *CHOICES[0])):
        read = chef_open_answer(text, golds).rule in ("number", "words")
        assert read == transcription.mmmu_open_right(text, golds, PUBLISHED_INDICATORS), text
