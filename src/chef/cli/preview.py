"""The output of ``--dry-run``."""

from __future__ import annotations

from chef.common.printing import say
from chef.config import ModelSpec
from chef.evaluator import Evaluator
from chef.inferencer.base import render
from chef.run.rehearsal import Rehearsal
from chef.types import Request, Score


def show_preview(
    evaluator: Evaluator, model: ModelSpec, rehearsal: Rehearsal, notice: str = ""
) -> None:
    """Print the effective configuration and every request of the first sample.

    Args:
        evaluator: of the recipe.
        model: the model file.
        rehearsal: what the sample is asked.
        notice: a sentence on how the metric fits the sample.
    """
    from omegaconf import OmegaConf

    say(f"# {evaluator.recipe.document.path}: the effective configuration")
    say(OmegaConf.to_yaml(OmegaConf.create(evaluator.config(model))))
    total = len(evaluator.ids)
    say(f"# {total} samples of {evaluator.scenario.name}, scored by {evaluator.metrics.names}")
    say(f"# {evaluator.batches}")
    sample, number = rehearsal.sample, len(rehearsal.requests)
    for place, request in enumerate(rehearsal.requests, 1):
        which = "first query" if place == 1 else f"query {place}"
        of = f" of {number}" if number > 1 else ""
        say(f"# {which}{of} (sample '{sample.id}'):")
        _show_request(request)
    if rehearsal.stopped:
        say(f"# further queries are not shown: {rehearsal.stopped}")
    say(f"# reference answer: {sample.answer!r}")
    say(f"# note: {notice}\n" if notice else "")


def _show_request(request: Request) -> None:
    """Print one request as it is sent to the model."""
    say(render(request.conversation))
    if isinstance(request, Score):
        say("# candidates, each scored after the text before the bar:")
        for candidate in request.candidates:
            say(f"  {request.answer_prefix}|{candidate}")
    elif request.answer_prefix:
        say("# the reply continues:")
        say(f"  {request.answer_prefix}|")
