"""The code in docs/ runs."""

from __future__ import annotations

import re

from conftest import ROOT

from chef.types import Prediction, Status


def test_the_metric_of_the_recipes_page_runs() -> None:
    page = (ROOT / "docs" / "recipes.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)
    metric = names["ShareOfLongAnswers"]()
    answers = ["a red circle", "yes", "no", "it is blue"]
    report = metric.evaluate(
        Prediction(str(n), Status.OK, answer) for n, answer in enumerate(answers)
    )
    assert report.metrics["long"].value == 50.0


def test_the_recipe_of_the_recipes_page_is_valid(tmp_path) -> None:
    from chef.config import load_recipe

    page = (ROOT / "docs" / "recipes.md").read_text()
    (block,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "r.yaml").write_text(block)
    assert load_recipe(tmp_path / "r.yaml").inferencer.name == "PPL"
