"""Examples whose question is most like the query's."""

from __future__ import annotations

from collections.abc import Sequence

from chef.embedding.encoders import text_encoder
from chef.embedding.neighbours import IndexKind
from chef.instruction.retriever.nearest import Nearest
from chef.types import Compat, Sample


class TopkText(Nearest[str]):
    """Compares the samples' questions, as the scenario gives them.

    Args:
        ice_num: how many examples.
        random_seed: of an approximate index.
        sentence_transformers_model_name: ``embedded``; or a model of sentence-transformers, by
            hub name (ChEF takes ``all-mpnet-base-v2``) or local folder; or a local folder of
            open_clip.
        batch_size: questions encoded together.
        device: of the encoder: ``auto``, ``cpu``, ``cuda``, ...
        index: ``exact``; or ``ivf``, ``hnsw``, approximate, for pools over a million.
        compat: ``upstream`` compares inner products of vectors of any length, as ChEF does, and
            passes over nothing but the query itself.
    """

    compared = "question"

    def __init__(
        self,
        *,
        ice_num: int = 1,
        random_seed: int = 0,
        sentence_transformers_model_name: str = "embedded",
        batch_size: int = 32,
        device: str = "auto",
        index: IndexKind = "exact",
        compat: Compat = "corrected",
    ) -> None:
        encoder = text_encoder(
            sentence_transformers_model_name,
            batch_size=batch_size,
            device=device,
            unit=compat == "corrected",
        )
        super().__init__(
            encoder, ice_num=ice_num, random_seed=random_seed, index=index, compat=compat
        )

    def items(self, sample: Sample) -> Sequence[str]:
        return (sample.question,) if sample.question.strip() else ()

    def name(self, item: str) -> str:
        return item
