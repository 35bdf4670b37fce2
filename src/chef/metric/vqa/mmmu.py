"""MMMU: accuracy a subject, of multiple choice and of open questions."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from chef.extraction import POLICY, Extraction
from chef.extraction.open_answers import open_matches
from chef.metric.base import BaseMetric, Estimate
from chef.metric.records import (
    answer_text,
    missing_truth,
    names,
    scored_choice,
    true_choices,
    truths,
    verdict_of,
)
from chef.metric.statistics import proportion
from chef.metric.vqa.choice import judge_choice, upstream_text
from chef.types import Compat

Record = dict[str, Any]
_EDGES = ",.!?;:'"
#: A text with fewer words is not searched for the words of an option.
_WORDS = 5


class MMMUMetric(BaseMetric):
    """Share of right answers; what cannot be read is not right.

    Source of the rule for open questions: Yue et al. 2024, "MMMU"; see `open_matches`.

    Figures, for ``Overall`` and each subject:
        ``acc``: in %. ``sample_nums``: questions scored (a count). Of each subject also
        ``correct_nums`` (a count).

    Args:
        dataset_name: of the scenario.
        compat: ``upstream`` reads letters as ChEF does, with a random option where it finds none
            (`mmmu_option`), and finds words inside words.
    """

    primary = "Overall/acc"

    def __init__(
        self,
        dataset_name: str = "",
        *,
        compat: Compat = "corrected",
    ) -> None:
        super().__init__(dataset_name)
        self.compat = compat

    def judge(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option, or the reference (else the answer) in words."""
        if record.get("question_type") == "open":
            return self._judge_open(record)
        if self.compat == "corrected" or scored_choice(record) is not None:
            return judge_choice(record)
        right = true_choices(record)
        if not right:
            raise missing_truth(record, "gt_choice")
        seed = f"42 {record.get('id')}"
        found = mmmu_option(upstream_text(record), names(record, "choices"), random.Random(seed))
        return verdict_of(found, right=found.value in right)

    def _judge_open(self, record: Record) -> dict[str, Any]:
        references = [str(item) for item in truths(record)]
        if not references:
            raise missing_truth(record, "gt_answers")
        upstream = self.compat == "upstream"
        text = upstream_text(record) if upstream else answer_text(record)
        found = open_matches(text, references, whole_words=not upstream)
        return verdict_of(found, right=found.rule in {"number", "words"})

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        subjects: dict[str, list[Record]] = defaultdict(list)
        for answer in answers:
            subjects[str(answer.get("subject", "other"))].append(answer)
        overall = _figures(answers)
        overall.pop("correct_nums")
        return {
            "Overall": overall,
            **{name: _figures(subjects[name]) for name in sorted(subjects)},
            "policy": POLICY if self.compat == "corrected" else "ChEF MMMU",
        }


def mmmu_option(answer: str, choices: list[str], rng: random.Random) -> Extraction[int]:
    """The option that ChEF takes a text for.

    Letters in brackets, else letters alone, else (in a text of more than five words) the words of
    options; the last of several; any option at random when there is none.

    >>> mmmu_option("B or (C)", ["x", "y", "z"], random.Random(0)).value
    2
    """
    text = f" {answer.strip(_EDGES)} "
    letters = [chr(65 + place) for place in range(len(choices))]
    searches = [
        ("brackets", text, [f"({letter})" for letter in letters]),
        ("alone", text, [f" {letter} " for letter in letters]),
    ]
    if len(text.split()) > _WORDS:
        searches.append(("content", text.lower(), [choice.lower() for choice in choices]))
    for rule, where, wanted in searches:
        places = [where.rfind(item) for item in wanted]
        if max(places, default=-1) >= 0:
            value = places.index(max(places))
            return Extraction(value, rule, wanted[value].strip())
    return Extraction(rng.randrange(len(choices)), "random")


def _figures(answers: list[Record]) -> dict[str, Estimate]:
    right = sum(answer["metric_result"] for answer in answers)
    n = len(answers)
    return {
        "acc": proportion(right, n),
        "correct_nums": Estimate(right, n, unit="count"),
        "sample_nums": Estimate(n, n, unit="count", higher_is_better=None),
    }
