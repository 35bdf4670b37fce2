"""Evaluators made from their keys in a recipe, which are checked like those of any ingredient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chef.common.checked import check_value
from chef.common.constructors import class_keys, make
from chef.common.keys import REQUIRED, Key, keys_of
from chef.common.user_code import contained
from chef.errors import ConfigError, nearest, similar
from chef.metric.mmtrusteval import EVALUATORS
from chef.metric.mmtrusteval.base import BaseEvaluator
from chef.metric.mmtrusteval.metrics import METRICS
from chef.registry import nearest_name
from chef.types import Compat

METRICS_CFG = "metrics_cfg"


def build(
    name: str, given: Any, at: str, compat: Compat = "corrected", *, is_last: bool = True
) -> BaseEvaluator:
    """The evaluator of an id with its keys, which stand at the key path ``at``; the last one of a
    chain needs metrics. Raises ConfigError.
    """
    kind = EVALUATORS.get(_known(name, at), where=at, compat=compat)
    if lacking := sorted(getattr(kind, "__abstractmethods__", ())):
        raise ConfigError(
            f"the evaluator {name} lacks {', '.join(lacking)}",
            where=at,
            hint=f"its class {kind.__qualname__} in {kind.__module__} has to define them",
        )
    options = _mapping(given, at, f"{name}: {{{METRICS_CFG}: {{pred_mean: }}}}")
    if not is_last:
        options = {METRICS_CFG: {}, **options}
    values = {METRICS_CFG: {}, **_checked(name, _keys_of_class(kind), options, at)}
    metrics = _metrics(values[METRICS_CFG], f"{at}.{METRICS_CFG}")
    if is_last and not metrics and compat != "upstream":
        raise ConfigError(
            f"{name} is the last of its sequence, and has no metrics",
            where=f"{at}.{METRICS_CFG}",
            hint=f"name some: {METRICS_CFG}: {{pred_mean: }}; known: {', '.join(sorted(METRICS))}",
        )
    values[METRICS_CFG] = metrics
    try:
        with contained(f"{name}.__init__"):
            made: BaseEvaluator = make(kind, (name,), values)
    except ConfigError as error:
        key = error.where if error.where in values else None
        place = f"{at}.{key}" if key else at
        raise ConfigError(error.what, where=place, hint=error.hint) from error
    made.arguments = {key: item for key, item in values.items() if key != METRICS_CFG}
    return made


def _known(name: str, at: str) -> str:
    """The id of an evaluator; raises ConfigError."""
    if name in EVALUATORS:
        return name
    hint = nearest_name(name, EVALUATORS)
    if not similar(name, EVALUATORS.all_names()):
        hint += "; if it is a class of yours, name its file: plugins: [FILE.py] (to score a run "
        hint += "again, --recipe_cfg names the recipe that does)"
    raise ConfigError(f"unknown evaluator '{name}'", where=at, hint=hint)


def _metrics(given: Any, at: str) -> dict[str, dict[str, Any]]:
    """The metrics with their checked keys."""
    metrics: dict[str, dict[str, Any]] = {}
    for name, keys in _mapping(given, at, "{pred_mean: }").items():
        if name not in METRICS:
            hint = nearest(str(name), METRICS)
            raise ConfigError(f"unknown metric '{name}'", where=f"{at}.{name}", hint=hint)
        options = _mapping(keys, f"{at}.{name}", "{}")
        metrics[name] = _checked(
            name, _keys_of_metric(METRICS[name].compute), options, f"{at}.{name}"
        )
    return metrics


def _mapping(given: Any, at: str, example: str) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigError(
            f"must be a mapping, not {given!r}", where=at, hint=f"for example {example}"
        )
    return {str(key): item for key, item in given.items()}


def _keys_of_class(kind: type[BaseEvaluator]) -> dict[str, Key]:
    return {key.name: key for key in class_keys(kind) if key.name != "evaluator_id"}


def _keys_of_metric(compute: Callable[..., Any]) -> dict[str, Key]:
    """The arguments after the references and the predictions."""
    return {key.name: key for key in keys_of(compute)[1:]}


def _checked(
    name: str, keys: Mapping[str, Key], options: Mapping[str, Any], at: str
) -> dict[str, Any]:
    """The options that are given, each of the type that its key has."""
    for key in options:
        if key not in keys:
            hint = nearest(key, keys) if keys else f"{name} takes no keys"
            raise ConfigError(f"unknown key for {name}", where=f"{at}.{key}", hint=hint)
    for key, known in keys.items():
        if known.default is REQUIRED and key not in options:
            raise ConfigError(f"{name} needs the key '{key}'", where=at, hint=f"add '{key}: ...'")
    return {
        key: item
        if key == METRICS_CFG  # it has a form of its own, whatever a user's class declares
        else check_value(item, keys[key].annotation, f"{at}.{key}")
        for key, item in options.items()
    }
