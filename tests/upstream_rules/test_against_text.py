"""Chef's own mode of ChEF's text utilities against the transcription (sections 9.2 and 15)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from chef.common.boxes import iou
from chef.metric.detection.lamm import inside
from chef.metric.upstream.wordnet import classification_acc
from chef.reading.rules.chef_boxes import boxes_in, patch_boxes, points_in
from chef.reading.rules.chef_texts import (
    first_number,
    quoted_by_any,
    substring_verdict,
    token_verdict,
)
from chef.reading.rules.vqa_normal import chef_normal
from upstream_rules import transcription
from upstream_rules.against import COUNT, texts
from upstream_rules.text import CONTRACTIONS, NUMBER_WORDS
from upstream_rules.words import SENSES, lemmas, noun

RULES: dict[str, tuple[Callable[[str], Any], Callable[[str], Any]]] = {
    "normalise": (transcription.normalise, chef_normal),
    "quoted_sentence": (transcription.quoted_sentence, quoted_by_any),
    "first_number": (transcription.first_number, lambda text: first_number(text).value),
    "parse_bbox": (transcription.parse_bbox, boxes_in),
    "parse_keypoints": (transcription.parse_keypoints, points_in),
    "parse_kosmos_bbox": (transcription.parse_kosmos_bbox, patch_boxes),
    "pope_reading": (transcription.pope_reading, lambda text: token_verdict(text).value),
    "mme_reading": (
        transcription.mme_reading,
        lambda text: substring_verdict(text).value or "other",
    ),
}
#: Words that single rules look at.
SPECIAL = ("no", "none", *CONTRACTIONS, *NUMBER_WORDS)


def differences(
    rule: Callable[[str], Any], own: Callable[[str], Any], given: list[str]
) -> list[tuple[str, Any, Any]]:
    """The texts that are read in two ways, a few of them."""
    pairs = ((text, rule(text), own(text)) for text in given)
    return [found for found in pairs if found[1] != found[2]][:3]


@pytest.mark.parametrize("name", RULES)
def test_texts_are_read_alike(name: str) -> None:
    rule, own = RULES[name]
    assert differences(rule, own, texts(11, (*SPECIAL, "a [0.5, 0.1, 0.2, 0.3] box"))) == []


@pytest.mark.parametrize("name", RULES)
def test_texts_of_single_characters_are_read_alike(name: str) -> None:
    rule, own = RULES[name]
    rng = random.Random(12)
    signs = "aAnNoO tThe.,;:'\"()[]{}<>01239-+=/\\_@`?!\n\t\r\u00a0\u00e9\u0130\u00b2\u0663ABC#"
    given = ["".join(rng.choices(signs, k=rng.randrange(12))) for _ in range(COUNT)]
    assert differences(rule, own, given) == []


@pytest.mark.usefixtures("lexicon")
@pytest.mark.parametrize("label", [*SENSES, "diningtable"])
def test_classes_are_named_alike(label: str) -> None:
    words = [name for synsets in SENSES.values() for names in synsets for name in names]
    assert (
        differences(
            lambda text: transcription.classification_acc(label, text, lemmas, noun),
            lambda text: classification_acc(label, text),
            texts(13, (*words, "puppy", "two men", "a pony", "calf", "bike"))[: COUNT // 4],
        )
        == []
    )


def test_boxes_and_points_are_compared_alike() -> None:
    rng = random.Random(14)
    grid = [place / 8 for place in range(9)]
    for _ in range(COUNT):
        one, other = ([rng.choice(grid) for _ in range(4)] for _ in range(2))
        # A patch box may be reversed; true boxes never are.
        right = (*map(min, zip(one[:2], one[2:], strict=True)), *map(max, one[:2], one[2:]))
        pair = (right[0], right[1], right[2], right[3]), (other[0], other[1], other[2], other[3])
        assert iou(*pair) == pytest.approx(transcription.cal_iou(*pair))
        point = (rng.choice(grid), rng.choice(grid))
        box = (right[0], right[1], right[2], right[3])
        assert inside(point, box) == transcription.check_inside_bbox(point, box)
