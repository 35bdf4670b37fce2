"""A chain of evaluators: predictions become others, and the last ones become metrics."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chef.common.digest import digest
from chef.common.user_code import contained, function_place, told
from chef.errors import ConfigError, DependencyError, RunError
from chef.metric.mmtrusteval.base import BaseEvaluator, Failure, SampleEvaluator, Triple
from chef.metric.mmtrusteval.building import build
from chef.metric.place import KeptOutputs, OutputsInMemory, Place, no_progress
from chef.models.own_code import own_code
from chef.types import Compat

#: What follows the ids of a chain in the name of its predictions.
PREDICTIONS = "pred_no_op"
_ARROW = "->"
#: The names of classes in the digests of outputs that earlier versions have kept.
_FORMER_NAMES = {
    f"chef.metric.mmtrusteval.{now}.{name}": f"chef.metric.mmtrusteval.{former}.{name}"
    for name, now, former in (
        ("RejectEvaluator", "networks", "classifiers"),
        ("FollowEvaluator", "networks", "classifiers"),
        ("HarmBenchEvaluator", "networks", "harmbench"),
        ("PerspectiveEvaluator", "services", "perspective"),
        ("ModerationEvaluator", "services", "moderation"),
    )
}


@dataclass(slots=True)
class Processed:
    """What a chain has made of some samples.

    Attributes:
        outputs: the predictions after each evaluator, by ``A->B:pred_no_op``; a `Failure` where it
            failed, or one before it.
        given: the predictions before the last evaluator.
    """

    outputs: dict[str, list[Any]]
    given: list[Any]
    preds: list[Any]
    labels: list[Any]
    extras: list[Any]


class SequentialEvaluator:
    """A chain of evaluators: ``seq_cfg`` has their keys by id, in order, and stands at ``at``.

    ``prefixes`` are the ids up to each of ``steps``: ``A``, ``A->B``. Raises ConfigError.
    """

    def __init__(
        self, seq_cfg: Mapping[str, Any], compat: Compat = "corrected", at: str = "seq_cfg"
    ) -> None:
        if not isinstance(seq_cfg, Mapping):
            raise ConfigError(
                f"a sequence of evaluators must be a mapping, not {seq_cfg!r}",
                where=at,
                hint="give the keys of each evaluator by its id: "
                "{rule_yes_or_no_eval: {metrics_cfg: {pred_mean: }}}",
            )
        self.compat, names = compat, [str(name) for name in seq_cfg]
        self.steps: list[BaseEvaluator] = [
            build(name, keys, f"{at}.{name}", compat, is_last=place == len(names))
            for place, (name, keys) in enumerate(zip(names, seq_cfg.values(), strict=True), 1)
        ]
        self.prefixes = prefixes_of(names)

    @property
    def evaluator_seq(self) -> list[BaseEvaluator]:
        """MMTrustEval's name of ``steps``."""
        return self.steps

    @property
    def keyname_prefix_seq(self) -> list[str]:
        """MMTrustEval's name of ``prefixes``."""
        return self.prefixes

    @property
    def needs_judge(self) -> bool:
        """Whether one of them asks a judge."""
        return any(step.needs_judge for step in self.steps)

    @property
    def prefix(self) -> str:
        """The ids of all of them; empty where there are none."""
        return self.prefixes[-1] if self.prefixes else ""

    def __call__(
        self,
        preds: Sequence[Any],
        labels: Sequence[Any],
        extras: Sequence[Any] | None = None,
        place: Place | None = None,
    ) -> dict[str, Any]:
        """By ``A->B:name`` the predictions after each evaluator but the last, lists with None for a
        sample that failed, and the metrics of the last.
        """
        if not self.steps:
            return {}
        told = [None] * len(preds) if extras is None else list(extras)
        done = self.process(list(preds), list(labels), told, place=place)
        shown = {key: list(map(_shown, items)) for key, items in done.outputs.items()}
        found = {f"{prefix}:{PREDICTIONS}" for prefix in self.prefixes[:-1]}
        results = {key: items for key, items in shown.items() if key in found}
        for name, value in self.steps[-1].values_of(done.preds, done.labels).items():
            results[f"{self.prefix}:{name}"] = (
                shown[f"{self.prefix}:{PREDICTIONS}"] if name == PREDICTIONS else value
            )
        return results

    eval = __call__

    @classmethod
    def create_sequence_list(cls, cfgs: Sequence[Mapping[str, Any]]) -> list[SequentialEvaluator]:
        """A chain for each of several mappings of ids to keys."""
        return [cls(item) for item in cfgs]

    def process(
        self,
        preds: Sequence[Any],
        labels: Sequence[Any],
        extras: Sequence[Any],
        *,
        names: Sequence[str] = (),
        place: Place | None = None,
        kept: KeptOutputs | None = None,
    ) -> Processed:
        """Run all evaluators but for the outputs that are ``kept``, by default those of ``place``.

        Samples are named by ``names``, by default their places. Raises RunError if one fails on
        all.
        """
        names = names or [str(number) for number in range(len(preds))]
        kept = kept or (place.kept if place is not None else None) or OutputsInMemory()
        done = Processed({}, list(preds), list(preds), list(labels), list(extras))
        for step, prefix in zip(self.steps, self.prefixes, strict=True):
            step.place = place
            done.given = done.preds
            if isinstance(step, SampleEvaluator):
                done.preds = self._kept_outputs(step, done, names, kept)
            else:
                self._process(step, done)
            done.outputs[f"{prefix}:{PREDICTIONS}"] = done.preds
        return done

    def _live(self, done: Processed) -> list[int]:
        """The samples that the next evaluator is given: not those that failed or are undecided."""
        upstream = self.compat == "upstream"
        return [
            place
            for place, pred in enumerate(done.preds)
            if not isinstance(pred, Failure) and (upstream or pred is not None)
        ]

    def _process(self, step: BaseEvaluator, done: Processed) -> None:
        live = self._live(done)
        found = processed_by(step, *_at(live, done.preds, done.labels, done.extras))
        done.preds = _put(done.preds, live, found[0])
        done.labels = _put(done.labels, live, found[1])
        done.extras = _put(done.extras, live, found[2])

    def _kept_outputs(
        self, step: SampleEvaluator, done: Processed, names: Sequence[str], kept: KeptOutputs
    ) -> list[Any]:
        live, outputs = self._live(done), list(done.preds)
        if not live:
            return outputs
        fixed = [step.evaluator_id, _code(step), _deciding(step), step.identity()]
        keys = {
            item: digest([fixed, done.preds[item], done.labels[item], done.extras[item]])
            for item in live
        }
        known = {item: kept.get(names[item], keys[item]) for item in live}
        todo = [item for item in live if known[item] is None]
        for item, output in known.items():
            outputs[item] = outputs[item] if output is None else output[0]
        bar = no_progress if step.place is None else step.place.progress
        failed: list[Failure] = []
        with bar(step.evaluator_id, len(todo)) as tick:
            lists = _at(todo, done.preds, done.labels, done.extras)
            for place, output in _outputs(step, *lists, may_fail=len(todo) < len(live)):
                item = todo[place]
                if isinstance(output, Failure):
                    failed.append(output)
                    outputs[item] = f"Error: {output.reason}" if step.failure_is_text else output
                else:
                    outputs[item] = kept.put(names[item], step.evaluator_id, keys[item], output)
                tick(1)
        if failed and len(failed) == len(live):
            raise RunError(
                f"{step.evaluator_id} failed on every answer: {failed[0].reason}",
                hint=failed[0].hint,
            )
        return outputs

    def require(self) -> None:
        """Raise ChefError unless evaluators can be asked; before the tested model is asked."""
        for step in self.steps:
            try:
                step.require()
            except (ConfigError, RunError) as error:
                what = f"{step.evaluator_id} cannot be asked: {error.what}"
                raise type(error)(what, where=error.where, hint=error.hint) from error

    def check(self, pred: Any, label: Any, extra: Any) -> list[str]:
        """The prompts of the first evaluator to a judge about a sample; raises ChefError."""
        first = self.steps[0] if self.steps else None
        return first.check(pred, label, extra) if isinstance(first, SampleEvaluator) else []


