"""Data sets written for ChEF, VLMEvalKit or MMTrustEval in a plugin: each becomes a scenario."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from chef.errors import ConfigError
from chef.instruction.pools import pool_names
from chef.metric import METRICS
from chef.metric.hooks import metric_of
from chef.registry import is_plugin
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.hooks.chef import is_dataset
from chef.scenario.hooks.chef import scenarios_of as items_of
from chef.scenario.hooks.mmtrusteval.base import BaseDataset
from chef.scenario.hooks.mmtrusteval.scenario import scenarios_of as trust_scenarios_of
from chef.scenario.hooks.packaged import packaged
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.scenario import scenarios_of
from chef.scenario.mmtrusteval.table import datasets
from chef.scenario.vlmevalkit.roots import PACKAGED

#: The methods that read answers and decide none.
_EVALUATES = frozenset({"evaluate"})


def register_dataset(kind: type[Any]) -> bool:
    """Register a class of data sets under its name and those of its data sets.

    Returns:
        Whether it is such a class.

    Raises:
        ConfigError: a name belongs to something else.
    """
    if issubclass(kind, BaseDataset):
        return register_trust_dataset(kind)
    if is_dataset(kind) and not issubclass(kind, Scenario):
        return _register_items(kind)
    if not issubclass(kind, ImageBaseDataset):
        return False
    for name, scenario in scenarios_of(kind).items():
        if not _is_inherited(name, kind):
            SCENARIOS.register(name, scenario)
    if (metric := metric_of(kind)) is not None:
        METRICS.register(*metric)
    return True


def register_packaged(dataset: str) -> None:
    """Register a data set of VLMEvalKit's files, of a ``dataset_name`` that is ``vlmeval:NAME``.

    A class of the recipe's plugins has the name first, then those of an installed package.

    Raises:
        ConfigError: there is no such data set.
        DependencyError: the package is not installed.
    """
    name = dataset.removeprefix(PACKAGED)
    if SCENARIOS.is_in_scope(name):
        SCENARIOS.register(dataset, SCENARIOS.get(name))
        return
    kind = packaged(name)
    SCENARIOS.register(dataset, scenarios_of(kind)[name])
    if (metric := metric_of(kind)) is not None:
        METRICS.register(*metric)


def _register_items(kind: type[Any]) -> bool:
    """Register a class written for ChEF; its metric is that of chef's data set of that name."""
    known = SCENARIOS.get(kind.dataset_name) if kind.dataset_name in SCENARIOS else None
    metric = getattr(known, "metric", "") or "Accuracy"
    pools = pool_names()
    made = items_of(
        kind, metric, getattr(known, "protocols", {}), has_wordings=kind.task_name in pools
    )
    for name, scenario in made.items():
        SCENARIOS.register(name, scenario)
    return True


def register_trust_dataset(kind: type[BaseDataset]) -> bool:
    """Register a class written for MMTrustEval under the ids that it names.

    Returns:
        Whether it names ids of its own; a class without is one that others extend.

    Raises:
        ConfigError: an id belongs to something else.
    """
    if not vars(kind).get("dataset_ids"):
        return False
    for name, scenario in trust_scenarios_of(kind).items():
        if name in datasets() and not is_plugin(kind):
            raise ConfigError(
                f"data set '{name}' of {kind.__name__} is one of chef's already",
                hint="choose another id in dataset_ids",
            )
        SCENARIOS.register(name, scenario)
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
