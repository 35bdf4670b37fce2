"""Calls of an evaluator's own code: what it returns is checked, and a sample may fail alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from chef.common.user_code import contained, function_place, told
from chef.errors import DependencyError, RunError
from chef.metric.mmtrusteval.base import BaseEvaluator, Failure, Triple


def processed_by(
    step: BaseEvaluator, preds: list[Any], labels: list[Any], extras: list[Any]
) -> Triple:
    """What `process` makes of predictions; after an error they go one by one, and failures are
    `Failure`. Raises RunError where all fail or lengths differ, DependencyError without a package.
    """
    if not preds:
        return [], [], []
    try:
        return _called(step, preds, labels, extras)
    except (RunError, DependencyError):
        raise
    except Exception as error:
        whole = error
    found: Triple = ([], [], [])
    for sample in zip(preds, labels, extras, strict=True):
        try:
            one = _called(step, *([item] for item in sample))
        except (RunError, DependencyError):
            raise
        except Exception as error:
            one = [Failure(told(error), error)], [sample[1]], [sample[2]]
        for items, item in zip(found, one, strict=True):
            items.extend(item)
    if all(isinstance(pred, Failure) and pred.error for pred in found[0]):
        raise RunError(
            f"{step.evaluator_id} failed on every answer: {told(whole)}",
            where=function_place(step.process) or None,
            hint="correct the evaluator, or choose one that fits the data set",
        ) from whole
    return found


def _called(step: BaseEvaluator, preds: list[Any], labels: list[Any], extras: list[Any]) -> Triple:
    """Call `process` with copies; one of the documentation's form takes and returns no extras."""
    given = [list(preds), list(labels), list(extras)]
    with contained(f"{step.evaluator_id}.process"):
        returned: Any = step.process(*given[: _taken(step.process)])
    parts = list(returned) if isinstance(returned, tuple | list) else []
    parts += [extras] if len(parts) == 2 else []
    if len(parts) != 3 or not all(_is_list(part, len(preds)) for part in parts[:2]):
        raise RunError(
            f"{step.evaluator_id}.process returned {_form(returned)} for {len(preds)} samples",
            where=function_place(step.process) or None,
            hint="return (preds, labels, extras), lists with an item for each sample",
        )
    new_extras = parts[2] if _is_list(parts[2], len(preds)) else extras
    return list(parts[0]), list(parts[1]), list(new_extras)


def _taken(process: Callable[..., Any]) -> int:
    """How many of the three lists a method takes."""
    parameters = inspect.signature(process).parameters.values()
    if any(item.kind is item.VAR_POSITIONAL for item in parameters):
        return 3
    return min(3, sum(item.kind is item.POSITIONAL_OR_KEYWORD for item in parameters))


def _is_list(item: Any, length: int) -> bool:
    is_sequence = isinstance(item, Sequence) or hasattr(item, "tolist")
    return is_sequence and not isinstance(item, str) and len(item) == length


def _form(returned: Any) -> str:
    if not isinstance(returned, tuple | list):
        return f"a {type(returned).__name__}"
    sizes = [len(item) if hasattr(item, "__len__") else type(item).__name__ for item in returned]
    return f"{len(returned)} items of the sizes {', '.join(map(str, sizes))}"
