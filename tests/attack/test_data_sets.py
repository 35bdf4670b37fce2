"""700 hostile data sets: each bad sample is one error, each good one is answered, nothing hangs."""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from attack import hostile_data as hostile
from attack.asking import DATA, SECONDS, List, ask
from conftest import FAKES, ROOT

from chef.cli import main
from chef.config.recipe import Recipe, load_recipe
from chef.errors import ChefError
from chef.types import Status

#: How many data sets of each kind there are; 700 together.
LISTS, TABLES, FILES, IMAGES = 20, 120, 40, 40


@pytest.mark.parametrize("data", DATA, ids=lambda data: data.recipe)
def test_lists(data: List, listed) -> None:
    file, records, recipe = listed(data)
    rng = random.Random(data.recipe)
    clean = records[:3]
    file.unlink(missing_ok=True)
    file.write_text(hostile.written(clean, as_lines=data.lines, within=data.within))
    first = ask(recipe)
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
        begin = time.process_time()
        try:
            assert not ask(recipe).faults(0)
        except ChefError as error:
            refused += 1
            message = str(error)
            assert "data.tsv" in message, message
        assert time.process_time() - begin < SECONDS
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
        begin = time.process_time()
        code = main([*command, str(tmp_path / f"results{number}")])
        assert time.process_time() - begin < SECONDS
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


#: Seconds of the processor for all of the worst ones; an idle core needs 4, and what grows with
#: the square of the number of columns needs 30.
SECONDS_OF_WORST = 15

WORST = """
import resource
import sys
from pathlib import Path
from chef.cli import main
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
folder = Path(sys.argv[1])
names = {names!r}
for name in names:
    main(["eval", "--model_cfg", str(folder / "model.yaml"), "--recipe_cfg",
          str(folder / f"{{name}}.yaml"), "--save_dir", str(folder / "results"),
          "--allow", "text-only", "unscored"])
# Unlike ru_maxrss, this does not begin with the memory of the process that started this one.
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


def test_the_worst_ones_need_less_than_a_gigabyte_and_little_time(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    columns = "\t".join(f"c{n}" for n in range(60_000))
    cells = "\t" * 59_999
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
    program = WORST.format(names=list(rows), seconds=SECONDS_OF_WORST)
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert int(done.stdout.split()[-1]) < 1_000_000  # kB
    finished = list((tmp_path / "results").rglob("results.json"))
    assert len(finished) == len(rows)
