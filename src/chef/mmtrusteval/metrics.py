"""The metric table: functions of references and predictions, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chef.metric.mmtrusteval.metrics import METRICS as KINDS

#: ``METRICS["accuracy_score"](y_true, y_pred)``; further arguments are the metric's keys.
METRICS: Mapping[str, Callable[..., Any]] = {name: kind.compute for name, kind in KINDS.items()}
