"""Hostile models: each costs its own sample, or ends the run with one message; nothing is lost."""

from __future__ import annotations

import json
import os
import random
import threading
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attack.hostile import ENDS, LISTS, MARK, ROWS, SCORES, Painter

from chef.cli import main
from chef.engine.engine import Engine, Job
from chef.image import Image
from chef.scenario import Scenario
from chef.types import Sample

HOSTILE = Path(__file__).with_name("hostile.py")
FAKES = Path(__file__).parents[1] / "fakes.py"
#: So many questions are asked; one of them is marked.
SIZE = 12
BATCHED = ("DoGenerate", "BatchGenerate", "OwnBatches")
WRITERS = ("GenerateOne", "DoGenerateOneRow", "FirstGeneration", *BATCHED)
SCORERS = ("GenerateOne", *BATCHED)


class Run:
    """One call of the command, and what it left."""

    def __init__(self, folder: Path, model: str, inferencer: str, *options: str, **keys: Any):
        lines = [f"plugins: [{HOSTILE}]", f"model_name: {model}"]
        lines += [f"{key}: {json.dumps(value)}" for key, value in keys.items()]
        (folder / "model.yaml").write_text("\n".join(lines))
        (folder / "recipe.yaml").write_text(
            f"plugins: [{FAKES}]\nscenario_cfg: {{dataset_name: Numbers, size: {SIZE}}}\n"
            f"eval_cfg: {{inferencer_cfg: {{inferencer_type: {inferencer}}}}}\n"
        )
        given = ["--model_cfg", folder / "model.yaml", "--recipe_cfg", folder / "recipe.yaml"]
        self.code = main(["eval", *map(str, given), "--save_dir", str(folder / "out"), *options])
        journals = list((folder / "out").glob("*/*/*/predictions.jsonl"))
        lines = journals[0].read_text().splitlines() if journals else []
        records = [json.loads(line) for line in lines]
        self.last = {record["id"]: record for record in records}

    @property
    def answers(self) -> dict[str, Any]:
        return {name: item["answer"] for name, item in self.last.items() if not item.get("error")}

    @property
    def errors(self) -> dict[str, str]:
        return {name: item["error"]["message"] for name, item in self.last.items() if item["error"]}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """The answers of the models when they behave."""
    found = {}
    for inferencer, models in (("Direct", WRITERS), ("PPL", SCORERS)):
        for model in models:
            run = Run(tmp_path_factory.mktemp("good"), model, inferencer)
            assert run.code == 0
            assert len(run.answers) == SIZE
            found[model, inferencer] = run.answers
    return found


def costs_one_sample(run: Run, expected: dict[str, Any], said: str) -> None:
    """One sample is an error, every other answer is the good one, and a person is told."""
    assert run.code == 1
    assert list(run.errors) == [f"n{MARK[0]}"]
    assert run.answers == {name: text for name, text in expected.items() if name not in run.errors}
    assert "Traceback" not in said
    assert "this is a bug" not in said


REPLIES = [
    *((model, "Direct", what) for model in WRITERS for what in (*ROWS, *ENDS)),
    *((model, "Direct", what) for model in BATCHED for what in LISTS),
    *(("OwnBatches", "Direct", what) for what in ("tokens below 0", "half a token")),
    *((model, "PPL", what) for model in SCORERS for what in (*ROWS, *SCORES, *LISTS)),
    *(("GenerateOne", "PPL", what) for what in ENDS),
]


def test_there_are_at_least_a_hundred() -> None:
    assert len(REPLIES) >= 100


