"""The output of ``--dry-run``."""

from __future__ import annotations

from chef.common.printing import say
from chef.config import ModelSpec
from chef.evaluator import Evaluator
from chef.inferencer.base import render
from chef.judge.fitting import first_prompt
from chef.run.rehearsal import Rehearsal
from chef.stats.power import planned
from chef.types import Prediction, Request, Sample, Score, Status


def show_preview(
    evaluator: Evaluator, model: ModelSpec, rehearsal: Rehearsal, notice: str = ""
) -> None:
    """Print every request of the first sample, and the effective configuration.

    Args:
        evaluator: of the recipe.
        model: the model file.
        rehearsal: what the sample is asked.
        notice: a sentence on how the metric fits the sample.
    """
    from omegaconf import OmegaConf

    total = len(evaluator.ids)
    say(f"# {evaluator.recipe.document.path}")
    say(f"# {total} samples of {evaluator.scenario.name}, scored by {evaluator.metrics.names}")
    say(f"# {evaluator.batches}")
    say(f"# {_shows(evaluator)}")
    sample, number = rehearsal.sample, len(rehearsal.requests)
    for place, request in enumerate(rehearsal.requests, 1):
        which = "first query" if place == 1 else f"query {place}"
        of = f" of {number}" if number > 1 else ""
        say(f"# {which}{of} (sample '{sample.id}'):")
        _show_request(request)
    if rehearsal.stopped:
        say(f"# further queries are not shown: {rehearsal.stopped}")
    say(f"# reference answer: {sample.answer!r}")
    _show_judging(evaluator, sample)
    say(f"# note: {notice}\n" if notice else "")
    say(f"# the effective configuration of {evaluator.recipe.name}")
    say(OmegaConf.to_yaml(OmegaConf.create(evaluator.config(model))))


def _shows(evaluator: Evaluator) -> str:
    """What a run of this size can show."""
    places = evaluator.samples.positions
    groups = {evaluator.scenario.group(places[name]) or name for name in evaluator.ids}
    shown = planned(len(groups))
    if shown is None:
        return "so few samples show no difference to another run"
    reach, least = (f"{100 * item:.1f}" for item in shown)
    of = "" if len(groups) == len(evaluator.ids) else f" in {len(groups)} groups"
    return (
        f"{len(evaluator.ids)} samples{of}: a share of 50% is known within {reach} points; a true "
        f"difference of {least} points to a run that differs on 30% of them is found with 80% "
        "power (more where samples share images)"
    )


def _show_judging(evaluator: Evaluator, sample: Sample) -> None:
    """Print what the judges are asked about an answer to the first sample, if there are any."""
    section = evaluator.recipe.judge
    if section is None:
        return
    record = sample.to_record()
    answer = Prediction(sample.id, Status.OK, "(the answer of the model)", sample=record)
    prompt = first_prompt(section, evaluator.metrics.all, answer)
    say(f"# judged by {section.names}; the first question to a judge:")
    say(prompt or "# (none: this sample needs no judge)")


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
