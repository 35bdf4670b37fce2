"""How often is the right option chosen, or the right answer given?"""

from __future__ import annotations

from typing import Any

from chef.metric.base import BaseMetric
from chef.metric.extraction import (
    POLICY,
    Extraction,
    extract_option,
    final_text,
    option_names,
)
from chef.metric.extraction.mentions import same_text
from chef.metric.extraction.numbers import as_number
from chef.metric.records import (
    answer_text,
    by_score,
    missing_truth,
    names,
    scored_choice,
    true_choices,
    truths,
    verdict_of,
)
from chef.metric.statistics import proportion


class Accuracy(BaseMetric):
    """Share of right answers.

    An option chosen by its score is compared by index. A text is searched for an option, by label
    or by its words (`extract_option`); without options it is compared with the references, but
    for case, articles, punctuation, the form of a number, and words around an explicit answer.

    Figures:
        ``ACC``: right answers, in % of all scored; unparsed ones are not right.
        ``match_ratio``: answers that could be read, in % of all scored.
    """

    primary = "ACC"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` the index of the option, or the text."""
        right = true_choices(record)
        choice = scored_choice(record)
        if choice is not None:
            if not right:
                raise missing_truth(record, "gt_choice")
            return verdict_of(by_score(choice, record), right=choice in right)
        if right:
            labels, texts = option_names(names(record, "options"), names(record, "choices"))
            # Options scored by their texts may still be lettered in the question.
            lettered = names(record, "labels")
            if len(lettered) == len(texts):
                labels = tuple(lettered)
            found = extract_option(answer_text(record), texts, labels)
            return verdict_of(found, right=found.value in right)
        return _judge_open(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**accuracy(answers), "policy": POLICY}


def accuracy(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """``ACC`` and ``match_ratio`` of judged records, in %, with Wilson intervals."""
    n = len(answers)
    return {
        "ACC": proportion(sum(answer["metric_result"] for answer in answers), n),
        "match_ratio": proportion(sum(answer["parsed"] is not None for answer in answers), n),
    }


def _judge_open(record: dict[str, Any]) -> dict[str, Any]:
    references = [str(item) for item in truths(record)]
    if not references:
        raise missing_truth(record, "gt_choice and no gt_answers")
    text = final_text(answer_text(record))
    found: Extraction[str] = Extraction(text or None, "text" if text else "none", text)
    number = as_number(text)
    equal = number is not None and number in map(as_number, references)
    return verdict_of(found, right=equal or bool(same_text(text, references)))
