"""MMTrustEval's own rules for the evaluators that ask a judge."""

from __future__ import annotations

from chef.metric.mmtrusteval import judges


class ChatModelEvaluator(judges.ChatModelEvaluator):
    """As `judges.ChatModelEvaluator`; the answer is shown as it is, and a failure is a text."""

    failure_is_text = True
    shows_marks_apart = False


class ChatModelScorer(judges.ChatModelScorer):
    """As `judges.ChatModelScorer`; the answer is shown as it is, and a failure is a text."""

    failure_is_text = True
    shows_marks_apart = False
