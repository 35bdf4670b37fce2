"""Folders and files of strangers, looked at: no code of theirs runs, no damage is a traceback.

`chef show` and `compare` either show what they can or say what is wrong.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attack.damage import BYTES, damage, value_changed
from runs_by_hand import make_own, outcomes, write_run

from chef.cli import main

CASES, PARTS = 320, 4
SECONDS = 120.0
#: What is done with a run, another one of the same questions, a sweep of both, and a score sheet.
COMMANDS = (
    ("show", "{run}", "--page"),
    ("show", "{run}"),
    ("show", "{run}", "--sample", "q3", "--json"),
    ("compare", "{run}", "{other}"),
    ("compare", "{other}", "{run}", "--json", "{place}/found.json"),
    ("show", "{run}", "{other}", "--page"),
    ("show", "{place}", "--json"),
    ("show", "{sweep}", "--json", "{place}/found.json"),
    ("show", "{sweep}", "--page"),
    ("show", "{place}/sheet.json", "--page"),
)
RUN, OTHER, SWEEP = "a/ByHand/ppl-1", "b/ByHand/ppl-1", "sweeps/s"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs, the sweep that they would be, and a sheet of their scores."""
    place = tmp_path_factory.mktemp("made") / "results"
    combinations: list[dict[str, Any]] = []
    for model, answers in (("a", "RWRUEWRRWE"), ("b", "RRRUEWRWWR")):
        results = json.loads(
            (write_run(place, outcomes(answers), model=model) / "results.json").read_text()
        )
        figure = results["metrics"][results["primary"]]
        combinations.append({
            "values": {"model": model}, "model": model, "run": "ppl", "figure": figure,
            "results": f"../../{model}/ByHand/ppl-1/results.json", "coverage": 0.8,
        })  # fmt: skip
    (place / SWEEP).mkdir(parents=True)
    factor = {"name": "model", "role": "choice", "values": ["a", "b"]}
    sweep = {"name": "s", "factors": [factor], "combinations": combinations}
    (place / SWEEP / "sweep.json").write_text(json.dumps(sweep))
    score = {"title": "t", "score": combinations[0]["figure"], "parts": []}
    sheet = {"m": {**score, "name": "all", "parts": [{**score, "name": name} for name in "abcd"]}}
    (place / "sheet.json").write_text(json.dumps(sheet))
    return place


