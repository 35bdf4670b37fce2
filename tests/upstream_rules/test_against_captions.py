"""Captions against the transcription (sections 9.4 and 15)."""

from __future__ import annotations

import random

import pytest

from chef.metric import METRICS
from chef.metric.upstream.rules import package_rouge_l
from chef.types import Prediction
from upstream_rules import transcription
from upstream_rules.against import (
    COUNT,
    check_figures,
    check_findings,
    evaluated,
    findings,
    prediction,
    texts,
    told,
)

Caption = METRICS.get("Caption", compat="upstream")

WORDS = [
    "a",
    "the",
    "dog",
    "cat",
    "man",
    "red",
    "bus",
    "runs",
    "on",
    "grass",
    ".",
    ".",
    "'",
    '"',
    "A",
    "Dog",
    "bus.",
    "it's",
]
CAPTIONS = (
    "A dog runs on the grass.",
    "The man sits on a red bus. He is happy.",
    "a dog on the grass",
    "It's a cat. A cat on the bus",
    "A man and his dog run.",
)


def captions(rng: random.Random) -> list[str]:
    """Three captions of an image, some of them of few words."""
    made = [" ".join(rng.choices(WORDS, k=rng.randrange(1, 12))) for _ in range(2)]
    return [*rng.sample(CAPTIONS, 2), *(text for text in made if text.strip(" .")), "a dog"][:3]


def caption(rng: random.Random, references: list[str], text: str) -> str:
    """A caption like the references, or any answer."""
    kinds = [text, rng.choice(references), " ".join(rng.choices(WORDS, k=rng.randrange(15)))]
    # Long answers take long, and say nothing more.
    said = " ".join(rng.choice((*kinds, kinds[1])).split(" ")[:14])
    words = said.split()
    if len(words) > 4 and rng.random() < 0.3:
        del words[rng.randrange(len(words))]
        said = " ".join(words)
    return rng.choice((said, said, f'"{said}"', f"A caption: \"{said}\" or '{kinds[2]}'."))


def written(seed: int, count: int) -> list[tuple[Prediction, str]]:
    """Answers, and how ChEF stores them."""
    rng = random.Random(seed)
    rows = []
    for place, text in enumerate(texts(seed, CAPTIONS)[:count]):
        references = captions(rng)
        given = caption(rng, references, text)
        thinking = rng.choice((None, None, None, "A dog, I think. "))
        one = prediction(place, given, CoT_answer=thinking, gt_answers=references)
        rows.append((one, told(thinking, given)))
    return rows


def test_written_captions() -> None:
    metric = Caption(strategy="direct")
    wrong = []
    for row, whole in written(81, COUNT // 4):  # each is compared word by word, which takes long
        scored, references = metric.score_text(row.to_record()), row.sample["gt_answers"]
        found = {key: scored[key] for key in ("bleu4", "rouge")}
        expected = {
            "bleu4": transcription.caption_bleu4(whole, references),
            "rouge": transcription.caption_rouge(whole, references),
        }
        if found != pytest.approx(expected):
            wrong.append((whole, references, found, expected))
    assert wrong[:3] == []


def test_figures_of_written_captions() -> None:
    rows = written(82, COUNT // 10)  # the other metrics of captions take long
    bleu, rouge = [], []
    for row, whole in rows:
        bleu.append(transcription.caption_bleu4(whole, row.sample["gt_answers"]))
        rouge.append(transcription.caption_rouge(whole, row.sample["gt_answers"]))
    report = evaluated(Caption(strategy="direct"), [row for row, _ in rows])
    check_findings([row for row, _ in rows], findings(report, "bleu4"), bleu)
    check_findings([row for row, _ in rows], findings(report, "rouge"), rouge)
    check_figures(
        report, {"BLEU4": 100 * sum(bleu) / len(bleu), "Rouge": 100 * sum(rouge) / len(rouge)}
    )


def test_rouge_of_single_texts() -> None:
    rng = random.Random(83)
    for _ in range(COUNT):
        pair = [
            " ".join(rng.choices(["a", "b", "c", "d", ".", "A"], k=rng.randrange(1, 9)))
            for _ in "ab"
        ]
        pair = [rng.choice((text, text.replace(" .", "."))) for text in pair]
        assert package_rouge_l(pair[0], [pair[1]]) == pytest.approx(transcription.rouge_l(*pair))


def test_chosen_captions() -> None:
    rng = random.Random(84)
    said, right = [], []
    for place in range(COUNT):
        own = captions(rng)
        options = [*rng.sample((*CAPTIONS, *own), 3), rng.choice(own)]
        choice = rng.randrange(4)
        right.append(transcription.caption_acc(options[choice], own))
        fields = {"options": options, "gt_answers": own, "gt_choice": 3}
        said.append(prediction(place, options[choice], choice=choice, **fields))
    report = evaluated(Caption(strategy="acc"), said)
    check_findings(said, findings(report), right)
    check_figures(report, {"ACC": 100 * sum(right) / len(right)})


def test_best_half_of_captions() -> None:
    rng = random.Random(85)
    said, shares = [], []
    for place in range(COUNT):
        half = rng.randrange(1, 6)
        scores = [rng.choice((rng.uniform(-5, 0), -1.0, -2.0)) for _ in range(2 * half)]
        choice = max(range(2 * half), key=scores.__getitem__)
        shares.append(transcription.caption_top_acc(scores))
        options = [f"caption {number}" for number in range(2 * half)]
        fields = {
            "options": options,
            "gt_answers": options[:half],
            "gt_choice": list(range(half)),
        }
        said.append(prediction(place, options[choice], choice=choice, ppl_results=scores, **fields))
    report = evaluated(Caption(strategy="top_acc"), said)
    check_findings(said, findings(report), shares)
    check_figures(report, {"ACC": 100 * sum(shares) / len(shares)})
