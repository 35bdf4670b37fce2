"""What labels tell of comparisons, grades, ratings and preferences, and pages that show it."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from report.labelling import Type, label
from runs_by_hand import make_own, outcomes, write_run

from chef.cli import main
from chef.report.labels.scales import replies_of
from chef.report.load import load_run
from chef.suite.pages.served import Labelling, asking_of

TOY = '''
from chef.models import Model


class Toy(Model):
    """Says the same of every answer."""

    def generate_one(self, conversation, max_new_tokens):
        return "It is fine.\\nVerdict: [[VERDICT]]"
'''


def test_compare_tells_the_paired_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge that is too kind to the second run alone: people see that it is not better."""
    first = write_run(tmp_path, outcomes("R" * 50 + "W" * 50))
    second = write_run(tmp_path, outcomes("R" * 75 + "W" * 25), model="two")
    for path in (first, second):
        make_own(path)
    too_kind = [f"q{n}" for n in range(50, 75)]
    label(first, "anna", number=60)
    label(second, "anna", number=60, wrong=too_kind)
    assert main(["compare", str(first), str(second), "--json", str(tmp_path / "c.json")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "60 of them on the same questions" in shown
    assert "two is better than one by 25.0" in shown  # by the scores
    (item,) = json.loads((tmp_path / "c.json").read_text())["rectified"]
    assert item["labels"] == [60, 60]
    assert item["difference"]["value"] == pytest.approx(0.0, abs=0.03)
    assert item["difference"]["low"] < 0 < item["difference"]["high"]


@pytest.mark.parametrize(
    ("metric", "verdict", "keys", "least"),
    [("JudgedGrade", "0.5", "0142", 0.0), ("JudgedRating", "7", "1950", 1.0),
     ("JudgedPreference", "A", "1200", 0.0)],
)  # fmt: skip
def test_grades_ratings_and_preferences(
    tmp_path: Path, type_: Type, capsys: pytest.CaptureFixture[str], metric: str, verdict: str,
    keys: str, least: float, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.py").write_text(TOY.replace("VERDICT", verdict))
    (tmp_path / "toy.yaml").write_text("model_name: Toy\nplugins: [toy.py]\n")
    where = ("--run_name", "a", "--limit", "20")
    assert main(["eval", "tiny", "Shapes/direct", *where]) == 0
    run = tmp_path / "results" / "tiny" / "Shapes" / "direct-a"
    judged = ("score", run, "--metric", metric)
    assert type_([], *judged, "--judge", "toy.yaml") == 0
    capsys.readouterr()
    assert type_(list(keys) * 5, *judged, "--label", "--terminal", "--by", "anna") == 0
    shown = capsys.readouterr().out
    assert "20 of 20 answers are labelled" in shown
    assert ("answer 2:" in shown) == (metric == "JudgedPreference")
    values = list(
        next(iter(replies_of(run, metric.removeprefix("Judged").lower()).values())).values()
    )
    assert min(values) == least
    assert type_([], *judged) == 0
    assert "rectified: both together" in capsys.readouterr().out
    assert type_([], "score", run) == 0  # by the rule: no labels of that question
    assert "rectified" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [((), "Helpfulness: it answers what was asked."),
     (("judge_cfg.rubric=A word is enough, <b>no</b> more.",), "word is enough, <b>no</b> more.")],
)  # fmt: skip
def test_by_what_the_judge_rated_is_shown_to_the_person(
    tmp_path: Path, type_: Type, capsys: pytest.CaptureFixture[str], words: tuple[str, ...],
    told: str, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.py").write_text(TOY.replace("VERDICT", "7"))
    (tmp_path / "toy.yaml").write_text("model_name: Toy\nplugins: [toy.py]\n")
    assert main(["eval", "tiny", "Shapes/direct", "--run_name", "a", "--limit", "12"]) == 0
    run = tmp_path / "results" / "tiny" / "Shapes" / "direct-a"
    by = ("--metric", "JudgedRating")
    assert type_([], "score", run, *by, "--judge", "toy.yaml", *words) == 0
    capsys.readouterr()
    assert type_(["7", "q"], "score", run, *by, "--label", "--terminal", "--by", "anna") == 0
    shown = capsys.readouterr().out
    assert told in shown
    assert ("Helpfulness" in shown) == (not words)
    (tmp_path / "place").mkdir()
    asking, views = asking_of(
        run, "ben", number=5, metric="JudgedRating", thumbnails=tmp_path / "place"
    )
    page = Labelling(asking, views, tmp_path / "place").answer("")
    asking.close()
    assert page is not None
    assert html.escape(told, quote=False) in page.decode()
    assert "Toy" not in page.decode()


def test_what_is_right_or_wrong_has_no_rubric(run: Path) -> None:
    assert asking_of(run, "anna", number=5)[0].rubric == ""


def test_of_two_answers_no_one_sees_whose_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.py").write_text(TOY.replace("VERDICT", "A"))
    (tmp_path / "toy.yaml").write_text("model_name: Toy\nplugins: [toy.py]\n")
    for name in ("a", "b"):
        main(["eval", "tiny", "Shapes/direct", "--run_name", name, "--limit", "30"])
    run, other = (tmp_path / "results/tiny/Shapes" / f"direct-{name}" for name in "ab")
    main(["score", str(run), "--judge", "toy.yaml", "--metric", "JudgedPreference",
          f"judge_cfg.against={other}"])  # fmt: skip
    answers = {item.sample_id: item.answer for item in load_run(run).predictions}
    asking, _ = asking_of(run, "anna", number=30, metric="JudgedPreference", against=str(other))
    places = []
    for name in asking.ids:
        view = asking.view(name)
        assert [answer.truth for answer in view.answers] == ["", ""]
        assert all(message.kind not in ("reply", "chosen") for message in view.messages)
        values = [item.value for item in asking.choices(name)]
        places.append(values[0] == 1.0)
        own = view.answers[0 if places[-1] else 1].text
        assert own == answers[name]
    assert 5 < sum(places) < 25
    asking.take(asking.ids[0], "1")
    assert asking.replies() == {asking.ids[0]: "1"}
    (stored,) = replies_of(run, "preference")["anna"].values()
    assert stored == (1.0 if places[0] else 0.0)


def test_the_page_of_the_run_tells_it_too(run: Path) -> None:
    label(run, "anna")
    assert main(["show", str(run), "--page"]) == 0
    page = (run / "report.html").read_text()
    assert "rectified: both together" in page
    assert "by 40 labels alone" in page


def test_the_number_is_one_or_more(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(run), "--label", "--number", "0"]) == 2
    assert "chef score RUN --label --by anna --number 100" in capsys.readouterr().err
    assert main(["score", str(run), "--number", "5"]) == 2
    assert "a metric takes no --number" in capsys.readouterr().err


def test_a_person_taken_for_a_file_is_answered_with_the_command(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(run), "--labels", "anna"]) == 2
    assert f"chef score {run} --label --by anna" in capsys.readouterr().err
