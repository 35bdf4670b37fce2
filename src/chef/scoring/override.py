"""The metric that scores stored predictions, where it is not the recipe's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import field

from chef.config import Recipe
from chef.config.document import Document
from chef.config.metric import MetricSection
from chef.config.override import override_value
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.metric import METRICS, Metric
from chef.registry import recipe_name

#: How stored answers are scored by a metric that a plugin defines.
OWN = "one of your own: --recipe_cfg RECIPE, where `plugins` of the recipe names its file"


class MetricOverride(Frozen):
    """How the metric differs from the recipe's own: another name, options, or another recipe's."""

    metric: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    recipe: Recipe | None = None

    def sections(self, given: Sequence[MetricSection]) -> list[MetricSection]:
        """The sections of a recipe's metrics, the main one first, with changes.

        Without changes these are all; options change the metric that is named, or the main one.
        """
        if self.metric is None and not self.options:
            return list(given)
        metric_name(self.metric)
        own = next((one for one in given if self.metric in (None, one.name)), None)
        if own is None:
            return [MetricSection({"metric_type": self.metric, **self.options})]
        return [MetricSection({**own.values, **self.options}, own.at)]

    @contextmanager
    def located(self, document: Document) -> Iterator[None]:
        """Let a ConfigError about what was given here tell the option, not a line of YAML."""
        try:
            yield
        except ConfigError as error:
            place = error.where or ""
            key = place.rpartition("metric_cfg.")[2]
            if key in self.options:
                place = f"override '{key}=...'"
            elif self.metric is not None and place.startswith(f"{document.path}:"):
                place = f"--metric {self.metric}"
                if (error.hint or "").startswith("known: "):
                    hint = f"`chef list metrics` shows their names; {OWN}"
                    raise ConfigError(error.what, where=place, hint=hint) from error
            raise ConfigError(error.what, where=place or None, hint=error.hint) from error


def metric_name(metric: object) -> str | None:
    """The name of a metric, which a class of the running session gets here: that of the class.

    ConfigError: something else is given, such as a function, or chef has a metric of that name.
    """
    if metric is None or (isinstance(metric, str) and not metric.endswith(".py")):
        return metric
    if isinstance(metric, type) and issubclass(metric, Metric):
        name = recipe_name(metric)
        present = METRICS.get(name) if name in METRICS else None
        if present not in (None, metric) and present.__module__.startswith("chef."):
            raise ConfigError(
                f"chef has a metric '{name}'", where="metric", hint="give the class another name"
            )
        if present is not metric:
            METRICS.replace(name, metric)
        return name
    raise _no_name(metric)


def _no_name(metric: object) -> ConfigError:
    """The error for an object, a function or a file in place of a metric's name."""
    what, hint = "is not", f"{OWN} (Python: recipe=)"
    if isinstance(metric, str):
        what = "is a Python file, not"
    elif isinstance(metric, Metric):
        hint = f"give the class, metric={type(metric).__name__}, and its keys as options={{...}}"
    elif callable(metric) and not isinstance(metric, type):
        hint = (
            "let a class call it, and give the class: class Mine(chef.Metric): def metric_func("
            "self, answers): return ..."
        )
    what = f"{metric} {what} the name of a metric"
    return ConfigError(what, where="metric (--metric)", hint=hint)


def changed_options(options: Sequence[str]) -> dict[str, Any]:
    """Options of a metric as the command line gives them; their values are read as YAML.

    >>> changed_options(["threshold=0.7", "eval_cfg.metric_cfg.strategy=acc"])
    {'threshold': 0.7, 'strategy': 'acc'}

    Raises:
        ConfigError: an option belongs to another section, or is no ``key=value``.
    """
    changes: dict[str, Any] = {}
    for item in options:
        name, equals, _ = item.partition("=")
        key = name.removeprefix("eval_cfg.").removeprefix("metric_cfg.")
        if not equals or not key or "." in key:
            raise ConfigError(
                "only options of the metric can be changed when scoring",
                where=f"override '{name}=...'",
                hint="give them as key=value",
            )
        changes[key] = override_value(item)
    return changes
