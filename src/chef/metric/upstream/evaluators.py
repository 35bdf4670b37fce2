"""MMTrustEval's chains of evaluators, with its own rules."""

from __future__ import annotations

from typing import ClassVar

from chef.metric.mmtrusteval import evaluators
from chef.types import Compat


class Evaluators(evaluators.Evaluators):
    """As `chef.metric.mmtrusteval.evaluators.Evaluators`, with MMTrustEval's own rules.

    A judge's failure is a text that is evaluated, and there is no `failure_rate`.
    """

    compat: ClassVar[Compat] = "upstream"
