"""Truth that cannot be is one error, which names the record and the field; never a wrong answer."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from attack import hostile_data as hostile
from attack.asking import DATA, ask

from chef.config.recipe import load_recipe
from chef.errors import ChefError
from chef.types import Status

#: Truth that cannot be, by recipe and key of the record.
NUMBERS: tuple[Any, ...] = (-1, 2.5, float("nan"), float("inf"), None, "many", [3], {}, True)
TEXTS: tuple[Any, ...] = (None, "", " ", [], {}, float("nan"), True, ["cat"])
BOXES: tuple[Any, ...] = (
    [], None, "box", [0.1, 0.2, 0.3], [0.1, 0.2, float("nan"), 0.4], [-0.5, 0.2, 0.3, 0.4],
    [0.4, 0.2, 0.3, 0.4], [0.1, 0.2, 0.1, 0.4], [48, 240, 195, 371], [0.1, 0.2, 1.5, 0.4],
    [True, False, True, True], ["a", 0, 1, 1], [0.1, 0.2, 0.3, 10**400],
)  # fmt: skip
CHOICES: tuple[Any, ...] = (-1, 26, 4, 1.5, float("nan"), None, "B", [0], True)
LISTED: tuple[Any, ...] = ([], None, "a cat", [None], [""], [float("nan")], [[]], {})
OPTIONS = tuple(value for value in LISTED if value != [""])
CLASSES: tuple[Any, ...] = (*TEXTS, "lemur", 3)
TRUTH = (
    ("CIFAR10/ppl", "label", CLASSES),
    ("LAMM/CIFAR10", "label", CLASSES),
    ("LAMM/UCMerced", "label", CLASSES),
    ("LAMM/CelebA_hair", "attr", CLASSES),
    ("LAMM/CelebA_smile", "attr", (*CLASSES, "yes", 0)),
    ("LAMM/SVT", "word_list", LISTED),
    ("LAMM/Flickr30k", "sentences", LISTED),
    ("Flickr30k/random_ppl", "sentences", LISTED),
    ("FSC147/ppl", "num", NUMBERS),
    ("LAMM/FSC147", "num", NUMBERS),
    ("FSC147/ppl", "query", TEXTS),
    ("ScienceQA/ppl", "gt_choice", CHOICES),
    ("ScienceQA/ppl", "gt_choices", OPTIONS),
    ("ScienceQA/ppl", "query", TEXTS),
    ("LAMM/ScienceQA", "gt_choice", CHOICES),
    ("LAMM/AI2D", "gt_choice", CHOICES),
    ("LAMM/locating_LSP", "gt_joints", (*LISTED, [[1.0, float("nan")]], [["a", 1]], [[]])),
    ("Omnibenchmark/default", "chain", (*LISTED, ["unheard of"])),
    ("POPE/random", "label", (*CLASSES, "Yes or no", 1)),
    ("POPE/random", "text", TEXTS),
    ("SEEDBench/default", "answer", (*CLASSES, "E", "AB", 0)),
    ("SEEDBench/default", "question", TEXTS),
    ("Winoground/default", "caption_0", TEXTS),
    ("Winoground/default", "id", NUMBERS),
    ("Winoground_Cap/default", "image_1", TEXTS),
    ("Ch3Ef/Helpful_ppl", "options", OPTIONS),
    *(
        (recipe, "bbox", BOXES)
        for recipe in ("VOC2012/multiturn_ppl", "LAMM/VOC2012", "LAMM/locating_VOC2012")
    ),
    *(
        (recipe, "object", (*LISTED, [{"bbox": [0, 0, 1, 1]}], [3]))
        for recipe in ("VOC2012/singleturn_direct", "LAMM/locating_VOC2012")
    ),
)


@pytest.mark.parametrize(("of", "key", "wrong"), TRUTH)
def test_truth_that_cannot_be(of: str, key: str, wrong: Sequence[Any], listed) -> None:
    data = next(item for item in DATA if item.recipe == of)
    file, records, recipe = listed(data)
    good = records[0]
    bad = []
    for value in wrong:
        record = json.loads(json.dumps(records[1]))
        holder = record["object"][0] if key == "bbox" else record
        assert key in holder
        for name in {"id", "question_id"} & set(record):
            record[name] = type(record[name])(1000 + len(bad))
        holder[key] = value
        bad.append(record)
    file.unlink(missing_ok=True)
    file.write_text(hostile.written([good], as_lines=data.lines, within=data.within))
    first = len(ask(recipe).order)  # packages are imported on first use
    file.write_text(hostile.written([good, *bad], as_lines=data.lines, within=data.within))
    asked = ask(recipe)
    assert not asked.faults(first)
    assert len(asked.order) - first in (len(bad), first * len(bad))
    for name in asked.order[first:]:
        found = asked.predictions[name]
        assert found.status is Status.ERROR, found.sample
        message = (found.error or {})["message"]
        assert key in message
        assert file.name in message


def test_lines_of_mme(drawn_data: Path, tmp_path: Path) -> None:
    """Questions in text files: bad lines behind good ones, and files that are no text."""
    rng = random.Random(5)
    folder = tmp_path / "color"
    folder.mkdir()
    (folder / "1.png").write_bytes(hostile.ODD_IMAGES["no_suffix"]())
    recipe = load_recipe("MME/ppl", [f"scenario_cfg.base_data_path={tmp_path}"])
    good = ["Is it red? Please answer yes or no.\tYes", "Is it blue? Please answer yes or no.\tNo"]
    for _ in range(20):
        cells = [str(rng.choice(hostile.CELLS))[:2000] for _ in range(4)]
        text = "\n".join([*good, *cells, "\t".join(cells), "Is it?\tMaybe", "\tYes", "Is it?\t"])
        (folder / "1.txt").write_text(text, encoding="utf-8")
        (folder / "2.txt").write_text("Is there an image?\tYes\n")
        asked = ask(recipe)
        assert not asked.faults(2)
        errors = [item for item in asked.predictions.values() if item.error]
        assert len(errors) == len(asked.order) - 2
        assert all("line " in (item.error or {})["message"] for item in errors)
    (folder / "3.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ChefError, match=r"3\.txt"):
        ask(recipe)


def test_rows_of_mmmu(drawn_data: Path, tmp_path: Path) -> None:
    """Rows of a Parquet file, whose columns have types, so that only their values can be wrong."""
    parquet = pytest.importorskip("pyarrow.parquet")
    source = next((drawn_data / "data" / "MMMU" / "Art_Theory").glob("*.parquet"))
    table = parquet.read_table(source)
    rows = [row for row in table.to_pylist() if row["question_type"] == "multiple-choice"]
    file = tmp_path / "Art_Theory" / source.name
    file.parent.mkdir()
    recipe = load_recipe("MMMU/default", [f"scenario_cfg.base_data_path={tmp_path}"])
    wrong = {
        "answer": ("Z", "AB", "(A)", "7"),
        "options": (None, "", "[]", "['one']", "[1, null]", "cat, dog", "[[]]", "{'a': 1}"),
        "question": (None, "", " "),
    }
    bad = [{**rows[0], key: value} for key, values in wrong.items() for value in values]
    named = [{**row, "id": f"{row['id']}{number}"} for number, row in enumerate([rows[0], *bad])]
    parquet.write_table(type(table).from_pylist(named, schema=table.schema), file)
    asked = ask(recipe)
    assert not asked.faults(1)
    for name, (key, _) in zip(
        asked.order[1:], [(key, v) for key, values in wrong.items() for v in values], strict=True
    ):
        assert asked.predictions[name].error, asked.predictions[name].sample
        message = (asked.predictions[name].error or {})["message"]
        assert f"'{key}" in message
        assert "row " in message
