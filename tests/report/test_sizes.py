"""How many samples a question needs: from earlier runs, held against numbers worked out by hand."""

from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

from chef.report.sizes import sizes
from chef.stats.power import samples_for_difference, samples_for_interval


@pytest.mark.parametrize(
    ("deviation", "points", "interval", "difference"),
    # 1.959964 and 1.959964 + 0.841621, times the deviation, over the points, squared.
    [(50, 2, 2401, 4906), (50, 5, 385, 785), (40, 1, 6147, 12559), (10, 10, 4, 8)],
)
def test_numbers_by_hand(deviation, points, interval, difference) -> None:
    assert samples_for_interval(deviation, points) == interval
    assert samples_for_difference(deviation, points) == difference


def test_without_an_earlier_run_the_worst_is_assumed(tmp_path: Path) -> None:
    found = sizes("ByHand/ppl", 500, 2, tmp_path)
    table, words = found.sections()
    assert [row[1] for row in table.rows] == ["2,401", "5,887"]  # of 50, and 100 * sqrt(0.3)
    assert table.rows[0][3] == "4.4 points"  # 2 * sqrt(2401 / 500)
    assert "no earlier run" in table.note
    assert "--limit 50" in words.paragraphs[0]


def test_earlier_runs_of_any_model_tell(tmp_path: Path) -> None:
    # 70 both, 10 a alone, 5 b alone, 15 neither
    write_run(tmp_path, outcomes("R" * 70 + "R" * 10 + "W" * 5 + "W" * 15), model="a")
    write_run(tmp_path, outcomes("R" * 70 + "W" * 10 + "R" * 5 + "W" * 15), model="b")
    write_run(tmp_path, outcomes("RW" * 5), model="c", name="other-1")  # of another recipe
    found = sizes("ByHand/ppl", 5000, 3, tmp_path)
    # Variances with n - 1: 0.8 * 0.2 and 0.75 * 0.25, times 100 / 99.
    assert found.score.deviation == pytest.approx(
        100 * ((0.16 + 0.1875) / 2 / 0.99) ** 0.5, rel=0.01
    )
    # 15 differ, by -0.05 on average.
    assert found.difference.deviation == pytest.approx(
        100 * ((0.15 - 0.0025) / 0.99) ** 0.5, rel=0.01
    )
    assert found.score.cluster == found.difference.cluster == 1
    table, words = found.sections()
    assert "2 earlier runs of b, a" in table.note or "2 earlier runs of a, b" in table.note
    wanted = samples_for_interval(found.score.deviation, 3)
    assert f"--limit {wanted}" in words.paragraphs[0]
    assert "ask all samples" in sizes("ByHand/ppl", 100, 3, tmp_path).sections()[1].paragraphs[0]


def test_runs_of_the_model_itself_tell_more_of_its_score(tmp_path: Path) -> None:
    write_run(tmp_path, outcomes("R" * 90 + "W" * 10), model="a")
    write_run(tmp_path, outcomes("R" * 50 + "W" * 50), model="b")
    own = sizes("ByHand/ppl", 5000, 3, tmp_path, {"a"})
    assert own.score.deviation == pytest.approx(100 * (0.09 / 0.99) ** 0.5, rel=0.01)
    assert own.score.source == "as in an earlier run of a"
    assert own.difference == sizes("ByHand/ppl", 5000, 3, tmp_path).difference
    other = sizes("ByHand/ppl", 5000, 3, tmp_path, {"c"})
    assert other.score.deviation > own.score.deviation


def test_samples_that_share_an_image_count_as_one(tmp_path: Path) -> None:
    """Ten clusters of four alike: as ten samples, and four times as many are needed."""
    letters = "".join(letter * 4 for letter in "RRRRRWWWWW")
    group = {f"q{place}": {"image_path": f"{place // 4}.png"} for place in range(40)}
    write_run(tmp_path, outcomes(letters), model="a", samples=group)
    found = sizes("ByHand/ppl", 400, 5, tmp_path)
    # The standard error of ten, sqrt(0.25 / 9), times the root of forty.
    assert found.score.deviation == pytest.approx(100 * (0.25 / 9) ** 0.5 * 40**0.5, rel=0.1)
    assert found.score.cluster == pytest.approx(4)
