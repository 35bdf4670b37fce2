"""Lone surrogates end no run, and nothing that a model writes acts on a terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fakes import Hashing

from chef.cli import main
from chef.common.printing import GuardedStream, say
from chef.common.text import REPLACED, encodable
from chef.run.folder import JOURNAL, load_predictions
from chef.types import Generate, Generated

Write = Callable[..., Path]

HOSTILE = """\
from chef.models import Model
from chef.scenario import Scenario
from chef.types import Generated, Sample


class Hostile(Model):
    name = "hostile"

    def generate(self, requests):
        for request in requests:
            request.conversation[-1].text.encode()  # what is asked can be encoded
        return [self.reply(request) for request in requests]

    def reply(self, request):
        if "fails" in request.conversation[-1].text:
            raise ValueError("no \\udc80 such \\x1b]0;title\\x07 thing")
        return Generated("yes \\ud800 \\x1b[2J\\x9b31m \\u202e \\x00")


class Broken(Scenario):
    name = "Broken"
    task = "VQA"
    metric = "VQA"

    def __len__(self):
        return 3

    def sample_id(self, index):
        return f"id-\\udfff-{index}"

    def __getitem__(self, index):
        ask = "fails" if index == 1 else "works \\udabc"
        fields = {"gt_choice": 0, "choices": ["yes", "n\\ud834"]}
        return Sample(
            self.sample_id(index), question=ask, options=("yes", "n\\ud834"), answer="yes",
            fields=fields,
        )
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments of a run of a hostile model on a broken scenario."""
    monkeypatch.setenv("ENDING", "\udcff")  # a byte that is no UTF-8
    (tmp_path / "hostile.py").write_text(HOSTILE)
    (tmp_path / "m.yaml").write_text("plugins: [hostile.py]\nmodel_name: Hostile\n")
    (tmp_path / "r.yaml").write_text(
        "plugins: [hostile.py]\nscenario_cfg: {dataset_name: Broken}\n"
        'eval_cfg:\n  instruction_cfg: {defined_prompt: "{question} ${oc.env:ENDING}"}\n'
        "  inferencer_cfg: {inferencer_type: Direct}\n"
    )
    files = ["--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg", str(tmp_path / "r.yaml")]
    return ["eval", *files, "--save_dir", str(tmp_path / "results"), "--time", "t"]


ACTING = ["\x1b", "\x9b", "\x00", "\x07", "\u202e"]


def test_a_run_with_lone_surrogates_everywhere_ends(
    hostile: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = ["--response_cache", str(tmp_path / "cache")]
    assert main([*hostile, *cache]) == 1  # the one that fails, and no other
    assert main([*hostile, *cache, "--traceback"]) == 1
    journal = next((tmp_path / "results").rglob(JOURNAL))
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    answers = {line["id"]: line for line in lines if line["status"] != "error"}
    assert list(answers) == ["id-\ufffd-0", "id-\ufffd-2"]
    assert all(line["answer"].startswith("yes \ufffd") for line in answers.values())
    assert all(line["trace"][REPLACED] == 1 for line in answers.values())
    assert all(line["sample"][REPLACED] >= 3 for line in answers.values())
    failed = next(line for line in lines if line["status"] == "error")
    assert "\ufffd such" in failed["error"]["message"] or "\\udc80 such" in str(failed["error"])
    shown = "".join(capsys.readouterr())
    assert "such" in shown
    assert [sign for sign in ACTING if sign in shown.replace("\x1b[A", "")] == []
    raw = journal.read_bytes()
    assert not any(sign.encode() in raw for sign in "\x00\x1b\x07")  # JSON escapes them


def test_what_is_shown_before_a_run_acts_on_no_terminal(
    hostile: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "scenario_cfg.dataset_nome=Br\x1b]0;x\x07oken"
    assert main([*hostile, text]) == 2
    assert main([*hostile, "--dry-run"]) == 0
    shown = "".join(capsys.readouterr())
    assert "\ufffd" in shown  # of the question
    assert [sign for sign in ACTING if sign in shown] == []


def test_a_journal_of_an_earlier_version_goes_on(
    model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    given = ["--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file("Direct", size=4))]
    given = ["eval", *given, "--save_dir", str(tmp_path / "results"), "--time", "t"]
    assert main(given) == 0
    journal = next((tmp_path / "results").rglob(JOURNAL))
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for line in lines:
        line["answer"] = f"two \ud800 {line['answer']}"
    escaped = [json.dumps(line).encode() for line in lines[:2]]
    raw = [json.dumps(x, ensure_ascii=False).encode("utf-8", "surrogatepass") for x in lines[2:]]
    journal.write_bytes(b"".join(line + b"\n" for line in (*escaped, *raw)))
    before = journal.read_bytes()
    found = load_predictions(journal)
    assert [item.answer[:5] for item in found.values()] == ["two \ufffd"] * 4
    assert [item.trace[REPLACED] for item in found.values()] == [1] * 4
    assert main(given) == 0
    assert journal.read_bytes() == before  # nothing is asked again


class Halves(Hashing):
    """Answers with halves of pairs of surrogates."""

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return [Generated("\ud83d\ude00 and \ude00") for _ in requests]


def test_a_whole_pair_is_the_character_that_it_means(recipe_file: Write, tmp_path: Path) -> None:
    import chef

    report = chef.evaluate(Halves(), recipe_file("Direct", size=2), save_dir=tmp_path / "r")
    answers = [item.answer for item in chef.load_run(report.folder).predictions]
    assert answers == ["\U0001f600 and \ufffd"] * 2
    assert encodable("plain") == "plain"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252"])
def test_any_encoding_of_the_terminal_takes_any_text(encoding: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    say("naïve 漢 \ud800 \x1b[2J │", stream)
    guarded = GuardedStream(stream)
    guarded.write("naïve 漢 \ud800 │\n")
    stream.flush()
    data = stream.buffer.getvalue()  # type: ignore[attr-defined]
    assert data.count(b"na") == 2
    assert b"\x1b" not in data


def test_a_guarded_stream_lets_progress_bars_and_colours_through() -> None:
    inner = io.StringIO()
    stream = GuardedStream(inner)
    kept = "\r 10%|█         | 1/10 \x1b[A\x1b[31mred\x1b[0m\x1b[K\n"
    stream.write(kept)
    assert inner.getvalue() == kept
    stream.write("\x1b[2J\x1b]52;c;AAAA\x07\x1b[6n\x9b2J\n")
    assert inner.getvalue() == kept + "\\x1b[2J\\x1b]52;c;AAAA\\x07\\x1b[6n\\x9b2J\n"
