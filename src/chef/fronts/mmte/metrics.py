"""The metric table: functions of references and predictions, by their ids; users may add theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from chef.common.logs import logger
from chef.errors import ConfigError
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.metric.mmtrusteval.metrics import METRICS as KINDS

_log = logger(__name__)


class MetricTable(MutableMapping[str, Callable[..., Any]]):
    """The metrics that ``metrics_cfg`` may name: ``METRICS["accuracy_score"](y_true, y_pred)``.

    A function that is added counts like chef's own: its further arguments, which are annotated, are
    the keys of the metric. It has no interval.
    """

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return KINDS[name].compute

    def __setitem__(self, name: str, compute: Callable[..., Any]) -> None:
        if not callable(compute):
            raise ConfigError(
                f"the metric '{name}' is no function: {compute!r:.80}",
                hint="give a function of (y_true, y_pred)",
            )
        if name in KINDS and KINDS[name].compute is not compute:
            _log.warning("the metric '%s' is that of %s now", name, compute.__module__)
        KINDS[name] = MetricKind(compute)

    def __delitem__(self, name: str) -> None:
        del KINDS[name]

    def __iter__(self) -> Iterator[str]:
        return iter(KINDS)

    def __len__(self) -> int:
        return len(KINDS)


METRICS = MetricTable()
