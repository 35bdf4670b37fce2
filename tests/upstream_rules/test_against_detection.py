"""Boxes and points against the transcription (sections 9.5 and 15)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.detection.lamm import LAMMDetection
from upstream_rules import transcription
from upstream_rules.against import (
    COUNT,
    check_figures,
    check_findings,
    evaluated,
    findings,
    prediction,
    texts,
)
from upstream_rules.boxes import Box
from upstream_rules.detection import MultiTurn, Object, PplTurns, SingleTurn
from upstream_rules.random_answers import answer
from upstream_rules.words import lemmas, noun

Detection = METRICS.get("Detection", compat="upstream")
InsideBbox = METRICS.get("InsideBbox", compat="upstream")
InsideHumanBbox = METRICS.get("InsideHumanBbox", compat="upstream")
KOSMOSDetection = METRICS.get("KOSMOS_Detection", compat="upstream")

LABELS = ("dog", "cat", "boat", "person", "car", "diningtable")
NAMED = ("dogs", "a cat", "a ship", "boat", "man", "two cars", "diningtable", "puppy")
PARSERS = {"plain": transcription.parse_bbox, "kosmos": transcription.parse_kosmos_bbox}
METRICS = {"plain": Detection, "kosmos": KOSMOSDetection}
KINDS = pytest.mark.parametrize("kind", list(PARSERS))


def a_box(rng: random.Random) -> Box:
    """Any box with an area, on a grid of patches so that texts name it exactly now and then."""
    x1, x2 = sorted(rng.sample(range(33), 2))
    y1, y2 = sorted(rng.sample(range(33), 2))
    return x1 / 32, y1 / 32, x2 / 32, y2 / 32


def objects_of(rng: random.Random) -> list[Object]:
    """One to five objects, those of a class together as in the samples."""
    labels = sorted(rng.choices(LABELS, k=rng.randrange(1, 6)))
    return [(label, a_box(rng)) for label in labels]


def text_of(kind: str, label: str, box: Box) -> str:
    """A box as a model writes it."""
    if kind == "kosmos":
        return transcription.kosmos_text(box)
    plain, shikra = transcription.box_text(box), transcription.shikra_text(label, box)
    return plain if box[0] < 0.5 else shikra


def located(rng: random.Random, kind: str, objects: Sequence[Object]) -> str:
    """Boxes near the objects, names and other things."""
    parts = []
    for label, box in objects:
        near = tuple(min(1.0, max(0.0, side + rng.uniform(-0.08, 0.08))) for side in box)
        shown = (near[0], near[1], near[2], near[3]) if rng.random() < 0.5 else box
        if rng.random() < 0.7:
            parts.append(text_of(kind, label, shown))
        if rng.random() < 0.5:
            parts.append(f"a {label} there")
        if rng.random() < 0.2:
            parts.append(answer(rng, NAMED))
    rng.shuffle(parts)
    return " ".join(parts)


def truth(objects: Sequence[Object]) -> list[dict[str, Any]]:
    """The objects as a sample has them."""
    return [{"label": label, "bbox": list(box)} for label, box in objects]


def said_of(rng: random.Random, kind: str, text: str, objects: Sequence[Object]) -> str:
    """An answer about the objects, or any."""
    return located(rng, kind, objects) if rng.random() < 0.7 else text


@KINDS
@pytest.mark.usefixtures("lexicon")
def test_detection_in_one_turn(kind: str) -> None:
    rng = random.Random(91)
    said, samples, hits = [], [], []
    for place, text in enumerate(texts(92, NAMED)):
        objects = objects_of(rng)
        given = said_of(rng, kind, text, objects)
        samples.append(SingleTurn(objects, given))
        said.append(prediction(place, given, gt_answers=truth(objects)))
        alone = transcription.detection_single_turn(samples[-1:], lemmas, noun, PARSERS[kind])
        hits.append((alone["mAR@0.5"] or 0) / 100 * len(objects))
    report = evaluated(METRICS[kind](), said)
    check_findings(said, findings(report, "hits"), hits)
    check_figures(report, transcription.detection_single_turn(samples, lemmas, noun, PARSERS[kind]))


@KINDS
@pytest.mark.usefixtures("lexicon")
def test_detection_in_turns(kind: str) -> None:
    rng = random.Random(93)
    said, samples = [], []
    for place, text in enumerate(texts(94, (*NAMED, *LABELS))):
        objects = objects_of(rng)
        labels = list(dict.fromkeys(label for label, _ in objects))
        about = " and ".join(
            f"a {label}" for label in rng.sample(labels, rng.randrange(3) % len(labels))
        )
        present = rng.choice((text, about))
        per_class = [(label, said_of(rng, kind, text, objects)) for label in labels]
        samples.append(MultiTurn(objects, present, per_class))
        turns = [{"prompt_idx": 0, "prefix": "", "answer": present}]
        turns += [{"prompt_idx": 1, "prefix": label, "answer": where} for label, where in per_class]
        said.append(prediction(place, present, turn_answer=turns, gt_answers=truth(objects)))
    report = evaluated(METRICS[kind](inference_type="direct"), said)
    check_figures(report, transcription.detection_multi_turn(samples, lemmas, noun, PARSERS[kind]))


@KINDS
@pytest.mark.usefixtures("lexicon")
def test_detection_by_options(kind: str) -> None:
    rng = random.Random(95)
    said, samples = [], []
    for place in range(COUNT):
        objects = objects_of(rng)
        labels = list(dict.fromkeys(label for label, _ in objects))
        turns: list[dict[str, Any]] = []
        asked: list[dict[str, Any]] = []
        class_turns, box_turns = [], []
        for label in labels:
            chosen = rng.choice((f"a {label}", f"a {label}", f"a {rng.choice(LABELS)}"))
            class_turns.append((label, chosen))
            asked.append({"prompt_idx": 0, "prefix": "", "gt_choice": 0})
        for label, box in objects:
            other = rng.choice((box, a_box(rng), rng.choice(objects)[1]))
            box_turns.append((label, text_of(kind, label, other)))
            asked.append(
                {
                    "prompt_idx": 1,
                    "prefix": label,
                    "gt_choice": 0,
                    "prefix_from": labels.index(label),
                }
            )
        for spec, (_, text) in zip(asked, (*class_turns, *box_turns), strict=True):
            turns.append({**spec, "answer": text, "choice": 0})
        samples.append(PplTurns(objects, class_turns, box_turns))
        fields = {"gt_answers": truth(objects), "multi_turn_prefix": asked}
        said.append(prediction(place, turns[-1]["answer"], turn_answer=turns, **fields))
    report = evaluated(METRICS[kind](inference_type="ppl"), said)
    check_figures(report, transcription.detection_ppl(samples, lemmas, noun, PARSERS[kind]))


@pytest.mark.usefixtures("lexicon")
def test_points_in_boxes() -> None:
    rng = random.Random(96)
    said, samples, shares = [], [], []
    for place, text in enumerate(texts(97, NAMED)):
        objects = objects_of(rng)
        points = " ".join(f"({rng.random():.2f}, {rng.random():.2f})" for _ in objects)
        given = rng.choice((text, f"{points} {located(rng, 'plain', objects)}"))
        samples.append(SingleTurn(objects, given))
        said.append(prediction(place, given, gt_answers=truth(objects)))
        shares.append((transcription.inside_bbox(samples[-1:], lemmas, noun) or 0) / 100)
    report = evaluated(InsideBbox(), said)
    check_findings(said, findings(report), shares)
    check_figures(report, {"ACC": transcription.inside_bbox(samples, lemmas, noun)})


def test_points_in_people() -> None:
    rng = random.Random(98)
    said, right = [], []
    for place, text in enumerate(texts(99)):
        width, height = rng.randrange(50, 500), rng.randrange(50, 500)
        joints = [(rng.uniform(0, width), rng.uniform(0, height)) for _ in range(14)][
            : 3 + place % 9
        ]
        given = rng.choice((text, f"[{rng.random():.2f}, {rng.random():.2f}]"))
        xs, ys = zip(*joints, strict=True)
        box = (min(xs), min(ys), max(xs), max(ys))
        points = transcription.parse_keypoints(given)
        right.append(
            any(transcription.check_inside_bbox((x * width, y * height), box) for x, y in points)
        )
        fields = {"gt_answers": [list(joint) for joint in joints], "image_size": [width, height]}
        said.append(prediction(place, given, **fields))
    report = evaluated(InsideHumanBbox(), said)
    check_findings(said, findings(report), right)
    check_figures(report, {"ACC": 100 * sum(right) / len(right)})


PHRASES = (
    "The {label} object is at {box}",
    "Here {box} is classified as {label}",
    "{box} belongs to the category of {label}",
)


def test_lamm_detection_of_the_known_phrases() -> None:
    # It has one mode alone: five of the eight phrases are not known, so answers are made of these
    # three and figures of other answers may differ.
    rng = random.Random(100)
    said, samples = [], []
    for place in range(COUNT):
        objects = objects_of(rng)
        sentences = []
        for label, box in rng.choices(objects, k=rng.randrange(5)):
            near = [min(1.0, max(0.0, side + rng.uniform(-0.15, 0.15))) for side in box]
            # Two decimals; the corners stay in order.
            near = [*map(min, near[:2], near[2:]), *map(max, near[:2], near[2:])]
            text = transcription.box_text((near[0], near[1], near[2], near[3]))
            named = rng.choice((label, label, rng.choice(LABELS)))
            sentences.append(rng.choice(PHRASES).format(label=named, box=text))
        rng.shuffle(sentences)
        given = ". ".join(sentences)
        samples.append(SingleTurn(objects, given))
        said.append(prediction(place, given, gt_answers=truth(objects)))
    report = evaluated(LAMMDetection(), said)
    check_figures(report, transcription.lamm_detection(samples))
