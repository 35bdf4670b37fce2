"""The ``metric_cfg`` section: a metric by its name, or by a protocol that the scenario resolves.

Scenarios declare protocols (``Scenario.protocols``): names that mean another metric for each
scenario. ``basic`` is the scenario's own metric. The section may be a list of several metrics, of
which the first is the main one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.config.document import Document
from chef.config.override import Key
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.metric import METRICS, Metric
from chef.registry import of_session, recipe_name
from chef.scenario import Scenario

AT = ("eval_cfg", "metric_cfg")
BASIC = "basic"


class MetricSection(Frozen):
    """The section of one metric, and its key path, which ends with its place where there are
    several.
    """

    values: dict[str, Any]
    at: Key = AT

    @property
    def name(self) -> Any:
        """The metric or protocol as given; anything that YAML can hold."""
        return self.values.get("metric_type", BASIC)

    def named(self, name: str) -> MetricSection:
        """The same section with another ``metric_type``."""
        return MetricSection({**self.values, "metric_type": name}, self.at)


def metric_sections(given: Any, document: Document, at: Key = AT) -> list[MetricSection]:
    """The sections of all metrics, the main one first; none: the scenario's own.

    ConfigError: one is neither section nor name, or occurs twice.
    """
    items = given if isinstance(given, list) and given else [given]
    sections: list[MetricSection] = []
    for place, item in enumerate(items):
        here = (*at, str(place)) if items is given else at
        values = {"metric_type": item} if isinstance(item, str) else item
        if values is None:
            values = {}
        if not isinstance(values, dict):
            raise ConfigError(
                "must be a mapping, the name of a metric, or a list of these",
                where=document.where(*here),
                hint="for example [VQA, {metric_type: Accuracy}]",
            )
        sections.append(MetricSection(values, here))
    return sections


def complete(sections: Sequence[MetricSection], document: Document) -> list[MetricSection]:
    """The sections with the name of the scenario's own metric where they name none.

    Raises:
        ConfigError: two of them are the same.
    """
    found: list[MetricSection] = []
    for section in sections:
        values = {"metric_type": BASIC, **section.values}
        if not isinstance(values["metric_type"], str | None):
            raise ConfigError(
                f"{values['metric_type']!r} is no name",
                where=document.where(*section.at, "metric_type"),
                hint="give the name of a metric; `chef list metrics` shows them",
            )
        if twin := next((one for one in found if one.values == values), None):
            raise ConfigError(
                f"is the same metric as {'.'.join(twin.at)}",
                where=document.where(*section.at),
                hint="remove one of the two, or give them different keys",
            )
        found.append(MetricSection(values, section.at))
    return found


def metric_spec(
    section: MetricSection,
    document: Document,
    scenario: Scenario | type[Scenario],
    handed: Mapping[str, Any],
) -> Spec[Metric]:
    """The metric that the section configures; its name may be a protocol of the scenario.

    Raises ConfigError.
    """
    if isinstance(name := section.name, str):
        _check_name(name, document, scenario, section.at)
        compat = section.values.get("compat", handed.get("compat"))
        by_name = scenario.metric_by_name if compat == "vlmevalkit" else None
        basic = by_name or scenario.metric
        metric = {BASIC: basic, **scenario.protocols}.get(name, name)
        section = section.named(metric)
    return named_metric(section, document, handed)


def named_metric(
    section: MetricSection, document: Document, handed: Mapping[str, Any]
) -> Spec[Metric]:
    """The metric that the section names directly, for any scenario. Raises ConfigError."""
    spec = make_spec(
        section.values,
        "metric_type",
        METRICS,
        document,
        section.at,
        handed=handed,
    )
    try:
        spec.kind.check_keys(spec.options)
    except ConfigError as error:
        key = (error.where or "").split(".") if error.where else []
        where = document.where(*section.at, *key)
        raise ConfigError(error.what, where=where, hint=error.hint) from error
    return spec


def check_early(
    section: MetricSection,
    document: Document,
    scenario: type[Scenario],
    handed: Mapping[str, Any],
) -> None:
    """Check the section as far as it can be without making the scenario. Raises ConfigError."""
    if isinstance(name := section.name, str):
        _check_name(name, document, scenario, section.at)
        if name == BASIC or name in scenario.protocols:
            return  # which metric that is may depend on the keys of the scenario
    named_metric(section, document, handed)


def _check_name(
    name: str, document: Document, scenario: Scenario | type[Scenario], at: Key
) -> None:
    protocols = {BASIC, *scenario.protocols}
    if name in protocols or name in METRICS:
        return
    if name in METRICS.refused:
        METRICS.get(name, where=document.where(*at, "metric_type"))  # which says why
    owner = scenario if isinstance(scenario, type) else type(scenario)
    near = of_session(name) or nearest(name, {*METRICS, *protocols})
    raise ConfigError(
        f"unknown metric '{name}', and {recipe_name(owner)} has no protocol of that name",
        where=document.where(*at, "metric_type"),
        hint=f"{near}{'' if near.endswith('?') else ';'} "
        f"the protocols of {recipe_name(owner)}: {', '.join(sorted(protocols))}",
    )
