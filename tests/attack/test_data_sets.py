"""700 hostile data sets: each bad sample is one error, each good one is answered, nothing hangs."""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from attack import hostile_data as hostile
from conftest import FAKES, ROOT
from fakes import Hashing

from chef.cli import main
from chef.config.recipe import Recipe, load_recipe
from chef.errors import ChefError
from chef.evaluator import Evaluator
from chef.types import Prediction, Status

#: No data set may take longer, in seconds.
SECONDS = 5.0
#: The errors that a sample of a data set may end with.
KNOWN = {"SampleError", "ImageError", "DataError"}
#: How many data sets of each kind there are; 700 together.
LISTS, TABLES, FILES, IMAGES = 20, 120, 40, 40


class List(NamedTuple):
    """A data set that is a list: its recipe, its list below the data root, and where it is."""

    recipe: str
    root: str
    file: str
    within: str | None = None
    lines: bool = False


LAMM = "LAMM/2D_Benchmark"
META = {
    "CIFAR10/ppl": "Classification_CIFAR10",
    "FSC147/ppl": "Counting_FSC147",
    "Flickr30k/random_ppl": "Caption_flickr30k",
    "ScienceQA/ppl": "VQA_ScienceQA",
    "VOC2012/multiturn_ppl": "Detection_VOC2012",
    "VOC2012/singleturn_direct": "Detection_VOC2012",
    "LAMM/AI2D": "VQA_AI2D",
    "LAMM/CIFAR10": "Classification_CIFAR10",
    "LAMM/CelebA_hair": "Facial_Classification_CelebA(Hair)",
    "LAMM/CelebA_smile": "Facial_Classification_CelebA(Smile)",
    "LAMM/FSC147": "Counting_FSC147",
    "LAMM/Flickr30k": "Caption_flickr30k",
    "LAMM/SVT": "OCR_SVT",
    "LAMM/ScienceQA": "VQA_ScienceQA",
    "LAMM/UCMerced": "Fine-grained_Classification_UCMerced",
    "LAMM/VOC2012": "Detection_VOC2012",
    "LAMM/locating_LSP": "Locating_LSP",
    "LAMM/locating_VOC2012": "Locating_VOC2012",
}
DATA = (
    *(List(recipe, LAMM, f"meta_file/{name}.json") for recipe, name in META.items()),
    List("SEEDBench/default", "SEED-Bench", "SEED-Bench.json", "questions"),
    List("POPE/random", "coco_pope", "coco_pope_random.json", lines=True),
    List("Winoground/default", "Winoground", "examples.jsonl", lines=True),
    List("Winoground_Cap/default", "Winoground", "examples.jsonl", lines=True),
    List("Ch3Ef/Helpful_ppl", "Ch3Ef", "meta_file/Helpful.json", "items"),
    List(
        "Omnibenchmark/default",
        "ChEF/OmniBenchmark_Bamboo",
        "meta_file/Classification_Omnibenchmark.json",
    ),
    List(
        "Omnibenchmark/singleturn_ppl",
        "ChEF/OmniBenchmark_Bamboo",
        "meta_file/Classification_Omnibenchmark.json",
    ),
)


class Asked(NamedTuple):
    """What became of a data set."""

    predictions: dict[str, Prediction]
    order: Sequence[str]
    entries: list[dict[str, Any]]

    def faults(self, good: int) -> list[str]:
        """What is wrong: good samples without an answer, unknown errors, metrics that failed."""
        found = [
            f"good sample {name}: {self.predictions[name].error}"
            for name in self.order[:good]
            if self.predictions[name].status is Status.ERROR
        ]
        errors = [item.error or {} for item in self.predictions.values() if item.error]
        found += [f"{e['type']}: {e['message'][:200]}" for e in errors if e["type"] not in KNOWN]
        found += [
            f"metric: {entry['error']['message'][:200]}"
            for entry in self.entries
            if entry.get("error", {}).get("stage") == "metric"
        ]
        return found


def ask(recipe: Recipe, *, seconds: float = SECONDS) -> Asked:
    """All samples of a recipe, asked and scored, without a run folder."""
    evaluator = Evaluator(recipe)
    engine = evaluator.engine(Hashing())
    begin = time.monotonic()
    found = {item.sample_id: item for item in engine.run(evaluator.jobs(evaluator.ids))}
    for item in found.values():
        json.dumps(item.to_record(), default=str).encode()  # as the journal would have it
    report = evaluator.metric.evaluate(found.values())
    assert time.monotonic() - begin < seconds
    assert set(found) == set(evaluator.ids)
    return Asked(found, evaluator.ids, list(report.samples))


