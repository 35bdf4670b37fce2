"""The base class of MMTrustEval's evaluators: predictions become others, and then metrics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

from chef.common.text import encodable
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.metric.mmtrusteval.metrics import METRICS
from chef.metric.place import Place

#: ``(preds, labels, extras)``: lists of one length, with one item a sample.
Triple: TypeAlias = tuple[list[Any], list[Any], list[Any]]
#: The keys of metrics by their ids.
MetricsCfg: TypeAlias = Mapping[str, Mapping[str, Any] | None]


class Failure(Frozen):
    """Stands in a list of predictions for a sample on which an evaluator failed.

    The sample is not scored: no later evaluator sees it, and no metric counts it.

    Attributes:
        reason: what went wrong, for a person.
        error: the error of an evaluator's code on this sample; None where a judge, a classifier or
            a service could not be asked, and may be asked again.
        hint: how to fix it.
    """

    reason: str
    error: Exception | None = None
    hint: str | None = None


#: Whose rules ``compat: upstream`` stands for here.
RULES_OF: Mapping[str, str] = MappingProxyType({"upstream": "MMTrustEval"})


class BaseEvaluator(ABC):
    """Subclass this, name its ``evaluator_ids`` and implement `process`.

    The annotated keyword arguments of ``__init__`` besides these two are its keys in a recipe.

    Args:
        evaluator_id: one of ``evaluator_ids``.
        metrics_cfg: the metrics, by id with their keys; those of the last evaluator of a chain
            are computed.

    Attributes:
        place: where answers are scored, with the judge of the recipe; None outside a run.
        arguments: the keys that it was made with, besides the metrics.

    Raises:
        ConfigError: the id is not one of the class, or a metric is unknown.
    """

    evaluator_ids: ClassVar[Sequence[str]] = ()
    #: Whose rules each ``compat`` stands for, where that differs from other ingredients.
    rules_of: ClassVar[Mapping[str, str]] = RULES_OF
    #: Whether it asks the judge of the recipe.
    needs_judge: ClassVar[bool] = False
    place: Place | None = None
    arguments: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, evaluator_id: str, metrics_cfg: MetricsCfg) -> None:
        if evaluator_id not in self.evaluator_ids:
            raise ConfigError(
                f"{type(self).__name__} has no evaluator '{evaluator_id}'",
                hint=nearest(evaluator_id, self.evaluator_ids),
            )
        for name in metrics_cfg:
            if name not in METRICS:
                raise ConfigError(f"unknown metric '{name}'", hint=nearest(name, METRICS))
        self.evaluator_id = evaluator_id
        self.metrics_cfg = {name: dict(keys or {}) for name, keys in metrics_cfg.items()}

    @abstractmethod
    def process(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any] | None = None
    ) -> Triple:
        """Turn predictions into others.

        Args:
            preds: what the evaluator before gave, or the answers of the model.
            labels: the references.
            extras: what else the samples tell; each is a dict or None.

        Returns:
            As many of each, in the same order. A prediction is None where the evaluator could not
            decide, and a `Failure` where it failed.
        """

    def eval(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any] | None = None
    ) -> dict[str, Any]:
        """The metrics, by id, of the processed predictions, without those that failed."""
        found, truths, _ = self.process(preds, labels, extras)
        return self.values_of(found, truths)

    def values_of(self, preds: Sequence[Any], labels: Sequence[Any]) -> dict[str, Any]:
        """The metrics, by id, of predictions that are processed, without those that failed."""
        live = [place for place, pred in enumerate(preds) if not isinstance(pred, Failure)]
        y_true, y_pred = [labels[place] for place in live], [preds[place] for place in live]
        return {
            name: METRICS[name].compute(y_true, y_pred, **keys)
            for name, keys in self.metrics_cfg.items()
        }

    def __call__(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any] | None = None
    ) -> dict[str, Any]:
        """The same as `eval`."""
        return self.eval(preds, labels, extras)

    def require(self) -> None:  # noqa: B027 (most evaluators need nothing)
        """Check, before the tested model is asked anything, that it can be asked: nothing loads.

        Raises:
            ChefError: a key, a checkpoint or a package is missing.
        """

    def provenance(self) -> Mapping[str, Any]:
        """What the results are to tell of it, as plain data: the version of a word list, say."""
        return {}


class SampleEvaluator(BaseEvaluator):
    """An evaluator whose outputs cost time or money; implement `outputs` instead of `process`.

    Each output depends on its own sample alone. In a chain it is kept in the run folder as soon as
    it is there, and never computed again.
    """

    #: Whether a failure becomes a text that is evaluated, as MMTrustEval's own rules have it.
    failure_is_text: ClassVar[bool] = False
    #: The keys on which no output depends: with other values nothing is computed again.
    decides_nothing: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def outputs(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Every position once, in any order, with its prediction, plain data or a `Failure`."""

    def check(self, pred: Any, label: Any, extra: Any) -> list[str]:
        """The prompts that a sample would give a judge; asks no model. Raises ChefError."""
        del pred, label, extra
        return []

    def identity(self) -> Any:
        """What outputs depend on besides sample and keys, as plain data: the model, for example."""
        return None

    def process(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any] | None = None
    ) -> Triple:
        told = [None] * len(preds) if extras is None else list(extras)
        found = dict(self.outputs(preds, labels, told))
        return [found[place] for place in range(len(preds))], list(labels), told


class TextEvaluator(SampleEvaluator):
    """An evaluator of texts; implement `text_outputs`. What is no text is a `Failure`."""

    #: What it does with texts, for messages.
    does: ClassVar[str]

    @abstractmethod
    def text_outputs(self, texts: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """The position of each text with its prediction, as `outputs`; there is at least one."""

    def check(self, pred: Any, label: Any, extra: Any) -> list[str]:
        del label, extra
        if not isinstance(pred, str):
            raise ConfigError(self._problem(pred), hint="let it be the first of its sequence")
        return []

    def outputs(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        del labels, extras
        places = [place for place, pred in enumerate(preds) if isinstance(pred, str)]
        for place, pred in enumerate(preds):
            if not isinstance(pred, str):
                yield place, Failure(self._problem(pred))
        if places:
            outputs = self.text_outputs([encodable(preds[place]) for place in places])
            yield from ((places[number], output) for number, output in outputs)

    def _problem(self, pred: object) -> str:
        return f"{self.evaluator_id} {self.does} texts, and the prediction is {pred!r}"


def check_class(kind: type[Any]) -> None:
    """Check that a class can be registered: raises ConfigError without ids, or if no evaluator."""
    if not (isinstance(kind, type) and issubclass(kind, BaseEvaluator)):
        raise ConfigError(f"{kind!r} is no evaluator", hint="derive the class from BaseEvaluator")
    if not kind.evaluator_ids or isinstance(kind.evaluator_ids, str):
        raise ConfigError(
            f"{kind.__name__} names no evaluator_ids",
            hint='write evaluator_ids = ["my_eval"] into the class',
        )


def check_batch_size(batch_size: int) -> None:
    """Check the key of that name; raises ConfigError below 1."""
    if batch_size < 1:
        raise ConfigError(
            f"batch_size is {batch_size}", where="batch_size", hint="set it to 1 or more"
        )
