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
    what the judge is to read. Of a run that was judged afterwards they are for metrics that have
    no rule: what results.json says of the others stays as it is.
    """
    section = record.judge_cfg
    if section is None and not metric.needs_judge:
        return None
    judging = load_judging(record.path, answers, metric.judge_kinds)
    if judging is not None:
        return judging
    return None if section is None else Judging(when_of(section, [metric]), (), {})
