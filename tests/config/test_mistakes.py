"""Mistakes of the first hour in recipes, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

from chef.config import load_model, load_recipe
from chef.config.document import read_document
from chef.errors import ChefError, ConfigError, DataError
from chef.evaluator import Evaluator

Write = Callable[..., Path]
PPL = "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"


def said(call: Callable[..., object], *given: object) -> str:
    with pytest.raises(ChefError) as error:
        call(*given)
    return str(error.value)


@pytest.mark.parametrize(
    ("override", "hint"),
    [
        ("size=5", "did you mean 'scenario_cfg.size=...'?"),
        ("sise=5", "did you mean 'scenario_cfg.size=...'?"),
        ("scenario.size=5", "did you mean 'scenario_cfg.size=...'?"),
        ("batch_size=5", "did you mean 'eval_cfg.inferencer_cfg.batch_size=...'?"),
        ("inferencer_cfg.batch_size=5", "did you mean 'eval_cfg.inferencer_cfg.batch_size=...'?"),
        ("cot=true", "did you mean 'eval_cfg.inferencer_cfg.CoT=...'?"),
        ("ice_num=2", "did you mean 'eval_cfg.instruction_cfg.incontext_cfg.ice_num=...'?"),
        ("metric_type=VQA", "did you mean 'eval_cfg.metric_cfg.metric_type=...'?"),
        ("model_path=x", "did you mean 'model_cfg.model_path=...'?"),
        ("eval_cfg.metric=VQA", "did you mean 'eval_cfg.metric_cfg=...'?"),
        ("compatt=upstream", "did you mean 'compat=...'?"),
        ("zzz=1", "known: compat, eval_cfg, plugins, scenario_cfg"),
        ("scenario_cfg.task=mqc", "did you mean 'mcq'? one of: mcq, yesno"),
    ],
)
def test_where_an_override_belongs(override: str, hint: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_recipe("Shapes/ppl", [override])
    assert error.value.hint is not None
    assert error.value.hint.startswith(hint)
    assert str(error.value.where).startswith(f"override '{override.partition('=')[0]}=...'")


def test_a_key_one_level_too_high_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text("scenario_cfg: {dataset_name: Shapes}\nsize: 5\n" + PPL)
    assert "r.yaml:2: size: unknown key\n  -> did you mean 'scenario_cfg.size'?" in said(
        load_recipe, path
    )


def test_files_that_are_swapped() -> None:
    models, recipes = ROOT / "configs" / "models", ROOT / "configs" / "recipes"
    error = said(load_model, recipes / "Shapes" / "ppl.yaml")
    assert "is a recipe, not a model file\n  -> give it with --recipe_cfg" in error
    error = said(load_recipe, models / "tiny.yaml")
    assert "is a model file, not a recipe\n  -> give it with --model_cfg" in error


@pytest.mark.parametrize("text", ["a:\n\tb: c\n", "a:\n  b:\tc\n  \td: e\n", "a: {b: c}\n\tb: d\n"])
def test_tabs_are_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(text)
    error = said(read_document, path)
    assert "r.yaml:" in error
    assert "tab" in error
    assert "replace each tab by spaces" in error


def tsv(path: Path, rows: int = 2) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{number}\tIs it?\tyes\tno\tA" for number in range(rows)]
    path.write_text("\n".join(["index\tquestion\tA\tB\tanswer", *lines]))


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recipe in a folder of its own; the current folder is another one."""
    path = tmp_path / "mine" / "r.yaml"
    path.parent.mkdir()
    path.write_text("scenario_cfg: {dataset_name: Tsv, path: sub/a.tsv}\n" + PPL)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return path


def test_a_path_is_relative_to_the_recipe_and_else_to_the_current_folder(recipe: Path) -> None:
    tsv(Path("sub/a.tsv"), rows=1)
    assert len(Evaluator(load_recipe(recipe)).ids) == 1
    tsv(recipe.parent / "sub" / "a.tsv", rows=3)
    loaded = load_recipe(recipe)
    assert len(Evaluator(loaded).ids) == 3
    # Whoever moves recipe and data, or calls from elsewhere, resumes the same run.
    assert loaded.effective()["scenario_cfg"]["path"] == "sub/a.tsv"


def test_a_path_of_the_command_line_is_relative_to_the_current_folder(recipe: Path) -> None:
    tsv(Path("b.tsv"), rows=1)
    tsv(recipe.parent / "b.tsv", rows=3)
    assert len(Evaluator(load_recipe(recipe, ["scenario_cfg.path=b.tsv"])).ids) == 1
    Path("b.tsv").unlink()
    assert len(Evaluator(load_recipe(recipe, ["scenario_cfg.path=b.tsv"])).ids) == 3


