"""Names and shortcuts for recipes, models and options, and what is said about wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import main
from chef.cli.arguments import parse
from chef.cli.asking import place_of_model
from chef.config import load_model, load_recipe
from chef.config.lookup import find_model, find_what
from chef.config.shipped import shipped, shipped_names
from chef.errors import ConfigError

Write = Callable[..., Path]


@pytest.mark.parametrize(
    "name",
    [
        "Shapes/ppl",
        "Shapes/ppl.yaml",
        "recipes/Shapes/ppl",
        "configs/recipes/Shapes/ppl.yaml",
        "shapes/PPL",
    ],
)
def test_a_recipe_has_several_names(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_recipe(name).document.path == ROOT / "configs/recipes/Shapes/ppl.yaml"


def test_every_shipped_file_has_a_name() -> None:
    assert shipped("recipes") == ROOT / "configs" / "recipes"
    assert len(shipped_names("recipes")) == len(list((ROOT / "configs/recipes").rglob("*.yaml")))
    assert "llava15" in shipped_names("models")


def test_a_file_of_that_name_comes_first(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny").write_text("model_name: tiny\nname: mine\n")
    assert load_model("tiny").model.options["name"] == "mine"


def test_a_folder_of_that_name_does_not(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny").mkdir()
    assert load_model("tiny").model.name == "tiny"


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("hf:o/n", {"model_path": "o/n", "revision": None}),
        ("hf:o/n@v1.0", {"model_path": "o/n", "revision": "v1.0"}),
        ("hf:./a@b", {"model_path": "./a@b", "revision": None}),
    ],
)
def test_a_model_of_the_hub_needs_no_file(given: str, options, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a@b").mkdir()  # an existing folder has no revision
    spec = load_model(given, ["dtype=float16"])
    assert spec.model.name == "HuggingFace"
    assert {key: spec.model.options[key] for key in options} == options
    assert spec.model.options["dtype"] == "float16"


def test_errors_name_the_shortcut() -> None:
    with pytest.raises(ConfigError, match="unknown key") as error:
        load_model("hf:o/n", ["dtpe=float16"])
    assert error.value.hint == "did you mean 'dtype'?"
    assert error.value.where == "override 'dtpe=...': dtpe"
    with pytest.raises(ConfigError, match="does not fit"):
        load_model("hf:o/n", ["max_images=x"])


def test_lm_evals_spelling_works() -> None:
    given = parse(
        ["eval", "--model", "hf", "--model_args", "pretrained=o/n,dtype=float16",
         "--recipe", "Shapes/ppl", "--limit", "5"]
    )  # fmt: skip
    assert given.model_cfg == ("hf",)
    assert given.overrides == ("model_cfg.model_path=o/n", "model_cfg.dtype=float16")
    assert given.sample_len == 5
    overrides = [item.removeprefix("model_cfg.") for item in given.overrides]
    assert load_model("hf", overrides).model.options["model_path"] == "o/n"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tinny", "did you mean 'tiny'?"),
        ("Shapes/ppl", "'Shapes/ppl' is a recipe of chef: give it with --recipe_cfg"),
        ("llava-hf/llava-1.5-7b-hf", "give --model_cfg hf:llava-hf/llava-1.5-7b-hf"),
        ("LLaVA1.5", "use configs/models/llava15.yaml"),
        ("mine", "did you mean 'mine.yaml'?"),
        ("myne.yaml", "did you mean 'mine.yaml'?"),
        ("hf:", "write hf:owner/name"),
        ("Shapes", "is a folder of recipes\n  -> the model comes first: chef eval MODEL WHAT"),
        ("tiny,gpt-4o", "several models are named after an option: --model_cfg tiny gpt-4o"),
    ],
)
def test_what_a_model_may_have_been(name: str, hint: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").touch()
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / "config.json").touch()
    with pytest.raises(ConfigError) as error:
        load_model(name)
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Shapes/pll", "did you mean 'Shapes/ppl'?"),
        ("mmbench", "MMBench/generative, MMBench/ppl; or VLMEvalKit's: VLMEvalKit/MMBench"),
        ("vission", "did you mean 'vision'?"),
        ("MMMU/ppl", "there is: MMMU/default"),
        ("mmstr", "did you mean 'MMStar'?"),
        ("privacy/p3-infofow", "did you mean 'privacy/p3-infoflow'?"),
        ("Shapes", "is a folder of recipes\n  -> give one of the recipes that come with chef: Sh"),
        ("privacy", "is a folder of tasks\n  -> give one of the tasks that come with chef: priv"),
        ("sweeps", "give one of them: sweeps/Digits, sweeps/Shapes"),
        ("my.csv", "no such file\n  -> check the path of the table"),
        ("MMBench", "MMBench/default, MMBench/direct, MMBench/generative, MMBench/ppl"),
        ("tiny", "'tiny' is a model of chef: give it with --model_cfg"),
        ("folder", "folder: is a folder\n  -> give its files, or all of them with folder/*.yaml"),
        ("folder/pp.yaml", "did you mean 'folder/ppl.yaml'?"),
        ("zzz", "`chef list` shows the recipes that come with chef: CIFAR10"),
    ],
)
def test_what_a_recipe_may_have_been(name: str, hint: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "ppl.yaml").touch()
    with pytest.raises(ConfigError) as error:
        load_recipe(name)
    assert hint in str(error.value)


@pytest.mark.parametrize("name", shipped_names("models"))
def test_every_shipped_model_is_found_in_any_case(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in (name, name.upper(), f"configs/models/{name}.yaml"):
        assert find_model(text) == shipped("models") / f"{name}.yaml"


def test_other_names_of_models(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / "config.json").touch()
    assert find_model("checkpoint") == {"model_name": "HuggingFace", "model_path": "checkpoint"}
    served = find_model("openai:gpt-4.1-mini")
    assert isinstance(served, dict)
    assert served["model"] == "gpt-4.1-mini"
    assert load_model("openai:gpt-4.1-mini").label == "gpt-4.1-mini"
    assert find_model("huggingface") == {"model_name": "HuggingFace"}
    assert load_model("gpt-4o").model.options["model"] == "gpt-4o"  # an id of MMTrustEval


@pytest.mark.parametrize(
    ("name", "kind", "scenario"),
    [
        ("MMBench_DEV_EN", "benchmarks", "MMBench_DEV_EN"),
        ("pope", "benchmarks", "POPE"),
        ("mmstar", "benchmarks", "MMStar"),
        ("vlmevalkit/mme", "benchmarks", "VLMEvalKit/MME"),
        ("MMBench/PPL", "recipes", "MMBench"),
        ("table.csv", "tables", "Records"),
        ("plain.tsv", "tables", "Records"),
        ("laid.tsv", "tables", "Tsv"),
        ("list.json", "tables", "Records"),
        ("mapping.json", "tables", "Records"),
        ("recipe.json", "recipes", "Shapes"),
        ("tables", "tables", "Records"),
        ("fairness/f1-stereo-generation", "tasks", ""),
    ],
)
def test_what_can_be_asked(name: str, kind: str, scenario: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tables").mkdir()
    for file in ("table.csv", "tables/a.csv"):
        (tmp_path / file).write_text("question,image,answer\nWhich?,a.png,red\n")
    (tmp_path / "plain.tsv").write_text("question\tanswer\nWhich?\tred\n")
    (tmp_path / "laid.tsv").write_text("index\tquestion\tanswer\n1\tWhich?\tred\n")
    rows = '[{"question": "Which?", "answer": "red"}]'
    (tmp_path / "list.json").write_text(rows)
    (tmp_path / "mapping.json").write_text(f'{{"version": 2, "data": {rows}}}')
    (tmp_path / "recipe.json").write_text(
        '{"scenario_cfg": {"dataset_name": "Shapes"}, "eval_cfg": {"inferencer_cfg": '
        '{"inferencer_type": "Direct"}, "metric_cfg": {"metric_type": "basic"}}}'
    )
    (tmp_path / "my_benchmark.yaml").write_text("scenario_cfg: {dataset_name: Shapes}\n")
    assert find_what(name).kind == kind
    recipe = load_recipe(name)
    assert recipe.scenario.name == (scenario or recipe.scenario.name)


@pytest.mark.parametrize("name", ["mmbench", "popp", "MMMU/ppl", "polit"])
def test_files_are_no_names(name: str, tmp_path: Path, monkeypatch) -> None:
    """A recipe beside is not what a misspelt name means, and a model file is never a recipe."""
    monkeypatch.chdir(tmp_path)
    for file in ("my_benchmark.yaml", "polite.yaml"):
        (tmp_path / file).write_text("scenario_cfg: {dataset_name: Shapes}\n")
    (tmp_path / "mine.yaml").write_text("model_name: tiny\n")
    with pytest.raises(ConfigError) as error:
        load_recipe(name)
    hint = error.value.hint or ""
    assert "mean 'my_benchmark.yaml'" not in hint
    assert "mean 'polite.yaml'" not in hint
    with pytest.raises(ConfigError) as error:
        load_recipe("myne.yaml")
    assert "mine.yaml" not in str(error.value.hint)


@pytest.mark.parametrize(
    ("words", "models", "recipes"),
    [
        (["tiny", "a", "b", "x=1"], ("tiny",), ("a", "b")),
        (["--limit", "3", "tiny", "a"], ("tiny",), ("a",)),
        (["a", "--model", "m", "n"], ("m", "n"), ("a",)),
        (["tiny", "--recipe_cfg", "a"], ("tiny",), ("a",)),
        (["tiny", "a", "--recipe_cfg", "b"], ("tiny",), ("a", "b")),
        (["--model", "tiny", "--tasks", "a,b"], ("tiny",), ("a", "b")),
        (["--model", "tiny", "--data", "a", "b"], ("tiny",), ("a", "b")),
        (["tiny", "Shapes/ppl:scenario_cfg.size=9"], ("tiny",), ("Shapes/ppl",)),
        (["--model", "tiny", "Shapes/ppl:scenario_cfg.size=9"], ("tiny",), ("Shapes/ppl",)),
        (["tiny", "a", "Shapes/ppl:scenario_cfg.size=9"], ("tiny",), ("a",)),
    ],
)
def test_model_and_what_need_no_options(words, models, recipes) -> None:
    given = parse(["eval", *words])
    assert (given.model_cfg, given.recipe_cfg) == (models, recipes)


def test_options_of_lm_eval_do_what_they_mean() -> None:
    given = parse(
        ["eval", "tiny", "Shapes/direct", "--num_fewshot", "2", "--log_samples",
         "--gen_kwargs", "temperature=0.5,max_gen_toks=8"]
    )  # fmt: skip
    recipe = load_recipe("Shapes/direct", given.overrides)
    assert recipe.incontext is not None
    assert recipe.incontext.retriever.options["ice_num"] == 2
    assert recipe.inferencer.options["temperature"] == 0.5
    assert recipe.inferencer.options["max_new_tokens"] == 8


@pytest.mark.parametrize("option", ["--tasks", "--data", "--recipe_cfg"])
def test_a_model_in_a_word_and_what_is_asked_in_an_option(option: str) -> None:
    given = parse(["eval", "tiny", option, "pope"])
    assert (given.model_cfg, given.recipe_cfg) == (("tiny",), ("pope",))


def test_hyphens_and_underscores_are_alike() -> None:
    names = ["--model-cfg", "m", "--recipe-cfg", "a-b", "--batch-size=4", "--dry_run"]
    given = parse(["eval", *names, "--ray_address", "auto", "--save-dir", "x-y"])
    assert given.model_cfg == ("m",)
    assert given.recipe_cfg == ("a-b",)
    assert given.batch_size == 4
    assert given.dry_run
    assert given.ray_address == "auto"
    assert str(given.save_dir) == "x-y"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evl"], "unknown command 'evl'\n  -> did you mean 'eval'?"),
        (["run"], "write chef eval MODEL WHAT"),
        (["runs"], "write chef show"),
        (["descibe"], "write chef list NAME"),
        (["xyz"], "the commands are eval, show, compare, score, list, prepare"),
        (["--model_cfg", "tiny"], "write chef eval --model_cfg tiny ..."),
        (["eval", "--recipecfg", "r"], "did you mean '--recipe_cfg'?"),
        (["eval", "--batchsize=3"], "did you mean '--batch-size'?"),
        (["eval", "--cfg", "Shapes/ppl"], "unknown option --cfg\n  -> write --recipe_cfg"),
        (["eval", "--num_fewshot", "two"], "'two' is not a number of examples"),
        (["eval", "--output-path", "x"], "write --save-dir"),
        (["eval", "--model_args", "dtype"], "'dtype' is not key=value"),
        (["eval", "--model", "tiny"], "nothing is asked of tiny\n  -> name it after the model"),
        (["score", "x", "--metrik", "VQA"], "did you mean '--metric'?"),
    ],
)  # fmt: skip
def test_what_is_said_about_wrong_words(words: list[str], message: str, capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert message in err
    assert "usage:" not in err  # two lines that matter, not twenty


def test_prepare_needs_a_name(capsys) -> None:
    assert main(["prepare"]) == 2
    assert "`chef prepare --list` shows their names" in capsys.readouterr().err


def test_chef_alone_prints_its_help(capsys) -> None:
    for words in ([], ["--help"], ["help"]):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 0
        out = capsys.readouterr().out
        assert "usage: chef " in out
        assert "prepare" in out


def test_the_usual_options_of_eval_fit_on_a_screen(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = {}
    for option in ("--help", "--help-all"):
        with pytest.raises(SystemExit):
            main(["eval", option])
        shown[option] = capsys.readouterr().out
    lines = shown["--help"].splitlines()
    assert len(lines) <= 54
    assert max(map(len, lines)) <= 80
    assert "--seed" in shown["--help-all"]
    assert "--seed" not in shown["--help"]
    assert "random seed of the subset and of sampled generation" in " ".join(
        shown["--help-all"].split()
    )


def test_the_version_is_told(capsys) -> None:
    from chef import __version__

    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"chef {__version__}\n"


def test_a_model_without_a_file_runs(recipe_file: Write, tmp_path: Path, capsys) -> None:
    folder = ROOT / "src" / "chef" / "assets" / "tiny"
    given = ["--model", f"hf:{folder}", "--model-args", "name=mine,device=cpu", "--limit", "3"]
    results = ["--save-dir", str(tmp_path / "results"), "--time", "t"]
    assert main(["eval", *given, "--recipe", "Shapes/ppl", *results]) == 0
    assert (tmp_path / "results/mine/Shapes/ppl-t/results.json").is_file()


def test_overrides_may_stand_before_and_after_options() -> None:
    words = [
        "eval",
        "--model_cfg",
        "tiny",
        "--recipe_cfg",
        "r",
        "a=1",
        "--run_name",
        "x",
        "scenario_cfg.size=2",
        "b=3",
    ]
    for _ in range(2):  # the second call has none of the first one's
        given = parse(words)
        assert given.overrides == ("a=1", "scenario_cfg.size=2", "b=3")
        assert given.time == "x"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["tiny", "Shapes/ppl"], 0),
        (["Shapes/ppl", "tiny"], -1),
        (["Shapes/ppl", "Digits/ppl", "TINY"], -1),
        (["Shapes/ppl", "tinny"], 0),
        (["tinny", "Shapes/ppl"], 0),
        (["recipe.yaml", "model.yaml"], -1),
        (["model.yaml", "recipe.yaml"], 0),
        (["tiny"], 0),
    ],
)
def test_a_model_may_be_named_last(
    words: list[str], place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text("scenario_cfg: {dataset_name: Shapes}\n")
    Path("model.yaml").write_text("model_name: tiny\n")
    assert place_of_model(words) == place
