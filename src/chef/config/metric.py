"""The ``metric_cfg`` section: a metric by its name, or by a protocol that the scenario resolves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.config.document import Document
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.metric import METRICS, BaseMetric
from chef.scenario import Scenario

AT = ("eval_cfg", "metric_cfg")

#: ``metric_type`` of ChEF that is no metric: which one it stands for is the scenario's to say.
PROTOCOLS = (
    "basic",
    "Calibration",
    "Ch3Ef",
    "Hallucination",
    "Instruct_Follow",
    "KOSMOS",
    "LAMM",
    "MMMU",
    "Winoground",
)


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
    protocols = {"basic": scenario.metric, **scenario.protocols}
    if name in protocols:
        section = {**section, "metric_type": protocols[name]}
    elif name in PROTOCOLS and name not in METRICS:
        owner = scenario if isinstance(scenario, type) else type(scenario)
        raise ConfigError(
            f"the scenario {owner.__name__} has no protocol '{name}'",
            where=document.where(*AT, "metric_type"),
            mend=f"it has: {', '.join(sorted(protocols))}; or name a metric",
        )
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
        ConfigError: an unknown metric or key.
    """
    name = section["metric_type"]
    # What a protocol stands for may depend on the scenario's keys.
    if not isinstance(name, str) or (name in METRICS and name not in scenario.protocols):
        named_metric(section, document, handed)
    elif name not in PROTOCOLS and name not in scenario.protocols:
        METRICS.get(name, where=document.where(*AT, "metric_type"))
