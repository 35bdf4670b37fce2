"""What ``--list`` shows: every known ingredient, by kind."""

from __future__ import annotations

from chef.inferencer import INFERENCERS
from chef.instruction import RETRIEVERS
from chef.metric import METRICS
from chef.models import MODELS
from chef.scenario import SCENARIOS


def list_ingredients() -> int:
    """Print the names; imports none of them."""
    for registry in (SCENARIOS, INFERENCERS, RETRIEVERS, METRICS, MODELS):
        names = ", ".join(registry) or "(none yet)"
        print(f"{registry.kind + 's:':<13}{names}")
    return 0
