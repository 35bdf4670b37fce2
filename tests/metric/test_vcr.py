"""VCR: covered texts, each compared with the best words in a row of the answer."""

from __future__ import annotations

import pytest

from chef.metric.vqa.texts_in_images import VCR
from chef.types import Prediction, Status


def found(answer: str, references: list[str]) -> dict[str, float]:
    sample = {"id": "1", "question": "?", "gt_answers": references}
    report = VCR().evaluate([Prediction("1", Status.OK, answer, sample=sample)])
    return {name: report.metrics[name].value or 0.0 for name in ("exact_match", "jaccard")}


@pytest.mark.parametrize(
    ("answer", "references", "exact", "jaccard"),
    [
        ("It reads: the Old town.", ["old town"], 100, 100),
        ("town old", ["old town"], 0, 100),  # all words, in another order
        ("old town", ["old town", "a river"], 50, 50),  # two blanks, not two ways to say it
        ("the old city", ["old town"], 0, 100 / 3),  # {old, city} and {old, town}
        ("一座古城。", ["古城"], 100, 100),
        ("古镇", ["古城"], 0, 100 / 3),
        ("", ["old town"], 0, 0),
    ],
)
def test_covered_texts(answer: str, references: list[str], exact: float, jaccard: float) -> None:
    assert found(answer, references) == pytest.approx({"exact_match": exact, "jaccard": jaccard})
