"""A TSV file whose rows were mended: only the rows that changed are asked again."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest
from conftest import FAKES

import chef
from chef.cli import main
from chef.errors import DataError
from chef.run.answers import Answers, encode
from chef.run.asked_data import ROWS, AskedData, RowRecord
from chef.run.folder import JOURNAL
from chef.scenario.tsv.scenario import Tsv
from chef.types import Prediction, Status

HEADER = "index\tquestion\timage\tA\tB\tanswer"
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 40).decode()


def rows(**changed: str) -> list[str]:
    """Eight rows; those given are as given."""
    plain = {f"r{n}": f"{n}\tIs it {n}?\t\tyes it is\tno\tA" for n in range(8)}
    return [HEADER, *{**plain, **changed}.values()]


class Tool:
    """``chef eval`` on one file, whose rows are written again between the calls."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, self.results, self.capsys = folder / "q.tsv", folder / "results", capsys
        (folder / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
        (folder / "r.yaml").write_text(
            f"scenario_cfg: {{dataset_name: Tsv, path: {self.file}}}\n"
            "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
        )
        self.command = ["eval", "--model_cfg", str(folder / "m.yaml"), "--recipe_cfg",
                        str(folder / "r.yaml"), "--save_dir", str(self.results)]  # fmt: skip
        self.writes = 0

    def __call__(self, lines: list[str], *more: str) -> tuple[int, str]:
        self.file.write_text("\n".join(lines))
        self.writes += 1
        os.utime(self.file, (self.writes, self.writes))
        code = main([*self.command, *more])
        return code, self.capsys.readouterr().err

    @property
    def run(self) -> Path:
        (found,) = (self.results / "hashing" / "q").iterdir()
        return found

    def sessions(self) -> list[int]:
        environment = json.loads((self.run / "environment.json").read_text())
        return [session["asked"] for session in environment["sessions"]]

    def journal(self) -> list[tuple[str, str]]:
        lines = [json.loads(line) for line in (self.run / JOURNAL).read_text().splitlines()]
        return [(line["id"], line["status"]) for line in lines]


@pytest.fixture
def tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    return Tool(tmp_path, capsys)


def test_mended_rows_are_asked_and_the_others_keep_their_answers(tool: Tool) -> None:
    bad = rows(r3="3\tIs it 3?", r5="\tIs it 5?\t\tyes it is\tno\tA")
    assert tool(bad)[0] == 1
    code, error = tool(rows())
    assert code == 0, error
    assert tool.sessions() == [8, 2]
    assert {name for name, status in tool.journal() if status == "ok"} == set("01234567")
    coverage = json.loads((tool.run / "results.json").read_text())["coverage"]
    assert (coverage["total"], coverage["scored"], coverage["errors"]) == (8, 8, 0)
    report = chef.load_run(tool.run).report  # errors of rows that are gone do not disturb it
    assert report.coverage.total == 8
    assert len(chef.load_run(tool.run).predictions) == 8
    assert main(["score", str(tool.run)]) == 0
    assert "8 of 8 samples scored" in tool.capsys.readouterr().out


def test_an_answered_row_that_changed_is_asked_again(tool: Tool) -> None:
    assert tool(rows())[0] == 0
    # As many bytes as before: the lengths of the rows do not show it.
    code, error = tool(rows(r2="2\tIs it Z?\t\tyes it is\tno\tA"))
    assert code == 0
    assert "1 row(s) of the data have changed since they were answered" in error
    assert "this run is finished" not in error
    assert tool.sessions() == [8, 1]
    assert tool.journal()[-2:] == [("2", "error"), ("2", "ok")]
    assert json.loads((tool.run / JOURNAL).read_text().splitlines()[-1])["sample"]["question"]
    assert "Is it Z?" in (tool.run / JOURNAL).read_text().splitlines()[-1]
    assert tool(rows(r2="2\tIs it Z?\t\tyes it is\tno\tA"))[0] == 0
    assert tool.sessions() == [8, 1]  # and once only


def test_rows_may_be_added_removed_and_moved(tool: Tool) -> None:
    tool(rows())
    header, *others = rows()
    code, _ = tool([header, *reversed(others[2:]), "new\tWell?\t\tyes\tno\tB", ""])
    assert code == 0
    assert tool.sessions() == [8, 1]
    assert json.loads((tool.run / "results.json").read_text())["coverage"]["total"] == 7
    assert chef.load_run(tool.run).report.coverage.total == 7


def test_other_data_is_refused_by_name_and_gets_a_run_of_its_own_without(tool: Tool) -> None:
    other = [HEADER, *(line.replace("Is it", "Was it") for line in rows()[1:])]
    tool(rows(), "--run_name", "t")
    code, error = tool(other, "--run_name", "t")
    assert code == 2
    assert "the data files have changed" in error
    assert "--fresh" in error
    assert all(status == "ok" for _, status in tool.journal())  # nothing was given up
    assert tool(other)[0] == 0
    assert len(list((tool.results / "hashing" / "q").iterdir())) == 2


def test_reused_answers_of_changed_rows_stay_and_are_recorded(tool: Tool) -> None:
    tool(rows())
    code, _ = tool(rows(r2="2\tIs it Z?\t\tyes it is\tno\tA"), "--reuse-answers")
    assert code == 0
    assert tool.sessions() == [8]
    environment = json.loads((tool.run / "environment.json").read_text())
    assert environment["reused_answers"][0]["made_with"] == ["1 row(s) of the data have changed"]


def test_a_crash_before_the_new_digests_are_written_gives_nothing_away(
    tool: Tool, monkeypatch
) -> None:
    from chef.run.folder import RunFolder

    tool(rows())
    real = RunFolder.write_table

    def dies(self: RunFolder, name: str, content: dict[str, object]) -> None:
        if name == ROWS:
            raise KeyboardInterrupt
        real(self, name, content)

    changed = rows(r2="2\tIs it Z?\t\tyes it is\tno\tA")
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "write_table", dies)
        assert tool(changed)[0] == 3
    assert tool.journal()[-1] == ("2", "error")
    assert tool(changed)[0] == 0
    assert tool.journal()[-1] == ("2", "ok")


