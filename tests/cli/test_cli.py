"""The command line: exit codes, the table, and what can be looked at without running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import forked
import pytest
from conftest import ROOT

from chef.cli import main
from chef.cli.arguments import parse

Write = Callable[..., Path]


@pytest.fixture
def run(model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Runs ``chef eval`` in this process; returns code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        given = ["--save_dir", str(tmp_path / "results"), "--time", "t"]
        code = main(["eval", "--model_cfg", str(model_file), *map(str, arguments), *given])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_a_clean_run_ends_with_a_table_and_the_folder(run, recipe_file: Write, tmp_path) -> None:
    code, out, _ = run("--recipe_cfg", recipe_file())
    assert code == 0
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    assert f"Run folder: {folder}" in out
    value = json.loads((folder / "results.json").read_text())["result"]["ACC"]
    assert f"{value:.1f}%" in out
    assert "20 of 20 samples scored" in out
    assert "95% interval" in out


def test_several_recipes_share_the_model_and_the_table(run, recipe_file: Write, tmp_path) -> None:
    paths = recipe_file(name="one"), recipe_file("Direct", name="two")
    code, out, _ = run("--recipe_cfg", *paths, "--sample_len", 5)
    assert code == 0
    assert "Numbers/one" in out
    assert "Numbers/two" in out
    assert out.count("5 of 5 samples scored") == 2
    assert {item.name for item in (tmp_path / "results/hashing/Numbers").iterdir()} == {
        "one-t", "two-t",
    }  # fmt: skip


def test_recipes_of_one_call_share_chains_of_thought(
    run, recipe_file: Write, tmp_path: Path
) -> None:
    thinking = ["eval_cfg.inferencer_cfg.CoT=true", "--sample_len", "9"]
    paths = recipe_file(name="one"), recipe_file("Direct", name="two")
    code, _, _ = run("--recipe_cfg", *paths, *thinking)
    assert code == 0
    assert _session(tmp_path, "one-t") == {"requests": 18, "cache_hits": 0}
    assert _session(tmp_path, "two-t") == {"requests": 9, "cache_hits": 9}
    run("--recipe_cfg", recipe_file("Direct", name="alone"), *thinking)
    journals = [
        sorted(path.read_bytes().splitlines())
        for name in ("two-t", "alone-t")
        for path in tmp_path.rglob(f"{name}/predictions.jsonl")
    ]
    assert len(journals[0]) == 9
    assert journals[0] == journals[1]


def test_a_response_cache_folder_is_reused(run, recipe_file: Write, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("--recipe_cfg", recipe_file("Direct", name=name), "--response_cache", tmp_path / "kept")
    assert _session(tmp_path, "one-t") == {"requests": 20, "cache_hits": 0}
    assert _session(tmp_path, "two-t") == {"requests": 0, "cache_hits": 20}


def _session(tmp_path: Path, name: str) -> dict[str, int]:
    """What the engine did, as environment.json says it."""
    folder = tmp_path / "results" / "hashing" / "Numbers" / name
    session = json.loads((folder / "environment.json").read_text())["sessions"][-1]
    return {key: session[key] for key in ("requests", "cache_hits")}


def test_failed_samples_give_code_1(run, recipe_file: Write) -> None:
    code, out, _ = run("--recipe_cfg", recipe_file(), "scenario_cfg.bad=[3,4]")
    assert code == 1
    assert "18 of 20 samples scored, 2 errors (not scored)" in out
    assert "90.0%" in out  # coverage


def test_bad_input_gives_code_2_and_leaves_nothing(run, recipe_file: Write, tmp_path) -> None:
    code, _, err = run("--recipe_cfg", recipe_file(), "scenario_cfg.sice=3")
    assert code == 2
    assert "did you mean 'size'?" in err
    assert "Traceback" not in err
    assert not (tmp_path / "results").exists()


def test_the_same_folder_with_another_configuration_gives_code_2(run, recipe_file: Write) -> None:
    assert run("--recipe_cfg", recipe_file())[0] == 0
    code, _, err = run("--recipe_cfg", recipe_file(), "scenario_cfg.size=21")
    assert code == 2
    assert "recipe_cfg.scenario_cfg.size: 20 in the folder, 21 now" in err


def test_a_failed_run_gives_code_3(run, recipe_file: Write) -> None:
    code, _, err = run(
        "--recipe_cfg", recipe_file("Direct", size=40), "model_cfg.broken='?'", "--batch_size", 4
    )
    assert code == 3
    assert "in a row failed in the model" in err
    assert "resumes the run" in err


def test_the_same_command_resumes(run, recipe_file: Write) -> None:
    path = recipe_file()
    assert run("--recipe_cfg", path)[0] == 0
    code, out, err = run("--recipe_cfg", path)
    assert code == 0
    assert "20 of 20 samples are already answered" in err
    assert "20 of 20 samples scored" in out


def test_debug_after_the_whole_run_keeps_its_results(run, recipe_file: Write, tmp_path) -> None:
    path = recipe_file(size=40)
    assert run("--recipe_cfg", path)[0] == 0
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    before = [(folder / name).read_bytes() for name in ("results.json", "scores.jsonl")]
    code, out, err = run("--recipe_cfg", path, "--debug")
    assert code == 0
    assert "32 of 32 samples scored" in out
    assert f"Scores: {folder / 'results_32_samples.json'}" in out
    assert "a run of more samples has this folder" in err
    assert [(folder / name).read_bytes() for name in ("results.json", "scores.jsonl")] == before


def test_debug_while_the_whole_run_is_unfinished(run, recipe_file: Write, tmp_path) -> None:
    from chef.run.configuration import read_config

    path = recipe_file("Direct", size=40)
    broken = "model_cfg.broken='?'", "--batch_size", 4
    assert run("--recipe_cfg", path, *broken)[0] == 3
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    run("--recipe_cfg", path, *broken, "--debug")
    assert read_config(folder)["run"]["sample_len"] is None  # the same command still asks all
    assert not (folder / "results.json").exists()


def test_a_dry_run_shows_the_query_and_loads_no_model(run, recipe_file: Write, tmp_path) -> None:
    code, out, _ = run("--recipe_cfg", recipe_file(), "--dry-run")
    assert code == 0
    assert "inferencer_type: PPL" in out  # the effective configuration
    assert "0?\nThe answer is" in out  # the query
    assert "  The answer is |three" in out  # a candidate and what comes before it
    assert not (tmp_path / "results").exists()


def test_a_dry_run_of_the_real_model_imports_no_torch() -> None:
    program = (
        "import sys\nfrom chef.cli import main\n"
        "code = main(['eval', '--model_cfg', 'configs/models/tiny.yaml', '--recipe_cfg', "
        "'configs/recipes/Shapes/ppl.yaml', '--dry-run'])\n"
        "print(code, sorted({'torch', 'transformers', 'sklearn'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 []"
    assert "Options" in done.stdout


def test_help_imports_nothing_but_the_parser() -> None:
    program = (
        "import sys\nfrom chef.cli import main\n"
        "try:\n    main(['eval', '--help'])\n"
        "except SystemExit as stop:\n    assert stop.code == 0\n"
        "print(sorted({'torch', 'omegaconf', 'msgspec', 'yaml', 'PIL'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "exit codes" in done.stdout


def test_list_shows_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--list"]) == 0
    out = capsys.readouterr().out
    for word in ("scenarios:", "Shapes", "Tsv", "inferencers:", "PPL", "retrievers:", "metrics:",
                 "Detection", "models:", "HuggingFace", "tiny"):  # fmt: skip
        assert word in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--recipe_cfg", "r.yaml"],
        ["--model_cfg", "m.yaml"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--batch_size", "0"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--batch_size", "many"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--sample_len", "0"],
        ["--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--no-such-option"],
    ],
)
def test_usage_errors_give_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        parse(["eval", *arguments])
    assert stop.value.code == 2


def test_arguments() -> None:
    given = parse(
        ["eval", "--model_cfg", "m", "--recipe_cfg", "a", "b", "x.y=1", "--debug",
         "--sample_len", "7", "--batch_size", "auto", "model_cfg.dtype=float16"]
    )  # fmt: skip
    assert given.recipe_cfg == ("a", "b")
    assert given.overrides == ("x.y=1", "model_cfg.dtype=float16")
    assert given.sample_len == 32
    assert given.batch_size is None
    assert parse(["eval", "--list"]).sample_len is None


def test_device_and_dtype_reach_the_model_file(run, recipe_file: Write) -> None:
    code, _, err = run("--recipe_cfg", recipe_file(), "--device", "cuda:7")
    assert code == 2  # the fake model has no such key
    assert "override 'device=...'" in err


def test_secrets_reach_no_file_and_no_stream(
    run, recipe_file: Write, model_file: Path, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", "9? long")  # what the model chokes on, so errors repeat it
    model_file.write_text(model_file.read_text() + "broken: ${oc.env:SERVICE_TOKEN}\n")
    code, out, err = run("--recipe_cfg", recipe_file("Direct"))
    assert code == 1
    files = [path.read_text() for path in (tmp_path / "results").rglob("*") if path.is_file()]
    errors = [text for text in (*files, out, err) if "cannot digest" in text]
    assert errors
    assert all("cannot digest <redacted>" in text for text in errors)
    monkeypatch.setenv("SERVICE_TOKEN", "answer is")
    code, _, err = run("--recipe_cfg", recipe_file("Direct", name="again"), "--batch_size", 4)
    assert code == 3
    assert "cannot digest <redacted>" in err


def test_two_recipes_with_one_folder_are_refused_before_the_first_question(
    run, recipe_file: Write, tmp_path
) -> None:
    first = recipe_file()
    other = tmp_path / "elsewhere" / first.name
    other.parent.mkdir()
    other.write_text(first.read_text())
    code, _, err = run("--recipe_cfg", first, other)
    assert code == 2
    assert "this recipe has the same run folder as" in err
    assert not (tmp_path / "results").exists()


def test_a_mismatched_folder_is_found_before_the_first_question(
    run, recipe_file: Write, tmp_path
) -> None:
    one, two = recipe_file(name="one"), recipe_file(name="two")
    assert run("--recipe_cfg", two)[0] == 0
    two.write_text(two.read_text().replace("size: 20", "size: 21"))
    assert run("--recipe_cfg", one, two)[0] == 2
    journal = tmp_path / "results" / "hashing" / "Numbers" / "one-t" / "predictions.jsonl"
    assert journal.read_bytes() == b""


def test_an_unexpected_error_gives_code_3(run, recipe_file: Write, monkeypatch) -> None:
    from chef.evaluator import Evaluator

    def surprise(*_: object) -> None:
        raise KeyError("who would have thought")

    monkeypatch.setattr(Evaluator, "score", surprise)
    code, _, err = run("--recipe_cfg", recipe_file())
    assert code == 3
    assert "KeyError: 'who would have thought'" in err
    assert "Traceback" not in err


def test_a_word_too_many_is_no_recipe(capsys) -> None:
    assert main(["eval", "--model_cfg", "tiny", "--recipe_cfg", "Shapes/ppl", "foo.yaml"]) == 2
    assert "foo.yaml: no such file" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["--seed=-1", "--sample_len=abc"])
def test_more_usage_errors(words: str, capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        parse(["eval", "--model_cfg", "m", "--recipe_cfg", "r", "--debug", words])
    assert stop.value.code == 2
    assert words.rsplit("=", maxsplit=1)[-1] in capsys.readouterr().err


def test_sigterm_closes_the_journal(recipe_file: Write, tmp_path) -> None:
    """SIGTERM ends like Ctrl-C: code 3, every answer whole."""
    (tmp_path / "slow.py").write_text(
        "import time\nfrom fakes import Hashing\n"
        "class Slow(Hashing):\n"
        "    def score(self, requests):\n"
        "        time.sleep(0.05)\n"
        "        return super().score(requests)\n"
    )
    (tmp_path / "slow.yaml").write_text("plugins: [slow.py]\nmodel_name: Slow\n")
    process = forked.start(
        [sys.executable, "tools/eval.py", "--model_cfg", str(tmp_path / "slow.yaml"),
         "--recipe_cfg", str(recipe_file(size=500)), "--batch_size", "2",
         "--save_dir", str(tmp_path / "results"), "--time", "t"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
    )  # fmt: skip
    journal = tmp_path / "results" / "Slow" / "Numbers" / "r-t" / "predictions.jsonl"
    deadline = time.monotonic() + 300
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGTERM)
    done = process.wait()
    assert done.returncode == 3
    assert "the same command resumes the run" in done.stderr
    assert all(json.loads(line)["answer"] for line in journal.open())


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chef", "score", "--help"],
        cwd=ROOT / "src",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "usage: chef score" in done.stdout
