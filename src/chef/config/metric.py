"""The ``metric_cfg`` section: a metric by its name, or by a protocol that the scenario resolves.

A protocol is a name that scenarios declare (``protocols``); each says which of the metrics stands
for it there. ``basic`` is the scenario's own metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.config.document import Document
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError, nearest
from chef.metric import METRICS, BaseMetric
from chef.scenario import Scenario

AT = ("eval_cfg", "metric_cfg")
BASIC = "basic"


def metric_spec(
    section: Mapping[str, Any],
    document: Document,
    scenario: Scenario | type[Scenario],
    handed: Mapping[str, Any],
) -> Spec[BaseMetric]:
    """The metric that the section names and configures, for this scenario.

    Args:
        section: ``metric_type`` and the metric's own keys.
        document: the recipe.
        scenario: says what a protocol stands for.
        handed: what the recipe hands to every ingredient that takes it.

    Raises:
        ConfigError: an unknown metric or key, or a protocol that the scenario does not have.
    """
    name = section["metric_type"]
    if isinstance(name, str):
        _check_name(name, document, scenario)
        stands_for = {BASIC: scenario.metric, **scenario.protocols}.get(name, name)
        section = {**section, "metric_type": stands_for}
    return named_metric(section, document, handed)


def named_metric(
    section: Mapping[str, Any], document: Document, handed: Mapping[str, Any]
) -> Spec[BaseMetric]:
    """The metric that the section calls by its own name, whatever the scenario.

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
            return  # which metric these stand for may depend on the scenario's keys
    named_metric(section, document, handed)


def _check_name(name: str, document: Document, scenario: Scenario | type[Scenario]) -> None:
    protocols = {BASIC, *scenario.protocols}
    if name in protocols or name in METRICS:
        return
    owner = scenario if isinstance(scenario, type) else type(scenario)
    raise ConfigError(
        f"unknown metric '{name}', and {owner.__name__} has no protocol of that name",
        where=document.where(*AT, "metric_type"),
        mend=f"{nearest(name, {*METRICS, *protocols})}; "
        f"the protocols of {owner.__name__}: {', '.join(sorted(protocols))}",
    )
