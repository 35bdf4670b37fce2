"""Answers of ChEF whose ids are positions find their samples, or the reason why not is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chef.config import load_recipe
from chef.errors import DataError
from chef.scoring.answer_file import score_file
from chef.scoring.override import MetricOverride
from chef.scoring.result import RunResult

#: Image -> its questions with their answers, in the order of the file names.
QUESTIONS = {
    "color/images/1.jpg": [("Is it red? Please answer yes or no.", "Yes"), ("Is it blue?", "No")],
    "color/images/2.jpg": [("Is it red? Please answer yes or no.", "No"), ("Is it green?", "Yes")],
    "count/images/1.jpg": [("Is it one?", "Yes"), ("Are there two?", "No")],
}


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    root = tmp_path / "MME"
    for image, pairs in QUESTIONS.items():
        picture = root / image
        texts = picture.parent.with_name("questions_answers_YN")
        for folder in (picture.parent, texts):
            folder.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(b"")
        lines = "".join(f"{question}\t{answer}\n" for question, answer in pairs)
        (texts / f"{picture.stem}.txt").write_text(lines)
    path = tmp_path / "mme.yaml"
    path.write_text(
        f"scenario_cfg: {{dataset_name: MME, base_data_path: {root}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    return path


def records(images: list[str]) -> list[dict[str, Any]]:
    """ChEF's records, right except for the last, with the images in this order."""
    found = [
        {
            "id": str(2 * number + place),
            "image_path": f"../data/MME/{image}",
            "question": question,
            "gt_answers": answer,
            "task_type": image.split("/")[0],
            "options": ["Yes", "No"],
            "ppl_results": [-1.0, -2.0],
            "answer": answer,
        }
        for number, image in enumerate(images)
        for place, (question, answer) in enumerate(QUESTIONS[image])
    ]
    found[-1]["answer"] = "Yes" if found[-1]["answer"] == "No" else "No"
    return found


def scored(path: Path, content: list[dict[str, Any]] | None, recipe: Path) -> RunResult:
    if content is not None:
        path.write_text(json.dumps(content))
    return score_file(path, MetricOverride(recipe=load_recipe(recipe)))


# As in `chef.scenario.yes_no.SUBTASKS`, "color" comes before "count".
IN_ORDER = list(QUESTIONS)


