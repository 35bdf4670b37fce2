"""Every figure of every metric has one interval: scored, in a group, compared, and on a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runs_by_hand import write_run

import chef
from chef.document.numbers import interval_cell
from chef.metric import METRICS
from chef.metric.mean_scores import has_mean, mean_scores
from chef.report.page.figures import figures_table
from chef.stats import halves
from chef.stats.estimate import PERCENT, Estimate
from chef.suite.sweep.levels import score
from chef.suite.sweep.matrix import ScoreMatrix, run_means
from chef.types import Prediction, Status

#: The samples, eight of which share an image; those of ``_MISSED`` are answered wrongly.
COUNT = 64
_MISSED = {3, 4, 5, 17, 30, 31, 44, 45, 46, 47, 59}
BOX = {"label": "cat", "bbox": [0.0, 0.0, 0.5, 0.5]}
TYPES = ("c0i0", "c0i1", "c1i0", "c1i1")
#: A sample by its place and whether it is answered rightly: the answer, its scores, its fields.
Made = tuple[Any, dict[str, Any], dict[str, Any]]
Make = Callable[[int, bool], Made]


def ends(item: Estimate) -> tuple[float | None, float | None, float | None]:
    return item.value, item.low, item.high


def option(place: int, hit: bool) -> Made:
    """A question with two options."""
    truth = place % 2
    said = "AB"[truth if hit else 1 - truth]
    return said, {}, {"choices": ["cat", "dog"], "gt_choice": truth}


def rotation(place: int, hit: bool) -> Made:
    """A question in two rotations."""
    said, scores, fields = option(place, hit)
    return said, scores, {**fields, "circular_group": f"g{place // 2}", "circular_size": 2}


def chosen(place: int, hit: bool) -> Made:
    """An option that has the highest likelihood, with its probability."""
    truth = place % 2
    choice = truth if hit else 1 - truth
    probability = 0.55 + 0.4 * (place * 7 % 16) / 16
    probs = [probability if one == choice else 1 - probability for one in (0, 1)]
    scores = {"choice": choice, "probs": probs, "ppl_results": probs, "prob": probability}
    return "AB"[choice], scores, {"options": ["A", "B"], **option(place, hit)[2]}


def rotated_choice(place: int, hit: bool) -> Made:
    said, scores, fields = chosen(place, hit)
    return said, scores, {**fields, **rotation(place, hit)[2]}


def verdict(place: int, hit: bool) -> Made:
    """Yes or no; the wrong answers are those of a model that gets nothing right."""
    truth = place % 2 == 0
    fields = {
        "gt_answers": "yes" if truth else "no", "options": ["yes", "no"], "choices": ["yes", "no"],
        "gt_choice": int(not truth), "image_path": f"{place // 2}.jpg",
        "task_type": ("color", "OCR")[place // 32], "set_id": str(place // 8),
        "figure_id": str(place // 4 % 2), "question_id": str(place % 4),
        "category": ("existence", "relation")[place // 32], "type": "discriminative",
        "split": "random",
    }  # fmt: skip
    return ("Yes" if truth == hit else "No"), {}, fields


def block(size: int) -> Make:
    """One of the questions of a block, which are next to each other."""

    def made(place: int, hit: bool) -> Made:
        said, scores, fields = verdict(place, hit)
        return said, scores, {**fields, "block": f"{place // size}", "block_place": place % size}

    return made


def text(place: int, hit: bool) -> Made:
    """A text with a reference."""
    word = ("red", "blue", "green")[place % 3]
    said = word if hit else "nothing"
    fields = {
        "gt_answers": [word] * 10, "answer_type": "text", "question_type": "free_form", "gt": word,
    }  # fmt: skip
    return said, {}, fields


def ocr(place: int, hit: bool) -> Made:
    said, scores, fields = text(place, hit)
    return (
        said,
        scores,
        {
            **fields,
            "category": ("Digit String Recognition", "Regular Text Recognition")[place // 32],
        },
    )


def number(place: int, hit: bool) -> Made:
    """A count; a wrong one is far off."""
    return str(2 + place % 5 if hit else 40), {}, {"gt_answers": 2 + place % 5}


def caption(place: int, hit: bool) -> Made:
    """A caption of which words are right."""
    words = f"a {('red', 'small', 'wet')[place % 3]} cat sits on the {('mat', 'sofa')[place % 2]}"
    said = f"{words} today" if hit else "zzz yyy xxx www vvv"
    return said, {}, {"gt_answers": [words, f"there is {words}"]}


def boxes(place: int, hit: bool) -> Made:
    """One box."""
    said = "cat [0, 0, .5, .5]" if hit else "dog [.6, .6, .7, .7]"
    return said, {}, {"gt_answers": [BOX]}


def patches(place: int, hit: bool) -> Made:
    """One box by its first and last patch of 32 x 32."""
    corner = "0000" if hit else "0600"
    said = f"<phrase>a cat</phrase><object><patch_index_{corner}><patch_index_0528></object>"
    return said, {}, {"gt_answers": [BOX]}


def sentence_boxes(place: int, hit: bool) -> Made:
    said = "The cat is at [0, 0, .5, .5]." if hit else "The dog is at [.6, .6, .7, .7]."
    return said, {}, {"gt_answers": [BOX]}


def point(place: int, hit: bool) -> Made:
    """A point within a box, or outside of it."""
    return f"The cat is at [{0.2 if hit else 0.9}, 0.2].", {}, {"gt_answers": [BOX]}


def joint(place: int, hit: bool) -> Made:
    """A joint of a person within a box in pixels."""
    fields = {"gt_answers": [[10, 10], [30, 40, 1]], "image_size": [100, 100]}
    return f"[{0.2 if hit else 0.9}, 0.2]", {}, fields


def named(right: str, wrong: str, **fields: Any) -> Make:
    """The name of a class, or another one."""
    return lambda place, hit: (right if hit else wrong, {}, fields)


def chain(place: int, hit: bool) -> Made:
    """A chain of classes."""
    return ("dog" if hit else "plant"), {}, {"gt_answers": ["animal", "dog", "poodle"]}


def winoground(place: int, hit: bool) -> Made:
    """One of four questions of an example; all four are answered as the first is."""
    kind = TYPES[place % 4]
    is_match = kind[1] == kind[3]
    hit = place // 4 * 4 not in _MISSED if hit else hit
    # The captions were swapped when it was asked.
    scores = [-5.0, -1.5] if is_match == hit else [-0.1, -1.5]
    fields = {
        "options": ["Yes", "No"], "gt_choice": int(not is_match), "type": kind,
        "main_id": str(place // 4), "shuffle": 1,
    }  # fmt: skip
    return "Yes", {"choice": 0, "ppl_results": scores}, fields


OPTIONS = ("Accuracy", "VQA", "LAMM_VQA", "MMMU_Metric")
VERDICTS = ("YesNo", "POPE_Metric", "MMEVQA", "HallusionBench", "AMBER")
TEXTS = (
    "ExactMatch", "VQAAccuracy", "ANLS", "RelaxedAccuracy", "VCR", "SVT_OCR",
    "MathVista",
)  # fmt: skip
CASES: dict[str, Make] = {
    **dict.fromkeys(OPTIONS, option), **dict.fromkeys(VERDICTS, verdict),
    **dict.fromkeys(TEXTS, text), "MMBenchVQA": rotation, "OCRBench": ocr,
    "MMVP": block(2), "NaturalBench": block(4),
    "ScienceQA_Calibration": chosen,
    "Ch3Ef_Metric": chosen,
    "MMBench_Calibration": rotated_choice, "Counting": number, "Caption": caption,
    "LAMM_Caption": caption, "Detection": boxes, "KOSMOS_Detection": patches,
    "LAMM_Detection": sentence_boxes, "InsideBbox": point, "InsideHumanBbox": joint,
    "CG_Classification": named("a cat", "a dog", gt_answers=["cat"]),
    "LAMM_Classification": named("a cat", "a dog", gt_answers="cat"),
    "UCMerced_Classification": named("a forest", "a beach", gt_answers="forest"),
    "LAMM_Facial_Hair_Classification": named(
        "The hair is black.", "The hair is blond.", gt_answers="black"
    ),
    "LAMM_Facial_Smile_Classification": named("He smiles.", "He does not smile.", gt_answers="1"),
    "FG_Classification": chain, "Winoground_Metric": winoground,
}  # fmt: skip
#: What is measured otherwise: judges are asked, statements come in fours, chains are given.
OTHERS = {
    "JudgedAccuracy", "JudgedGrade", "MMVet", "JudgedRating", "JudgedPreference", "Evaluators",
    "Winoground_Cap_Metric", "Instruct_Follow",
}  # fmt: skip


#: Totals as VLMEvalKit prints them, which are no means.
WITHOUT = {("OCRBench", "vlmevalkit")}
#: Metrics whose rows tell the figures of a half of the samples.
OF_ROWS = {
    *((name, compat) for name in ("YesNo", "POPE_Metric", "AMBER", "MMBenchVQA")
      for compat in ("corrected", "vlmevalkit")),
    *((name, "corrected") for name in ("MMEVQA", "MMBench_Calibration", "Caption", "LAMM_Caption")),
    *((name, "vlmevalkit") for name in ("HallusionBench", *TEXTS[:4])),
}  # fmt: skip


def answers_of(name: str, *, hits: bool) -> list[Prediction]:
    """Answers some of which are right, or none."""
    answers = []
    for place in range(COUNT):
        said, scores, fields = CASES[name](place, hits and place not in _MISSED)
        half = ("first", "second")[place // 32]
        sample = {"id": f"q{place}", "question": "?", "category": half, **fields}
        images = ({"name": "x", "digest": f"d{place // 8}"},)
        one = Prediction(f"q{place}", Status.OK, said, scores, sample=sample, images=images)
        answers.append(one)
    return answers


def watching(sides: list[halves._FromRows]) -> type[halves._FromRows]:
    """The class of the two sides of a comparison, which adds them to a list."""

    class Watched(halves._FromRows):
        def __init__(self, *run: Any) -> None:
            super().__init__(*run)
            sides.append(self)

    return Watched


def test_every_metric_has_a_case() -> None:
    assert set(METRICS) == set(CASES) | OTHERS


@pytest.mark.parametrize("compat", ["corrected", "vlmevalkit"])
@pytest.mark.parametrize("name", CASES)
def test_one_interval(
    name: str, compat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chef.stats.halves.MOST", 30)
    if compat != "corrected" and METRICS.get(name, compat=compat) is METRICS.get(name):
        pytest.skip("the same class")
    answers, wrong = answers_of(name, hits=True), answers_of(name, hits=False)
    settings, metric = {"recipe_cfg.compat": compat}, {"metric_type": name}
    run, empty = (
        write_run(tmp_path, {}, model=model, metric=metric, settings=settings, also=one)
        for model, one in (("one", answers), ("none", wrong))
    )
    report, nothing = chef.score(run), chef.score(empty)
    parts = [
        METRICS.get(name, compat=compat)().evaluate(half) for half in (answers[:32], answers[32:])
    ]
    groups = list(report.by["category"].values())
    sides: list[halves._FromRows] = []
    with monkeypatch.context() as watched:
        watched.setattr(halves, "_FromRows", watching(sides))
        pair = chef.compare(empty, run).main
    differences = pair.differences
    has_rows = any(side._rows for side in sides)
    assert has_rows == ((name, compat) in OF_ROWS)
    if has_rows:  # they tell what the metric says
        with monkeypatch.context() as without_rows:
            without_rows.setattr(halves, "_FromRows", lambda run, *_: run)
            assert chef.compare(empty, run).main == pair
    page = {str(row[0]): row for row in figures_table(report).rows}
    if has_mean(METRICS.get(name, compat=compat)()):
        scores = mean_scores(report)
        hits = [scores[one.sample_id] for one in answers]
        matrix = ScoreMatrix(np.array([hits, hits]), np.arange(COUNT) // 8)
        figure = report.metrics[report.primary]
        level = score(run_means(matrix), np.array([1.0, 0.0]), 100.0)
        assert ends(level) == pytest.approx(
            [(end or 0.0) * PERCENT[figure.unit] for end in ends(figure)]
        )
    compared = 0
    for group, part in zip(groups, parts, strict=True):
        for key, figure in group.metrics.items():
            assert key not in part.metrics or ends(part.metrics[key]) == pytest.approx(
                ends(figure)
            ), key
    for key, figure in report.metrics.items():
        assert page[key][2] == interval_cell(figure), key
        if nothing.metrics[key].value == 0 and figure.value and figure.low is not None:
            compared += 1
            assert ends(differences[key].difference) == pytest.approx(ends(figure)), key
    assert compared or (name, compat) in WITHOUT
