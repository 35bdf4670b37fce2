"""Examples whose question is most like the query's."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.keys import flat_keywords
from chef.embedding.encoders import text_encoder
from chef.instruction.retriever.base import Selection
from chef.instruction.retriever.nearest import Nearest, Search
from chef.types import Compat, Sample


class TopkText(Nearest[str]):
    """Compares the samples' questions, as the scenario gives them.

    Args:
        selection: how many examples; the seed of an approximate index.
        sentence_transformers_model_name: ``embedded``; or a model of sentence-transformers, by
            hub name (ChEF takes ``all-mpnet-base-v2``) or local folder; or a local folder of
            open_clip.
        search: how the pool is embedded and searched.
        compat: ``upstream`` compares inner products of vectors of any length, as ChEF does, and
            passes over nothing but the query itself.
    """

    compared = "question"

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        sentence_transformers_model_name: str = "embedded",
        search: Search = Search(),
        compat: Compat = "corrected",
    ) -> None:
        encoder = text_encoder(
            sentence_transformers_model_name,
            batch_size=search.batch_size,
            device=search.device,
            unit=compat == "corrected",
        )
        super().__init__(encoder, selection=selection, index=search.index, compat=compat)

    def items(self, sample: Sample) -> Sequence[str]:
        return (sample.question,) if sample.question.strip() else ()

    def name(self, item: str) -> str:
        return item
