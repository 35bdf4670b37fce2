"""What judges have said about the answers of a run folder, for a metric that scores them again."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.judgements import Judging
from chef.judge.fitting import when_of
from chef.judge.stored import load_judging
from chef.metric import Metric
from chef.scoring.record import RunRecord
from chef.types import Prediction


def judging_of_run(
    record: RunRecord, answers: Sequence[Prediction], metric: Metric
) -> Judging | None:
    """The judgements of a run; None where it has no judge. No judge is asked now.

    Of a run whose recipe has a judge that was not asked yet they are empty, so that no rule scores
    what the judge is to read.

    Raises:
        ConfigError: a file of the folder is unreadable.
    """
    found = load_judging(record.path, answers)
    if found is not None:
        return found
    recipe = record.config.get("recipe_cfg") or {}
    section = (recipe.get("eval_cfg") or {}).get("judge_cfg")
    return Judging(when_of(section, [metric]), (), {}) if section else None
