"""A small part of `benchmarks/coverage.py`, with the seeds that it has in the whole."""

import sys
from pathlib import Path

import pytest

# Not for longer than the import: `benchmarks/workers.py` would hide `tests/workers`.
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import coverage

sys.path.pop(0)


@pytest.mark.parametrize(
    ("name", "n", "kind"),
    [
        ("proportion .6", 100, "none"),
        ("proportion .6", 100, "1 to 7"),
        ("fractional", 20, "4 each"),
        ("grade", 100, "none"),
        ("F1 .97", 20, "none"),
        ("precision of boxes", 100, "one large"),
        ("kappa .88", 100, "none"),
        ("level of a sweep", 100, "4 each"),
        ("test of ECE", 100, "none"),
        ("test of ECE", 100, "4 each"),
    ],
)
def test_intervals_hold_the_truth(name: str, n: int, kind: str) -> None:
    truth = coverage.truth_of(name)
    held, _, known = coverage.cell(name, n, kind, rounds=200, shared=0.4, truth=truth)
    # Of 200 rounds: 93 % less two standard errors.
    assert held >= 89.4
    assert known > 99
