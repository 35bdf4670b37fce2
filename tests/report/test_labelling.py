"""People who label the answers of a run: what they are shown, what is kept, what it makes."""

from __future__ import annotations

import html
import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from runs_by_hand import make_own, outcomes, prediction, write_run

import chef
from chef.cli import main
from chef.errors import ConfigError, DataError
from chef.report.labels.asking import Asking
from chef.report.labels.drawing import Draw, draws, strata_of
from chef.report.labels.result import labels_of, of_report
from chef.report.labels.stored import Labels, replies_of
from chef.report.load import load_run
from chef.suite.pages.labelling import Labelling, asking_of

Type = Callable[..., int]
TOY = '''
from chef.models import Model


class Toy(Model):
    """Says the same of every answer."""

    def generate_one(self, conversation, max_new_tokens):
        return "It is fine.\\nVerdict: [[VERDICT]]"
'''


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = write_run(tmp_path, outcomes("R" * 30 + "W" * 25 + "U" * 5))
    make_own(path)
    return path


@pytest.fixture
def type_(monkeypatch: pytest.MonkeyPatch) -> Type:
    """Runs ``chef`` with keys typed into it."""

    def typed(keys: Sequence[str], *words: object) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        return main([str(word) for word in words])

    return typed


def keys_of(asking: Asking, wrong: Sequence[str] = ()) -> list[str]:
    """The replies of a person who finds right what is right, but for some."""
    return [
        "r" if (asking.side.scores[name] == 1.0) != (name in wrong) else "w" for name in asking.ids
    ]


def label(run: Path, person: str, *, number: int = 40, by_verdict: bool = False,
          wrong: Sequence[str] = ()) -> Asking:  # fmt: skip
    asking, _ = asking_of(run, person, number=number, by_verdict=by_verdict)
    for name, key in zip(asking.ids, keys_of(asking, wrong), strict=True):
        asking.take(name, key)
    asking.close()
    return asking


