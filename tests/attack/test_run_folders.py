"""Damaged run folders: each is resumed, scored and loaded, or refused with what is wrong with it.

No good answer is lost: a good line of a journal stays as it is, and its sample is not asked again.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack.damage import damage
from conftest import FAKES

import chef
from chef.cli import main
from chef.errors import ChefError

CASES, PARTS = 480, 8
SECONDS = 120.0
SIZE = 6
KEYS = {"id", "status", "answer", "scores", "trace", "sample", "images", "error"}
STATUSES = ("ok", "truncated", "refused")


class Case:
    """A copy of a run, damaged, and the commands that are tried on it."""

    def __init__(self, made: Path, place: Path, number: int) -> None:
        draw = random.Random(f"damaged run folders {number}")
        self.run = place / f"out{number}" / "hashing" / "q" / "r-t"
        shutil.copytree(made / "out" / "hashing" / "q" / "r-t", self.run)
        self.name = f"case {number} ({damage(self.run, draw)})"
        models = ["--model_cfg", str(made / "m.yaml"), "--recipe_cfg", str(made / "r.yaml")]
        to = ["--save_dir", str(place / f"out{number}"), "--run_name", "t"]
        self.commands = {
            "eval": ["eval", *models, *to],
            "score": ["score", str(self.run)],
            "export": ["show", str(self.run), "-o", str(place / "e.csv"), "--force", "--export"],
        }

    def lines(self) -> list[bytes]:
        """The lines of the journal; none where it is no file."""
        file = self.run / "predictions.jsonl"
        is_file = file.exists() and stat.S_ISREG(file.stat().st_mode)
        return file.read_bytes().split(b"\n") if is_file else []


def good(lines: list[bytes]) -> list[bytes]:
    """The whole lines that say what was answered: told here without any code of chef."""
    found = []
    for line in lines:
        try:
            content = json.loads(line.decode())
        except (ValueError, RecursionError):
            continue
        shapes = {"trace": dict, "sample": dict, "scores": dict, "images": list}
        if (
            isinstance(content, dict)
            and content.keys() <= KEYS  # of a damaged key, what it names would count as absent
            and isinstance(content.get("id"), str)
            and content.get("status") in STATUSES
            and content.get("error") is None
            and all(isinstance(content.get(key, kind()), kind) for key, kind in shapes.items())
        ):
            found.append(line)
    return found


def ids(lines: list[bytes]) -> list[str]:
    return [json.loads(line)["id"] for line in lines]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small real run, with every file that a run may leave."""
    place = tmp_path_factory.mktemp("made")
    rows = [f"{n}\tIs it {n}?\tyes\tno\tA" for n in range(SIZE)]
    (place / "q.tsv").write_text("\n".join(["index\tquestion\tA\tB\tanswer", *rows]))
    (place / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    (place / "r.yaml").write_text(
        f"scenario_cfg: {{dataset_name: Tsv, path: {place / 'q.tsv'}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    command = ["eval", "--model_cfg", str(place / "m.yaml"), "--recipe_cfg", str(place / "r.yaml")]
    assert main([*command, "--save_dir", str(place / "out"), "--run_name", "t"]) == 0
    return place


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """Each command has its own limit, see `timed`; a hundred of them take longer than one test."""
    yield
    signal.alarm(0)


def timed(command: list[str]) -> int:
    """The exit code of a command, which is interrupted when it takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return main(command)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def loading(case: Case) -> list[str]:
    """What is wrong with reading the run in Python."""
    try:
        run = chef.load_run(case.run)
        _ = run.rows, run.report, run.environment
    except ChefError:
        pass
    except Exception as error:
        return [f"{case.name}, load_run: {error!r}"]
    return []


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_folders_lose_nothing(
    made: Path, tmp_path: Path, part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong: list[str] = []
    for number in range(part, CASES, PARTS):
        case = Case(made, tmp_path, number)
        before = case.lines()
        codes = {}
        look = ("export", "score", "load")[number % 3]
        more = ("eval", look) if number % 10 == 0 else ()  # the time allows no more
        for name in (look, "eval", *more):
            if name == "load":
                wrong += loading(case)
                continue
            codes[name] = code = timed(case.commands[name])
            error = capsys.readouterr().err
            if any(word in error for word in ("bug", "Traceback", "TimeoutError")) or code > 3:
                wrong.append(f"{case.name}, {name}: {code} {error[-700:]}")
        after = case.lines()
        if good(after)[: len(good(before))] != good(before):
            wrong.append(f"{case.name}: a good line is gone")
        again = ids(good(after)[len(good(before)) :])
        if len(again) != len(set(again)) or set(again) & set(ids(good(before))):
            wrong.append(f"{case.name}: asked again: {again}")
        if codes["eval"] == 0 and set(ids(good(after))) < set(map(str, range(SIZE))):
            wrong.append(f"{case.name}: exit 0 without {SIZE} answers")
        shutil.rmtree(tmp_path / f"out{number}")
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:12])
