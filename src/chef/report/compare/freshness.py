"""Whether the stored scores of a run are those of its answers."""

from __future__ import annotations

from collections.abc import Iterable

from chef.errors import DataError
from chef.scoring.result import RunResult
from chef.scoring.sample_line import exchange_of
from chef.types import Prediction

_SHOWN = 3


def refuse_other_answers(report: RunResult, predictions: Iterable[Prediction]) -> None:
    """Refuse scores of answers that have changed since: asked again, or edited.

    Scores of versions that did not store answers are taken as they are.

    Args:
        report: the stored scores, with a line for each sample.
        predictions: the answers of the run.

    Raises:
        DataError: an answer is another one than the one that was scored.
    """
    scored = {str(line["id"]): line["answer"] for line in report.samples if "answer" in line}
    changed = [
        item.sample_id
        for item in predictions
        if item.sample_id in scored
        and exchange_of(item.to_record()).answer != scored[item.sample_id]
    ]
    if changed:
        names = ", ".join(f"'{name}'" for name in changed[:_SHOWN])
        more = ", ..." if len(changed) > _SHOWN else ""
        raise DataError(
            f"{len(changed)} answers are others than those that were scored: {names}{more}",
            where=str(report.folder),
            hint=f"score them again: chef score {report.folder}",
        )
