"""POPE under the name that ChEF gives the metric, with the scores of its splits."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.yesno import YesNo

Record = dict[str, Any]


class Pope(YesNo):
    """The metrics of `YesNo`, from 0 to 1. An answer that is neither yes nor no is unparsed.

    Where the samples have a field ``category`` with the split or splits that they belong to
    ("random,popular"), each split has the same metrics under its name: ``adversarial/F1 score``. A
    sample of several splits counts in each of them, and once in the metrics over all.
    """

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        whole = super().metric_func(answers)
        return {
            **whole,
            **{name: super(Pope, self).metric_func(part) for name, part in splits(answers).items()},
        }

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """The metrics of the group, without its splits."""
        return super().metric_func(answers)


def splits(answers: list[Record]) -> dict[str, list[Record]]:
    """The answers of each split; empty if they name none.

    >>> {name: len(part) for name, part in splits([{"category": "a, b"}, {}]).items()}
    {'a': 1, 'b': 1}
    """
    found: dict[str, list[Record]] = {}
    for answer in answers:
        for name in dict.fromkeys(map(str.strip, str(answer.get("category") or "").split(","))):
            if name:
                found.setdefault(name, []).append(answer)
    return dict(sorted(found.items()))
