"""VLMEvalKit's rules; see `compat_cases.tables`."""

from __future__ import annotations

import csv
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd

import chef.fronts  # noqa: F401 (VLMEvalKit's module names)
from chef import score
from chef.common.circular import rotation_index
from chef.metric.judge_kind import JUDGE_KINDS
from chef.metric.vlmevalkit import scores
from chef.reading.rules.vqa_normal import process_answer
from chef.scenario.circular import rotation
from chef.scenario.vlmevalkit.table import table
from chef.scoring.answers import read_answers
from chef.scoring.result import RunResult
from chef.types import Sample
from compat_cases.tables import Case, cases, check, evaluated, metric

DIRECT = {"inferencer_type": "Direct", "max_new_tokens": 8}
matching = import_module("vlmeval.utils.matching_util")
yorn = import_module("vlmeval.dataset.utils.yorn")
vqa_eval = import_module("vlmeval.dataset.utils.vqa_eval")
multiple_choice = import_module("vlmeval.dataset.utils.multiple_choice")


@cases("vlmeval_letters")
def test_letters(case: Case) -> None:
    choices = case["choices"]
    if case["mode"] == "upstream":
        check(matching.can_infer(case["text"], choices), case)
        return
    record = {"choices": list(choices.values()), "gt_choice": 0, "answer": case["text"], "id": "1"}
    place = metric("Accuracy", "corrected").score_sample(record)["parsed"]
    check(None if place is None else list(choices)[place], case)


@cases("vlmeval_yes_no")
def test_yes_and_no(case: Case) -> None:
    if case["mode"] == "upstream":
        check(yorn.YOrN_Extraction(case["text"]), case)
        return
    record = {"gt_answers": "yes", "answer": case["text"], "id": "1"}
    record["question"] = case.get("question", "")
    value = metric("YesNo", "corrected").score_sample(record)["parsed"]
    check("Unknown" if value is None else value.capitalize(), case)


#: The metric of each score.
SCORES = {
    "vqa_score": "VQAAccuracy",
    "anls": "ANLS",
    "relaxed": "RelaxedAccuracy",
    "accuracy": "ExactMatch",
    "ocrbench": "OCRBench",
}


@cases("vlmeval_vqa")
def test_free_answers(case: Case) -> None:
    compat = "vlmevalkit" if case["mode"] == "upstream" else case["mode"]
    record = {"id": "1", "answer": case["text"], "gt_answers": case["refs"]}
    if "of" in case:
        value: Any = scores.SCORES[scores.method_of(case["of"])](case["text"], case["refs"])
    else:
        scorer = metric(SCORES[case["rule"]], compat)
        category = case.get("category", "Regular Text Recognition")
        value = scorer.score_sample({**record, "category": category})["metric_result"]
    check(value, case)


#: A data set that is scored by each.
DATASETS = {"vqa_score": "TextVQA", "anls": "DocVQA", "relaxed": "ChartQA"}


@cases("vlmeval_vqa")
def test_free_answers_by_the_functions_that_files_import(case: Case) -> None:
    dataset = case.get("of") or DATASETS.get(case["rule"])
    if case["mode"] != "upstream" or dataset is None:
        return
    line = {"answer": str(case["refs"]), "prediction": case["text"]}
    row = vqa_eval.process_line(line, scores.method_of(dataset))
    check(vqa_eval.hit_calculate([row], dataset)[0], case)


@cases("vlmeval_normal")
def test_the_form_of_a_free_answer(case: Case) -> None:
    check(process_answer(case["text"]), case)


def write_table(
    folder: Path, rows: list[dict[str, Any]], kind: str, name: str = "model_Set"
) -> Path:
    """A file of rows in one of VLMEvalKit's formats."""
    path = folder / f"{name}.{kind}"
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in ([*rows[0]], *([*row.values()] for row in rows)):
            book.active.append(row)
        book.save(path)
        return path
    with path.open("w", encoding="utf-8", newline="") as file:
        if kind == "json":
            json.dump(rows, file)
            return path
        separator = "\t" if kind == "tsv" else ","
        lines = csv.DictWriter(file, rows[0], delimiter=separator, quoting=csv.QUOTE_ALL)
        lines.writeheader()
        lines.writerows(rows)
    return path


@cases("vlmeval_stored")
def test_stored_tables(case: Case, tmp_path: Path) -> None:
    path = write_table(tmp_path, case["rows"], case.get("format", "tsv"))
    compat = "vlmevalkit" if case["mode"] == "upstream" else case["mode"]
    scorer = metric(case["metric"], compat, dataset_name=case.get("of", ""))
    report = scorer.evaluate(read_answers(path))
    found = {name: item.value for name, item in report.metrics.items()}
    check({name: found.get(name) for name in case["expect"]}, case)


#: An image, as tables hold it.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" + (
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@cases("vlmeval_benchmarks")
def test_files_of_benchmarks(case: Case, tmp_path: Path) -> None:
    name = case["of"]
    rows = [dict(zip(case["columns"], row, strict=True)) for row in case["rows"]]
    answers = write_table(tmp_path, rows, case.get("format", "tsv"), f"model_{name}")
    asked = [{**row, "image": PIXEL, "prediction": "", "hit": ""} for row in rows]
    write_table(tmp_path, asked, "tsv", name)
    scenario: dict[str, Any] = {"dataset_name": name, "data_root": str(tmp_path)}
    if name in table().benchmarks:
        scenario["check_md5"] = False
    recipe = {"scenario_cfg": scenario, "eval_cfg": {"inferencer_cfg": DIRECT}}
    alone = "MMMU_Metric" if name.startswith("MMMU") else "Accuracy"
    check(findings_of(score(answers, alone, options={"compat": "vlmevalkit"}), case), case)
    check(findings_of(score(answers, recipe={**recipe, "compat": "vlmevalkit"}), case), case)


