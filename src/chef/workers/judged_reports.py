"""The reports of recipes with a judge, once every question is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.evaluator import Evaluator
from chef.image import Image
from chef.judge.stage import ImagesOf
from chef.judge.stored import REPLIES
from chef.report.run_report import RunReport
from chef.run.ending import traceback_in
from chef.run.folder import RunFolder
from chef.workers.evaluation import Evaluation
from chef.workers.judging import JudgedRun, judge_runs


def judged_reports(evaluations: Sequence[Evaluation]) -> Iterator[RunReport]:
    """Ask the judges of all recipes that have some, score the answers, and yield the reports.

    Raises:
        RunError: a judge failed. Answers and judgements so far are kept.
    """
    waiting = [(one, *opened) for one in evaluations for opened in one.to_judge]
    if not waiting:
        return
    settings = waiting[0][0].settings
    several = len({one.name for one, *_ in waiting}) > 1
    runs = [
        _judged_run(evaluator, folder, f"{one.name} " if several else "")
        for one, evaluator, folder in waiting
    ]
    outcomes = judge_runs(
        runs,
        settings.response_cache or settings.save_dir / REPLIES,
        settings.options.timeout,
        keep_going=settings.keep_going,
    )
    for (one, evaluator, folder), outcome in zip(waiting, outcomes, strict=True):
        report = None
        with one.kept_going(evaluator), traceback_in(folder):
            if isinstance(outcome, Exception):
                raise outcome
            report = one.report(evaluator, folder, outcome)
        if report is not None:
            yield report


def _judged_run(evaluator: Evaluator, folder: RunFolder, prefix: str) -> JudgedRun:
    section = evaluator.recipe.judge
    assert section is not None
    label = f"{prefix}{evaluator.metrics.label}"
    answers = evaluator.answers(folder)
    return JudgedRun(label, folder, section, evaluator.metrics.all, answers, _images_of(evaluator))


def _images_of(evaluator: Evaluator) -> ImagesOf:
    def images_of(name: str) -> Sequence[Image]:
        return next(evaluator.jobs([name])).make().images

    return images_of
