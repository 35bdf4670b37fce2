"""Inferencers that ask in batches of their own, as those written for ChEF do."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from chef.errors import RunError
from chef.instruction.handler import InstructionHandler
from chef.scenario.base import Scenario


@dataclass(frozen=True, slots=True)
class RunContext:
    """What an inferencer knows of the run that it belongs to.

    Attributes:
        seed: random seed of the run (``--seed``).
        scenario: what is asked about.
        batch_size: samples a batch, of the recipe or of the command line; 1 where neither says.
        results_path: the file of the run's predictions.
        on_prediction: takes the answer of one sample while `BatchLoopInferencer.inference` runs.
    """

    seed: int = 0
    scenario: Scenario | None = None
    batch_size: int = 1
    results_path: Path | None = None
    on_prediction: Callable[[Mapping[str, Any]], None] | None = None


class BatchLoopInferencer:
    """What an inferencer has whose subclass overrides `inference`.

    Attributes:
        seed, scenario, batch_size, results_path: as in `RunContext`, for a loop to read.
    """

    instruction: InstructionHandler
    #: Of the run; the default stands until the evaluator binds the inferencer to one.
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
    def instruction_handler(self) -> InstructionHandler:
        """ChEF's name for ``instruction``."""
        return self.instruction

    def inference(self, model: Any, dataset: Any) -> None:
        """Ask every sample of ``dataset``: override it to ask in batches of your own.

        Args:
            model: ``generate(prompts)``, ``batch_generate(images, prompts, max_new_tokens)`` and
                ``ppl_inference(...)``; see `chef.engine.model_adapter.ModelAdapter`.
            dataset: a sequence of records (dicts with ``id``, ``image_path``, ``question``, ...)
                of the samples that have no answer yet; ``dataset.batches(n)`` gives dicts of lists.
        """
        del model, dataset
        raise RunError(
            f"{type(self).__name__} has no loop of its own",
            mend="write the loop in inference(self, model, dataset), without super()",
        )

    def _after_inference_step(self, predictions: Iterable[Mapping[str, Any]]) -> None:
        """Report answers; each is journaled before this returns.

        Args:
            predictions: one dict a sample with ``id`` and ``answer``; whatever else it holds that
                the sample does not is kept beside the answer. Call it once a batch: what was not
                reported when the run is cut off is asked again.
        """
        report = self.context.on_prediction
        assert report is not None, "answers are reported while inference runs"
        for prediction in [predictions] if isinstance(predictions, Mapping) else predictions:
            report(prediction)


def has_own_loop(inferencer: BatchLoopInferencer) -> bool:
    """Whether its class overrides `BatchLoopInferencer.inference`."""
    return type(inferencer).inference is not BatchLoopInferencer.inference
