"""People who label the answers of a run: what they are shown, what is kept, what it makes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from report.labelling import Type, label
from runs_by_hand import make_own, outcomes, prediction, write_run

import chef
from chef.cli import main
from chef.errors import ConfigError, DataError
from chef.report.labels.result import labels_of, of_report
from chef.report.labels.scales import Draw, Labels, draws, replies_of, strata_of
from chef.report.load import load_run
from chef.suite.pages.served import asking_of


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
    from chef.run.answers import encode

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