def findings_of(result: RunResult, case: Case) -> dict[str, Any]:
    """What a case expects of a file: the table of accuracies, figures, or the scores of rows."""
    lines = result.details.get("table") or []
    main = f"/{result.primary}"
    figures = {f"/{key}": one.value for key, one in result.metrics.items()}
    scores = {line["id"]: line["metric_result"] for line in result.samples}
    found = {
        "table": {
            # A column that a split has no rows of is empty there.
            line["split"]: {
                k: item for k, item in line.items() if k != "split" and item is not None
            }
            for line in lines
        },
        "figures": {
            key[: -len(main)].lstrip("/") or "Overall": value
            for key, value in figures.items()
            if key.endswith(main)
        },
        "hits": [scores.get(str(row[0])) for row in case["rows"]],
    }
    return {key: found[key] for key in case["expect"]}


def record(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table as a record."""
    cells = {key: item for key, item in row.items() if key not in {"index", "prediction"}}
    return {
        **cells,
        "id": str(row["index"]),
        "answer": row["prediction"],
        "gt_answers": row["answer"],
        "task_type": row.get("category", ""),
    }


#: The metric of each rating.
RATINGS = {
    "POPE": "POPE_Metric",
    "MME": "MMEVQA",
    "HallusionBench": "HallusionBench",
    "VSR": "YesNo",
}
#: What chef's own rules call the figures of POPE, which they give in 0..1.
OWN_NAMES = {
    "Overall": "F1 score",
    "acc": "Accuracy",
    "precision": "Precision",
    "recall": "Recall",
}


@cases("vlmeval_ratings", *RATINGS)
def test_ratings(case: Case) -> None:
    compat = "vlmevalkit" if case["mode"] == "upstream" else case["mode"]
    found = evaluated(
        metric(RATINGS[case["rule"]], compat, dataset_name=case["rule"]),
        [record(row) for row in case["rows"]],
    )
    if compat == "corrected":
        found = {name: 100 * found[own] for name, own in OWN_NAMES.items()}
    check({key: found.get(key) for key in case["expect"]}, case)


@cases("vlmeval_ratings", *RATINGS)
def test_ratings_of_files(case: Case, tmp_path: Path) -> None:
    if case["mode"] != "upstream":
        return
    rate = getattr(
        yorn, {"HallusionBench": "Hallusion"}.get(case["rule"], case["rule"]) + "_rating"
    )
    found = rate(str(write_table(tmp_path, case["rows"], "json"))).to_dict("records")[0]
    check({key: found.get(key) for key in case["expect"]}, case)


@cases("vlmeval_ratings", "MMT", "MMSci")
def test_tables_of_accuracies(case: Case) -> None:
    report = getattr(multiple_choice, f"report_acc_{case['rule']}")
    found = report(pd.DataFrame(case["rows"])).to_dict("records")
    check([{key: cell for key, cell in row.items() if cell == cell} for row in found], case)


@cases("vlmeval_ratings", "grade")
def test_grades_of_judges(case: Case) -> None:
    kind = JUDGE_KINDS.get("vlmevalkit_grade")()
    grades = [kind.read(reply, {"id": "1"}, 0) for reply in case["replies"][: kind.attempts]]
    check(next((grade for grade in grades if grade is not None), None), case)


@cases("vlmeval_ratings", "circular")
def test_circular_evaluation(case: Case) -> None:
    table = pd.DataFrame(case["rows"])
    found = multiple_choice.mcq_circular_eval(None, table, table)
    check({"Overall": found["hit"].mean()}, case)
    if case["mode"] != "upstream":
        return
    rows = [
        {
            "id": str(row["index"]),
            "question": row["question"],
            "choices": [row["A"], row["B"]],
            "gt_choice": "AB".index(row["answer"]),
            "answer": row["prediction"],
        }
        for row in case["rows"]
    ]
    scorer = metric("MMBenchVQA", "vlmevalkit", dataset_name="MMBench_DEV_EN")
    check({"Overall": evaluated(scorer, rows)["Overall"]}, case)


@cases("vlmeval_ratings", "rotations")
def test_rotations(case: Case) -> None:
    row = case["row"]
    labels = [key for key in row if len(key) == 1]
    listed = "\n".join(f"{label}. {row[label]}" for label in labels)
    sample = Sample(
        id=str(row["index"]),
        question=f"Question: {row['question']}\nOptions:\n{listed}",
        fields={
            "choices": [row[label] for label in labels],
            "gt_choice": labels.index(row["answer"]),
        },
    )
    found = []
    for number in range(len(labels)):
        turned = rotation(sample, number)
        assert turned is not None
        texts = dict(zip(labels, turned.fields["choices"], strict=True))
        answer = labels[turned.fields["gt_choice"]]
        index = int(rotation_index(sample.id, number))
        found.append({"index": index, **texts, "answer": answer})
    check(found, case)
