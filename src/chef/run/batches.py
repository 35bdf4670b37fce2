"""The number of samples in a batch, and who decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.frozen import Frozen
from chef.inferencer.base import BatchLoopInferencer
from chef.instruction.retriever.upstream import ChefRetriever

if TYPE_CHECKING:
    from chef.config import Recipe

_KEY = ("eval_cfg", "inferencer_cfg", "batch_size")


class Batches(Frozen):
    """The batches of a run.

    Attributes:
        size: samples in a batch; None lets the engine fill batches up to the model's token budget.
        reason: who decided it, for people.

    >>> print(Batches(None, "automatic"), "|", Batches(4, "as on the command line"))
    batch size: automatic | batch size: 4, as on the command line
    """

    size: int | None
    reason: str

    def __str__(self) -> str:
        return f"batch size: {self.reason if self.size is None else f'{self.size}, {self.reason}'}"


def choose_batches(recipe: Recipe, requested: int | None) -> Batches:
    """The batch size of the command line; the recipe's where it decides answers; automatic else.

    Recipes of ChEF have the size that fitted its GPUs, which would only make a run slow elsewhere.
    """
    if requested is not None:
        return Batches(requested, "as on the command line")
    batch_size = recipe.batch_size
    if batch_size is not None and recipe.document.where(*_KEY).startswith("override "):
        return Batches(batch_size, "as on the command line")
    if (user := decided_by_batches(recipe)) is not None:
        if batch_size is None:
            return Batches(None, f"automatic; 1 for {user}, because the recipe gives none")
        return Batches(batch_size, f"of the recipe, because answers of {user} depend on it")
    if batch_size is None:
        return Batches(None, "automatic")
    return Batches(
        None,
        f"automatic; the recipe's {batch_size} is not used, because no answer depends on it "
        f"(--batch_size {batch_size} uses it)",
    )


def decided_by_batches(recipe: Recipe) -> str | None:
    """The ingredient whose results depend on the batch size: a loop of its own, ChEF's in-context
    examples.
    """
    if recipe.inferencer.kind.inference is not BatchLoopInferencer.inference:
        return recipe.inferencer.name
    examples = recipe.incontext
    if examples is not None and issubclass(examples.retriever.kind, ChefRetriever):
        return f"{examples.retriever.name} (compat: upstream)"
    return None