def test_positions_that_questions_and_images_confirm(
    recipe: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = scored(tmp_path / "a.json", records(IN_ORDER), recipe)
    assert "found by position" in caplog.text
    assert [(entry["id"], entry["metric_result"]) for entry in done.samples] == [
        ("color/1-1", 1.0), ("color/1-2", 1.0), ("color/2-1", 1.0), ("color/2-2", 1.0),
        ("count/1-1", 1.0), ("count/1-2", 0.0),
    ]  # fmt: skip


def test_a_subset_keeps_the_positions_of_the_whole(recipe: Path, tmp_path: Path) -> None:
    done = scored(tmp_path / "a.json", records(IN_ORDER)[3:], recipe)
    assert [entry["id"] for entry in done.samples] == ["color/2-2", "count/1-1", "count/1-2"]
    assert done.coverage.missing == 3


def test_another_order_of_the_files_is_undone_by_question_and_image(
    recipe: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = scored(tmp_path / "a.json", records(IN_ORDER[::-1]), recipe)
    assert "found by question and image" in caplog.text
    results = {entry["id"]: entry["metric_result"] for entry in done.samples}
    assert results == {
        "color/1-1": 1.0, "color/1-2": 0.0, "color/2-1": 1.0, "color/2-2": 1.0,
        "count/1-1": 1.0, "count/1-2": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question": "Is it old?"}, "'2' has another question or image than sample number 2"),
        ({"image_path": "9.jpg"}, r"sample number 2 \('color/2-1'\)"),
        ({"task_type": "count"}, "'2' has another question or image"),
        ({"question": "", "image_path": None}, "'2' has no question or image to check it by"),
    ],
)
def test_positions_that_do_not_fit_are_refused(
    changes: dict[str, Any], message: str, recipe: Path, tmp_path: Path
) -> None:
    content = records(IN_ORDER)
    content[2] |= changes
    with pytest.raises(DataError, match=message):
        scored(tmp_path / "a.json", content, recipe)


def test_ids_that_belong_to_other_questions_are_positions_too(tmp_path: Path) -> None:
    # The files of POPE number questions from 1, and ChEF numbers its samples from 0.
    texts, labels = ["a cat?", "a dog?", "a cow?"], ["yes", "no", "no"]
    lines = [
        {"question_id": n + 1, "image": f"{n}.jpg", "text": text, "label": label}
        for n, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    file = tmp_path / "coco_pope_random.json"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        f"scenario_cfg: {{dataset_name: POPE_COCO_random, base_data_path: {tmp_path}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}\n"
    )
    content = [
        {"id": str(n), "question": texts[n], "image_path": f"val2014/{n}.jpg", "answer": labels[n]}
        for n in range(3)
    ]
    done = scored(tmp_path / "a.json", content, recipe)
    assert done.coverage.missing == 0
    assert [entry["metric_result"] for entry in done.samples] == [1.0, 1.0, 1.0]
    # Without anything to check, the ids are those of the data set.
    bare = [{"id": str(n + 1), "answer": labels[n]} for n in range(3)]
    done = scored(tmp_path / "b.json", bare, recipe)
    assert [entry["metric_result"] for entry in done.samples] == [1.0, 1.0, 1.0]


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    import pandas as pd

    pd.DataFrame(rows).to_csv(path, sep="\t", index=False)
    return path


ROWS = [{"question": f"Which of the two is {n}?", "A": "red", "B": "blue"} for n in range(4)]
ANSWERS = ["A", "B", "A", "B"]


@pytest.fixture
def own_recipe(tmp_path: Path) -> Path:
    rows = [
        {"id": n, **row, "answer": answer}
        for n, (row, answer) in enumerate(zip(ROWS, ANSWERS, strict=True))
    ]
    data = table(tmp_path / "data.tsv", rows)
    recipe = tmp_path / "own.yaml"
    recipe.write_text(
        f"scenario_cfg: {{dataset_name: Records, path: {data}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}\n"
    )
    return recipe


def predicted(path: Path, order: list[int], **changes: Any) -> Path:
    """A table of right predictions for rows in an order, with ids from 0."""
    return table(
        path,
        [
            {"index": n, **ROWS[row], "answer": ANSWERS[row], "prediction": ANSWERS[row]} | changes
            for n, row in enumerate(order)
        ],
    )


def test_ids_of_other_samples_are_matched_by_their_questions(
    tmp_path: Path, own_recipe: Path
) -> None:
    done = scored(predicted(tmp_path / "a.tsv", [3, 0, 1, 2]), None, own_recipe)
    assert (done.value, done.coverage.scored) == (100.0, 4)


def test_some_other_questions_are_refused(tmp_path: Path, own_recipe: Path) -> None:
    rows = predicted(tmp_path / "a.tsv", [0, 1, 2, 3]).read_text().replace("is 2?", "is large?")
    (tmp_path / "a.tsv").write_text(rows)
    with pytest.raises(DataError, match=r"'2' has the question .*is large.*\(1 of 4 differ\)"):
        scored(tmp_path / "a.tsv", None, own_recipe)


def test_options_in_another_order_choose_nothing(tmp_path: Path, own_recipe: Path) -> None:
    done = scored(predicted(tmp_path / "a.tsv", [0, 1, 2, 3], A="blue", B="red"), None, own_recipe)
    assert (done.value, done.coverage.errors) == (None, 4)
    assert "another order" in done.samples[0]["error"]["message"]


def test_a_record_without_an_answer_is_no_wrong_answer(tmp_path: Path, own_recipe: Path) -> None:
    content = [{"id": n, "answer": answer} for n, answer in enumerate(["A", None, "A", ""])]
    done = scored(tmp_path / "a.json", content, own_recipe)
    assert (done.coverage.scored, done.coverage.errors) == (3, 1)
