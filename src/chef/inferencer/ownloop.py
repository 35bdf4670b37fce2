"""Inferencers that ask in batches of their own, as those written for ChEF do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.errors import RunError

if TYPE_CHECKING:
    from chef.instruction.handler import InstructionHandler
    from chef.scenario.base import Scenario


class OwnLoop:
    """What an inferencer has whose subclass overrides `inference`.

    Attributes:
        batch_size: of the recipe or of the command line, 1 where neither says.
        scenario: what is asked about.
        results_path: the journal of the run.
        hand_over: takes the answer of one sample; given by who runs `inference`.
    """

    instruction: InstructionHandler
    batch_size: int = 1
    scenario: Scenario | None = None
    results_path: Path | None = None
    hand_over: Callable[[Mapping[str, Any]], None] | None = None

    @property
    def instruction_handler(self) -> InstructionHandler:
        """ChEF's name for ``instruction``."""
        return self.instruction

    def inference(self, model: Any, dataset: Any) -> None:
        """Ask every sample of ``dataset``: override it to ask in batches of your own.

        Args:
            model: ``generate(prompts)``, ``batch_generate(images, prompts, max_new_tokens)`` and
                ``ppl_inference(...)``; see `chef.adapter.ModelAdapter`.
            dataset: a sequence of records (dicts with ``id``, ``image_path``, ``question``, ...)
                of the samples that have no answer yet; ``dataset.batches(n)`` gives dicts of lists.
        """
        del model, dataset
        raise RunError(
            f"{type(self).__name__} has no loop of its own",
            mend="write the loop in inference(self, model, dataset), without super()",
        )

    def _after_inference_step(self, predictions: Iterable[Mapping[str, Any]]) -> None:
        """Hand answers over; each is journaled before this returns.

        Args:
            predictions: one dict a sample with ``id`` and ``answer``; whatever else it holds that
                the sample does not is kept beside the answer. Call it once a batch: what was not
                handed over when the run is cut off is asked again.
        """
        assert self.hand_over is not None, "answers are handed over while inference runs"
        for prediction in [predictions] if isinstance(predictions, Mapping) else predictions:
            self.hand_over(prediction)


def asks_by_itself(inferencer: OwnLoop) -> bool:
    """Whether its class overrides `inference`."""
    return type(inferencer).inference is not OwnLoop.inference