@pytest.fixture
def place(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all that, to be damaged, and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """Each command has its own limit, see `done`."""
    yield
    signal.alarm(0)


def done(command: tuple[str, ...], place: Path) -> int:
    """The exit code of a command, which is interrupted when it takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError("it hangs")

    names = {"run": place / RUN, "other": place / OTHER, "sweep": place / SWEEP, "place": place}
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return main([part.format(**names) for part in command])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def damaged(place: Path, command: tuple[str, ...], draw: random.Random) -> str:
    """Damage what a command reads; return what was done."""
    sweep, sheet = place / SWEEP / "sweep.json", place / "sheet.json"
    own = {"{sweep}": sweep, "{place}/sheet.json": sheet}.get(command[1])
    if own is None or (own is sweep and draw.random() < 0.4):
        files = [place / RUN / name for name in ("results.json", "scores.jsonl", "config.yaml")]
        if draw.random() < 0.5:
            return damage(place / RUN, draw)
        own = draw.choice(files)
    way = draw.choice((value_changed, value_changed, *BYTES))
    own.write_bytes(way(own.read_bytes(), draw))
    return f"{own.name}: {way.__name__}"


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


@pytest.mark.parametrize("part", range(PARTS))
def test_damage_is_shown_or_told(
    made: Path, tmp_path: Path, part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong: list[str] = []
    codes: set[int] = set()
    for number in range(part, CASES, PARTS):
        draw = random.Random(f"looked at {number}")
        command = draw.choice(COMMANDS)
        place = tmp_path / str(number)
        shutil.copytree(made, place)
        name = f"case {number} ({damaged(place, command, draw)}), {' '.join(command)}"
        code = done(command, place)
        codes.add(code)
        out, error = capsys.readouterr()
        if any(word in error for word in ("bug", "Traceback", "TimeoutError")) or code > 3:
            wrong.append(f"{name}: {code} {error[-700:]}")
        try:
            if "--json" in command and code == 0:
                file = place / "found.json"
                json.loads(file.read_text() if file.exists() else out, parse_constant=refuse)
        except ValueError as reason:
            wrong.append(f"{name}: {reason}")
        shutil.rmtree(place)
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:12])
    assert {0, 2} <= codes


@pytest.mark.parametrize(
    "command",
    [*COMMANDS, ("compare", "{run}", "{place}/../answers.jsonl"), ("show", "{place}", "--page")],
    ids=" ".join,
)
def test_no_file_that_a_folder_names_is_run(place: Path, command: tuple[str, ...]) -> None:
    ran = place.parent / "ran"
    plugin = place.parent / "evil.py"
    plugin.write_text(f"open({str(ran)!r}, 'w').close()\n")
    config = place / RUN / "config.yaml"
    changed = f"recipe_cfg:\n  plugins: [{plugin}]\n"
    config.write_text(config.read_text().replace("recipe_cfg:\n", changed))
    recipe = place.parent / "recipe.yaml"
    recipe.write_text(f"plugins: [{plugin}]\n")
    environment = place / RUN / "environment.json"
    environment.write_text(json.dumps({"recipe_file": str(recipe)}))
    (place.parent / "answers.jsonl").write_text('{"id": "q0", "answer": "yes"}\n')
    done(command, place)
    assert not ran.exists()
    done(("compare", "{run}", "{other}", "--trust-plugins"), place)
    assert ran.exists()


def test_links_out_of_a_run_folder_are_not_followed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image as Pixels

    from chef.image import Image
    from chef.report.page import write

    elsewhere = place.parent / "elsewhere"
    elsewhere.mkdir()
    run = place / RUN
    image = place.parent / "i.png"
    Pixels.new("RGB", (8, 8)).save(image)
    make_own(run)
    journal = run / "predictions.jsonl"
    first, rest = journal.read_text().split("\n", 1)
    record = {"path": str(image), "digest": Image(image).digest}
    journal.write_text(json.dumps({**json.loads(first), "images": [record]}) + "\n" + rest)
    for name in ("thumbnails", "report_files", f".report.html.{os.getpid()}.tmp", "report.html"):
        (run / name).symlink_to(elsewhere if "." not in name else elsewhere / "file")
    assert done(("show", "{run}", "--page"), place) == 0
    assert not (run / "report.html").is_symlink()
    assert '"thumbnails":["' in (run / "report.html").read_text()
    monkeypatch.setattr(write, "INLINE", 10)
    assert done(("show", "{run}", "--page"), place) == 3
    assert list(elsewhere.iterdir()) == []


def test_a_sweep_writes_pages_only_beside_it(place: Path) -> None:
    mine = write_run(place.parent / "mine", outcomes("RWRUEWRRWE"), model="c")
    file = place / SWEEP / "sweep.json"
    sweep = json.loads(file.read_text())
    sweep["combinations"][1]["results"] = str(mine / "results.json")
    file.write_text(json.dumps(sweep))
    before = sorted(mine.iterdir())
    assert done(("show", "{sweep}", "--page"), place) == 0
    assert sorted(mine.iterdir()) == before
    assert (place / RUN / "report.html").exists()


def test_results_that_name_each_other_end(place: Path) -> None:
    """Each file named twice the next: without a bound that is 2 to the power of 24 readings."""
    run = place / RUN
    results = json.loads((run / "results.json").read_text())
    marks = ["", *(f"_{number}" for number in range(24))]
    for mark, following in zip(marks, [*marks[1:], ""], strict=True):
        changed = {**results, "further_results": [f"results{following}.json"] * 2}
        (run / f"results{mark}.json").write_text(json.dumps(changed))
        if mark:
            shutil.copy(run / "scores.jsonl", run / f"scores{mark}.jsonl")
    assert done(("compare", "{run}", "{other}"), place) == 0


def test_no_secret_gets_out_of_a_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "sk-abcdefghij1234567890XYZ"
    monkeypatch.setenv("OF_A_TEST_API_KEY", secret)
    for run in (place / RUN, place / OTHER):
        for name in ("predictions.jsonl", "scores.jsonl"):
            text = (run / name).read_text().replace("What is q1?", f"What is {secret}?")
            (run / name).write_text(text.replace("out of order", f"no key {secret}"))
    before = set(place.rglob("*"))
    for command in COMMANDS:
        assert done(command, place) == 0
    assert done(("show", "{run}", "--sample", "q1", "q4"), place) == 0
    said = capsys.readouterr()
    assert secret not in said.out + said.err
    assert "<redacted>" in said.out
    written = [path for path in set(place.rglob("*")) - before if path.is_file()]
    assert len(written) >= 5
    assert [path for path in written if secret.encode() in path.read_bytes()] == []


def test_a_thumbnail_says_nothing_of_where_it_was_taken() -> None:
    from PIL import Image as Pixels

    from chef.image import Image
    from chef.report.views.thumbnails import thumbnail

    made = Pixels.new("RGB", (400, 300), "red")
    exif = made.getexif()
    exif.get_ifd(0x8825)[2] = (48.0, 8.0, 30.0)
    exif[0x010E] = "the garden of Ada"
    photo = io.BytesIO()
    made.save(photo, "JPEG", exif=exif, comment=b"taken by Ada")
    assert b"Ada" in photo.getvalue()
    small = thumbnail(Image(photo.getvalue()))
    assert b"Ada" not in small
    assert not {"exif", "xmp", "comment"} & Pixels.open(io.BytesIO(small)).info.keys()
