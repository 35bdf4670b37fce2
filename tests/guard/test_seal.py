"""A run folder is the user's own by a signature that no folder can bring along."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import forked
import pytest
import yaml
from conftest import FAKES, process_restored

from chef.cli import main
from chef.guard.trust import is_sealed, key_file, seal
from chef.scoring.record import RunRecord


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder of a user who has run nothing yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    rows = [f"{n}\tIs it {n}?\tyes\tno\tA" for n in range(3)]
    (tmp_path / "q.tsv").write_text("\n".join(["index\tquestion\tA\tB\tanswer", *rows]))
    (tmp_path / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    (tmp_path / "r.yaml").write_text(
        f"scenario_cfg: {{dataset_name: Tsv, path: {tmp_path / 'q.tsv'}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    files = ["--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg", str(tmp_path / "r.yaml")]
    return ["eval", *files, "--save_dir", str(tmp_path / "out"), "--run_name", "t"]


@pytest.fixture
def run(state: Path, command: list[str], tmp_path: Path) -> Path:
    with process_restored():
        assert main(command) == 0
    assert key_file() == state / "chef" / "key"
    return tmp_path / "out" / "hashing" / "q" / "r-t"


def edit(run: Path) -> None:
    config = yaml.safe_load((run / "config.yaml").read_text())
    config["recipe_cfg"]["scenario_cfg"]["path"] = "/etc/passwd"
    (run / "config.yaml").write_text(yaml.safe_dump(config))


def is_own(run: Path) -> bool:
    return RunRecord.load(run).is_own


def test_a_run_is_the_users_own_wherever_it_is_moved(run: Path, tmp_path: Path) -> None:
    assert is_own(run)
    assert RunRecord.load(run).recipe_file == tmp_path / "r.yaml"
    moved = run.rename(tmp_path / "moved")
    assert is_own(moved)
    assert is_own(Path(shutil.copytree(moved, tmp_path / "copy")))


def test_an_edited_copy_is_not(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "copy"))
    edit(copy)
    assert (is_own(copy), is_own(run)) == (False, True)


def test_the_signature_of_one_part_is_none_of_another(run: Path) -> None:
    signatures = json.loads((run / ".seal").read_text())
    assert set(signatures) == {"config.yaml", "recipe_file"}
    (run / ".seal").write_text(json.dumps({**signatures, "judging": signatures["config.yaml"]}))
    assert not is_sealed(run, "judging", RunRecord.load(run).config)
    environment = json.loads((run / "environment.json").read_text())
    environment["recipe_file"] = "/somewhere/else.yaml"
    (run / "environment.json").write_text(json.dumps(environment))
    assert RunRecord.load(run).recipe_file is None


def test_a_run_of_another_user_or_machine_is_not(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert not is_own(run)
    seal(run, "config.yaml", {"other": "content"})  # and a key of that place does not help
    assert not is_own(run)


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_a_key_that_others_may_read_counts_for_nothing(run: Path, state: Path, mode: int) -> None:
    (state / "chef" / "key").chmod(mode)
    assert not is_own(run)


def test_a_key_that_is_a_link_or_too_short_counts_for_nothing(run: Path, state: Path) -> None:
    key = state / "chef" / "key"
    key.rename(state / "chef" / "real")
    key.symlink_to(state / "chef" / "real")
    assert not is_own(run)
    key.unlink()
    key.write_bytes(b"short")
    key.chmod(0o600)
    assert not is_own(run)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"config.yaml": 3}', "[" * 9_000, "\x00"])
def test_a_damaged_file_of_signatures_is_none(run: Path, content: str) -> None:
    (run / ".seal").write_text(content)
    assert not is_own(run)


def test_scoring_signs_nothing_of_somebody_else(run: Path) -> None:
    before = (run / ".seal").read_bytes()
    edit(run)
    assert main(["score", str(run)]) == 0
    assert main(["score", str(run), "--trust"]) == 0
    assert (run / ".seal").read_bytes() == before
    assert not is_own(run)


def test_a_run_of_an_earlier_version_is_scored_and_becomes_own_when_resumed(
    run: Path, command: list[str]
) -> None:
    (run / ".seal").unlink()
    assert main(["score", str(run)]) == 0
    assert main(["show", str(run)]) == 0
    assert not is_own(run)
    with process_restored():
        assert main(command) == 0
    assert is_own(run)


def test_judging_signs_the_judges_that_the_command_names(run: Path, tmp_path: Path) -> None:
    (tmp_path / "judge.yaml").write_text("model_name: tiny\n")
    record = RunRecord.load(run)
    seal(run, "judging", {"model_cfg": [{"model_name": "tiny"}]})
    assert is_sealed(run, "judging", {"model_cfg": [{"model_name": "tiny"}]})
    assert not is_sealed(run, "judging", {"model_cfg": [{"model_name": "OpenAI"}]})
    assert record.is_own


@pytest.mark.parametrize("home", ["file", "none"])
def test_without_a_place_for_the_key_runs_work_and_are_not_own(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("XDG_STATE_HOME")
    if home == "none":
        monkeypatch.setattr(Path, "home", _no_home)
        assert key_file() is None
    else:
        monkeypatch.setenv("HOME", str(tmp_path / "file"))
    with process_restored():
        assert main(command) == 0
    run = tmp_path / "out" / "hashing" / "q" / "r-t"
    assert not is_own(run)
    assert main(["score", str(run)]) == 0


def _no_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_two_processes_make_one_key(state: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from chef.guard.trust import seal, is_sealed\n"
        "at = Path(sys.argv[1]); at.mkdir(); seal(at, 'p', [1]); print(is_sealed(at, 'p', [1]))"
    )
    started = [
        forked.start([sys.executable, "-c", code, str(tmp_path / f"run{number}")])
        for number in range(6)
    ]
    assert [process.wait().stdout.strip() for process in started] == ["True"] * 6
    assert all(is_sealed(tmp_path / f"run{number}", "p", [1]) for number in range(6))
    assert sorted(os.listdir(state / "chef")) == ["key"]  # noqa: PTH208
