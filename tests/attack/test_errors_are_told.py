"""What a user or a user's code gets wrong is told as such: nothing of it is called a bug."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import forked
import pytest

import chef
from chef.cli import main
from chef.cli.failures import error_lines, exit_code
from chef.errors import DataError, message_of
from chef.scenario.tsv.table import TsvTable

RECIPE = """\
scenario_cfg: {dataset_name: Shapes, size: 4}
eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}
"""
MODEL = """\
import os
from chef.models import Model


class Unprintable(Exception):
    def __repr__(self):
        raise ValueError("no text")

    __str__ = __repr__


class Own(Model):
    name = "own"
    asked = 0

    def generate_one(self, conversation, max_new_tokens):
        Own.asked += 1
        {}
        return "(A)"
"""


def run(folder: Path, model: str, *more: str, name: str = "recipe.yaml") -> int:
    """The exit code of a run with a model file of that text."""
    (folder / "recipe.yaml").write_text(RECIPE)
    (folder / "model.yaml").write_text(model)
    given = ["--model_cfg", str(folder / "model.yaml"), "--recipe_cfg", str(folder / name)]
    return main(["eval", *given, "--save_dir", str(folder / "results"), *more])


def own(folder: Path, line: str) -> str:
    """The model file of `MODEL` with a line of its own."""
    (folder / "own.py").write_text(MODEL.format(line))
    return "plugins: [own.py]\nmodel_name: Own\n"


def only_run(folder: Path) -> Path:
    (found,) = (folder / "results").rglob("predictions.jsonl")
    return found.parent


@pytest.mark.parametrize("path", ["a>b", "a b/c", "-a", "a..b", "x" * 300, "a/b/c"])
@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_no_name_of_a_checkpoint_is_a_bug(
    path: str, more: list[str], tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    model = f"model_name: HuggingFace\nmodel_path: '{path}'\n"
    assert run(tmp_path, model, *more) in (2, 3)
    said = capsys.readouterr().err
    assert "this is a bug" not in said
    assert path[:60] in said


@pytest.mark.parametrize("option", ["--recipe_cfg", "--model_cfg"])
@pytest.mark.parametrize("name", ["a" * 300, "a" * 300 + ".yaml", "b" * 5_000])
def test_a_name_that_is_too_long_is_told(option: str, name: str, tmp_path: Path, capsys) -> None:
    given = {"--model_cfg": "tiny", "--recipe_cfg": "Shapes/ppl"} | {option: name}
    assert main(["eval", *(word for pair in given.items() for word in pair)]) == 2
    said = capsys.readouterr().err
    assert "no file or folder can have this name (File name too long)" in said
    assert len(said) < 300


def test_what_may_not_be_looked_at_is_no_bug() -> None:
    error = PermissionError(13, "Permission denied", "x.tsv")
    text = "x.tsv: cannot be used: Permission denied\n  -> check its permissions and its links"
    assert error_lines(error) == [text]
    assert exit_code(error) == 2
    assert "this is a bug" in error_lines(PermissionError(13, "Permission denied"))[0]


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("token_budget", "0"), ("token_budget", "None"), ("token_budget", "-5"),
        ("token_budget", "'many'"), ("token_budget", "True"), ("name", "None"), ("name", "''"),
        ("name", "7"), ("max_images", "-1"), ("max_images", "'all'"),
    ],
)  # fmt: skip
def test_an_attribute_of_a_model_that_cannot_be_is_named(
    attribute: str, value: str, tmp_path: Path, capsys
) -> None:
    model = own(tmp_path, "pass")
    (tmp_path / "own.py").open("a").write(f"\n    {attribute} = {value}\n")
    assert run(tmp_path, model) == 2
    said = capsys.readouterr().err
    assert f"own.py: Own: the attribute '{attribute}' of the model is {value}" in said
    assert "-> give a" in said
    assert not (tmp_path / "results").exists()


def test_an_exception_without_a_text_costs_its_sample_only(tmp_path: Path, capsys) -> None:
    assert run(tmp_path, own(tmp_path, "raise Unprintable()")) == 1
    said = capsys.readouterr().out
    assert "4 x Unprintable: <Unprintable, whose text cannot be made: ValueError>" in said


@pytest.mark.parametrize("inner", [ValueError("x"), SystemExit(3), RecursionError()])
def test_what_an_error_says_can_always_be_made(inner: BaseException) -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise inner

    kind = type(inner).__name__
    assert message_of(Silent()) == f"<Silent, whose text cannot be made: {kind}>"


def test_code_that_changes_the_working_folder_changes_no_run(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    model = own(tmp_path, f"os.chdir({str(tmp_path / 'elsewhere')!r})")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "model.yaml").write_text(model)
    report = chef.evaluate("model.yaml", "recipe.yaml", save_dir="results")
    assert Path.cwd() == tmp_path
    assert report.coverage.scored == 4
    assert (only_run(tmp_path) / "results.json").is_file()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_device_and_a_key_are_named_with_the_model_file(
    tmp_path: Path, capsys, monkeypatch
) -> None:
    checkpoint = Path(chef.__file__).parent / "assets" / "tiny"
    model = f"model_name: HuggingFace\nmodel_path: {checkpoint}\ndevice: gpux\n"
    for more in ([], ["--dry-run"]):
        assert run(tmp_path, model, *more) == 2
        assert "model.yaml:3: device: 'gpux' is no device" in capsys.readouterr().err
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for more in ([], ["--dry-run"]):
        assert run(tmp_path, "model_name: OpenAI\nmodel: m\n", *more) == 2
        said = capsys.readouterr().err
        assert "model.yaml: https://api.openai.com/v1: the environment variable OPENAI" in said


@pytest.mark.parametrize(
    ("columns", "said"),
    [(1_000_000, "has more than 65,536 cells"), (65_000, r"has no column 'index'|but 'inde0'")],
)
def test_a_header_of_too_many_columns_is_refused(tmp_path: Path, columns: int, said: str) -> None:
    file = tmp_path / "data.tsv"
    file.write_text("\t".join(f"inde{number}" for number in range(columns)) + "\nx\n")
    begin = time.process_time()
    with pytest.raises(DataError, match=said) as refused:
        TsvTable(file)
    assert time.process_time() - begin < 20  # less than 1 s on an idle core
    assert len(str(refused.value)) < 1_000


def test_a_run_that_its_model_ended_is_told_as_such(tmp_path: Path, capsys, monkeypatch) -> None:
    line = "if Own.asked == 3 and 'GO_ON' not in os.environ: os._exit(0)"
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "model.yaml").write_text(own(tmp_path, line))
    words = ["--model_cfg", "model.yaml", "--recipe_cfg", "recipe.yaml", "--batch_size", "1"]
    ended = forked.run([sys.executable, "-m", "chef", "eval", *words], cwd=tmp_path)
    assert ended.returncode == 0  # which chef cannot change
    folder = only_run(tmp_path)
    assert main(["show", str(tmp_path / "results")]) == 0
    assert "cut off" in capsys.readouterr().out
    assert main(["show", str(folder)]) == 0
    assert "code in it called os._exit" in capsys.readouterr().err
    monkeypatch.setenv("GO_ON", "1")
    assert run(tmp_path, own(tmp_path, line)) == 0
    said = capsys.readouterr().err
    assert "the last session did not end by itself: its process was killed" in said


def test_a_run_that_ended_is_not_told_as_cut_off(tmp_path: Path, capsys) -> None:
    assert run(tmp_path, own(tmp_path, "pass")) == 0
    assert json.loads((only_run(tmp_path) / "environment.json").read_text())["sessions"][-1][
        "ended"
    ]
    assert run(tmp_path, own(tmp_path, "pass")) == 0
    assert main(["show", str(only_run(tmp_path))]) == 0
    assert "did not end" not in capsys.readouterr().err