@pytest.mark.parametrize(("model", "inferencer", "what"), REPLIES)
def test_a_bad_reply_costs_its_sample(
    model: str,
    inferencer: str,
    what: str,
    good: dict[tuple[str, str], dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = Run(tmp_path, model, inferencer, what=what)
    costs_one_sample(run, good[model, inferencer], capsys.readouterr().err)
    (message,) = run.errors.values()
    if what not in ENDS:
        assert f"{model}." in message, "the method is named"
    elif what in ("exit 0", "exit text", "interrupt", "generator", "base", "group"):
        assert "would end the process" in message


METHODS = ("__init__", "prepare", "fingerprint", "cost", "rows", "close")


@pytest.mark.parametrize("what", ["exit 0", "interrupt", "generator", "stop", "value", "base"])
@pytest.mark.parametrize("at", METHODS)
def test_a_method_that_fails_ends_the_run_with_its_line(
    at: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(tmp_path, "GenerateOne", "Direct", at=at, what=what)
    said = capsys.readouterr().err
    assert run.code == 3
    assert said.count("error: ") == 1
    assert "hostile.py:" in said
    assert "Traceback" not in said
    assert "this is a bug" not in said
    assert len(run.answers) == (SIZE if at == "close" else 0)


@pytest.mark.parametrize("at", ["fingerprint", "cost", "rows"])
def test_a_method_that_returns_nonsense_is_named(
    at: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Run(tmp_path, "GenerateOne", "Direct", at=at, what="None").code == 3
    said = capsys.readouterr().err
    assert at in said
    assert "this is a bug" not in said


@pytest.mark.parametrize("what", ["exit 0", "interrupt", "value", "None"])
@pytest.mark.parametrize("at", ["notices", "memory_headroom", "is_out_of_memory"])
def test_what_is_not_needed_for_an_answer_loses_none(
    at: str, what: str, good: dict[tuple[str, str], dict[str, Any]], tmp_path: Path
) -> None:
    run = Run(tmp_path, "GenerateOne", "Direct", at=at, what=what)
    assert run.code == 0
    assert run.answers == good["GenerateOne", "Direct"]


def test_a_call_that_takes_too_long_costs_its_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chef.engine.executor.GRACE", 1000)  # the call ends, however busy this is
    run = Run(tmp_path, "Slow", "Direct", "--timeout", "2")
    assert run.code == 1  # 3 where the call still runs, which takes an hour
    assert run.errors == {"n7": "TimeoutError('the model gave no reply within 2 s (--timeout)')"}
    assert len(run.answers) == SIZE - 1
    assert "Traceback" not in capsys.readouterr().err


def test_a_call_that_cannot_be_stopped_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chef.engine.executor.GRACE", 0.2)
    options = ("--timeout", "0.5", "--batch_size", "1")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    run = Run(tmp_path, "Slow", "Direct", *options, waits_for=str(pipe))
    assert run.code == 3
    said = capsys.readouterr().err
    assert "--workers 1" in said
    assert said.count("error: ") == 1
    assert len(run.answers) == 7  # those before it
    assert list(run.errors) == ["n7"]
    again = Run(tmp_path, "Slow", "Direct", *options, waits_for=str(pipe))  # it is asked last
    assert again.code == 1
    assert len(again.answers) == SIZE - 1
    with pipe.open("w"):  # the calls end, or the folders that they put back would not be the next
        pass
    for thread in [thread for thread in threading.enumerate() if thread.name == "model"]:
        thread.join(100)
        assert not thread.is_alive()


class Pictures(Scenario):
    """Questions of which many are about the same image, and whose records are one object."""

    name = "Pictures"
    wording = "VQA"
    metric = "Accuracy"
    shared: ClassVar[dict[str, Any]] = {"tags": ["a", {"b": [1]}]}

    def __init__(self, *, size: int = 24) -> None:
        self.size = size
        self.images = [Image(lambda n=n: _noise(n)) for n in range(4)]

    def __len__(self) -> int:
        return self.size

    def sample_id(self, index: int) -> str:
        return f"p{index}"

    def __getitem__(self, index: int) -> Sample:
        shown = (self.images[index % 4], self.images[(index + 1) % 4])
        return Sample(f"p{index}", shown, f"{index}?", answer="x", fields=self.shared)


def _noise(seed: int) -> Any:
    import PIL.Image

    return PIL.Image.frombytes("RGB", (20, 20), random.Random(seed).randbytes(1200))


def _answers(model: Any, inferencer: Any, scenario: Pictures) -> dict[str, Any]:
    jobs = [Job(f"p{n}", partial(scenario.__getitem__, n)) for n in range(len(scenario))]
    return {item.sample_id: item for item in Engine(model, inferencer, 5).run(jobs)}


def _direct() -> Any:
    from chef.inferencer.direct import Direct
    from chef.instruction.handler import Instruction

    return Direct(Instruction("", defined_prompt="{question}"))


@pytest.mark.parametrize("hook", [False, True])
def test_a_model_that_paints_on_its_images_changes_no_later_answer(hook: bool) -> None:
    seen = _answers(Painter(spoils=False), _direct(), Pictures())
    spoilt = _answers(Painter(hook=hook), _direct(), Pictures())
    assert {name: item.answer for name, item in spoilt.items()} == {
        name: item.answer for name, item in seen.items()
    }
    assert len({item.answer for item in seen.values()}) == 4


def test_an_inferencer_that_changes_its_sample_changes_no_record() -> None:
    inferencer = _direct()

    class Changing(type(inferencer)):  # type: ignore[misc]
        def infer(self, sample: Sample) -> Any:
            reply = yield from super().infer(sample)
            sample.fields["tags"].append("changed")
            sample.fields["tags"][1]["b"].clear()
            return reply

    inferencer.__class__ = Changing
    found = _answers(Painter(), inferencer, Pictures())
    assert len(found) == 24
    for item in found.values():
        assert item.error is None
        assert item.sample["tags"] == ["a", {"b": [1]}]
    assert Pictures.shared == {"tags": ["a", {"b": [1]}]}
