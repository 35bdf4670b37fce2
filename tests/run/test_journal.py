"""How many lines of a journal may be unreadable before it is taken for none of chef's."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from chef.errors import ConfigError
from chef.run.answers import encode
from chef.run.journal import Journal, load_predictions, rare_collection
from chef.types import Prediction, Status


@pytest.mark.parametrize(
    ("good", "bad", "is_refused"),
    [
        (0, 1, False), (0, 2, True), (1, 1, False), (1, 2, True), (2, 2, False), (2, 3, True),
        (5, 5, False), (5, 6, True), (40, 40, False), (40, 41, True),
    ],
)  # fmt: skip
def test_a_journal_of_which_more_lines_are_damaged_than_good_is_refused(
    tmp_path: Path, good: int, bad: int, is_refused: bool
) -> None:
    path = tmp_path / "predictions.jsonl"
    lines = [encode(Prediction(f"q{number}", Status.OK, "a")) for number in range(good)]
    content = b"".join([*lines, *[b"{odd}\n"] * bad])
    path.write_bytes(content)
    if is_refused:
        for opening in (load_predictions, Journal):
            with pytest.raises(ConfigError, match="are unreadable; the first"):
                opening(path)
    else:
        assert len(load_predictions(path)) == good
        journal = Journal(path)
        assert (len(journal.predictions), journal.unreadable) == (good, bad)
        journal.close()
    assert path.read_bytes() == content


def test_several_lines_of_one_sample_count_once(tmp_path: Path) -> None:
    """The last line of each sample is what the damage is held against."""
    path = tmp_path / "predictions.jsonl"
    line = encode(Prediction("q", Status.OK, "a"))
    path.write_bytes(line * 5 + b"{odd}\n" * 2)
    with pytest.raises(ConfigError, match="most lines"):
        load_predictions(path)


@pytest.mark.parametrize(("frozen", "calls"), [(0, ["freeze", "unfreeze"]), (9, [])])
def test_what_the_calling_program_froze_stays_frozen(
    monkeypatch: pytest.MonkeyPatch, frozen: int, calls: list[str]
) -> None:
    done: list[str] = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: frozen)
    monkeypatch.setattr(gc, "freeze", lambda: done.append("freeze"))
    monkeypatch.setattr(gc, "unfreeze", lambda: done.append("unfreeze"))
    before = gc.get_threshold()
    with rare_collection():
        assert done == calls[:1]
    assert (done, gc.get_threshold()) == (calls, before)
