"""Data sets written for VLMEvalKit in a plugin: each becomes a scenario, and perhaps a metric."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from chef.metric import METRICS
from chef.metric.hooks.vlmevalkit import metric_of
from chef.scenario import SCENARIOS
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.scenario import scenarios_of

#: The methods that read answers and decide none.
_EVALUATES = frozenset({"evaluate"})


def register_dataset(kind: type[Any]) -> bool:
    """Register a class of data sets under its name and those of its data sets.

    Returns:
        Whether it is such a class.

    Raises:
        ConfigError: a name belongs to something else.
    """
    if not issubclass(kind, ImageBaseDataset):
        return False
    for name, scenario in scenarios_of(kind).items():
        if not _is_inherited(name, kind):
            SCENARIOS.register(name, scenario)
    if (metric := metric_of(kind)) is not None:
        METRICS.register(*metric)
    return True


def _is_inherited(name: str, kind: type[Any]) -> bool:
    """Whether a name of a class is one of the class that it extends, and stands for that one."""
    if name not in SCENARIOS:
        return False
    owner = getattr(SCENARIOS.get(name), "dataset_class", None)
    return owner is not None and issubclass(kind, owner)


def evaluation_methods(node: ast.ClassDef, module: ModuleType) -> list[ast.FunctionDef]:
    """The methods of a class of data sets that only read answers; none of another class."""
    kind = getattr(module, node.name, None)
    if not isinstance(kind, type) or not issubclass(kind, ImageBaseDataset):
        return []
    return [
        item for item in node.body if isinstance(item, ast.FunctionDef) and item.name in _EVALUATES
    ]
