"""The registries of all kinds of ingredients, which a plugin or a package may add to."""

from __future__ import annotations

from typing import Any

from chef.inferencer import INFERENCERS
from chef.instruction import INSTRUCTIONS, RETRIEVERS
from chef.method import METHODS
from chef.metric import METRICS
from chef.metric.judge_kind import JUDGE_KINDS
from chef.metric.mmtrusteval import EVALUATORS
from chef.models import MODELS
from chef.models.hooks.mmtrusteval import CHATS
from chef.registry import Registry
from chef.scenario import SCENARIOS

REGISTRIES: tuple[Registry[Any], ...] = (
    SCENARIOS,
    INFERENCERS,
    METRICS,
    MODELS,
    RETRIEVERS,
    INSTRUCTIONS,
    JUDGE_KINDS,
    EVALUATORS,
    METHODS,
    CHATS,
)
