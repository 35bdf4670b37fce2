"""What a metric of MMTrustEval is: its value as MMTrustEval defines it, and chef's interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chef.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class MetricKind:
    """A metric.

    Attributes:
        compute: the value, a function ``(y_true, y_pred, **keys)`` of two lists of one length. Its
            keyword arguments, which are annotated and have defaults, are the keys of the metric in
            ``metrics_cfg``. An item of ``y_pred`` is None where the evaluator could not decide.
        estimate: the same value with its interval, ``(y_true, y_pred, clusters, **keys)``, where
            ``clusters`` has for each item what it shares with dependent ones (its image); None for
            a metric that gives a list with one item a sample. A list has a figure a class.
    """

    compute: Callable[..., Any]
    estimate: Callable[..., Estimate | list[float]] | None = None
