"""``--dry-run``: all errors of all recipes and of the model at once, and every request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import main
from chef.common import hub

TINY = ROOT / "configs/models/tiny.yaml"
SHAPES = ROOT / "configs/recipes/Shapes"
Write = Callable[..., Path]


@pytest.fixture
def check(model_file: Path, capsys: pytest.CaptureFixture[str]):
    """Runs ``chef eval --dry-run``; returns code, standard output, standard error."""

    def check(*arguments: object, model: Path | None = None) -> tuple[int, str, str]:
        given = ["--model_cfg", str(model or model_file), "--dry-run"]
        code = main(["eval", *given, "--recipe_cfg", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return check


def test_every_error_of_every_recipe_and_of_the_model(check, recipe_file: Write, tmp_path) -> None:
    good, typo = recipe_file(name="good"), recipe_file(name="typo")
    typo.write_text(typo.read_text().replace("size:", "sice:"))
    missing = tmp_path / "missing.yaml"
    metric = recipe_file(name="metric")
    metric.write_text(metric.read_text() + "  metric_cfg: {metric_type: Detection}\n")
    code, out, err = check(good, typo, missing, metric, "--device", "cuda:77", model=TINY)
    assert code == 2
    assert "# first query (sample 'n0'):" in out  # of the good one
    assert err.count("error: ") == 4, err
    assert "device 'cuda:77' is not available" in err
    assert "did you mean 'size'?" in err
    assert str(missing) in err
    assert "metric.yaml" in err


def test_a_plan_asks_nothing_and_names_numbers(
    recipe_file: Write, model_file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = ["--model_cfg", str(model_file), "--recipe_cfg", str(recipe_file(name="good"))]
    assert main(["eval", *given, "--plan", "2", "--save-dir", str(tmp_path / "runs")]) == 0
    assert "2,401" in capsys.readouterr().out
    assert not (tmp_path / "runs").exists()


def test_a_wrong_model_file_hides_no_wrong_recipe(check, recipe_file: Write, tmp_path) -> None:
    model = tmp_path / "model.yaml"
    model.write_text("model_name: Huggingface\nmodel_path: a/b\n")
    code, _, err = check(recipe_file(), "scenario_cfg.sice=3", model=model)
    assert code == 2
    assert "did you mean 'HuggingFace'?" in err
    assert "scenario_cfg.sice" in err


def test_an_error_that_recipes_share_is_told_once(check, recipe_file: Write, tmp_path) -> None:
    (tmp_path / "own.py").write_text(
        "from chef import Metric\nfrom chef.errors import DependencyError\n"
        "class Own(Metric):\n"
        "    def require(self, *, scored):\n"
        "        raise DependencyError('WordNet is missing', hint='install it')\n"
        "    def metric_func(self, answers):\n        return 1.0\n"
    )
    paths = [recipe_file(name=name) for name in ("one", "two")]
    for path in paths:
        text = path.read_text().replace("plugins: [", "plugins: [own.py, ")
        path.write_text(text + "  metric_cfg: {metric_type: Own}\n")
    code, _, err = check(*paths)
    assert code == 3
    assert err.count("WordNet is missing") == 1
    assert f"in {paths[0]}, {paths[1]}" in err


def test_a_metric_that_cannot_score_the_samples(check, recipe_file: Write, tmp_path) -> None:
    (tmp_path / "own.py").write_text(
        "from chef import Metric\n"
        "class Own(Metric):\n"
        "    def score_sample(self, record):\n"
        "        return {'metric_result': record['no_such_field']}\n"
        "    def metric_func(self, answers):\n        return 1.0\n"
    )
    path = recipe_file()
    text = path.read_text().replace("plugins: [", "plugins: [own.py, ")
    path.write_text(text + "  metric_cfg: {metric_type: Own}\n")
    code, _, err = check(path)
    assert code == 2
    assert "the metric Own cannot score sample 'n0': KeyError: 'no_such_field'" in err
    assert "own.py:4, in score_sample" in err


def test_every_turn_is_shown(check) -> None:
    code, out, _ = check(SHAPES / "detection_multi_direct.yaml")
    assert code == 0
    assert "# first query of 2 (" in out
    assert "# query 2 of 2 (" in out


def test_the_second_request_of_a_chain_of_thought(check) -> None:
    code, out, _ = check(SHAPES / "ppl_CoT.yaml")
    assert code == 0
    second = out.partition("# query 2 of 2 (")[2]
    assert second.count("<what the model writes>") == 4
    assert "The answer is |(D" in second


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The hub as without a network; gives the requests that were sent."""
    import huggingface_hub.constants

    sent: list[str] = []

    class Session:
        def head(self, url: str, timeout: float) -> None:
            assert timeout <= 5
            sent.append(url)
            raise OSError("no route to host")

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub, "get_session", Session)
    hub.unreachable.cache_clear()
    yield sent
    hub.unreachable.cache_clear()


def test_the_hub_is_asked_once(check, online: list[str], recipe_file: Write, tmp_path) -> None:
    model = tmp_path / "model.yaml"
    model.write_text("model_name: HuggingFace\nmodel_path: no-such/model-of-ours\n")
    code, _, err = check(recipe_file(), model=model)
    assert code == 3
    assert "no-such/model-of-ours" in err
    assert "the hub cannot be reached" in err
    assert "no route to host" in err
    assert len(online) == 1
    given = ["--model_cfg", str(model), "--recipe_cfg", str(recipe_file())]
    assert main(["eval", *given, "--save_dir", str(tmp_path / "results")]) == 3
    assert len(online) == 1


def test_a_folder_without_a_checkpoint(check, recipe_file: Write, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    model = tmp_path / "model.yaml"
    model.write_text(f"model_name: HuggingFace\nmodel_path: {tmp_path / 'empty'}\n")
    code, _, err = check(recipe_file(), model=model)
    assert code == 2
    assert "the folder has no config.json" in err
    (tmp_path / "empty" / "config.json").write_text("{}")
    assert "the folder has no weights" in check(recipe_file(), model=model)[2]
