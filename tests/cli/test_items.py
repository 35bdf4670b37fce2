"""``chef list BENCHMARK --items RUN ...``: which items tell models apart, and which none."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

from chef.cli import main


def test_it_names_the_items_that_tell_nothing_and_those_that_tell_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # q0 and q1 all have right, q5 none; q2 and q3 order the models, q4 goes against the order.
    for place, letters in enumerate(["RRWWRW", "RRRWWW", "RRRRWW"]):
        write_run(tmp_path, outcomes(letters), model=f"m{place}")
    assert main(["list", "ByHand/ppl", "--items", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "its items by 3 runs (the share of right runs)" in out
    assert "2 of 6 items are right in every run, and tell nothing of which is better: q0, q1" in out
    assert "1 are right in none: q5" in out
    best = next(tmp_path.glob("m2/*/*"))
    assert f"chef show {best} --page --open" in out
    assert f"chef show {best} --sample q5" in out
    assert "6 items of 6 carry 100% of the information" in out
    carrying = out.partition("order of these models: ")[2]
    assert min(carrying.index(name) for name in ("q2", "q3", "q4")) < carrying.index("q0")
    # By the scenario, in any case.
    assert main(["list", "byhand", "--items", str(tmp_path)]) == 0


def test_runs_that_no_item_tells_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model in ("a", "b"):
        write_run(tmp_path, outcomes("RRW"), model=model)
    assert main(["list", "ByHand/ppl", "--items", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "2 of 3 items are right in every run" in out
    assert "So no item tells these runs apart: ask other models, too" in out
    assert "Items that carry the order" not in out


def test_items_of_one_run_alone_are_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path, outcomes("RRWWRW"), model="whole")
    write_run(tmp_path, outcomes("RW"), model="part")
    assert main(["list", "ByHand/ppl", "--items", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "1 of 6 items are right in every run" in out
    assert "0 are right in none" in out
    assert "4 were asked of one run alone, and tell nothing yet" in out


def test_without_runs_the_remedy_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path, outcomes("RW"), model="a")
    assert main(["list", "ByHand/other", "--items", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "0 finished runs of 'ByHand/other' are there, and items need two or more" in err
    assert "there are ByHand/ppl" in err
    assert main(["list", "--items", str(tmp_path)]) == 2
    assert "chef list Shapes/ppl --items results" in capsys.readouterr().err
