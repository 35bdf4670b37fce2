"""Check that two versions of chef give the same answers and scores, byte for byte.

    python benchmarks/same_answers.py make FOLDER                with the old version
    python benchmarks/same_answers.py make OTHER --against FOLDER      with the new version

Every recipe of configs/recipes runs on the embedded model with 50 samples, both unchanged and with
``compat=upstream``; recipes that read files run on generated data. Then every metric scores every
journal, and copies of the journals in which the answers are replaced by various free texts. Only
the command line is used, so that both versions are called in the same way.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
RECIPES = ROOT / "configs" / "recipes"
COMPARED = ("predictions.jsonl", "scores*.jsonl", "results*.json", "calls.txt")
#: Various answers; ``{}`` is replaced by one of the sample's options, words or numbers.
TEXTS = (
    "{}", "The answer is {}.", "({})", "A", "B.", "(C)", "D) because of the colour", "Option B",
    "A or B", "Yes", "No", "no, there is none", "Yes, there is a dog.", "I am not sure.", "",
    "Not {}.", "There are three of them", "3", "about 12.5",
    "I see a dog, a cat and two red circles.", "[0.10, 0.20, 0.55, 0.60]",
    "dog [0.1, 0.2, 0.3, 0.4]; person: [0.5, 0.5, 0.9, 0.9]",
    "A man is riding a bicycle on the street.", "First I thought {}, but it is B.",
    "airplane, bird", "### Assistant: (A) yes", "Answer: {}", "{} and {}", "none", "No.\nYes.",
    "He is smiling.", "The person has black hair.", "It is a picture of a forest.",
    "The text reads {}.",
)  # fmt: skip


def main() -> int:
    given = _arguments()
    if not given.against or not given.folder.exists():
        make(given.folder.resolve(), given.samples, given.only)
    return compare(given.against.resolve(), given.folder.resolve()) if given.against else 0


def make(folder: Path, samples: int, only: str) -> None:
    """Run every recipe and every metric, and write the results to ``folder``."""
    from fixtures import build_all

    folder.mkdir(parents=True)
    os.environ["CHEF_CACHE"], os.environ["HF_HUB_OFFLINE"] = str(folder / "cache"), "1"
    work = folder / "drawn"
    (work / "here").mkdir(parents=True)
    build_all(work / "data")
    os.chdir(work / "here")  # recipes read data and ../data
    (work / "here" / "data").symlink_to("../data")
    runs = folder / "runs"
    for path in sorted(RECIPES.rglob("*.yaml")):
        name = path.relative_to(RECIPES).with_suffix("").as_posix()
        if only in name:
            for compat in ("corrected", "upstream"):
                _run(path, runs / name / compat, samples, compat)
    _rescore(runs)


def _run(path: Path, folder: Path, samples: int, compat: str) -> None:
    hub = "model_path:" in path.read_text()
    overrides = ["scenario_cfg.ppl_cfg.model_path=embedded"] if hub else []
    _call(
        folder,
        ["eval", "--model_cfg", str(ROOT / "configs/models/tiny.yaml"), "--device", "cpu",
         "--dtype", "float32", "--recipe_cfg", str(path), "--sample_len", str(samples),
         "--save_dir", str(folder), "--time", "t", *overrides, f"compat={compat}"],
    )  # fmt: skip


def _rescore(runs: Path) -> None:
    from chef.metric import METRICS

    for journal in sorted(runs.rglob("predictions.jsonl")):
        texts = journal.parent.with_name(f"{journal.parent.name}_texts")
        shutil.copytree(journal.parent, texts)
        (texts / "predictions.jsonl").write_text(_other_answers(journal))
        for folder in (journal.parent, texts):
            for metric in METRICS:
                _call(folder, ["score", str(folder), "--metric", metric])


def _other_answers(journal: Path) -> str:
    """Return the lines of a journal with replaced answers and without scores of options."""
    lines = []
    for line in journal.read_text().splitlines():
        entry = json.loads(line)
        rng = random.Random(f"{journal.parent.name} {entry.get('id') or entry['sample_id']}")
        record = entry.get("sample") or {}
        choices = record.get("choices") or record.get("options") or ["dog", "7"]
        words = [str(item) for item in choices]
        text = rng.choice(TEXTS)
        while "{}" in text:
            text = text.replace("{}", rng.choice(words), 1)
        turns = entry.get("scores", {}).get("turn_answer")
        entry["scores"] = {}
        if turns:
            turns = [{**turn, "answer": rng.choice(TEXTS)} for turn in turns]
            entry["scores"] = {
                "turn_answer": [{k: v for k, v in turn.items() if k != "choice"} for turn in turns]
            }
        lines.append(json.dumps({**entry, "answer": text}))
    return "\n".join(lines) + "\n"


def _call(folder: Path, arguments: list[str]) -> None:
    """Run one command, and record its exit code and the end of an error message."""
    from chef.cli import main as chef

    errors = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        try:
            code = chef(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "calls.txt").open("a") as calls:
        calls.write(f"{arguments[0]} {arguments[-1]}: {code}\n")
    if code not in (0, 1):
        with (folder / "errors.txt").open("a") as file:
            file.write(f"{arguments[0]} {arguments[-1]}: {errors.getvalue().strip()[-500:]}\n")
    print(f"{folder.name} {arguments[0]} {arguments[-1]}: {code}", flush=True)


def compare(before: Path, after: Path) -> int:
    """Compare two folders and print the differences; return 1 if any file differs."""
    differ = 0
    files = [sorted(_files(folder / "runs")) for folder in (before, after)]
    for missing in sorted(set(files[0]) ^ set(files[1])):
        differ += 1
        print(f"only in one: {missing}")
    for name in sorted(set(files[0]) & set(files[1])):
        if _content(before / "runs" / name) != _content(after / "runs" / name):
            differ += 1
            print(f"differs: {name}")
    print(f"{len(set(files[0]) | set(files[1]))} files compared, {differ} differ")
    return min(differ, 1)


def _content(file: Path) -> bytes | list[object]:
    """What is compared of a file: of scores not how they were read, which names the version."""
    if file.suffix != ".jsonl" or not file.name.startswith("scores"):
        return file.read_bytes()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [{key: item for key, item in line.items() if key != "reading"} for line in lines]


def _files(folder: Path) -> set[str]:
    found = (path for pattern in COMPARED for path in folder.rglob(pattern))
    return {path.relative_to(folder).as_posix() for path in found}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("command", choices=["make"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", type=Path, help="folder written by the other version")
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--only", default="", help="recipes whose name contains this")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