def test_a_missing_path_says_where_it_was_looked_for(recipe: Path) -> None:
    error = said(Evaluator, load_recipe(recipe))
    folders = f"{recipe.parent.resolve()} and {Path.cwd()}"
    assert f"'sub/a.tsv' ({recipe}:1: scenario_cfg.path) was looked for in {folders}" in error
    assert "chef prepare" not in error  # a file of the user's own


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("https://x.org/d/a.tsv", "is an address, and only files are read\n  -> download it (curl"),
        ("a.xlsx", "a .xlsx file is no TSV\n  -> convert it: python -c"),
        ("a.parquet", "dataset_name: Records in place of Tsv"),
        ("a.tsv.gz", "is compressed"),
        ("missing.xlsx", "No such file"),
    ],
)
def test_what_is_no_tsv_is_refused_by_name(recipe: Path, path: str, words: str) -> None:
    if not path.startswith(("https", "missing")):
        Path(path).write_bytes(b"PK\x03\x04")
    assert words in said(Evaluator, load_recipe(recipe, [f"scenario_cfg.path={path}"]))


def test_the_command_that_converts_a_workbook_works(recipe: Path) -> None:
    import subprocess
    import sys

    pandas = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    row = {"index": 1, "question": "Is it?", "A": "yes", "B": "no", "answer": "A"}
    pandas.DataFrame([row]).to_excel("a.xlsx", index=False)
    error = said(Evaluator, load_recipe(recipe, ["scenario_cfg.path=a.xlsx"]))
    command = error.partition("convert it: ")[2].splitlines()[0]
    subprocess.run(command.replace("python", sys.executable, 1), shell=True, check=True)
    assert len(Evaluator(load_recipe(recipe, ["scenario_cfg.path=a.tsv"])).ids) == 1


@pytest.mark.parametrize(
    ("recipe", "scenario"),
    [("MMBench/ppl", "MMBench"), ("MME/ppl", "MME"), ("ScienceQA/ppl", "ScienceQA"),
     ("POPE/random", "POPE_COCO_random"), ("MMMU/default", "MMMU"),
     ("Winoground/default", "Winoground"), ("SEEDBench2/ppl", "SEEDBench2")],
)  # fmt: skip
def test_missing_data_name_the_command_that_downloads_it(
    recipe: str, scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as error:
        Evaluator(load_recipe(recipe))
    assert f"`chef prepare {scenario}` (tools/prepare_data.py) downloads it" in str(error.value)


def test_a_gpu_that_is_not_there() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is one")
    from chef.common.device import pick_device

    error = said(pick_device, "cuda")
    assert "device 'cuda' is not available" in error
    assert "use --device cpu, or remove 'device' (auto)" in error
    assert "http" not in error


SCENARIO = """\
from chef import Sample, Scenario

class Mine(Scenario):
    name = "Mine"
    wording = "VQA"
    metric = "VQA"

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return Sample(id="0", images=(), question="?", options=("a", "b"), answer="a")
"""


def plugin(tmp_path: Path, text: str, name: str = "Mine") -> Path:
    (tmp_path / "mine.py").write_text(text)
    path = tmp_path / "r.yaml"
    path.write_text(f"plugins: [mine.py]\nscenario_cfg: {{dataset_name: {name}}}\n{PPL}")
    return path


def test_a_class_that_lacks_a_method_is_told_which(tmp_path: Path) -> None:
    error = said(load_recipe, plugin(tmp_path, SCENARIO))
    assert "r.yaml:1: plugins: the scenario Mine of mine.py lacks sample_id" in error
    assert "def sample_id(self, index)" in error
    whole = SCENARIO + "\n    def sample_id(self, index):\n        return '0'\n"
    assert load_recipe(plugin(tmp_path / "..", whole.replace("Mine", "Whole"), "Whole"))


def test_a_misspelt_method_is_recognised(tmp_path: Path) -> None:
    text = SCENARIO + "\n    def sampleid(self, index):\n        return '0'\n"
    assert "is 'sampleid' meant to be 'sample_id'?" in said(load_recipe, plugin(tmp_path, text))


@pytest.mark.parametrize("head", ["class Base(Scenario):\n    pass\n", "import abc\n"])
def test_a_base_class_may_be_abstract(tmp_path: Path, head: str) -> None:
    base = "Base" if "Base" in head else "Scenario, abc.ABC"
    text = SCENARIO.replace("class Mine(Scenario)", f"{head}\nclass Mine({base})")
    if base == "Base":
        text += "\n    def sample_id(self, index):\n        return '0'\n"
        assert load_recipe(plugin(tmp_path, text)).scenario.name == "Mine"
    else:  # it says that it is abstract, and is not registered
        error = said(load_recipe, plugin(tmp_path, text))
        assert "defines no scenario" in error


def test_an_incomplete_class_from_elsewhere_is_told_too() -> None:
    from chef.scenario import SCENARIOS, Scenario

    class Bare(Scenario):
        def __len__(self) -> int:
            return 0

    SCENARIOS.register("Bare", Bare)
    evaluation = {"inferencer_cfg": {"inferencer_type": "PPL"}}
    content = {"scenario_cfg": {"dataset_name": "Bare"}, "eval_cfg": evaluation}
    error = said(load_recipe, content)
    assert "the scenario Bare lacks __getitem__, sample_id" in error
