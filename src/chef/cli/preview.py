"""The output of ``--dry-run``."""

from __future__ import annotations

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

    from chef.config.secrets import redact

    print(f"# {evaluator.recipe.document.path}: the effective configuration")
    print(OmegaConf.to_yaml(OmegaConf.create(evaluator.config(model))))
    total = len(evaluator.ids)
    print(f"# {total} samples of {evaluator.scenario.name}, scored by {evaluator.metrics.names}")
    print(f"# {evaluator.batches}")
    sample, number = rehearsal.sample, len(rehearsal.requests)
    for place, request in enumerate(rehearsal.requests, 1):
        which = "first query" if place == 1 else f"query {place}"
        of = f" of {number}" if number > 1 else ""
        print(f"# {which}{of} (sample '{sample.id}'):")
        _show_request(request)
    if rehearsal.stopped:
        print(f"# further queries are not shown: {redact(rehearsal.stopped)}")
    print(f"# reference answer: {sample.answer!r}")
    print(f"# note: {notice}\n" if notice else "")


def _show_request(request: Request) -> None:
    """Print one request as it is sent to the model."""
    print(render(request.conversation))
    if isinstance(request, Score):
        print("# candidates, each scored after the text before the bar:")
        for candidate in request.candidates:
            print(f"  {request.answer_prefix}|{candidate}")
    elif request.answer_prefix:
        print("# the reply continues:")
        print(f"  {request.answer_prefix}|")
