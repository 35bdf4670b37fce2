"""A run folder opened for scoring: what it names is used only where that is trusted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from chef.common.logs import logger
from chef.errors import ChefError
from chef.guard.trust import refuse
from chef.run.configuration import CONFIG
from chef.scoring.record import RunRecord
from chef.scoring.scoring import MetricRun

_log = logger(__name__)


def trusted_record(path: Path, *, trust: bool) -> RunRecord:
    """What a run folder says, if no Python file that it names has to be trusted; else ConfigError.

    The plugins of the recipe are loaded where the command trusts the folder; those of the user's
    own run as far as they are still there. DataError: there is no run.
    """
    record = RunRecord.load(path, trust=trust)
    record.check_trusted()
    try:
        record.load_plugins()
    except ChefError as error:
        if trust:
            raise
        _log.warning("%s: a plugin of its recipe cannot be used: %s", path, error.what)
    return record


def refuse_asking(record: RunRecord, runs: Iterable[MetricRun]) -> None:
    """UntrustedError for metrics that ask models or services named by somebody else's folder."""
    if not record.is_trusted:
        asking = [run.spec.name for run in runs if getattr(run.metric, "asks", False)]
        names = [f"the metric {name}, which asks models or services" for name in asking]
        refuse(names, str(record.path), CONFIG)
