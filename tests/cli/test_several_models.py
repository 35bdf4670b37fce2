"""Several models in one call: what runs, what is freed, told, and meant for one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import FAKES

import chef
from chef.cli import main
from chef.errors import ConfigError, RunError

Write = Callable[..., Path]
Run = Callable[..., tuple[int, str, str]]
OWN = '''\
import weakref
from chef import Model

loaded = []  # what happened, in order
weights = []  # weak references to what was loaded

class Weights:
    """Stands for a network."""

class Own(Model):
    def __init__(self, name: str = "own", *, absent: bool = False) -> None:
        self.name, self.absent, self.network = name, absent, None

    def prepare(self):
        if self.network is None:
            alive = sum(item() is not None for item in weights)
            loaded.append(f"load {self.name}, {alive} alive")
            if self.absent:
                raise OSError("no such weights")
            self.network = Weights()
            weights.append(weakref.ref(self.network))

    def fingerprint(self):
        return self.name

    def score_one(self, conversation, candidates):
        return [-float(place) for place, _ in enumerate(candidates)]
'''


@pytest.fixture
def model(tmp_path: Path) -> Callable[..., Path]:
    (tmp_path / "own.py").write_text(OWN)

    def write(name: str, extra: str = "") -> Path:
        path = tmp_path / f"{name}.yaml"
        path.write_text(f"plugins: [own.py]\nmodel_name: Own\nname: {name}\n{extra}")
        return path

    return write


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        given = ["--save_dir", str(tmp_path / "results"), "--run_name", "t"]
        code = main(["eval", *map(str, arguments), *given])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def events(model: Path) -> list[str]:
    """What the models of this test did, from the module that they share."""
    import sys

    names = [name for name in sys.modules if name.startswith("chef_plugin_own_")]
    return next(
        vars(sys.modules[name])["loaded"]
        for name in names
        if str(sys.modules[name].__file__) == str(model.parent / "own.py")
    )


def test_every_model_runs_every_recipe_and_is_freed(
    run: Run, model, recipe_file: Write, tmp_path: Path
) -> None:
    a, b = model("a"), model("b")
    x, y = recipe_file(name="x"), recipe_file(name="y")
    code, out, err = run("--model_cfg", a, b, "--recipe_cfg", x, y)
    assert code == 0, err
    assert events(a) == ["load a, 0 alive", "load b, 0 alive"]  # once each, and a is gone
    assert results_of(out) == [(m, f"Numbers/{r}") for m in "ab" for r in "xy"]
    assert "without a result" not in out
    assert len(list((tmp_path / "results").rglob("results.json"))) == 4
    assert "[3/4] b Numbers/x" in err


def results_of(out: str) -> list[tuple[str, str]]:
    """The model and the recipe of each line of the tables."""
    found, model = [], ""
    for line in out.splitlines():
        cells = [cell.strip() for cell in line.split("│")]
        if line.startswith("model: "):
            model = line.removeprefix("model: ")
        elif len(cells) > 2 and cells[1].startswith("Numbers/"):
            found.append((model, cells[1]))
    return found


def lacking(out: str) -> list[tuple[str, str, str]]:
    """The model, the recipe and what became of it, of each run without a result."""
    lines = out.partition("without a result:\n")[2].partition("\n\n")[0].splitlines()
    return [(words[0], words[1], " ".join(words[2:])) for words in map(str.split, lines)]


@pytest.mark.parametrize("going", [[], ["--keep-going"]])
def test_a_model_that_cannot_be_loaded_loses_no_report(
    run: Run, model, recipe_file: Write, going: list[str]
) -> None:
    models = model("a"), model("broken", "absent: true\n"), model("c")
    x, y = recipe_file(name="x"), recipe_file(name="y")
    code, out, err = run("--model_cfg", *models, "--recipe_cfg", x, y, *going)
    assert code == 3
    assert results_of(out)[:2] == [("a", "Numbers/x"), ("a", "Numbers/y")]
    assert err.count("error: OSError: no such weights") == 1
    assert "in prepare: raise OSError" in err
    if going:
        assert [model for model, _ in results_of(out)] == ["a", "a", "c", "c"]
        assert [line[0] for line in lacking(out)] == ["broken", "broken"]
        assert lacking(out)[0][2].startswith("failed: no")
        assert events(models[0])[1:] == ["load broken, 0 alive", "load c, 0 alive"]
    else:
        assert len(results_of(out)) == 2
        assert set(lacking(out)) == {(m, r, "not finished") for m in ("broken", "c") for r in "xy"}
        assert len(events(models[0])) == 2


def test_a_wrong_model_file_stops_all_before_the_first_question(
    run: Run, model, recipe_file: Write, tmp_path: Path
) -> None:
    wrong = model("wrong", "absnt: true\n")
    good, recipe = model("good"), recipe_file(name="x")
    code, _, err = run("--model_cfg", good, wrong, "--recipe_cfg", recipe)
    assert (code, "did you mean 'absent'?" in err) == (2, True)
    assert not (tmp_path / "results").exists()
    code, out, err = run("--model_cfg", good, wrong, "--recipe_cfg", recipe, "--keep-going")
    assert code == 2
    assert ("good", "Numbers/x") in results_of(out)
    assert f"\n{wrong}  x  failed: " in out


def test_dry_run_checks_all(run: Run, model, recipe_file: Write, tmp_path: Path) -> None:
    a, b = model("a"), model("b", "absnt: true\n")
    typo = recipe_file(name="typo")
    typo.write_text(typo.read_text().replace("size:", "sice:"))
    code, out, err = run("--model_cfg", a, b, "--recipe_cfg", recipe_file(), typo, "--dry-run")
    assert code == 2
    assert out.count("# first query") == 1
    assert err.count("error: ") == 2, err
    code, out, _ = run("--model_cfg", a, model("c"), "--recipe_cfg", recipe_file(), "--dry-run")
    assert (code, out.count("# first query")) == (0, 2)
    assert not (tmp_path / "results").exists()


def test_models_of_one_name_are_refused(run: Run, model, recipe_file: Write) -> None:
    a, b = model("a"), model("b")
    b.write_text(b.read_text().replace("name: b", "name: a"))
    given = ("--model_cfg", a, b, "--recipe_cfg", recipe_file())
    code, _, err = run(*given)
    assert (code, "another of the models is called 'a' too" in err) == (2, True)
    assert run(*given, "b:name=b")[0] == 0


def size(tmp_path: Path, recipe: str) -> int:
    (file,) = (tmp_path / "results").rglob(f"{recipe}-t/results.json")
    return json.loads(file.read_text())["coverage"]["total"]


def test_an_override_for_one_recipe(
    run: Run, model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    x, y = recipe_file(name="x"), recipe_file(name="y")
    given = ["x:scenario_cfg.size=5", "scenario_cfg.size=7"]
    assert run("--model_cfg", model_file, "--recipe_cfg", x, y, *given)[0] == 0
    assert (size(tmp_path, "x"), size(tmp_path, "y")) == (5, 7)
    again = ["--recipe_cfg", x, y, f"{x}:recipe_cfg.scenario_cfg.size=3", "--fresh"]
    assert run("--model_cfg", model_file, *again)[0] == 0
    assert (size(tmp_path, "x"), size(tmp_path, "y")) == (3, 20)


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ("xx:scenario_cfg.size=5", "'xx' is none of the given recipes and models\n  -> did"),
        ("x:model_cfg.dtype=a", "'x' is a recipe, and this is a key of models"),
        ("hashing:scenario_cfg.size=5", "'hashing' is a model, and this is a key of recipes"),
        ("x:scenario_cfg.sice=5", "did you mean 'size'?"),
    ],
)  # fmt: skip
def test_a_wrong_target_is_told(
    run: Run, model_file: Path, recipe_file: Write, override: str, says: str
) -> None:
    code, _, err = run("--model_cfg", model_file, "--recipe_cfg", recipe_file(name="x"), override)
    assert code == 2
    assert says in err


def test_a_name_that_means_two_is_refused(
    run: Run, model_file: Path, recipe_file: Write, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    first = recipe_file(name="x")
    second = tmp_path / "other" / "x.yaml"
    second.write_text(first.read_text())
    given = ("--model_cfg", model_file, "--recipe_cfg", first, second, "--dry-run")
    code, _, err = run(*given, "x:scenario_cfg.size=5")
    assert (code, f"'x' may be {first} or {second}" in err) == (2, True)
    code, out, _ = run(*given, "other/x:scenario_cfg.size=5")
    assert (code, out.count("# 5 samples of"), out.count("# 20 samples of")) == (0, 1, 1)


def test_repeated_options_add_up(run: Run, model, recipe_file: Write) -> None:
    given = ["--model_cfg", model("a"), "--model_cfg", model("b"), "--recipe_cfg", recipe_file()]
    assert "[2/2] b Numbers/r" in run(*given)[2]


RECIPE = {
    "plugins": [str(FAKES)],
    "scenario_cfg": {"dataset_name": "Numbers", "size": 8},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
}


def evaluate(tmp_path: Path, models: object, recipes: object, **options: object):
    return chef.evaluate(models, recipes, save_dir=tmp_path / "results", name="t", **options)  # type: ignore[call-overload]


def test_several_from_python(model, recipe_file: Write, tmp_path: Path) -> None:
    models, recipes = [model("a"), model("b")], [recipe_file(name="x"), recipe_file(name="y")]
    reports = evaluate(tmp_path, models, recipes)
    assert [(item.model, item.recipe) for item in reports] == [
        ("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"),
    ]  # fmt: skip
    assert len(evaluate(tmp_path, models, recipes[0])) == 2
    assert str(reports).count("model: ") == 2


def test_an_error_carries_the_reports(model, recipe_file: Write, tmp_path: Path) -> None:
    models = [model("a"), model("broken", "absent: true\n"), model("c")]
    with pytest.raises(OSError, match="no such weights") as caught:
        evaluate(tmp_path, models, RECIPE)
    assert [item.model for item in caught.value.reports] == ["a"]
    reports = evaluate(tmp_path, models, RECIPE, keep_going=True)
    assert [item.model for item in reports] == ["a", "c"]
    assert [(item.model, type(item.error)) for item in reports.failures] == [("broken", OSError)]
    with pytest.raises(OSError, match="no such weights"):  # of one there is nothing to return
        evaluate(tmp_path, models[1], RECIPE, keep_going=True)


def test_what_cannot_be_read_is_told_together_or_kept(model, tmp_path: Path) -> None:
    with pytest.raises(chef.ChefError, match=r"(?s)nomodel.*norecipe"):
        evaluate(tmp_path, [model("a"), "nomodel.yaml"], [RECIPE, "norecipe.yaml"])
    assert not (tmp_path / "results").exists()
    given = [model("a"), "nomodel.yaml"], [RECIPE, "norecipe.yaml"]
    reports = evaluate(tmp_path, *given, keep_going=True)
    assert [item.model for item in reports] == ["a"]
    assert [item.recipe for item in reports.failures] == ["nomodel.yaml", "norecipe.yaml"]
    assert all(isinstance(item.error, ConfigError) for item in reports.failures)
    assert RunError("x").reports == ()


def test_tables_by_category_and_errors_name_the_model(
    run: Run, model, recipe_file: Write, tmp_path: Path
) -> None:
    shapes = tmp_path / "shapes.yaml"
    shapes.write_text(
        "scenario_cfg: {dataset_name: Shapes, size: 8}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    code, out, err = run("--model_cfg", model("a"), model("b"), "--recipe_cfg", shapes,
                         "--by", "category")  # fmt: skip
    assert code == 0, err
    headings = [line for line in out.splitlines() if " by category: " in line]
    assert headings == [f"model: {name}, Shapes/shapes by category: ACC" for name in "ab"]
