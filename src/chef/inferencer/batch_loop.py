"""Inferencers that make their own batches, as those written for ChEF do."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from chef.errors import RunError
from chef.frozen import Frozen
from chef.instruction.handler import Instruction
from chef.scenario.base import Scenario


class RunContext(Frozen):
    """The run that an inferencer belongs to.

    Attributes:
        seed: random seed of the run (``--seed``).
        scenario: the samples that are asked.
        batch_size: number of samples in a batch, from the command line or the recipe; 1 where
            neither gives it.
        results_path: the file of the run's predictions.
        on_prediction: called with the answer of one sample while `BatchLoopInferencer.inference`
            runs.
        name_texts: makes answers of plain texts, by the order in which the samples were handed
            out.
    """

    seed: int = 0
    scenario: Scenario | None = None
    batch_size: int = 1
    results_path: Path | None = None
    on_prediction: Callable[[Mapping[str, Any]], None] | None = None
    name_texts: Callable[[Sequence[str]], Iterable[Mapping[str, Any]]] | None = None


class BatchLoopInferencer:
    """The part of an inferencer that subclasses with a loop of their own (`inference`) use.

    Attributes:
        seed, scenario, batch_size, results_path: as in `RunContext`; the loop may read them.
    """

    instruction: Instruction
    #: The run; the default holds until the evaluator calls `bind`.
    context: RunContext = RunContext()
    seed: int = 0
    scenario: Scenario | None = None
    batch_size: int = 1
    results_path: Path | None = None

    def bind(self, context: RunContext) -> Self:
        """A shallow copy of this inferencer that belongs to a run."""
        bound = copy.copy(self)
        bound.context = context
        bound.seed, bound.scenario = context.seed, context.scenario
        bound.batch_size, bound.results_path = context.batch_size, context.results_path
        return bound

    @property
    def instruction_handler(self) -> Instruction:
        """ChEF's name for ``instruction``."""
        return self.instruction

    def inference(self, model: Any, dataset: Any) -> None:
        """Ask every sample of ``dataset``.

        Override this to make your own batches. ``model`` is a
        `chef.engine.model_adapter.ModelAdapter`; ``dataset`` a sequence of records (dicts) of
        samples that have no answer yet; ``dataset.batches(n)`` gives dicts of lists.
        """
        del model, dataset
        raise RunError(
            f"{type(self).__name__} does not override 'inference'",
            hint="write the loop in inference(self, model, dataset), without calling super()",
        )

    def _after_inference_step(
        self, predictions: Iterable[Mapping[str, Any] | str] | Mapping[str, Any] | str
    ) -> None:
        """Report answers; each is journaled before this returns.

        Args:
            predictions: one dict for each sample, with ``id`` and ``answer``; keys that the sample
                does not have are kept with the answer. Or plain texts: one for each sample that
                was handed out and has no answer yet, in the order in which they were handed out.
                Call this once for each batch: samples that are not reported when the run stops
                are asked again.

        Raises:
            RunError: there are more or fewer texts than samples handed out, or something else than
                dicts or texts.
        """
        report, name_texts = self.context.on_prediction, self.context.name_texts
        assert report is not None, "answers are reported while inference runs"
        assert name_texts is not None
        alone = isinstance(predictions, Mapping | str)
        given: list[Any] = [predictions] if alone else list(predictions)
        texts = [item for item in given if isinstance(item, str)]
        wrong = [item for item in given if not isinstance(item, Mapping | str)]
        if wrong or (texts and len(texts) < len(given)):
            kinds = sorted({type(item).__name__ for item in given})
            raise RunError(
                f"predictions are of the types {', '.join(kinds)}",
                hint="give one dict with 'id' and 'answer' for each sample, or only texts",
            )
        for prediction in name_texts(texts) if texts else given:
            report(prediction)


def has_own_loop(inferencer: BatchLoopInferencer) -> bool:
    """Whether its class overrides `BatchLoopInferencer.inference`."""
    return type(inferencer).inference is not BatchLoopInferencer.inference
