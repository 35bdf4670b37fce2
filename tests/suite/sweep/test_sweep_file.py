"""The file of a sweep: what it may hold, and what is said of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chef.config.lookup import form_of
from chef.errors import ChefError, ConfigError
from chef.session.settings import Settings
from chef.suite.sweep.file import read_sweep
from chef.suite.sweep.running import Sweep

Write = Callable[..., Path]
INFERENCER = "eval_cfg.inferencer_cfg"


def test_the_forms_of_a_factor(sweep_file: Write) -> None:
    file = read_sweep(
        sweep_file(
            "wording: [0, 2]\n"
            "size: {key: scenario_cfg.size, values: [4, 8], role: nuisance}\n"
            f"{INFERENCER}.max_new_tokens: [8]\n"
            f"how: {{short: {{{INFERENCER}.inferencer_type: PPL}}, long: {{}}}}\n"
            "inferencer: [PPL, {inferencer_type: Direct, max_new_tokens: 4}]\n"
            "seed: [3]",
            "limit: 5\nsample: 3\n",
        )
    )
    found = {factor.name: (factor.labels, factor.role) for factor in file.factors}
    assert found == {
        "wording": (["0", "2"], "nuisance"),
        "size": (["4", "8"], "nuisance"),
        f"{INFERENCER}.max_new_tokens": (["8"], "choice"),
        "how": (["short", "long"], "choice"),
        "inferencer": (["PPL", "Direct"], "choice"),
        "seed": (["3"], "nuisance"),
        "recipe": (["r.yaml"], "choice"),
        "model": (["hashing.yaml"], "nuisance"),
    }
    assert (file.name, file.limit, file.sample, file.seed) == ("s", 5, 3, 0)


@pytest.mark.parametrize(
    ("vary", "more", "where", "told"),
    [
        ("wordin: [0]", "", "s.yaml:4: vary.wordin", "did you mean 'wording'?"),
        ("wording: 3", "", "s.yaml:4: vary.wording", "wording: [0, 1]"),
        ("wording: [0, 0]", "", "s.yaml:4: vary.wording.1", "leave one of them out"),
        ("wording: {value: [0]}", "", "s.yaml:4: vary.wording.value", "'values'"),
        ("x: {key: scenario_cfg.size, vals: [0]}", "", "s.yaml:4: vary.x.vals", "'values'?"),
        ("seed: [-1]", "", "s.yaml:4: vary.seed.0", "whole numbers"),
        ("wording: {values: [0], role: noise}", "", "s.yaml:4: vary.wording.role", "nuisance"),
        ("wording: [0]", "limits: 3\n", "s.yaml:3: limits", "did you mean 'limit'?"),
        ("wording: [0]", "limit: 0\n", "s.yaml:3: limit", "1"),
        ("wording: [0]", "name: ../x\n", "s.yaml:3: name", "letters"),
        ("wording: [0]", "exclude: [{wordin: 0}]\n", "exclude.0.wordin", "'wording'?"),
        ("wording: [0]", "exclude: [{wording: 7}]\n", "exclude.0.wording", "known: 0"),
        ("model: [a]", "", "s.yaml:1: model", "leave out 'model'"),
    ],
)
def test_mistakes_in_the_file(
    sweep_file: Write, vary: str, more: str, where: str, told: str
) -> None:
    with pytest.raises(ConfigError) as error:
        read_sweep(sweep_file(vary, more))
    assert where in (error.value.where or "")
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("vary", "where", "told"),
    [
        (
            f"how: {{a: {{{INFERENCER}.inferencer_typ: PPL}}}}",
            f"s.yaml:4: {INFERENCER}.inferencer_typ",
            "did you mean 'inferencer_type'?",
        ),
        ("inferencer: [PPL, Diret]", "s.yaml:4: ", "did you mean 'Direct'?"),
        ("wording: [0, 99]", "prompt_assigned_ids", "choose 0 to 7"),
        ("size: {key: scenario_cfg.size, values: [4, many]}", "s.yaml:4: ", "int"),
        ("x: {a: {scenario_cfgs.size: 3}}", "s.yaml:4: scenario_cfgs", "scenario_cfg"),
        ("recipe: [r.yam]", "s.yaml:4: vary.recipe.0: r.yam", "r.yaml"),
        ("speed: {key: model_cfg.rows_that_fi, values: [2, 3]}", "rows_that_fi", "rows_that_fit"),
    ],
)
def test_mistakes_in_combinations_are_found_before_the_first_question(
    sweep_file: Write, tmp_path: Path, vary: str, where: str, told: str
) -> None:
    path = sweep_file(vary)
    if vary.startswith("recipe"):
        path.write_text(path.read_text().replace("recipe: r.yaml\n", "\n", 1))
    with pytest.raises(ChefError) as error:
        Sweep(path, Settings(save_dir=tmp_path / "results"))
    assert where in str(error.value)
    assert told in str(error.value)
    assert not (tmp_path / "results").exists()


def test_a_mistake_is_told_once_and_the_others_can_run(sweep_file: Write, tmp_path: Path) -> None:
    path = sweep_file("wording: [0, 1]\ninferencer: [PPL, Diret]")
    with pytest.raises(ConfigError) as error:
        Sweep(path, Settings(save_dir=tmp_path))
    assert "in 2 of 4 combinations" in error.value.__notes__[0]
    ready = Sweep(path, Settings(save_dir=tmp_path, keep_going=True))
    assert [cell.values["inferencer"] for cell in ready.plan.cells] == ["PPL", "PPL"]


def test_all_wordings_of_the_pool(sweep_file: Write, tmp_path: Path) -> None:
    path = sweep_file("wording: all\ntemplate: all", "sample: 8\n")
    ready = Sweep(path, Settings(save_dir=tmp_path))
    assert ready.plan.varied == {"wording": list("01234567"), "template": list("012")}
    path = sweep_file("wording: all", "exclude: [{wording: 8}]\n")
    with pytest.raises(ConfigError, match="'8' is no value of wording"):
        Sweep(path, Settings(save_dir=tmp_path))


def test_an_override_of_what_is_varied_is_refused(sweep_file: Write, tmp_path: Path) -> None:
    path = sweep_file("inferencer: [PPL]")
    with pytest.raises(ConfigError, match="varies this key"):
        Sweep(path, Settings(save_dir=tmp_path), overrides=[f"{INFERENCER}.batch_size=2"])
    size = Sweep(path, Settings(save_dir=tmp_path), overrides=["scenario_cfg.size=3"])
    assert size.samples == 3


@pytest.mark.parametrize("content", ["scenario_cfg: {}\n", "model_name: tiny\n"])
def test_a_recipe_or_a_model_is_no_sweep(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(content)
    with pytest.raises(ConfigError, match="no sweep"):
        read_sweep(path)


def test_a_seed_that_nothing_depends_on_is_asked_once(sweep_file: Write, tmp_path: Path) -> None:
    direct = f"{INFERENCER}.inferencer_type: Direct, {INFERENCER}.temperature"
    file = sweep_file(
        "seed: [0, 1, 2]\n"
        "examples: [0, 1]\n"
        f"how: {{scored: {{}}, greedy: {{{direct}: 0}}, sampled: {{{direct}: 0.7}}}}"
    )
    plan = Sweep(file, Settings(save_dir=tmp_path)).plan
    asked = {(cell.values["how"], cell.values["examples"]): set[str]() for cell in plan.cells}
    for cell in plan.cells:
        asked[cell.values["how"], cell.values["examples"]].add(cell.recipe.name)
    assert {key: len(runs) for key, runs in asked.items()} == {
        ("scored", "0"): 1,
        ("scored", "1"): 3,  # other examples
        ("greedy", "0"): 1,
        ("greedy", "1"): 3,
        ("sampled", "0"): 3,
        ("sampled", "1"): 3,
    }


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("model: m.yaml\nrecipe: r.yaml\nvary:\n  scenario_cfg.size: [4, 8]\n", "sweep"),
        ("vary:\n  big: {one: {scenario_cfg.size: 4}}\nrecipe: r.yaml\n", "sweep"),
        ('{\n  "recipe": "r.yaml",\n  "vary": {\n    "scenario_cfg.size": [4, 8]}\n}\n', "sweep"),
        ("recipe: r.yaml\nvarry: {}\n", "sweep"),
        ("scenario_cfg:\n  path: d.csv\n  vary: 1\n", "recipe"),
        ('{\n  "scenario_cfg": {"path": "d.csv"}\n}\n', "recipe"),
        ("dataset_id: a\n", "task"),
        ("members: []\nrecipe: r.yaml\n", "suite"),
    ],
)
def test_a_file_is_asked_by_its_own_keys(text: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / "it.yaml"
    file.write_text(text)
    assert form_of(str(file)) == form
