"""Named classes and words against the transcription (sections 9.4, 9.6 and 15)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.base import Metric
from upstream_rules import transcription
from upstream_rules.against import (
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
from upstream_rules.labels import treebank_words
from upstream_rules.random_answers import part_of
from upstream_rules.words import SENSES, base, first_lemmas, lemmas, noun

CGClassification = METRICS.get("CG_Classification", compat="upstream")
FGClassification = METRICS.get("FG_Classification", compat="upstream")
LAMMClassification = METRICS.get("LAMM_Classification", compat="upstream")
LAMMFacialHair = METRICS.get("LAMM_Facial_Hair_Classification", compat="upstream")
LAMMFacialSmile = METRICS.get("LAMM_Facial_Smile_Classification", compat="upstream")
UCMercedClassification = METRICS.get("UCMerced_Classification", compat="upstream")
SVTOCR = METRICS.get("SVT_OCR", compat="upstream")

LABELS = ("dog", "cat", "ship", "boat", "person", "car", "automobile", "diningtable")
NAMES = (*(name for synset in SENSES.values() for names in synset for name in names), *LABELS)
CHAINS = (
    ("animal", "mammal", "dog", "poodle"),
    ("vehicle", "car", "race car"),
    ("left",),
    ("a", "an", "man", "woman", "human"),
)
STOP_WORDS = ("a", "an", "the", "no", "not", "is", "it", "of", "and", "or", "i")


def sentence_words(text: str) -> list[str]:
    """The words of each sentence; nltk's model of sentences has to be downloaded."""
    return [word for part in re.split(r"(?<=[.!?])\s+", text) for word in treebank_words(part)]


@pytest.mark.usefixtures("lexicon")
def test_coarse_grained_classification() -> None:
    rng = random.Random(61)
    said, answers, golds = [], [], []
    for place, text in enumerate(texts(62, NAMES)):
        gold, thinking = rng.choice(LABELS), thought(rng, NAMES)
        answers.append(told(thinking, text))
        golds.append(gold)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=gold))
    report = evaluated(CGClassification(), said)
    check_figures(report, transcription.coarse_grained(answers, golds, lemmas, noun))
    alone = [
        transcription.coarse_grained([text], [gold], lemmas, noun)
        for text, gold in zip(answers, golds, strict=True)
    ]
    check_findings(said, findings(report), [values["ACC"] / 100 for values in alone])
    synonyms = [values["SYN_ACC"] / 100 for values in alone]
    check_findings(said, findings(report, "synonym_result"), synonyms)


def level_answer(rng: random.Random, chain: Sequence[str], level: int) -> str:
    """The class of a level, another one or something else."""
    if rng.random() < 0.6:
        return rng.choice((chain[level], f"hot {chain[level]}", f"a {chain[level]}s."))
    return part_of(rng, rng.choice(chain))


@pytest.mark.parametrize("ppl", [False, True])
def test_fine_grained_classification_in_turns(ppl: bool) -> None:
    rng = random.Random(63)
    said, answers, chains = [], [], []
    for place in range(COUNT):
        chain = rng.choice(CHAINS)
        given = [level_answer(rng, chain, level) for level in range(len(chain))]
        turns: list[dict[str, Any]] = [
            {"prompt_idx": min(level, 1), "prefix": "", "answer": text}
            for level, text in enumerate(given)
        ]
        if ppl:
            for turn in turns:
                turn["choice"] = 0
        said.append(prediction(place, given[-1], turn_answer=turns, gt_answers=list(chain)))
        answers.append(given)
        chains.append(chain)
    report = evaluated(FGClassification(inference_type="multiturn", ppl=ppl), said)
    check_figures(report, {"score": transcription.fine_grained(answers, chains)})
    pairs = zip(answers, chains, strict=True)
    depths = [transcription.fine_depth_multi_turn(given, chain) for given, chain in pairs]
    check_findings(said, findings(report, "depth"), depths)


def test_fine_grained_classification_in_one_turn() -> None:
    rng = random.Random(64)
    said, answers, chains = [], [], []
    for place, text in enumerate(texts(65, [name for chain in CHAINS for name in chain])):
        chain, thinking = rng.choice(CHAINS), thought(rng)
        answers.append(told(thinking, text))
        chains.append(chain)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=list(chain)))
    report = evaluated(FGClassification(inference_type="singleturn", ppl=False), said)
    check_figures(report, {"score": transcription.fine_grained(answers, chains)})
    pairs = zip(answers, chains, strict=True)
    depths = [transcription.fine_depth_single_turn(text, chain) for text, chain in pairs]
    check_findings(said, findings(report, "depth"), depths)


@pytest.mark.usefixtures("lexicon")
@pytest.mark.parametrize(
    ("metric", "labels"),
    [
        (LAMMClassification(), {name: name for name in LABELS}),
        (LAMMFacialHair(), {"Black_Hair": "black", "Gray_Hair": "gray", "Blond_Hair": "blond"}),
    ],
    ids=["classes", "hair"],
)
def test_lamm_classification(metric: Metric, labels: dict[str, str]) -> None:
    rng = random.Random(66)
    said, right = [], []
    for place, text in enumerate(texts(67, (*NAMES, "blond"))):
        gold, thinking = rng.choice(list(labels)), thought(rng, NAMES)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=gold))
        right.append(
            transcription.lamm_classification_right(
                labels[gold], told(thinking, text), first_lemmas, base, STOP_WORDS, sentence_words
            )
        )
    report = evaluated(metric, said)
    check_findings(said, findings(report), right)
    check_figures(report, {"ACC": sum(right) / len(right)})


def test_smiles() -> None:
    rng = random.Random(68)
    said, read, right = [], [], []
    for place, text in enumerate(texts(69)):
        gold, thinking = rng.choice(("1", "-1")), thought(rng)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=gold))
        read.append(transcription.smile_reading(told(thinking, text), sentence_words))
        right.append(read[-1] == gold)
    report = evaluated(LAMMFacialSmile(), said)
    assert list(findings(report, "parsed").values()) == read
    check_findings(said, findings(report), right)
    check_figures(report, {"ACC": sum(right) / len(right)})


def test_ucmerced() -> None:
    rng = random.Random(70)
    labels = ("river", "left", "beach", "golf course", "harbor")
    said, right = [], []
    for place, text in enumerate(texts(71, labels)):
        gold, thinking = rng.choice(labels), thought(rng, labels)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=gold))
        right.append(transcription.ucmerced_right(gold, told(thinking, text)))
    report = evaluated(UCMercedClassification(), said)
    check_findings(said, findings(report), right)
    check_figures(report, {"ACC": 100 * sum(right) / len(right)})


def test_words_in_images() -> None:
    rng = random.Random(72)
    words = ("hello", "world", "STOP", "Shop", "caption:", "left", "no")
    said, shares = [], []
    for place, text in enumerate(texts(73, words)):
        gold, thinking = rng.sample(words, rng.randrange(1, 5)), thought(rng, words)
        said.append(prediction(place, text, CoT_answer=thinking, gt_answers=gold))
        shares.append(transcription.svt_share(gold, told(thinking, text)))
    report = evaluated(SVTOCR(), said)
    check_findings(said, findings(report), shares)
    check_figures(report, {"ACC": sum(shares) / len(shares)})
