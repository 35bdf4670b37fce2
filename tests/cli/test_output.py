"""What is printed at the end: the table, narrow terminals, speed, and readers that are gone."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import main
from chef.cli.terminal import page_width
from chef.common.printing import say
from chef.metric import Coverage, Estimate
from chef.scoring.result import RunResult, table

Write = Callable[..., Path]
ACC = Estimate(96.4, 500, 0.8, 94.4, 97.7, "%")


def report(name: str = "ppl", errors: int = 0) -> RunResult:
    run = Path(f"results/tiny/Shapes/{name}-today")
    coverage = Coverage(total=500, scored=500 - errors, errors=errors)
    return RunResult(
        recipe=name, scenario="Shapes", model="tiny", file=run / "results.json",
        metrics={"ACC": ACC}, primary="ACC", coverage=coverage, random_accuracy=0.25,
    )  # fmt: skip


@pytest.mark.parametrize("width", [None, 200, 90, 80, 70, 60, 52])
def test_the_table_fits_the_terminal(width: int | None) -> None:
    box = table([report()], width).splitlines()[1]
    assert width is None or len(box) <= width
    shown = table([report()], width)
    assert "96.4%" in shown
    assert "[94.4, 97.7]" in shown
    assert "std. error" not in shown
    assert ("coverage" in shown) == (width is None or width >= 80)


def test_a_run_tells_its_speed(
    model_file: Path, recipe_file: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file("Direct"))]
    assert main(["eval", *given, "--save_dir", str(tmp_path / "r"), "--time", "t"]) == 0
    captured = capsys.readouterr()
    assert "note: Numbers/r: 20 samples in " in captured.err
    assert "generated tokens/s" in captured.err
    assert captured.out.count("│ ACC") == 1  # each fact once
    main(["eval", *given, "--save_dir", str(tmp_path / "r"), "--time", "t"])
    assert "samples/s" not in capsys.readouterr().err  # none was asked


def _closed(arguments: Sequence[str], stream: str) -> tuple[int, str]:
    """Run chef with a reader that is gone; return the code and what the other stream got."""
    reader, writer = os.pipe()
    os.close(reader)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
    process = subprocess.Popen([sys.executable, "-m", "chef", *arguments], cwd=ROOT, **pipes)  # type: ignore[call-overload]
    os.close(writer)
    out, err = process.communicate(timeout=120)
    return process.returncode, (out or err or b"").decode()


@pytest.mark.parametrize("arguments", [["--help"], ["eval", "--help"], ["eval", "--list"]])
def test_nothing_is_said_of_a_closed_pipe(arguments: list[str]) -> None:
    assert _closed(arguments, "stdout") == (0, "")


def test_a_run_is_finished_for_a_reader_that_is_gone(
    model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    given = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file())]
    assert _closed([*given, "--dry-run"], "stdout") == (0, "")
    given += ["--save_dir", str(tmp_path / "results"), "--time", "t"]
    code, err = _closed(given, "stdout")
    assert code == 0
    assert "Traceback" not in err
    assert "BrokenPipe" not in err
    assert list(tmp_path.rglob("results.json"))


def test_a_run_whose_progress_has_no_reader_ends_quietly(  # its answers are kept
    model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    given = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file(size=200))]
    code, out = _closed([*given, "--save_dir", str(tmp_path / "results")], "stderr")
    assert code == 3
    assert out == ""
    assert main([*given, "--save_dir", str(tmp_path / "results")]) == 0


@pytest.mark.parametrize("ends", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_run_needs_no_standard_streams(
    model_file: Path, recipe_file: Write, tmp_path: Path, ends: str
) -> None:
    """Services close them; and a terminal or a disk with the log may be gone."""
    given = [str(model_file), str(recipe_file()), "--save_dir", str(tmp_path / "r")]
    done = _in_shell(["eval", *given], ends)
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr
    assert len(list(tmp_path.rglob("results.json"))) == 1


def test_output_on_a_full_disk_is_an_error_after_the_run(
    model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    given = [str(model_file), str(recipe_file()), "--save_dir", str(tmp_path / "r")]
    for command in (["eval", *given], ["list", "metrics"]):
        done = _in_shell(command, ">/dev/full")
        assert done.returncode == 3
        assert "error: standard output cannot be written (No space left on device)" in done.stderr
        assert "Traceback" not in done.stderr
    assert len(list(tmp_path.rglob("results.json"))) == 1


def test_a_call_from_python_needs_no_standard_streams(
    model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    call = f"chef.evaluate({str(model_file)!r}, {str(recipe_file())!r}, save_dir={str(tmp_path)!r})"
    program = f"import sys, chef; sys.stdout = sys.stderr = None; {call}"
    done = subprocess.run([sys.executable, "-c", program], check=False, cwd=ROOT)
    assert done.returncode == 0
    assert len(list(tmp_path.rglob("results.json"))) == 1


def _in_shell(arguments: Sequence[str], ends: str) -> subprocess.CompletedProcess[str]:
    command = f"{shlex.join([sys.executable, '-m', 'chef', *arguments])} {ends}"
    shell = ["/bin/sh", "-c", command]
    return subprocess.run(shell, check=False, capture_output=True, text=True, cwd=ROOT)


def test_lines_of_tables_are_plain_where_an_encoding_has_none() -> None:
    written = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    say("│ naïve…─┤", written)
    written.flush()
    assert written.buffer.getvalue() == b"| na\\xefve~-+\n"  # type: ignore[attr-defined]


def test_wide_tables_of_show_are_80_columns_wide_through_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("shutil.os.get_terminal_size", _no_terminal)
    assert page_width() == 80
    monkeypatch.setenv("COLUMNS", "200")
    assert page_width() == 200


def _no_terminal(fd: int) -> None:
    raise OSError(fd)