def prefixes_of(names: Iterable[str]) -> list[str]:
    """What the names of predictions and metrics begin with, for each evaluator of a chain.

    >>> prefixes_of(["A", "B"])
    ['A', 'A->B']
    """
    ids = list(map(str, names))
    return [_ARROW.join(ids[:end]) for end in range(1, len(ids) + 1)]


def _outputs(
    step: SampleEvaluator,
    preds: list[Any],
    labels: list[Any],
    extras: list[Any],
    *,
    may_fail: bool,
) -> Iterator[tuple[int, Any]]:
    """The outputs of an evaluator for all samples; raises RunError where one lacks.

    ``may_fail``: of a run whose other samples have their outputs, an error is a failure of the
    samples that lack.
    """
    missing = set(range(len(preds)))
    try:
        for place, output in step.outputs(preds, labels, extras):
            missing.discard(place)
            yield place, output
    except RunError as error:
        if not may_fail:
            raise
        for place in sorted(missing):
            yield place, Failure(error.what, hint=error.hint)
        return
    if missing:
        raise RunError(f"{step.evaluator_id} gave no output for {len(missing)} samples")


def _code(step: BaseEvaluator) -> str:
    """The code of a user's class, which may be edited; the name of one of chef's."""
    kind = type(step)
    if not kind.__module__.startswith("chef."):
        return own_code(kind)
    name = f"{kind.__module__}.{kind.__name__}"
    return _FORMER_NAMES.get(name, name)