def test_in_the_terminal_blind_resumed_and_appended(
    run: Path, type_: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("score", run, "--label", "--terminal", "--by", "Anna", "--number", 12)
    assert type_(["r", "x", "w", "s"], *words) == 0
    shown = capsys.readouterr().out
    assert "'x' is no reply" in shown
    assert "3 of 12 answers are labelled by Anna" in shown
    for told in ("read:", "unread", "score", "model: one", "> yes", "chosen"):
        assert told not in shown.split("answers are labelled")[0], told
    before = (run / "labels_anna.jsonl").read_bytes()
    assert len(before.splitlines()) == 3
    assert type_(["r", "b", "w", "q"], *words) == 0
    after = (run / "labels_anna.jsonl").read_bytes()
    assert after.startswith(before)
    assert len(after.splitlines()) == 5
    assert "4 of 12" in capsys.readouterr().out  # the fourth was said again
    replies = replies_of(run, "right")["anna"]
    assert list(replies.values()) == [1.0, 0.0, None, 0.0]


def test_a_word_of_before_is_answered_with_the_command(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["label", str(run), "--number", "100"])
    assert ended.value.code == 2
    assert f"write chef score {run} --number 100 --label" in capsys.readouterr().err


def test_all_people_are_shown_the_same_and_a_longer_draw_begins_alike(run: Path) -> None:
    first, longer = asking_of(run, "anna", number=10)[0], asking_of(run, "ben", number=30)[0]
    assert longer.ids[:10] == first.ids
    assert len(set(longer.ids)) == 30
    assert first.ids != sorted(first.ids)
    label(run, "anna", number=10)
    label(run, "ben", number=30)
    assert {name: len(said) for name, said in replies_of(run, "right").items()} == {
        "anna": 10, "ben": 30,
    }  # fmt: skip


def test_two_people_at_once(run: Path) -> None:
    both = [asking_of(run, person, number=20)[0] for person in ("anna", "ben")]
    for place in range(20):
        for asking, key in zip(both, "rw", strict=True):
            asking.take(asking.ids[place], key)
    said = replies_of(run, "right")
    assert set(said["anna"].values()) == {1.0}
    assert set(said["ben"].values()) == {0.0}
    for person in said:
        assert len((run / f"labels_{person}.jsonl").read_text().splitlines()) == 20


def test_a_reply_is_on_disk_before_the_next_answer_is_shown(run: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "chef",
        "score",
        str(run),
        "--label",
        "--terminal",
        "--by",
        "a",
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    process.stdin.write("r\n" * 7)
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("7 of "):
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    file = run / "labels_a.jsonl"
    with file.open("ab") as stream:
        stream.write(b'{"question":"right","id":"q')  # a kill within a write
    assert len(replies_of(run, "right")["a"]) == 7
    asking, _ = asking_of(run, "a", number=100)
    assert len(asking.replies()) == 7
    asking.take(asking.ids[7], "w")
    assert len(file.read_bytes().splitlines()) == 8


def test_the_score_is_told_with_its_interval_and_what_labels_are_worth(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = label(run, "anna").ids[:5]
    label(run, "ben", wrong=wrong)
    assert main(["score", str(run)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for sentence in (
        "by the run's own scores", "by 40 labels alone", "rectified: both together",
        "Scores and anna agree beyond chance (Cohen's kappa)", "1.000",
        "Anna and ben agree beyond chance (Krippendorff's alpha)", "A label counts for",
        "Scores and ben agree on 88%", "as many labels without scores tell as much",
    ):  # fmt: skip
        assert sentence in shown, sentence
    result = of_report(load_run(run).report)
    assert result is not None
    alone, exact = result.rectified.labels, result.rectified.estimate
    assert exact.low < exact.value < exact.high
    assert exact.high - exact.low < alone.high - alone.low
    assert result.rectified.worth > 1.2


def test_too_few_labels_are_a_note(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(run, "anna", number=9)
    assert main(["score", str(run)]) == 0
    assert "9 samples have a label, and 10 are the fewest" in capsys.readouterr().err


def test_a_stratified_draw_is_weighted(run: Path) -> None:
    asking = label(run, "anna", number=24, by_verdict=True)
    sizes = {name: len(ids) for name, ids in draws(run)["right"].strata.items()}
    assert sizes == {"score 0": 30, "score 1": 30}
    drawn = [asking.side.scores[name] for name in asking.ids]
    assert abs(sum(drawn) - 12) <= 1
    result = of_report(load_run(run).report)
    assert result is not None
    assert result.rectified.estimate.value == pytest.approx(0.5)
    # The same command without the option goes on with the draw; the other way round is refused.
    assert asking_of(run, "ben", number=24)[0].ids == asking.ids


def test_a_draw_from_all_is_not_drawn_by_verdict_later(run: Path) -> None:
    label(run, "anna", number=12)
    with pytest.raises(ConfigError, match="drawn from all alike"):
        asking_of(run, "ben", number=12, by_verdict=True)


def test_weights_make_up_for_unequal_chances(tmp_path: Path) -> None:
    """A rare verdict is drawn more often, and its labels count less."""
    run = write_run(tmp_path, outcomes("R" * 180 + "W" * 20))
    make_own(run)
    wrong = [f"q{n}" for n in range(180, 200)]  # the person finds all of these right
    asking = label(run, "anna", number=40, by_verdict=True, wrong=wrong)
    share = sum(name in wrong for name in asking.ids) / 40
    assert share > 0.2
    result = of_report(load_run(run).report)
    assert result is not None
    assert result.rectified.estimate.value == pytest.approx(1.0)
    (kappa,) = result.agreement
    assert kappa.percent == pytest.approx(90.0)  # as of all 200, not of the 40


def test_an_answer_that_has_changed_since_has_no_label(run: Path) -> None:
    from chef.run.journal_line import encode

    asking = label(run, "anna", number=30)
    changed = asking.ids[:3]
    with (run / "predictions.jsonl").open("ab") as journal:
        for name in changed:
            is_right = asking.side.scores[name] == 1.0
            journal.write(encode(prediction(name, "W" if is_right else "R")))
    chef.score(run)
    result = of_report(load_run(run).report)
    assert result is not None
    assert (result.number, result.left_out) == (27, 3)
    assert "3 samples are left out" in str(result.section())


@pytest.mark.parametrize("name", ["../evil", "", "a/b", "a b", "x" * 50, "\x1b[2J", ".hidden"])
def test_names_that_cannot_be_files_are_refused(run: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="name of a person"):
        Labels(run, name)
    assert not list(run.glob("labels_*"))


def test_a_file_of_a_stranger_is_read_as_data(run: Path, tmp_path: Path) -> None:
    label(run, "anna", number=12)
    lines = [
        '{"question":"right","id":"q1","label":7}', '{"question":"right","id":"q2","label":1e999}',
        '{"question":"right","id":"q3","label":"1"}', '{"question":"evil","id":"q4","label":1}',
        '{"question":"right","id":"of no run","label":1}',
        '{"question":"right","id":"q5","label":1}', '{"question":"right","id":"q6","label":0}',
        '{"question":"right","id":"q7","label":0}',
    ]  # fmt: skip
    (run / "labels_eve.jsonl").write_text("\n".join(lines) + "\n")
    found = labels_of(asking_of(run, "ben", number=1)[0].side)
    assert found is not None
    assert found.people["eve"] == {"q5": 1.0, "q6": 0.0, "q7": 0.0}


def test_no_link_is_followed(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "precious.txt"
    target.write_text("mine")
    (run / "labels_anna.jsonl").symlink_to(target)
    with pytest.raises(ConfigError, match="link"):
        asking_of(run, "anna", number=5)
    assert target.read_text() == "mine"
    (run / "labels_anna.jsonl").unlink()
    (run / "labels.json").symlink_to(target)
    with pytest.raises(ConfigError):
        asking_of(run, "anna", number=5)
    assert target.read_text() == "mine"


def test_a_damaged_draw_is_told(run: Path) -> None:
    (run / "labels.json").write_text('{"right": {"strata": [1]}}')
    with pytest.raises(ConfigError, match="unreadable"):
        asking_of(run, "anna", number=5)


def test_only_what_was_drawn_can_be_labelled(run: Path) -> None:
    asking, _ = asking_of(run, "anna", number=5)
    other = next(name for name in asking.side.scores if name not in asking.ids)
    for name, key in ((other, "r"), ("zebra", "r"), (asking.ids[0], "9"), (asking.ids[0], "")):
        with pytest.raises(DataError):
            asking.take(name, key)
    assert (run / "labels_anna.jsonl").read_bytes() == b""


def test_thirds_of_many_scores_and_small_strata() -> None:
    many = {f"q{n}": n / 100 for n in range(90)}
    assert [len(ids) for ids in strata_of(many).values()] == [30, 30, 30]
    few = {**{f"q{n}": 1.0 for n in range(95)}, **{f"w{n}": 0.0 for n in range(5)}}
    assert [len(ids) for ids in strata_of(few).values()] == [100]


def test_the_order_of_strata_begins_with_some_of_each() -> None:
    draw = Draw({"a": {f"a{n}": "" for n in range(90)}, "b": {f"b{n}": "" for n in range(10)}})
    order = draw.order()
    assert sorted(name[0] for name in order[:4]) == ["a", "a", "b", "b"]
    assert sum(name[0] == "b" for name in order[:40]) == 10
    assert len(set(order)) == 100


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
