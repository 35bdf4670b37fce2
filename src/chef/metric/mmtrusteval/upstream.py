"""MMTrustEval's own rules: chains, and the evaluators that ask a judge."""

from __future__ import annotations

from typing import ClassVar

from chef.metric.mmtrusteval import evaluators, judges
from chef.types import Compat


class Evaluators(evaluators.Evaluators):
    """As `evaluators.Evaluators`, with MMTrustEval's own rules."""

    compat: ClassVar[Compat] = "upstream"


class ChatModelEvaluator(judges.ChatModelEvaluator):
    """As `judges.ChatModelEvaluator`; the answer is shown as it is, and a failure is a text."""

    failure_is_text = True
    shows_marks_apart = False


class ChatModelScorer(judges.ChatModelScorer):
    """As `judges.ChatModelScorer`; the answer is shown as it is, and a failure is a text."""

    failure_is_text = True
    shows_marks_apart = False
