"""The output of ``--list``: every registered ingredient, by kind."""

from __future__ import annotations

from chef.config.installed import register_installed
from chef.inferencer import INFERENCERS
from chef.instruction import INSTRUCTIONS, RETRIEVERS
from chef.metric import METRICS
from chef.models import MODELS
from chef.scenario import SCENARIOS


def list_ingredients() -> int:
    """Print the names without importing the classes."""
    register_installed()
    for registry in (SCENARIOS, INSTRUCTIONS, RETRIEVERS, INFERENCERS, METRICS, MODELS):
        names = ", ".join(registry) or "(none yet)"
        print(f"{registry.kind + 's:':<14}{names}")
    return 0
