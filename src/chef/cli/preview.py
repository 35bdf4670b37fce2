"""What is shown before anything is asked: ``--dry-run``, and a table of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent

from chef.common.printing import say
from chef.common.yaml_text import as_yaml
from chef.config import ModelSpec, load_recipe
from chef.document.numbers import counted
from chef.errors import ChefError
from chef.evaluator import Evaluator
from chef.inferencer.base import render
from chef.run.plan import RunOptions
from chef.run.rehearsal import Rehearsal
from chef.session.checking import check_columns
from chef.stats.power import planned
from chef.types import Prediction, Request, Sample, Score, Status


def show_preview(
    evaluator: Evaluator, model: ModelSpec, rehearsal: Rehearsal, notice: str = ""
) -> None:
    """Print every request of the first sample, the notice on the metric, and the effective
    configuration.
    """
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
    say(as_yaml(evaluator.config(model)))


def _shows(evaluator: Evaluator) -> str:
    """What a run of this size can show."""
    places = evaluator.samples.positions
    groups = {evaluator.scenario.group(places[name]) or name for name in evaluator.ids}
    shown = planned(len(groups))
    if shown is None:
        return "so few samples show no difference to another run"
    reach, least = (f"{100 * item:.1f}" for item in shown)
    of = "" if len(groups) == len(evaluator.ids) else f" in {counted(len(groups), 'groups')}"
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
    from chef.judge.fitting import first_prompt

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


def show_table(path: str, overrides: Sequence[str] = ()) -> int:
    """Print which columns became what, and the first sample; 2 where `chef eval` would refuse the
    table.
    """
    evaluator = Evaluator(load_recipe(path, overrides), RunOptions())
    preview = evaluator.preview()
    use = evaluator.scenario.column_use()
    if use is not None:
        if use.kind:
            say(f"questions: {use.kind}")
        say("columns:")
        width = max(map(len, (*use.roles, "not used")))
        rows = {**use.roles, **({"not used": use.unused} if use.unused else {})}
        say("\n".join(f"  {role:<{width}}  {', '.join(names)}" for role, names in rows.items()))
    sample = preview.sample
    say(f"first sample ('{sample.id}'):")
    say(indent("\n".join(_facts(sample)), "  "))
    say("asked as:")
    say(indent(render(preview.request.conversation), "  "))
    try:
        check_columns(evaluator, ())
    except ChefError as error:
        say(f"chef eval would refuse it: {error.what}\n  -> {error.hint}")
        return 2
    return 0


def _facts(sample: Sample) -> list[str]:
    """The parts of a sample, a line each."""
    lines = [indent(f"question: {sample.question}", "  ").strip()]
    options = sample.fields.get("choices") or sample.options or ()  # the texts, else the labels
    lines += [f"option {number}: {text}" for number, text in enumerate(options, 1)]
    lines.append(f"answer: {sample.answer!r}")
    for number, image in enumerate(sample.images, 1):
        columns, rows = image.size
        lines.append(f"image {number}: {image.name}, {columns} x {rows} pixels")
    return lines if sample.images else [*lines, "no image"]
