"""Where a recipe has a judge, the rule and the score share one reading of each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from judgements_by_hand import judging

import chef.reading.options
from chef.metric import METRICS
from chef.metric.judgeable import Readings
from chef.reading.text import POLICY
from chef.types import Prediction

PETS: dict[str, Any] = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
TEXTS = {"1": "(B", "2": "a puppy", "3": "it is a cat"}


@pytest.mark.parametrize("when", ["always", "unread"])
@pytest.mark.parametrize("metric", ["VQA", "Accuracy", "MMMU_Metric"])
def test_rule_and_score_read_each_answer_once(
    make: Callable[..., Prediction], monkeypatch: pytest.MonkeyPatch, metric: str, when: str
) -> None:
    counts: Counter[str] = Counter()
    read = chef.reading.options.extract_option

    def counted(answer: str, *rest: Any) -> Any:
        counts[answer] += 1
        return read(answer, *rest)

    monkeypatch.setattr(chef.reading.options, "extract_option", counted)
    answers = [make(name, text, **PETS) for name, text in TEXTS.items()]
    asked = {"2": 1} if when == "unread" else dict.fromkeys(TEXTS, 1)
    given = judging("option", asked, when=when)

    def evaluated(kept: Readings) -> Any:
        one = METRICS.get(metric)()
        one.kept_readings = kept
        assert [one.reads(item.to_record()) for item in answers] == [True, False, True]
        return one.evaluate(answers, judging=given)

    first = Readings(POLICY)
    report = evaluated(first)
    assert counts == Counter(TEXTS.values())
    counts.clear()
    later = Readings(POLICY)
    later.take(map(first.noted, report.samples))
    assert evaluated(later).to_json() == report.to_json()
    assert counts.total() == 0
