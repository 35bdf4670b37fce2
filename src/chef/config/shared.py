"""What the recipes of one call share: scenarios, and the pools that in-context examples come from.

A sweep has many recipes of few scenarios. Making a scenario may read a large table, and a pool is
embedded to find similar examples, which takes longer than asking a small model.
"""

from __future__ import annotations

import json
from typing import Any

from chef.config.spec import Spec
from chef.instruction.retriever import ExamplePool, Retriever
from chef.scenario.base import Scenario, checked_scenario

#: Keys of a retriever that do not change how its pool is searched.
_OF_THE_CHOICE = ("ice_num", "random_seed")


class Shared:
    """Makes each scenario and each pool once, for sections of plain data that are equal."""

    def __init__(self) -> None:
        self._scenarios: dict[Any, Scenario] = {}
        self._pools: dict[Any, tuple[Scenario, ExamplePool]] = {}

    def scenario(self, spec: Spec[Scenario]) -> Scenario:
        """The scenario of a section, made if none of an equal one was; ConfigError or DataError if
        it cannot be.
        """
        key = _key(spec, spec.effective())
        if key is not None and key in self._scenarios:
            return self._scenarios[key]
        made = checked_scenario(spec.build())
        if key is not None:
            self._scenarios[key] = made
        return made

    def pool(self, spec: Spec[Retriever], scenario: Scenario) -> ExamplePool:
        """The pool of a scenario for a retriever, whatever its number of examples and seed."""
        options = {k: v for k, v in spec.effective().items() if k not in _OF_THE_CHOICE}
        key = _key(spec, options)
        if key is not None and (id(scenario), key) in self._pools:
            return self._pools[id(scenario), key][1]
        split = scenario.pool()
        pool = ExamplePool(split or scenario, is_split=bool(split))
        if key is not None:
            self._pools[id(scenario), key] = scenario, pool  # which keeps the id from another's use
        return pool


def _key(spec: Spec[Any], options: dict[str, Any]) -> Any:
    """What an ingredient is made of; None where that cannot be compared."""
    try:
        text = json.dumps(options, sort_keys=True)
    except (TypeError, ValueError):
        return None
    method = getattr(spec, "method", None)
    return type(spec), spec.kind, spec.name, () if method is None else method.kinds, text
