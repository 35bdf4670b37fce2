"""Nearest examples as in ChEF: by inner products, excluding only the query itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar

from chef.errors import SampleError
from chef.image import Image
from chef.instruction.retriever import topk_img, topk_text
from chef.instruction.retriever.nearest import Nearest
from chef.instruction.retriever.pool import ExamplePool
from chef.instruction.retriever.upstream.base import ChefRetriever
from chef.types import Sample


class ChefNearest(ChefRetriever, Nearest[Any]):
    """Compares inner products of vectors of any length."""

    unit_vectors: ClassVar[bool] = False

    def least(self, pool: ExamplePool) -> int:  # noqa: ARG002
        """One sample is enough, because the last sample takes the place of missing neighbours."""
        return 1

    def listed(self, place: int) -> Sequence[int]:
        evaluated, wanted = self.evaluated, self.ice_num + 1
        nearest = self.preference(evaluated.at(place))
        looked_at = (index for index in nearest if index not in evaluated.left_out)
        found = list(islice(looked_at, wanted))
        found += [-1] * (wanted - len(found))  # FAISS gives -1 for a missing neighbour
        return [index for index in found if index != place][: self.ice_num]


class TopkText(ChefNearest, topk_text.TopkText):
    """`chef.instruction.retriever.topk_text.TopkText`, compared as in ChEF."""


class TopkImg(ChefNearest, topk_img.TopkImg):
    """`chef.instruction.retriever.topk_img.TopkImg`, compared as in ChEF."""

    def items(self, sample: Sample) -> Sequence[Image]:
        if len(sample.images) > 1:
            raise SampleError(
                "ChEF's topk_img cannot compare samples of several images",
                where=f"sample '{sample.id}'",
                hint="write incontext_cfg.compat: corrected",
            )
        return super().items(sample)
