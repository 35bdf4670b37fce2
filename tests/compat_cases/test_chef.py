"""ChEF's rules; see `compat_cases.tables`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

import chef.fronts  # noqa: F401 (ChEF's module names)
from chef.errors import SampleError
from chef.metric.upstream import wordnet
from chef.scenario import SCENARIOS
from chef.scenario.lamm import numbers_around
from chef.scenario.parts.box_turns import GRID, box_writer, kosmos
from chef.scenario.parts.robustness import Verbalizer
from chef.scoring.answers import read_answers
from chef.stats.calibration import calibration_error
from chef.types import Scored
from compat_cases.tables import Case, cases, check, evaluated, metric

utils = import_module("ChEF.metric.utils")
vqa = import_module("ChEF.metric.vqa")
mmmu_utils = import_module("ChEF.metric.mmmu_utils")


def findings(name: str, case: Case, record: dict[str, Any]) -> dict[str, Any]:
    return metric(name, case["mode"]).score_sample({"id": "1", "answer": case["text"], **record})


@cases("chef_cleaner")
def test_normalised_answers(case: Case) -> None:
    check(utils.Cleaner().clean(case["text"]), case)


class Excerpt:
    """What the cases need of WordNet, which must be downloaded: see `wordnet.WordNet`."""

    def __init__(self) -> None:
        text = Path(__file__).with_name("wordnet_excerpt.yaml").read_text("utf-8")
        self._data = yaml.load(text, Loader=yaml.CSafeLoader)

    def senses(self, word: str) -> list[frozenset[str]]:
        return [frozenset(names) for names in self._data["senses"][word]]

    def noun(self, word: str) -> str:
        return str(self._data["nouns"].get(word, word))

    def base(self, word: str) -> str:
        return str(self._data["bases"].get(word, word))


EXCERPT = Excerpt()


@pytest.fixture(autouse=True)
def _wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet, "lexicon", lambda: EXCERPT)


@cases("chef_classification_acc")
def test_classes_in_texts(case: Case) -> None:
    if case["mode"] == "corrected":
        found = findings("CG_Classification", case, {"gt_answers": case["gt"]})
        check(bool(found["synonym_result"]), case)
        return
    check(utils.classification_acc(case["gt"], case["text"]), case)


GEOMETRY: dict[str, Callable[[Case], Any]] = {
    "cal_iou": lambda case: utils.cal_iou(case["a"], case["b"]),
    "cal_iou_3d": lambda case: utils.cal_iou_3d(case["a"], case["b"]),
    "check_inside_bbox": lambda case: utils.check_inside_bbox([case["point"]], case["box"]),
}


@cases("chef_boxes")
def test_boxes(case: Case) -> None:
    rule = case["rule"]
    check(GEOMETRY[rule](case) if rule in GEOMETRY else getattr(utils, rule)(case["text"]), case)


def box_text(case: Case) -> str:
    if case["form"] == "kosmos" and case["mode"] == "upstream":
        return kosmos(tuple(case["box"]), last=GRID)
    return box_writer(case["form"])(case["label"], tuple(case["box"]))


@cases("chef_options", "mmbench_question")
def test_questions_of_mmbench(case: Case, tmp_path: Path) -> None:
    options = dict(zip("ABCD", case["choices"], strict=False))
    row = {"index": 1, "question": case["question"], "hint": case["hint"], **options, "answer": "A"}
    with (tmp_path / "mmbench_dev_20230712.tsv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, row, delimiter="\t", quoting=csv.QUOTE_ALL)
        table.writeheader()
        table.writerow(row)
    scenario = SCENARIOS.get("MMBench", compat=case["mode"])(str(tmp_path))
    check(scenario[0].question, case)


@cases("chef_options", "counting_options", "box_text")
def test_options_as_they_are_written(case: Case) -> None:
    if case["rule"] == "counting_options":
        check(numbers_around(case["gt"], case["width"]), case)
    else:
        check(box_text(case), case)


@cases("chef_verbalizer_options")
def test_names_of_options(case: Case) -> None:
    check(Verbalizer(case["kind"], case["number"]).options(case["count"]), case)


def quoted(case: Case) -> str:
    if case["mode"] == "upstream":
        return str(utils.parse_caption_sentence(case["text"]))
    from chef.reading.words import quoted as read

    return read(case["text"])


def named_class(case: Case) -> bool:
    found = findings("LAMM_Classification", case, {"label": case["gt"], "gt_answers": case["gt"]})
    return bool(found["metric_result"])


def parsed(name: str, truth: Any, otherwise: Any = None) -> Callable[[Case], Any]:
    """What a metric reads; ``otherwise`` where it reads nothing."""

    def read(case: Case) -> Any:
        value = findings(name, case, {"gt_answers": truth})["parsed"]
        return otherwise if value is None else value

    return read


TEXTS: dict[str, Callable[[Case], Any]] = {
    "parse_caption_sentence": quoted,
    "count": parsed("Counting", 3),
    "mme_reading": parsed("MMEVQA", "Yes", "other"),
    "pope_reading": parsed("POPE_Metric", "yes"),
    "svt_share": lambda case: findings("SVT_OCR", case, {"gt_answers": case["words"]})[
        "metric_result"
    ],
    "smile": parsed("LAMM_Facial_Smile_Classification", "1"),
    "lamm_classification": named_class,
}


@cases("chef_texts")
def test_texts(case: Case) -> None:
    check(TEXTS[case["rule"]](case), case)


@cases("chef_letters")
def test_letters(case: Case) -> None:
    extractor = vqa.Answer_Extractor(content_only=case.get("content_only", False))
    check(extractor.fetch_answer(case["text"], case["choices"]), case)


@cases("chef_verbalizers")
def test_options_with_other_names(case: Case) -> None:
    record = {"options": case["options"], "gt_choice": 0}
    check(findings("Instruct_Follow", case, record)["parsed"], case)


@cases("chef_lamm_vqa")
def test_stated_letters(case: Case) -> None:
    record = {"choices": case["choices"], "gt_choice": case["gold"]}
    check(bool(findings("LAMM_VQA", case, record)["metric_result"]), case)


@cases("chef_mmmu", "letter")
def test_letters_of_mmmu(case: Case) -> None:
    letters = "ABCDEFGH"[: len(case["choices"])]
    if case["mode"] == "upstream":
        texts = dict(zip(letters, case["choices"], strict=True))
        check(mmmu_utils.parse_multi_choice_response(case["text"], list(letters), texts), case)
        return
    record = {"choices": case["choices"], "gt_choice": 0, "question_type": "multiple-choice"}
    value = findings("MMMU_Metric", case, record)["parsed"]
    check(None if value is None else letters[value], case)


@cases("chef_mmmu", "open")
def test_open_answers_of_mmmu(case: Case) -> None:
    replies = mmmu_utils.parse_open_response(case["text"])
    check(mmmu_utils.eval_open(case["gold"], replies), case)


@cases("chef_mmmu", "open_forms")
def test_what_is_compared_of_open_answers(case: Case) -> None:
    assert set(mmmu_utils.parse_open_response(case["text"])) == set(case["expect"]), dict(case)


@cases("chef_results")
def test_figures_over_records(case: Case) -> None:
    scorer = metric(case["metric"], case["mode"], **case.get("settings", {}))
    found = evaluated(scorer, case["records"])
    check({key: _figure(found, key, wanted) for key, wanted in case["expect"].items()}, case)


def _figure(found: dict[str, Any], key: str, wanted: Any) -> Any:
    """A figure, or those of a part of the data: ``{part}/{figure}``."""
    if isinstance(wanted, dict):
        return {name: found.get(f"{key}/{name}") for name in wanted}
    return found.get(key)


@cases("chef_files")
def test_figures_of_files(case: Case, tmp_path: Path) -> None:
    """By the method that ChEF calls, and as ``chef score`` reads the file."""
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(case["records"]), encoding="utf-8")
    scorer = metric(case["metric"], case["mode"], **case.get("settings", {}))
    report = scorer.evaluate(read_answers(file))
    for found in (scorer.metric(file), {key: one.value for key, one in report.metrics.items()}):
        check({key: _figure(found, key, wanted) for key, wanted in case["expect"].items()}, case)


@cases("chef_scores", "ece")
def test_calibration_errors(case: Case) -> None:
    found = calibration_error(case["probs"], case["correct"])
    assert found is not None
    check(found.error, case)


def scored(case: Case) -> dict[str, Any]:
    """What a run records of options with these scores."""
    from chef.inferencer.ppl import choose
    from chef.inferencer.upstream.rules import choose_as_chef

    scores = [Scored(score, 1) for score in case["scores"]]
    return choose_as_chef(scores) if case["mode"] == "upstream" else choose(scores, "1")


@cases("chef_scores", "choice")
def test_the_option_with_the_largest_score(case: Case) -> None:
    try:
        value = scored(case)["choice"]
    except SampleError:
        value = None
    check(value, case)


@cases("chef_scores", "probs")
def test_shares_of_options(case: Case) -> None:
    check(scored(case)["probs"], case)


@cases("chef_scores", "unshuffled")
def test_swapped_captions_and_images(case: Case) -> None:
    from chef.metric.vqa.winoground import unshuffled

    check(unshuffled(case["scores"], case["shuffle"]), case)


@cases("chef_scores", "winoground")
def test_outcomes_of_winoground(case: Case) -> None:
    from chef.metric.vqa.winoground import outcome

    check({name: int(item) for name, item in outcome(case["scores"]).items()}, case)
