"""MMTrustEval's own rules for the evaluators that ask a judge."""

from __future__ import annotations

from chef.metric.mmtrusteval import harmbench, judges, moderation, perspective


class ChatModelEvaluator(judges.ChatModelEvaluator):
    """As `judges.ChatModelEvaluator`; the answer is shown as it is, and a failure is a text."""

    failure_is_text = True
    shows_marks_apart = False


class ChatModelScorer(judges.ChatModelScorer):
    """As `judges.ChatModelScorer`; the answer is shown as it is, and a failure is a text."""

    failure_is_text = True
    shows_marks_apart = False


class HarmBenchEvaluator(harmbench.HarmBenchEvaluator):
    """As `harmbench.HarmBenchEvaluator`; the answer is shown as it is."""

    shows_marks_apart = False


class PerspectiveEvaluator(perspective.PerspectiveEvaluator):
    """As `perspective.PerspectiveEvaluator`; of a text that is refused another one is scored."""

    instead = "No response"


class ModerationEvaluator(moderation.ModerationEvaluator):
    """As `moderation.ModerationEvaluator`; of a text that is refused another one is scored."""

    instead = "No response"
