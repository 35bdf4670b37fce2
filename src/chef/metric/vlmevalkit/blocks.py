"""MMVP and NaturalBench by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.choice import score_choice
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vqa import mmvp, naturalbench
from chef.metric.vqa.blocks import all_right

Record = dict[str, Any]


class MMVP(FailuresAreAnswers, mmvp.MMVP):
    """Answers are read by `can_infer`; a pair is right if both of its answers are.

    Metrics, in 0..1: ``Overall``: right pairs; ``all_rows``: right rows. Pairs of which one row was
    not scored are left out and counted (``incomplete_groups``).
    """

    primary = "Overall"
    chance_for = ("all_rows",)
    policy = "VLMEvalKit can_infer"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_choice(record)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        pairs, missing = self.blocks(answers)
        return {
            "Overall": self.share_of_blocks(all_right(pairs), answers, "0-1"),
            "all_rows": self.share_of_rows(answers, "0-1"),
            "incomplete_groups": missing,
        }


class NaturalBench(FailuresAreAnswers, naturalbench.NaturalBench):
    """Answers are read by `can_infer`; what is known of VLMEvalKit's rules has none of its own.

    Metrics, in %: those of `NaturalBench` by chef's rules.
    """

    chance_for = ("Acc",)
    policy = "VLMEvalKit can_infer"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_choice(record)