def records_of(file: Path, data: List) -> list[dict[str, Any]]:
    text = file.read_text()
    if data.lines:
        return [json.loads(line) for line in text.splitlines()]
    found = json.loads(text)
    return found[data.within] if data.within else found


@pytest.fixture
def listed(drawn_data: Path, tmp_path: Path) -> Iterator[Any]:
    """A copy of the root of a list's data, whose list can be written anew."""
    old = Path.cwd()

    def make(data: List) -> tuple[Path, list[dict[str, Any]], Recipe]:
        root, source = tmp_path / "root", drawn_data / "data" / data.root
        (root / data.file).parent.mkdir(parents=True)
        for path in source.iterdir():
            if not (root / path.name).exists():
                (root / path.name).symlink_to(path)
        records = records_of(source / data.file, data)
        overrides = [f"scenario_cfg.base_data_path={root}"]
        os.chdir(drawn_data)  # other paths of a recipe are relative
        return root / data.file, records, load_recipe(data.recipe, overrides)

    yield make
    os.chdir(old)


@pytest.mark.parametrize("data", DATA, ids=lambda data: data.recipe)
def test_lists(data: List, listed) -> None:
    file, records, recipe = listed(data)
    rng = random.Random(data.recipe)
    clean = records[:3]
    file.unlink(missing_ok=True)
    file.write_text(hostile.written(clean, as_lines=data.lines, within=data.within))
    first = ask(recipe, seconds=30)  # packages are imported on first use
    good = len(first.order)
    assert not first.faults(good)
    faults = []
    for number in range(LISTS):
        bad = [hostile.damaged(rng.choice(records), rng) for _ in range(rng.randint(1, 3))]
        file.write_text(hostile.written([*clean, *bad], as_lines=data.lines, within=data.within))
        try:
            asked = ask(recipe)
        except Exception as error:
            faults.append(f"{number} {type(error).__name__}: {error} {str(bad)[:300]}")
            continue
        assert list(asked.order[:good]) == list(first.order)
        faults += [f"{number} {fault} {str(bad)[:300]}" for fault in asked.faults(good)]
        for name in first.order:  # what is behind a good sample does not change what it is asked
            if not data.recipe.startswith(("Omnibenchmark", "Flickr30k")):
                assert asked.predictions[name].answer == first.predictions[name].answer
    assert not faults, "\n".join(faults[:20])


def test_tables(tmp_path: Path) -> None:
    rng = random.Random(1)
    recipe = tsv_recipe(tmp_path)
    faults = []
    for number in range(TABLES):
        good = hostile.good_rows(3)
        bad = [hostile.hostile_row(place, rng) for place in range(rng.randint(1, 4))]
        head = "\n".join(["\t".join(hostile.HEADER), *good]).encode()
        (tmp_path / "data.tsv").write_bytes(head + b"\n" + b"\n".join(bad) + b"\n")
        try:
            asked = ask(recipe)
        except Exception as error:
            faults.append(f"{number} {type(error).__name__}: {str(error)[:200]} {str(bad)[:300]}")
            continue
        faults += [f"{number} {fault} {str(bad)[:300]}" for fault in asked.faults(3)]
    assert not faults, "\n".join(faults[:20])


def test_tables_that_are_wrong_as_a_whole(tmp_path: Path) -> None:
    rng = random.Random(2)
    recipe = tsv_recipe(tmp_path)
    refused = 0
    for _ in range(FILES):
        (tmp_path / "data.tsv").write_bytes(hostile.whole_file(rng))
        begin = time.monotonic()
        try:
            assert not ask(recipe).faults(0)
        except ChefError as error:
            refused += 1
            message = str(error)
            assert "data.tsv" in message, message
        assert time.monotonic() - begin < SECONDS
    assert 0 < refused < FILES


