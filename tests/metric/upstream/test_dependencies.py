"""What ChEF's own rules need is asked for before a model is."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from chef.cli import main
from chef.config import load_recipe
from chef.errors import DependencyError
from chef.evaluator import Evaluator
from chef.metric import METRICS
from chef.metric.upstream import rules as texts
from chef.metric.upstream import wordnet
from chef.scoring.answer_file import score_file
from chef.scoring.override import MetricOverride
from chef.types import Prediction

Make = Callable[..., Prediction]
WORDNET = (
    "Detection", "KOSMOS_Detection", "InsideBbox", "LAMM_Classification",
    "LAMM_Facial_Hair_Classification",
)  # fmt: skip
RECIPE = """\
compat: upstream
scenario_cfg: {{dataset_name: Shapes, size: 2}}
eval_cfg:
  inferencer_cfg: {{inferencer_type: {inferencer}}}
  metric_cfg: {{metric_type: {metric}}}
"""


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import nltk

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    if "LazyCorpusLoader" not in type(nltk.corpus.wordnet).__name__:
        pytest.skip("the corpus is already loaded")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setattr(texts, "version", missing)
    texts._scorer.cache_clear()
    wordnet.lexicon.cache_clear()


@pytest.mark.parametrize("name", WORDNET)
@pytest.mark.parametrize("scored", [True, False, None])
def test_classes_need_wordnet(name: str, scored: bool | None) -> None:
    metric = METRICS.get(name, upstream=True)()
    with pytest.raises(DependencyError) as caught:
        metric.require(scored=scored)
    assert "nltk.downloader wordnet" in str(caught.value)
    METRICS.get(name)().require(scored=scored)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("CG_Classification", "nltk.downloader wordnet"), ("Caption", "pip install rouge==1.0.1")],
)
def test_only_texts_need_them(name: str, hint: str) -> None:
    metric = METRICS.get(name, upstream=True)()
    metric.require(scored=True)
    for scored in (False, None):
        with pytest.raises(DependencyError) as caught:
            metric.require(scored=scored)
        assert hint in str(caught.value)


def test_another_version_of_rouge_computes_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "version", lambda name: "0.3.2")
    with pytest.raises(DependencyError, match=r"is version 0\.3\.2"):
        texts.package_rouge_l("a dog", ["a dog"])


def recipe_file(folder: Path, metric: str, inferencer: str = "Direct") -> Path:
    path = folder / "recipe.yaml"
    path.write_text(RECIPE.format(metric=metric, inferencer=inferencer))
    return path


@pytest.mark.parametrize("metric", ["Caption", "CG_Classification", "Detection"])
def test_a_recipe_is_refused_before_it_asks(metric: str, tmp_path: Path) -> None:
    with pytest.raises(DependencyError, match="compat: upstream"):
        Evaluator(load_recipe(recipe_file(tmp_path, metric)))


def test_a_recipe_that_scores_options_is_not_refused(tmp_path: Path) -> None:
    Evaluator(load_recipe(recipe_file(tmp_path, "CG_Classification", "PPL")))


def test_a_dry_run_says_so_too(
    model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = recipe_file(tmp_path, "Caption")
    given = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe), "--dry-run"]
    assert main(given) == 3
    assert "pip install rouge==1.0.1" in capsys.readouterr().err


def test_scoring_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": 1, "answer": "a dog", "gt_answers": ["a dog"]}\n')
    override = MetricOverride("Caption", {"compat": "upstream"})
    with pytest.raises(DependencyError, match=r"rouge 1\.0\.1"):
        score_file(path, override)
    assert list(tmp_path.iterdir()) == [path]


def test_the_progress_bar_does_not_stop_a_run(make: Make) -> None:
    metric = METRICS.get("Caption", upstream=True)()
    assert metric.running(make("1", "a dog", gt_answers=["a dog"])) is None
