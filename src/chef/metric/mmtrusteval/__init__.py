"""MMTrustEval's evaluators and their chains. Each evaluator has a class and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from chef.registry import Registry

if TYPE_CHECKING:
    from chef.metric.mmtrusteval.base import BaseEvaluator

#: The evaluators by their ids; some have rows with MMTrustEval's own rules.
EVALUATORS: Registry[BaseEvaluator] = Registry(
    "evaluator",
    {
        "chatmodel_eval": "chef.metric.mmtrusteval.judges:ChatModelEvaluator",
        "chatmodel_score": "chef.metric.mmtrusteval.judges:ChatModelScorer",
        "classifer_reject_eval": "chef.metric.mmtrusteval.networks:RejectEvaluator",
        "classifer_follow_instruction_eval": "chef.metric.mmtrusteval.networks:FollowEvaluator",
        "classifier_reject_eval": "chef.metric.mmtrusteval.networks:RejectEvaluator",
        "classifier_follow_instruction_eval": "chef.metric.mmtrusteval.networks:FollowEvaluator",
        "harmbenchmodel_eval": "chef.metric.mmtrusteval.networks:HarmBenchEvaluator",
        "google_perspective_api_eval": "chef.metric.mmtrusteval.services:PerspectiveEvaluator",
        "openai_moderation_api_eval": "chef.metric.mmtrusteval.services:ModerationEvaluator",
        "rule_yes_or_no_eval": "chef.metric.mmtrusteval.rules:YesOrNoEvaluator",
        "rule_contain_eval": "chef.metric.mmtrusteval.rules:ContainEvaluator",
        "rule_reject_template_eval": "chef.metric.mmtrusteval.rules:RejectTemplateEvaluator",
        "rule_match_and_score_eval": "chef.metric.mmtrusteval.rules:MatchAndScoreEvaluator",
        "rule_score_eval": "chef.metric.mmtrusteval.rules:ScoreEvaluator",
        "rule_contain_exact_eval": "chef.metric.mmtrusteval.rules:ContainExactEvaluator",
        "rule_contain_adv_eval": "chef.metric.mmtrusteval.rules:ContainAdvEvaluator",
    },
    rows="chef.metric.rows:evaluators",
)

Kind = TypeVar("Kind", bound="type[BaseEvaluator]")


def register_evaluator() -> Callable[[Kind], Kind]:
    """Decorate a `BaseEvaluator` to register it under each of its ``evaluator_ids``, which must be
    free; raises ConfigError.
    """

    def register(kind: Kind) -> Kind:
        from chef.metric.mmtrusteval.base import check_class

        check_class(kind)
        for name in kind.evaluator_ids:
            EVALUATORS.register(name, kind)
        return kind

    return register
