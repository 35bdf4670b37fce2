"""What all commands that look at runs have in common: JSON, interrupts, notes, options' errors."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import logging
import os
import re
import shlex
import signal
from pathlib import Path

import pytest

from chef.cli import main
from chef.cli.terminal import (
    check_outputs,
    interrupt_when_ended,
    notes_on_stderr,
    with_values_apart,
)
from chef.common.printing import GuardedStream
from chef.errors import ConfigError


def test_a_note_is_printed_once_beside_a_handler_of_the_root(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """As libraries add one, by ``logging.warning`` for example."""
    with notes_on_stderr():
        logging.getLogger("chef.anything").info("said once")
    assert (capsys.readouterr().err.count("said once"), caplog.messages) == (1, [])
    logging.getLogger("chef.anything").warning("heard elsewhere")
    assert caplog.messages == ["heard elsewhere"]


@pytest.mark.parametrize("command", ["score", "compare", "eval"])
def test_ctrl_c_promises_only_what_can_go_on(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(given: object) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    place = "ask" if command == "eval" else f"{command}.{command}"
    monkeypatch.setattr(f"chef.cli.{place}", interrupted)
    assert main([command, "tiny", "Shapes/ppl"]) == 3
    resumes = "interrupted; the same command resumes the run" in capsys.readouterr().err
    assert resumes == (command == "eval")


@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_closed_terminal_is_ctrl_c_unless_it_is_ignored(before: signal.Handlers) -> None:
    known = {one: signal.getsignal(one) for one in (signal.SIGHUP, signal.SIGTERM)}
    try:
        signal.signal(signal.SIGHUP, before)
        interrupt_when_ended()
        is_ignored = before == signal.SIG_IGN
        with contextlib.nullcontext() if is_ignored else pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGHUP)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    finally:
        for one, handler in known.items():
            signal.signal(one, handler)


def test_a_terminal_that_is_gone_ends_no_command(tmp_path: Path) -> None:
    with GoneTerminal(tmp_path) as gone:
        guarded = GuardedStream(gone)
        for text in ("half a line", " and the rest\n"):
            guarded.write(text)
            guarded.flush()
        assert guarded.failure is not None
        assert guarded.failure.errno == errno.EIO
        assert gone.failures == 1  # then it leads nowhere


class GoneTerminal(io.TextIOWrapper):
    """A stream that fails as that of a closed terminal does, until its file is another one."""

    def __init__(self, folder: Path) -> None:
        super().__init__((folder / "terminal").open("wb"))
        self.failures = 0

    def write(self, text: str) -> int:
        if Path(f"/proc/self/fd/{self.fileno()}").readlink() != Path(os.devnull):
            self.failures += 1
            raise OSError(errno.EIO, "Input/output error")
        return super().write(text)


def test_a_word_that_is_no_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Such a word names a file of another encoding; its bytes stand in no file of chef."""
    assert main(["eval", "tiny", os.fsdecode(b"lat\xe9.csv")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: lat\ufffd.csv: is no text in the encoding of this system")
    assert "LC_ALL=C.UTF-8" in err


def test_json_alone_or_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("results").mkdir()
    for given in (["--json"], ["--json", "-"], ["--json", "results"]):
        assert main(["show", *given]) == 0
        out, err = capsys.readouterr()
        assert (json.loads(out), err) == ([], "")
    assert main(["show", "--json", "found.json"]) == 0
    assert json.loads(Path("found.json").read_text()) == []
    assert capsys.readouterr().out == "written: found.json\n"
    assert with_values_apart(["A", "B", "--json", "--by", "x"])[2] == "--json=-"
    assert with_values_apart(["--json", "llava-1.5-x", "q"])[0] == "--json=-"


def test_files_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    check_outputs(None, "-", tmp_path / "new.json")
    for path, what in (
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "x.json", "there is no folde"),
    ):
        with pytest.raises(ConfigError, match=what):
            check_outputs(path)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "--page", "A", "-o"], "-o needs a value\n  -> write -o FILE|DIR"),
        (["eval", "--race", "--one-at-a-time", "--keep-loaded"],
         "--keep-loaded and --one-at-a-time exclude each other"),
        (["eval", "--limit", "0"], "--limit: '0' is neither a positive number nor -1 (all)"),
        (["eval", "--page=yes"], "--page takes no value"),
    ],
)  # fmt: skip
def test_argparse_in_words(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert capsys.readouterr().err.startswith(f"error: {told}")


@pytest.fixture
def dashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Path:
    """A run below a folder with a leading hyphen, one of whose ids has one, too."""
    monkeypatch.chdir(tmp_path)
    Path("q.csv").write_text("id,question,A,B,answer\n-1,Is it?,yes,no,A\n")
    assert main(["eval", "tiny", "q.csv", "--save-dir=-runs", "--run-name", "r"]) == 0
    capsys.readouterr()
    return Path("-runs/tiny/q/q-r")


def test_commands_can_be_typed_as_they_are_printed(dashed: Path, capsys) -> None:
    assert main(["show", f"./{dashed}"]) == 0
    commands = re.findall(r"chef (show .*|score .*)", capsys.readouterr().out)
    assert commands
    for command in commands:
        assert main([*shlex.split(command.removesuffix(" --open"))]) == 0, command


def test_a_word_with_a_leading_hyphen_is_told_how_to_write_it(dashed: Path, capsys) -> None:
    for words, remedy in (
        (["show", str(dashed)], f"write ./{dashed}"),
        (["show", f"./{dashed}", "--sample", "-1x"], "write --sample=-1x if this is the value"),
        (["show", f"./{dashed}", "--sample", "--json"], "write --sample ID"),
    ):
        with contextlib.suppress(SystemExit):
            assert main(words) == 2
        assert f"-> {remedy}\n" in capsys.readouterr().err


def test_a_folder_that_has_been_removed_is_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "q.csv").write_text("id,question,A,B,answer\n1,Is it?,yes,no,A\n")
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["eval", "tiny", "../q.csv"]) == 2
    err = capsys.readouterr().err
    assert "the current folder is not there any more\n  -> change to another one" in err


def test_a_link_to_nothing_is_not_suggested_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.csv").symlink_to("moved.csv")
    assert main(["eval", "tiny", "q.csv"]) == 2
    assert capsys.readouterr().err.startswith(
        "error: q.csv: is a link to moved.csv, which is not there\n  -> check the path"
    )
