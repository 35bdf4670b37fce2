"""Run folders of somebody else: no link in them is followed, and nothing that they name is used."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attack.strangers import (
    CALLS,
    COMMANDS,
    FILES,
    NAMES,
    SECRET,
    VARIABLE,
    Listening,
    write_naming,
)
from conftest import FAKES, process_restored

import chef
from chef.cli import main
from chef.errors import ChefError

RUN = Path("out/hashing/q/r-t")
MARK = "what only the reader has"
#: The commands that write to a run folder, or need its figures: they say which file is a link.
TOLD = ("score", "judge by")


#: Of one command. Each has a limit of its own: dozens of them take longer than one test.
SECONDS = 120


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """Instead of the limit of a test; see `limited`."""
    yield
    signal.alarm(0)


@contextmanager
def limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the user's own, another one of the same questions, and files beside them."""
    place = tmp_path_factory.mktemp("strangers")
    rows = [f"{n}\tIs it {n}?\tyes\tno\tA" for n in range(3)]
    (place / "q.tsv").write_text("\n".join(["index\tquestion\tA\tB\tanswer", *rows]))
    (place / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    (place / "r.yaml").write_text(
        f"scenario_cfg: {{dataset_name: Tsv, path: {place / 'q.tsv'}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}\n"
    )
    (place / "judge.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    models = ["--model_cfg", str(place / "m.yaml"), "--recipe_cfg", str(place / "r.yaml")]
    for name in ("out", "other"):
        to = ["--save_dir", str(place / name), "--run_name", "t"]
        with process_restored():
            assert main(["eval", *models, *to]) == 0
    own = place / "own"
    own.mkdir()
    (own / "own.tsv").write_text(f"index\tquestion\tA\tB\tanswer\n0\t{MARK}\tx\ty\tA\n")
    (own / "evil.py").write_text(f"open({str(place / 'ran')!r}, 'w').close()\n")
    (own / "evil.yaml").write_text(f"plugins: [{own / 'evil.py'}]\n")
    return place


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    monkeypatch.setenv(VARIABLE, SECRET)
    listening = Listening()
    yield listening
    listening.close()


def attempt(name: str, place: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a command, or of a call as the command would give it; and what was said."""
    run, other = place / RUN, place / "other" / RUN.relative_to("out")
    capsys.readouterr()
    with process_restored(), limited():
        if name in COMMANDS:
            values = {"run": run, "other": other, "place": place}
            code = main([part.format(**values) for part in COMMANDS[name]])
        else:
            try:
                CALLS[name](chef, run, other, place)
                code, said = 0, ""
            except ChefError as error:
                code, said = 2, str(error)
    printed = capsys.readouterr()
    text = printed.out + printed.err
    return code, text if name in COMMANDS else text + said


def copied(made: Path, to: Path) -> Path:
    place = to / "place"
    shutil.copytree(made, place, symlinks=True)
    return place


@pytest.mark.parametrize("name", [*COMMANDS, *CALLS])
def test_no_link_is_followed(
    made: Path,
    tmp_path: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong, tried = [], 0
    for file in FILES:
        for is_there in (True, False):
            here = tmp_path / f"{file}-{is_there}"
            place = copied(made, here)
            monkeypatch.chdir(here)
            outside, link = here / "outside", place / RUN / file
            inside = place / "kept"
            if link.exists():
                link.rename(inside)
            is_folder = file in ("thumbnails", "report_files", "vlmevalkit")
            if is_there and is_folder:
                outside.mkdir()
            elif is_there:
                outside.write_bytes(inside.read_bytes() if inside.exists() else MARK.encode())
            before = outside.read_bytes() if outside.is_file() else None
            link.symlink_to(outside)
            code, text = attempt(name, place, capsys)
            tried += 1
            label = f"{name}, {file} -> {'a file' if is_there else 'nowhere'}: {code} {text[-300:]}"
            if code > 3 or "this is a bug" in text:
                wrong.append(label)
            if MARK in text:
                wrong.append(f"shown: {label}")
            after = outside.read_bytes() if outside.is_file() else None
            if (
                after != before
                or outside.exists() != is_there
                or (outside.is_dir() and any(outside.iterdir()))
            ):
                wrong.append(f"written through: {label}")
            if (
                name in TOLD
                and file.endswith((".yaml", ".json", ".jsonl", ".txt", ".lock"))
                and (code != 2 or "link" not in text or file not in text)
            ):
                wrong.append(f"not told: {label}")
            shutil.rmtree(here)
    print(f"{name}: {tried} links, {len(wrong)} followed")
    assert not wrong, "\n".join(wrong[:8])


@pytest.mark.parametrize("names", NAMES)
def test_nothing_that_a_folder_names_is_used(
    made: Path,
    tmp_path: Path,
    names: str,
    server: Listening,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    naming, wrong, tried = NAMES[names], [], 0
    monkeypatch.chdir(tmp_path)
    for name in (*COMMANDS, *CALLS):
        place = copied(made, tmp_path / name)
        write_naming(place / RUN, naming, server.url, made / "own")
        code, text = attempt(name, place, capsys)
        tried += 1
        label = f"{name}, {names}: {code} {text[-400:]}"
        if code > 3 or "this is a bug" in text:
            wrong.append(label)
        if server.heard or (made / "ran").exists():
            wrong.append(f"used: {label} {server.heard}")
            server.heard.clear()
        if name in naming.refused_by and (code != 2 or "--trust" not in text):
            wrong.append(f"not refused: {label}")
        files = [file for file in place.rglob("*") if file.is_file() and "own" not in file.parts]
        if SECRET in text or any(SECRET.encode() in file.read_bytes() for file in files):
            wrong.append(f"the variable was read: {label}")
        if MARK in text or any(MARK.encode() in file.read_bytes() for file in files):
            wrong.append(f"the data was read: {label}")
    print(f"{names}: {tried} commands, {len(wrong)} use it")
    assert not wrong, f"{len(wrong)} of {tried}\n" + "\n".join(wrong[:5])


@pytest.mark.parametrize("names", [name for name, naming in NAMES.items() if naming.sends])
def test_the_option_allows_it(
    made: Path, tmp_path: Path, names: str, server: Listening, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the table above could fail: each of these sends the variable where it is trusted."""
    place = copied(made, tmp_path)
    write_naming(place / RUN, NAMES[names], server.url, made / "own")
    command = NAMES[names].refused_by[0]
    refused = attempt(command, place, capsys)[1]
    host = server.url.removeprefix("http://").removesuffix("/v1")
    (line,) = [line for line in refused.splitlines() if VARIABLE in line]
    assert host in line
    assert not server.heard
    words = [word.format(run=place / RUN, place=place) for word in COMMANDS[command]]
    main([*words, "--trust"])
    assert any(SECRET in heard for heard in server.heard)


def test_a_run_through_a_link_above_it_works(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = copied(made, tmp_path)
    (place / "out").rename(tmp_path / "disk")
    (place / "out").symlink_to(tmp_path / "disk")
    (tmp_path / "latest").symlink_to(place / RUN)
    for name in ("eval", "score", "show", "view", "export", "runs", "chef.score", "chef.load_run"):
        code, text = attempt(name, place, capsys)
        assert code == 0, f"{name}: {text}"
    for command in (["score"], ["show"], ["show", "--page"]):
        assert main([*command, str(tmp_path / "latest")]) == 0


def test_what_is_swapped_while_a_run_writes_is_not_followed(tmp_path: Path) -> None:
    from chef.run.folder import RunFolder
    from chef.types import Prediction, Status

    outside = tmp_path / "outside"
    outside.write_text(MARK)
    folder = RunFolder(tmp_path / "run", {})
    folder.append(Prediction("a", Status.OK, "b"))
    (tmp_path / "run" / "results.json").symlink_to(outside)
    folder.write_json("results.json", {"a": 1})
    assert not (tmp_path / "run" / "results.json").is_symlink()
    (tmp_path / "run" / "predictions.jsonl").unlink()
    (tmp_path / "run" / "predictions.jsonl").symlink_to(outside)
    with pytest.raises(ChefError, match="was replaced"):
        folder.check()
    folder.close()
    assert outside.read_text() == MARK
