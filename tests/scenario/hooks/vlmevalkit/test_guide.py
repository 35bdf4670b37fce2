"""Files as the development guide of VLMEvalKit describes them, run with the embedded model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scenario.hooks.vlmevalkit.conftest import Put, Run, choice_row

from chef.errors import ChefError

MCQ = """\
from vlmeval.dataset.image_base import ImageBaseDataset
from vlmeval.dataset.image_mcq import ImageMCQDataset
from vlmeval.smp import *

class MyBench(ImageMCQDataset):
    DATASET_URL = {"MyBench_DEV": "", "MyBench_TEST": ""}
    DATASET_MD5 = {"MyBench_DEV": None, "MyBench_TEST": None}
"""

VQA = """\
from .image_base import ImageBaseDataset
from ..smp import *

class MyVQA(ImageBaseDataset):
    TYPE = "VQA"
    MODALITY = "IMAGE"
    DATASET_URL = {"MyVQA": ""}
    DATASET_MD5 = {}

    def build_prompt(self, line):
        if isinstance(line, int):
            line = self.data.iloc[line]
        tgt_path = self.dump_image(line)
        question = line["question"]
        msgs = []
        if isinstance(tgt_path, list):
            msgs.extend([dict(type="image", value=p) for p in tgt_path])
        else:
            msgs = [dict(type="image", value=tgt_path)]
        msgs.append(dict(type="text", value=question + "\\nName it."))
        return msgs

    @classmethod
    def evaluate(self, eval_file, **judge_kwargs):
        data = load(eval_file)
        assert "prediction" in data and "answer" in data
        lt = len(data)
        lines = [data.iloc[i] for i in range(lt)]
        data["hit"] = [len(str(line["prediction"])) for line in lines]
        dump(data, get_intermediate_file_path(eval_file, "_result"))
        score = {"Overall": lt, "by": {"answered": float((data["hit"] > 0).sum())}}
        dump(d2df({"Overall": lt}), get_intermediate_file_path(eval_file, "_acc", "csv"))
        dump(score, get_intermediate_file_path(eval_file, "_score", "json"))
        return score
"""

YORN = """\
from vlmeval.dataset import ImageYORNDataset

class Exists(ImageYORNDataset):
    DATASET_URL = {"Exists": ""}
