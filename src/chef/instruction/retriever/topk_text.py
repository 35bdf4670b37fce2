"""Examples whose question is most similar to the question of the query."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.keys import flat_keywords
from chef.embedding.encoders import text_encoder
from chef.instruction.retriever.base import Selection
from chef.instruction.retriever.nearest import Nearest, Search
from chef.types import Sample


class TopkText(Nearest[str]):
    """Compares the questions of samples, as the scenario gives them.

    Args:
        selection: how many examples; the seed of an approximate index.
        sentence_transformers_model_name: ``embedded``; or a model of sentence-transformers, by
            hub name (ChEF takes ``all-mpnet-base-v2``) or local folder; or a local folder of
            open_clip.
        search: how the pool is embedded and searched.
    """

    compared = "question"

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        sentence_transformers_model_name: str = "embedded",
        search: Search = Search(),
    ) -> None:
        encoder = text_encoder(
            sentence_transformers_model_name,
            batch_size=search.batch_size,
            device=search.device,
            unit=self.unit_vectors,
        )
        super().__init__(encoder, selection=selection, index=search.index)

    def items(self, sample: Sample) -> Sequence[str]:
        return (sample.question,) if sample.question.strip() else ()

    def name(self, item: str) -> str:
        return item
