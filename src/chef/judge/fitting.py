"""Whether judges and metrics fit together, and what follows for how answers are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chef.errors import ConfigError
from chef.metric.judge_kind import JUDGE_KINDS, JudgeKind
from chef.metric.place import PlacedMetric
from chef.registry import recipe_name
from chef.types import Prediction, Status

if TYPE_CHECKING:
    from chef.config.judge import JudgeOptions, JudgeSection
    from chef.judge.tasks import Judged
    from chef.metric import Metric


def check_metrics(section: JudgeSection | None, metrics: Sequence[Metric], where: str) -> None:
    """Raise ConfigError if a metric needs a judge, or none uses one of the section's kind."""
    names = ", ".join(recipe_name(type(metric)) for metric in metrics)
    if section is None:
        if lacking := [metric for metric in metrics if metric.needs_judge]:
            raise _lacking(lacking[0], where)
        return
    used = [kind for metric in metrics for kind in metric.judge_kinds]
    if not used and any(
        isinstance(metric, PlacedMetric) and metric.may_ask_judge for metric in metrics
    ):
        if len(section.models) > 1:
            raise ConfigError(
                f"{names} asks one judge, and judge_cfg names {section.names}",
                where=section.where("model_cfg"),
                hint="name one model file",
            )
        return
    if not used:
        raise ConfigError(
            f"a judge is given, and no metric uses what it says ({names})",
            where=where,
            hint="remove judge_cfg, or choose a metric that uses a judge; `chef list judges` "
            "shows the kinds of judgements and `chef list METRIC` what a metric uses",
        )
    kind = section.options.kind
    if kind is not None and kind not in used:
        raise ConfigError(
            f"no metric uses judgements of kind '{kind}' ({names})",
            where=where,
            hint=f"kinds that are used: {', '.join(dict.fromkeys(used))}; set judge_cfg.kind to "
            "one of them, or leave it out",
        )
    try:
        kinds_of(section.options, metrics)
        if section.options.against is not None:
            check_run(Path(section.options.against))
    except ConfigError as error:
        place = section.where(*filter(None, [error.where]))
        raise ConfigError(error.what, where=place, hint=error.hint) from None


def _lacking(metric: Metric, where: str) -> ConfigError:
    """The error for a metric that needs a judge, and has none."""
    named = metric.named_judges if isinstance(metric, PlacedMetric) else ()
    what = "scores what a judge says, and there is none"
    if len(named) == 1:
        what = f"asks the judge {named[0]}, which is no model file and no model that chef knows"
    elif named:
        what = f"asks several judges ({', '.join(named)}), and a recipe has one"
    return ConfigError(
        f"{recipe_name(type(metric))} {what}",
        where=where,
        hint="name the model file of one with --judge_cfg FILE, or in the recipe: "
        "eval_cfg.judge_cfg: {model_cfg: FILE}",
    )


def kinds_of(options: JudgeOptions, metrics: Sequence[Metric]) -> dict[str, JudgeKind]:
    """The kinds of judgements that the metrics use, by name; raises ConfigError where a kind has no
    such wording, or none takes the rubric or the other run.
    """
    names = [options.kind] if options.kind else [n for m in metrics for n in m.judge_kinds]
    classes = {name: JUDGE_KINDS.get(name) for name in dict.fromkeys(names)}
    takes = [kind for kind in classes.values() if kind.takes_rubric]
    kinds: dict[str, JudgeKind] = {}
    for name, kind in classes.items():
        rubric = options.rubric if kind.takes_rubric or not takes else None
        kinds[name] = kind(wording=options.wording, rubric=rubric)
    if options.against is not None and not any(kind.compares for kind in classes.values()):
        raise ConfigError(
            f"{', '.join(classes)} compares with no other answer",
            where="against",
            hint="remove the key, or write kind: preference",
        )
    return kinds


def when_of(options: Mapping[str, Any], metrics: Sequence[Metric]) -> Literal["unread", "always"]:
    """Which answers are judged: as the section (``when``, ``kind``) says, else by what the first
    fitting metric asks.
    """
    given: Literal["unread", "always"] | None = options.get("when")
    if given is not None:
        return given
    main = next((metric for metric in metrics if metric.judge_kinds), None)
    if main is None or main.needs_judge:  # without a rule nothing is read
        return "always"
    return JUDGE_KINDS.get(options.get("kind") or main.judge_kinds[0]).when


def judged_by(section: JudgeSection, metrics: Sequence[Metric]) -> Judged:
    """How answers are judged by the section, for these metrics; raises ConfigError."""
    from chef.judge.tasks import Judged

    options = section.options
    using = [metric for metric in metrics if metric.judge_kinds]
    return Judged(
        metrics=using,
        kinds=kinds_of(options, using),
        kind=options.kind,
        when=when_of({"when": options.when, "kind": options.kind}, using),
        decoding=options.decoding,
        show_images=options.show_images,
        others=None if options.against is None else answers_of(Path(options.against)),
    )


def first_prompt(section: JudgeSection, metrics: Sequence[Metric], answer: Prediction) -> str:
    """What the judges are asked about an answer first, '' for nothing; raises ConfigError."""
    units = replace(judged_by(section, metrics), when="always").units([answer])
    if units:
        return units[0].tasks[0][0].prompt
    placed = (metric for metric in metrics if isinstance(metric, PlacedMetric))
    return next(filter(None, (metric.first_prompt(answer) for metric in placed)), "")


def check_run(folder: Path) -> None:
    """Raise ConfigError unless a folder is that of a run."""
    from chef.run.journal import JOURNAL
    from chef.run.reading import is_there

    if not is_there(folder / JOURNAL):
        raise ConfigError(
            f"{folder} is no run folder: it has no {JOURNAL}",
            where="against",
            hint="give the folder of a run, such as results/MODEL/SCENARIO/RECIPE-NAME",
        )


def answers_of(folder: Path) -> dict[str, Any]:
    """The answers of another run by sample id, without those that failed; raises ConfigError."""
    from chef.run.journal import JOURNAL, load_predictions

    check_run(folder)
    predictions = load_predictions(folder / JOURNAL)
    return {
        name: item.answer for name, item in predictions.items() if item.status is not Status.ERROR
    }