"""


def rows(count: int) -> list[dict[str, str]]:
    return [choice_row(number) for number in range(count)]


def lines(folder: Path) -> list[dict[str, Any]]:
    """The journal, in the order of the rows."""
    found = map(json.loads, (folder / "predictions.jsonl").read_text().splitlines())
    return sorted(found, key=lambda line: int(line["id"]))


def test_own_multiple_choice(put: Put, run: Run) -> None:
    put("MyBench_DEV", rows(6))
    report = run(MCQ, "MyBench_DEV", inferencer="PPL")
    assert report.metrics["ACC"].n == 6
    first = lines(report.folder)[0]
    row = choice_row(0)
    asked = first["trace"]["query"]
    wanted = [f"Question: {row['question']}", "Options:"]
    wanted += [f"{letter}. {row[letter]}" for letter in "ABCD"]
    assert "\n".join(wanted) in asked
    assert first["sample"]["gt_answers"] == row["answer"]
    assert first["sample"]["category"] == row["category"]


def test_one_class_has_several_data_sets(put: Put, run: Run) -> None:
    put("MyBench_DEV", rows(3))
    put("MyBench_TEST", rows(2))
    assert run(MCQ, "MyBench_TEST").metrics["ACC"].n == 2
    assert run(MCQ, "MyBench").metrics["ACC"].n == 3  # the first one
    assert run(MCQ, "MyBench", keys=", dataset: MyBench_TEST", fresh=True).metrics["ACC"].n == 2
    with pytest.raises(ChefError, match="no data set 'MyBench_TES'"):
        run(MCQ, "MyBench", keys=", dataset: MyBench_TES")


def test_own_vqa_writes_files_beside_the_answers(put: Put, run: Run) -> None:
    given = [{k: v for k, v in row.items() if k not in "ABCD"} for row in rows(4)]
    put("MyVQA", given)
    report = run(VQA, "MyVQA")
    assert {name: item.value for name, item in report.metrics.items()} == {
        "Overall": 4.0,
        "by/answered": 4.0,
    }
    assert report.primary == "Overall"
    made = {path.name for path in (report.folder / "vlmevalkit").iterdir()}
    stem = "tiny_MyVQA"
    assert {f"{stem}.xlsx", f"{stem}_result.xlsx", f"{stem}_acc.csv", f"{stem}_score.json"} <= made
    assert lines(report.folder)[0]["trace"]["query"].endswith(given[0]["question"] + "\nName it.")


def test_own_yes_no(put: Put, run: Run) -> None:
    asked = [
        {
            "index": str(number),
            "image": row["image"],
            "question": f"Is there a {row['A']}? Answer yes or no.",
            "answer": "Yes" if row["answer"] == "A" else "No",
        }
        for number, row in enumerate(rows(5))
    ]
    put("Exists", asked)
    report = run(YORN, "Exists")
    assert report.metrics["Accuracy"].n == 5
    assert [line["sample"]["gt_answers"] for line in lines(report.folder)] == [
        row["answer"] for row in asked
    ]


def test_the_prediction_is_the_letter_of_a_scored_option(put: Put, run: Run) -> None:
    put("MyBench_DEV", rows(3))
    source = MCQ + (
        "    def evaluate(self, eval_file, **judge_kwargs):\n"
        "        data = load(eval_file)\n"
        "        file = get_intermediate_file_path(eval_file, '_p', 'json')\n"
        "        dump(list(data['prediction']), file)\n"
        "        return {'acc': (data['prediction'] == data['answer']).mean()}\n"
    )
    report = run(source, "MyBench_DEV", inferencer="PPL")
    (file,) = (report.folder / "vlmevalkit").glob("*_p.json")
    chosen = ["ABCD"[line["scores"]["choice"]] for line in lines(report.folder)]
    assert json.loads(file.read_text()) == chosen
    right = [choice_row(number)["answer"] for number in range(3)]
    hits = sum(a == b for a, b in zip(chosen, right, strict=True))
    assert report.metrics["acc"].value == pytest.approx(hits / 3)


@pytest.mark.parametrize("line", ["self.data.iloc[0]", "0", "self.data['index'].iloc[0]"])
def test_build_prompt_takes_a_row_and_a_number(put: Put, run: Run, line: str) -> None:
    put("MyBench_DEV", rows(2))
    source = MCQ + (
        "    def build_prompt(self, line):\n"
        f"        own, other = super().build_prompt(line), super().build_prompt({line})\n"
        "        assert [p['type'] for p in own] == ['image', 'text']\n"
        "        return [dict(type='text', value='First ' + other[-1]['value']), *own]\n"
    )
    report = run(source, "MyBench_DEV")
    assert report.coverage.scored == 2
    second = lines(report.folder)[1]
    assert "First Question: " + choice_row(0)["question"] in second["trace"]["query"]
    assert "Question: " + choice_row(1)["question"] in second["trace"]["query"]
    question = second["sample"]["question"]
    assert question.index("First") < question.index("<image 1>") < question.rindex("Question: ")


def test_images_are_written_as_they_are(put: Put, run: Run, desk: Path) -> None:
    import base64

    put(
        "MyVQA",
        [{"index": "1", "image": choice_row(1)["image"], "question": "What?", "answer": "x"}],
    )
    run(VQA, "MyVQA")
    (file,) = (desk / "LMUData" / "images" / "MyVQA").iterdir()
    assert file.read_bytes() == base64.b64decode(choice_row(1)["image"])