def tsv_recipe(folder: Path) -> Recipe:
    file = folder / "recipe.yaml"
    file.write_text(
        f"scenario_cfg: {{dataset_name: Tsv, path: {folder}/data.tsv, kind: mcq}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    return load_recipe(file)


def pictures(folder: Path, names: Sequence[str]) -> None:
    """A list of CIFAR10 of these images."""
    records = [{"image": name, "label": "cat"} for name in names]
    (folder / "meta_file").mkdir(exist_ok=True)
    (folder / "meta_file" / "Classification_CIFAR10.json").write_text(json.dumps(records))


def test_images(tmp_path: Path) -> None:
    odd, bad = hostile.ODD_IMAGES, hostile.BAD_IMAGES
    for name, make in {**odd, **bad}.items():
        (tmp_path / name).write_bytes(make())
    paths = hostile.odd_paths(tmp_path)
    recipe = load_recipe("CIFAR10/ppl", [f"scenario_cfg.base_data_path={tmp_path}"])
    pictures(tmp_path, [*odd, *bad, *paths])
    asked = ask(recipe)
    assert not asked.faults(len(odd))
    failed = {name for name in asked.order if asked.predictions[name].status is Status.ERROR}
    assert failed == set(asked.order[len(odd) :])
    rng = random.Random(3)
    names = [f"flipped{number}" for number in range(IMAGES)]
    for name in names:
        (tmp_path / name).write_bytes(hostile.flipped(rng))
    pictures(tmp_path, [*odd, *names])
    assert not ask(recipe).faults(len(odd))


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
    ("ScienceQA/ppl", "gt_choices", LISTED),
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
    ("Ch3Ef/Helpful_ppl", "options", LISTED),
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
    first = len(ask(recipe).order)
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


def test_the_whole_command(tmp_path: Path, capsys) -> None:
    """What the user sees: an exit code that says what happened, and no traceback."""
    rng = random.Random(4)
    model, recipe = tmp_path / "model.yaml", tmp_path / "recipe.yaml"
    model.write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    tsv_recipe(tmp_path)
    command = ["eval", "--model_cfg", str(model), "--recipe_cfg", str(recipe), "--save_dir"]
    for number in range(20):
        as_whole = number % 2 == 0
        lines = ["\t".join(hostile.HEADER), *hostile.good_rows(2)]
        rows = [line.encode() for line in lines] + [hostile.hostile_row(0, rng)]
        content = hostile.whole_file(rng) if as_whole else b"\n".join(rows)
        (tmp_path / "data.tsv").write_bytes(content)
        begin = time.monotonic()
        code = main([*command, str(tmp_path / f"results{number}")])
        assert time.monotonic() - begin < SECONDS
        said = capsys.readouterr().err
        assert "Traceback" not in said
        assert "this is a bug" not in said
        assert code in {0, 1, 2}, said
        results = list((tmp_path / f"results{number}").rglob("results.json"))
        assert bool(results) == (code != 2), said
        if results:  # good samples are answered, and a bad one shows in the exit code
            coverage = json.loads(results[0].read_text())["coverage"]
            assert (code == 1) == (coverage["errors"] > 0), coverage
            assert as_whole or coverage["scored"] >= 2, coverage


WORST = """
import json, resource, sys
from pathlib import Path
from chef.cli import main
folder = Path(sys.argv[1])
names = {names!r}
for name in names:
    main(["eval", "--model_cfg", str(folder / "model.yaml"), "--recipe_cfg",
          str(folder / f"{{name}}.yaml"), "--save_dir", str(folder / "results")])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_the_worst_ones_need_less_than_a_gigabyte(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    columns = "\t".join(f"c{n}" for n in range(100_000))
    cells = "\t" * 99_999
    big = hostile.png(9_400, 9_400)
    rows = {
        "columns": f"index\tquestion\tA\tB\tanswer\t{columns}\n1\tWhat?\tx\ty\tA\t{cells}\n",
        "cell": "index\tquestion\tA\tB\tanswer\n1\tWhat?\tx\ty\tA\n2\t"
        + "x" * 30_000_000
        + "\tx\ty\tA\n",
        "images": "index\tquestion\tA\tB\tanswer\timage\n1\tWhat?\tx\ty\tA\t"
        + json.dumps([base64.b64encode(big).decode()] * 12)
        + "\n2\tWhat?\tx\ty\tA\t\n",
    }
    for name, text in rows.items():
        (tmp_path / f"{name}.tsv").write_text(text)
        (tmp_path / f"{name}.yaml").write_text(
            f"scenario_cfg: {{dataset_name: Tsv, path: {name}.tsv}}\n"
            "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
        )
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(WORST.format(names=list(rows))), str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert int(done.stdout.split()[-1]) < 1_000_000  # kB
    finished = list((tmp_path / "results").rglob("results.json"))
    assert len(finished) == len(rows)
