"""The ``metric_cfg`` section: a metric by its name, or by a protocol that the scenario resolves.

Scenarios declare protocols (``Scenario.protocols``): names that mean another metric for each
scenario. ``basic`` is the scenario's own metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.config.document import Document
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError, nearest
from chef.metric import METRICS, Metric
from chef.scenario import Scenario

AT = ("eval_cfg", "metric_cfg")
BASIC = "basic"


def metric_spec(
    section: Mapping[str, Any],
    document: Document,
    scenario: Scenario | type[Scenario],
    handed: Mapping[str, Any],
) -> Spec[Metric]:
    """The metric that the section names and configures, for this scenario.

    Args:
        section: ``metric_type`` and the metric's own keys.
        document: the recipe.
        scenario: declares the protocols.
        handed: keys of the recipe that every ingredient inherits.

    Raises:
        ConfigError: an unknown metric or key, or a protocol that the scenario does not have.
    """
    name = section["metric_type"]
    if isinstance(name, str):
        _check_name(name, document, scenario)
        metric = {BASIC: scenario.metric, **scenario.protocols}.get(name, name)
        section = {**section, "metric_type": metric}
    return named_metric(section, document, handed)


def named_metric(
    section: Mapping[str, Any], document: Document, handed: Mapping[str, Any]
) -> Spec[Metric]:
    """The metric that the section names directly, for any scenario.

    Raises:
        ConfigError: an unknown metric or key.
    """
    return make_spec(
        section, "metric_type", METRICS, document, AT, reserved=("dataset_name",), handed=handed
    )


def check_early(
    section: Mapping[str, Any],
    document: Document,
    scenario: type[Scenario],
    handed: Mapping[str, Any],
) -> None:
    """Check the section as far as it can be without making the scenario.

    Raises:
        ConfigError: an unknown metric or key, or a protocol that the scenario does not have.
    """
    name = section["metric_type"]
    if isinstance(name, str):
        _check_name(name, document, scenario)
        if name == BASIC or name in scenario.protocols:
            return  # which metric that is may depend on the keys of the scenario
    named_metric(section, document, handed)


def _check_name(name: str, document: Document, scenario: Scenario | type[Scenario]) -> None:
    protocols = {BASIC, *scenario.protocols}
    if name in protocols or name in METRICS:
        return
    owner = scenario if isinstance(scenario, type) else type(scenario)
    raise ConfigError(
        f"unknown metric '{name}', and {owner.__name__} has no protocol of that name",
        where=document.where(*AT, "metric_type"),
        hint=f"{nearest(name, {*METRICS, *protocols})}; "
        f"the protocols of {owner.__name__}: {', '.join(sorted(protocols))}",
    )
