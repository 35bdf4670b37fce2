"""The metric that scores stored predictions, where it is not the recipe's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chef.config import Recipe
from chef.errors import ConfigError


@dataclass(frozen=True, slots=True)
class MetricOverride:
    """How the metric differs from the recipe's own.

    Attributes:
        metric: the name of another metric or protocol than the recipe's, with its own defaults.
        options: keys of the metric's section with their new values.
        recipe: the recipe whose metric is used instead of the run's own.
    """

    metric: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    recipe: Recipe | None = None

    def section(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The metric's section of a recipe with these changes.

        Args:
            given: the section.
        """
        if self.metric is None or self.metric == given.get("metric_type", "basic"):
            return {"metric_type": "basic", **given, **self.options}
        return {"metric_type": self.metric, **self.options}


def changed_options(options: Sequence[str]) -> dict[str, Any]:
    """Options of a metric as the command line gives them; their values are read as YAML.

    >>> changed_options(["threshold=0.7", "eval_cfg.metric_cfg.strategy=acc"])
    {'threshold': 0.7, 'strategy': 'acc'}

    Raises:
        ConfigError: an option belongs to another section, or is no ``key=value``.
    """
    from omegaconf import OmegaConf

    changes: dict[str, Any] = {}
    for item in options:
        name, equals, value = item.partition("=")
        key = name.removeprefix("eval_cfg.").removeprefix("metric_cfg.")
        if not equals or not key or "." in key:
            raise ConfigError(
                "only options of the metric can be changed when scoring",
                where=f"override '{name}=...'",
                hint="give them as key=value",
            )
        try:
            changes[key] = OmegaConf.to_container(OmegaConf.from_dotlist([f"{key}={value}"]))[key]  # type: ignore[index,call-overload]
        except Exception as error:
            message = str(error).splitlines()[0]
            raise ConfigError(message, where=f"override '{name}=...'") from None
    return changes