def _deciding(step: SampleEvaluator) -> dict[str, Any]:
    """The keys of an evaluator on which its outputs depend."""
    left_out = step.decides_nothing
    return {key: item for key, item in step.arguments.items() if key not in left_out}


def _shown(pred: Any) -> Any:
    return None if isinstance(pred, Failure) else pred


def _at(places: Sequence[int], *lists: Sequence[Any]) -> tuple[list[Any], ...]:
    return tuple([items[place] for place in places] for items in lists)


def _put(items: Sequence[Any], places: Sequence[int], given: Sequence[Any]) -> list[Any]:
    found = list(items)
    for place, item in zip(places, given, strict=True):
        found[place] = item
    return found


def processed_by(
    step: BaseEvaluator, preds: list[Any], labels: list[Any], extras: list[Any]
) -> Triple:
    """What `process` makes of predictions; after an error they go one by one, and failures are
    `Failure`. Raises RunError where all fail or lengths differ, DependencyError without a package.
    """
    if not preds:
        return [], [], []
    try:
        return _called(step, preds, labels, extras)
    except (RunError, DependencyError):
        raise
    except Exception as error:
        whole = error
    found: Triple = ([], [], [])
    for sample in zip(preds, labels, extras, strict=True):
        try:
            one = _called(step, *([item] for item in sample))
        except (RunError, DependencyError):
            raise
        except Exception as error:
            one = [Failure(told(error), error)], [sample[1]], [sample[2]]
        for items, item in zip(found, one, strict=True):
            items.extend(item)
    if all(isinstance(pred, Failure) and pred.error for pred in found[0]):
        raise RunError(
            f"{step.evaluator_id} failed on every answer: {told(whole)}",
            where=function_place(step.process) or None,
            hint="correct the evaluator, or choose one that fits the data set",
        ) from whole
    return found


def _called(step: BaseEvaluator, preds: list[Any], labels: list[Any], extras: list[Any]) -> Triple:
    """Call `process` with copies; one of the documentation's form takes and returns no extras."""
    given = [list(preds), list(labels), list(extras)]
    with contained(f"{step.evaluator_id}.process"):
        returned: Any = step.process(*given[: _taken(step.process)])
    parts = list(returned) if isinstance(returned, tuple | list) else []
    parts += [extras] if len(parts) == 2 else []
    if len(parts) != 3 or not all(_is_list(part, len(preds)) for part in parts[:2]):
        raise RunError(
            f"{step.evaluator_id}.process returned {_form(returned)} for {len(preds)} samples",
            where=function_place(step.process) or None,
            hint="return (preds, labels, extras), lists with an item for each sample",
        )
    new_extras = parts[2] if _is_list(parts[2], len(preds)) else extras
    return list(parts[0]), list(parts[1]), list(new_extras)


def _taken(process: Callable[..., Any]) -> int:
    """How many of the three lists a method takes."""
    parameters = inspect.signature(process).parameters.values()
    if any(item.kind is item.VAR_POSITIONAL for item in parameters):
        return 3
    return min(3, sum(item.kind is item.POSITIONAL_OR_KEYWORD for item in parameters))


def _is_list(item: Any, length: int) -> bool:
    is_sequence = isinstance(item, Sequence) or hasattr(item, "tolist")
    return is_sequence and not isinstance(item, str) and len(item) == length


def _form(returned: Any) -> str:
    if not isinstance(returned, tuple | list):
        return f"a {type(returned).__name__}"
    sizes = [len(item) if hasattr(item, "__len__") else type(item).__name__ for item in returned]
    return f"{len(returned)} items of the sizes {', '.join(map(str, sizes))}"
