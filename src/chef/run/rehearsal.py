"""Every request of one sample, with stand-ins for the replies; whether the metric can score it."""

from __future__ import annotations

import copy

from chef.errors import ChefError, ConfigError, DependencyError, message_of
from chef.frozen import Frozen
from chef.inferencer import Inferencer
from chef.inferencer.base import Answer, has_own_loop, started
from chef.metric import Metric
from chef.metric.records import MissingTruthError, UnjudgedError
from chef.registry import recipe_name
from chef.stats.figures import without_intervals
from chef.types import Generated, Prediction, Reply, Request, Sample, Score, Scored

#: What later requests show where the model's own text would be.
STAND_IN = "<what the model writes>"
#: A program that asks more than this for one sample is not followed to its end.
MOST = 1000
_ANSWERS = {True: "options chosen by likelihood", False: "generated text"}
_TURNS = {"singleturn": "one turn", "multiturn": "several turns"}


class Preview(Frozen):
    """The first sample that can be asked, and its first request."""

    sample: Sample
    request: Request


class Rehearsal(Frozen):
    """The requests of one sample, and what the program makes of stand-ins, or why it stopped."""

    sample: Sample
    requests: tuple[Request, ...]
    answer: Answer | None = None
    stopped: str = ""


def rehearse(inferencer: Inferencer, sample: Sample) -> Rehearsal:
    """Run the program of a sample with stand-ins (`STAND_IN`): no model is asked.

    Where the sample has turns about several things, the stand-in names them, so that the turns that
    depend on it are asked. Of options, the first is the likeliest.
    """
    requests: list[Request] = []
    if has_own_loop(inferencer):
        why = f"the loop of {type(inferencer).__name__} makes its own requests"
        return Rehearsal(sample, (started(inferencer, sample)[1],), stopped=why)
    try:
        program, first = started(inferencer, sample)
        requests.append(first)
        while len(requests) < MOST:
            requests.append(program.send(_reply(requests[-1], sample)))
    except StopIteration as stop:
        return Rehearsal(sample, tuple(requests), stop.value)
    except Exception as error:  # a program of the user's may need a real reply
        if not requests:
            raise
        why = (
            str(error)
            if isinstance(error, ChefError)
            else f"{type(error).__name__}: {message_of(error)}"
        )
        return Rehearsal(
            sample, tuple(requests), stopped=f"the next one needs a real reply ({why})"
        )
    return Rehearsal(sample, tuple(requests), stopped=f"only {MOST} are shown")


def _reply(request: Request, sample: Sample) -> Reply:
    if isinstance(request, Score):
        return tuple(Scored(-1.0 - rank, 1) for rank, _ in enumerate(request.candidates))
    names = dict.fromkeys(turn.prefix for turn in sample.turns if turn.prefix)
    return Generated(", ".join(names) or STAND_IN)


def check_metric(metric: Metric, rehearsal: Rehearsal) -> str:
    """A notice on how the metric fits the rehearsed answer, or empty; a stand-in becomes the
    reference.

    ConfigError: the metric fails. DependencyError: a package that it needs is missing.
    """
    answer, sample = rehearsal.answer, rehearsal.sample
    if not isinstance(answer, Answer):
        return ""
    text = answer.answer
    if text == STAND_IN and isinstance(sample.answer, str | int | float):
        text = str(sample.answer)
    prediction = Prediction(
        sample.id, answer.status, text, answer.scores, answer.trace, sample.to_record()
    )
    try:
        record = {"id": sample.id, **copy.deepcopy(prediction.to_record())}
        metric.as_findings(metric.score_sample(record))
        with without_intervals():
            metric.evaluate([prediction])
    except UnjudgedError:  # a judge reads it when it is answered
        return ""
    except MissingTruthError:
        return f"sample '{sample.id}' has no reference answer: its answer is kept, but not scored"
    except DependencyError:
        raise
    except Exception as error:
        why, hint = f"{type(error).__name__}: {message_of(error)}", None
        if isinstance(error, ChefError):
            why, hint = error.what, error.hint
        raise ConfigError(
            f"the metric {recipe_name(type(metric))} cannot score sample '{sample.id}': {why}",
            where="eval_cfg.metric_cfg",
            hint=hint or "correct the metric, or choose one that fits the scenario's samples",
        ) from error
    return ""


def check_kinds(inferencer: Inferencer, metric: Metric) -> None:
    """ConfigError for a metric that cannot score the answers of the inferencer.

    ``scores_options`` and ``prompt_type`` are held against ``needs_options`` and
    ``needs_prompt_type``. What one of them does not declare counts as compatible.
    """
    gives = inferencer.scores_options
    if gives is None or not metric.needs_hold:
        return
    if metric.needs_options is not None and gives != metric.needs_options:
        raise _mismatch(inferencer, metric, _ANSWERS[gives], _ANSWERS[metric.needs_options])
    turns, wanted = inferencer.prompt_type, metric.needs_prompt_type
    if wanted is not None and turns != wanted:
        raise _mismatch(inferencer, metric, _TURNS[turns], _TURNS[wanted])


def _mismatch(inferencer: Inferencer, metric: Metric, gives: str, needs: str) -> ConfigError:
    return ConfigError(
        f"{recipe_name(type(inferencer))} produces {gives}, "
        f"but {recipe_name(type(metric))} scores {needs}",
        where="eval_cfg.metric_cfg",
        hint="use a different inferencer_type or metric_type, or correct the keys of metric_cfg",
    )