def test_a_crash_after_the_new_digests_gives_nothing_away(tool: Tool, monkeypatch) -> None:
    from chef.evaluator import Evaluator

    tool(rows())

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    changed = rows(r2="2\tIs it Z?\t\tyes it is\tno\tA")
    with monkeypatch.context() as patch:
        patch.setattr(Evaluator, "_ask", dies)
        assert tool(changed)[0] == 3
    assert tool.journal()[-1] == ("2", "error")
    assert tool(changed)[0] == 0
    assert tool.journal()[-1] == ("2", "ok")


def test_the_digest_of_a_row_covers_what_its_sample_is_made_of(tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"

    def digests(lines: list[str]) -> dict[str, str]:
        file.write_text("\n".join(lines))
        return Tsv(path=str(file)).row_digests()

    image = f"0\tIs it 0?\t{PNG}\tyes it is\tno\tA"
    shows = "1\tIs it 1?\t0\tyes it is\tno\tA"  # the image of row 0
    before = digests(rows(r0=image, r1=shows))
    assert len(set(before.values())) == 8
    assert digests([*rows(r0=image, r1=shows), ""]) == before  # the last row's line break
    after = digests(rows(r0=image.replace(PNG, PNG[:-8] + "AAAAAAA="), r1=shows))
    assert [name for name in before if before[name] != after[name]] == ["0", "1"]
    header, *others = rows(r0=image, r1=shows)
    renamed = digests([header.replace("question", "question\thint"), *others[:0],
                       *(line.replace("?\t", "?\t\t") for line in others)])  # fmt: skip
    assert not set(renamed.values()) & set(before.values())


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text("\n".join(rows()))
    scenario = Tsv(path=str(file))
    file.write_text("\n".join(rows()[:-1]))
    with pytest.raises(DataError, match="has changed since it was opened"):
        scenario.row_digests()


def test_no_answer_waits_for_the_digests_of_the_rows(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are computed once, after the first answer, and are there when the run is finished."""
    real, answered = Tsv.row_digests, []

    def watched(self: Tsv) -> dict[str, str]:
        answered.append(len(tool.journal()))
        return real(self)

    monkeypatch.setattr(Tsv, "row_digests", watched)
    assert tool(rows())[0] == 0
    assert len(answered) == 1
    assert answered[0] >= 1
    stored = json.loads((tool.run / ROWS).read_text())
    assert stored["rows"] == real(Tsv(path=str(tool.file)))
    assert stored["state"] == Tsv(path=str(tool.file)).row_state()
    assert main([*tool.command]) == 0
    assert len(answered) == 1


def _killed(self: AskedData) -> None:
    """A pass through the data that does not come to its end."""


def test_a_run_that_ended_before_its_rows_were_known_loses_and_mixes_nothing(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(AskedData, "_compute", _killed)
        assert tool(rows())[0] == 0
    assert json.loads((tool.run / ROWS).read_text()).keys() == {"state"}
    assert len(chef.load_run(tool.run).predictions) == 8
    assert main([*tool.command]) == 0  # the data is as it was: the answers stay
    assert tool.sessions() == [8]
    # Which rows were written since cannot be told: all are asked again.
    code, error = tool(rows(r2="2\tIs it Z?\t\tyes it is\tno\tA"))
    assert (code, tool.sessions()) == (0, [8, 8])
    assert "8 row(s) of the data have changed" in error
    assert len(json.loads((tool.run / ROWS).read_text())["rows"]) == 8
    tool(rows(r2="2\tIs it Y?\t\tyes it is\tno\tA"))
    assert tool.sessions() == [8, 8, 1]


def test_a_file_that_is_written_while_its_rows_are_read_has_no_digests(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(self: Tsv) -> dict[str, str]:
        raise DataError("has changed since it was opened")

    with monkeypatch.context() as patch:
        patch.setattr(Tsv, "row_digests", written)
        assert tool(rows())[0] == 0
    assert "rows" not in json.loads((tool.run / ROWS).read_text())
    tool(rows())  # the same rows, written again
    assert tool.sessions() == [8, 8]


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl"])
def test_digests_of_a_file_that_was_replaced_are_refused(suffix: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    from chef.scenario.table.scenario import Records

    file = tmp_path / f"t.{suffix}"
    table = pyarrow.table({"question": ["a?", "b?"], "answer": ["x", "y"]})
    if suffix == "parquet":
        parquet.write_table(table, file)
    elif suffix == "arrow":
        feather.write_feather(table, str(file))
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    data = Records(path=str(file))
    assert len(data.row_digests()) == 2
    os.utime(file, (1, 1))
    with pytest.raises(DataError, match="has changed"):
        data.row_digests()


@pytest.mark.parametrize(
    ("status", "is_answered"), [(Status.OK, True), (Status.REFUSED, True), (Status.ERROR, False)]
)
def test_only_answers_make_a_row_answered(
    tmp_path: Path, status: Status, is_answered: bool
) -> None:
    """A folder whose rows all changed is other data, unless the only lines of it are errors."""

    class Changed(Tsv):
        def __init__(self) -> None:
            """No file is read: the digests are what they are."""

        def row_state(self) -> str:
            return "now"

        def row_digests(self) -> dict[str, str]:
            return {"a": "new"}

    (tmp_path / ROWS).write_text(json.dumps({"state": "before", "rows": {"a": "old"}}))
    answers, line = Answers(), Prediction("a", status)
    answers.add(encode(line), line)
    record = RowRecord(tmp_path, Changed(), answers.answered)
    assert record.changed == (["a"] if is_answered else [])
    assert record.is_other_data is is_answered
