"""chef's own metrics are handed the answers themselves, so they must not change them."""

from __future__ import annotations

import copy
from contextlib import suppress

import pytest

from chef.errors import ChefError
from chef.metric import METRICS
from chef.types import Prediction, Status

SAMPLE = {
    "question": "Is there a cat?", "choices": ["yes", "no"], "gt_choice": 0,
    "gt_answers": ["yes"], "category": "existence", "image_path": "a.jpg",
}  # fmt: skip


def answers() -> list[Prediction]:
    scored = {"choice": 0, "ppl_results": [-1.0, -2.0], "probs": [0.7, 0.3]}
    return [
        Prediction("1", Status.OK, "yes", sample={**SAMPLE, "options": ["yes", "no"]}),
        Prediction("2", Status.OK, "no", scored, sample={**SAMPLE, "options": ["yes", "no"]}),
        Prediction("3", Status.OK, "a cat, 4", sample={**SAMPLE, "gt_answers": ["a cat", "4"]}),
    ]


@pytest.mark.parametrize("compat", ["corrected", "upstream", "vlmevalkit"])
@pytest.mark.parametrize("name", [name for name in METRICS if name != "Evaluators"])
def test_a_metric_leaves_the_answers_as_they_are(name: str, compat: str) -> None:
    metric = METRICS.get(name, compat=compat)()
    assert metric.is_own
    given = answers()
    before = copy.deepcopy(given)
    # Some metrics cannot aggregate these answers.
    with suppress(ChefError, LookupError, ValueError, TypeError):
        metric.evaluate(given, groupings={"category": "category"})
    assert given == before
