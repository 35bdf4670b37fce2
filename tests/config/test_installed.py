"""Ingredients of installed packages: known by name, imported when asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import FAKES

from chef.cli import main
from chef.config import installed, load_recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.metric import METRICS

MODULE = """\
from chef.inferencer.direct import Direct
from chef.metric import Metric

class Brier(Metric):
    def metric_func(self, answers):
        return {"brier": 0.25}

class Slow(Direct):
    pass
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch):
    """Puts a package with these entry points on the path, as pip would leave it."""

    def install(points: str, version: str = "1.2", name: str = "acme-chef") -> None:
        site = tmp_path / f"site-{name}-{version}"
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (site / "acme_chef.py").write_text(MODULE)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[chef.plugins]\n{points}\n")
        monkeypatch.syspath_prepend(str(site))

    yield install
    sys.modules.pop("acme_chef", None)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "r.yaml"
    path.write_text(
        f"plugins: [{FAKES}]\nscenario_cfg: {{dataset_name: Numbers}}\neval_cfg:\n"
        "  inferencer_cfg: {inferencer_type: Slow}\n  metric_cfg: {metric_type: Brier}\n"
    )
    return path


POINTS = "metric.Brier = acme_chef:Brier\ninferencer.Slow = acme_chef:Slow"


def test_an_installed_ingredient_is_used_like_any_other(install, recipe: Path) -> None:
    install(POINTS)
    found = load_recipe(recipe)
    assert type(Evaluator(found).metric).__name__ == "Brier"
    assert found.inferencer.name == "Slow"
    assert "acme-chef 1.2" in found.plugins  # a newer one may answer otherwise


def test_a_file_that_a_recipe_names_comes_before_a_package(install, recipe: Path) -> None:
    install(POINTS)
    own = "from chef.metric import Metric\n\n\nclass Brier(Metric):\n    primary = 'own'\n\n"
    own += "    def metric_func(self, answers):\n        return {'own': 1}\n"
    (recipe.parent / "own.py").write_text(own)
    text = recipe.read_text()
    for _ in range(2):  # also after the package's was used
        assert Evaluator(load_recipe(recipe)).metric.primary != "own"
        recipe.with_name("o.yaml").write_text(text.replace("plugins: [", "plugins: [own.py, "))
        assert Evaluator(load_recipe(recipe.with_name("o.yaml"))).metric.primary == "own"


def test_names_are_listed_and_nothing_is_imported(install, capsys) -> None:
    install(POINTS)
    assert main(["eval", "--list"]) == 0
    assert "Brier" in capsys.readouterr().out
    assert "acme_chef" not in sys.modules


def test_a_broken_package_hides_nothing_else(install, capsys) -> None:
    install("scenario.Broken = acme_chef:Gone\nmetric.Brier = acme_chef:Brier")
    assert main(["list", "Brier"]) == 0
    assert "Brier: a metric" in capsys.readouterr().out
    assert main(["list", "Brierr"]) == 2
    assert "did you mean 'Brier'?" in capsys.readouterr().err
    assert main(["list", "Broken"]) == 2
    assert "the scenario 'Broken' of acme-chef 1.2 cannot be imported" in capsys.readouterr().err


#: What is wrong with an entry point, and what the error says of a recipe that names it.
REFUSED = {
    "Calm": "'Calm' does not name a kind of ingredient (entry point 'Calm' of acme-chef 1.2)",
    "metrics.Calm": "'metrics.Calm' does not name a kind of ingredient (entry point 'metrics.Calm'",
}


@pytest.mark.parametrize("point", REFUSED)
def test_a_name_without_its_kind_stops_only_what_names_it(
    install, recipe: Path, point: str, capsys
) -> None:
    install(f"{point} = acme_chef:Brier\ninferencer.Slow = acme_chef:Slow")
    text = recipe.read_text().replace("metric_cfg: {metric_type: Brier}", "metric_cfg: {}")
    recipe.write_text(text)
    assert load_recipe(recipe).inferencer.name == "Slow"
    recipe.write_text(text.replace("metric_cfg: {}", "metric_cfg: {metric_type: Calm}"))
    with pytest.raises(ConfigError, match="the kinds are scenario, inferencer") as caught:
        load_recipe(recipe)
    assert REFUSED[point] in str(caught.value)
    assert "pip uninstall acme-chef" in str(caught.value)
    assert main(["list", "Calm"]) == 2
    assert f"entry point '{point}' of acme-chef 1.2" in capsys.readouterr().err
    assert main(["list", "Brierr"]) == 2
    assert "nothing is called 'Brierr'" in capsys.readouterr().err


def test_a_name_of_chef_stays_chefs(install, recipe: Path, capsys) -> None:
    install("metric.Accuracy = acme_chef:Brier\ninferencer.Slow = acme_chef:Slow")
    installed._tell.cache_clear()
    assert main(["list", "metrics", "Accuracy"]) == 0
    out, err = capsys.readouterr()
    assert "entry point 'metric.Accuracy' of acme-chef 1.2" in err
    assert "remove the package: pip uninstall acme-chef" in err
    assert "acme" not in out
    recipe.write_text(recipe.read_text().replace("Brier", "Accuracy"))
    assert type(Evaluator(load_recipe(recipe)).metric).__module__.startswith("chef.")


def test_a_name_of_two_packages(install, recipe: Path) -> None:
    install("metric.Loud = acme_chef:Brier\ninferencer.Slow = acme_chef:Slow")
    install("metric.Loud = acme_chef:Slow", name="other-chef")
    text = recipe.read_text()
    recipe.write_text(text.replace("metric_cfg: {metric_type: Brier}", "metric_cfg: {}"))
    load_recipe(recipe)
    recipe.write_text(text.replace("Brier", "Loud"))
    with pytest.raises(ConfigError, match="another package has one, too") as caught:
        load_recipe(recipe)
    assert "remove one of the two packages: pip uninstall" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def x(:", "SyntaxError: invalid syntax"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("Brier = 3", "TypeError: Brier is no class"),
    ],
)
def test_a_package_that_fails_stops_only_what_names_it(
    install, recipe: Path, content: str, why: str, capsys
) -> None:
    install("metric.Brier = acme_chef:Brier")
    METRICS._loaded.pop("Brier", None)
    Path(sys.path[0], "acme_chef.py").write_text(content)
    recipe.write_text(recipe.read_text().replace("Slow", "Direct"))
    with pytest.raises(ConfigError, match=r"'Brier' of acme-chef 1\.2 cannot be") as caught:
        load_recipe(recipe)
    assert why in str(caught.value)
    assert "pip uninstall acme-chef" in str(caught.value)
    assert main(["list", "Acuracy"]) == 2
    assert "did you mean 'Accuracy'?" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["acme_chef:Nothing", "not_there_at_all:Brier"])
def test_a_failed_import_is_reported_where_the_name_is_used(
    install, recipe: Path, target: str
) -> None:
    install(f"metric.Brier = {target}\ninferencer.Slow = acme_chef:Slow")
    with pytest.raises(ConfigError, match=r"'Brier' of acme-chef 1\.2 cannot be") as caught:
        load_recipe(recipe)
    assert "r.yaml:5" in str(caught.value)
