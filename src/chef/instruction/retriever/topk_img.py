"""Examples whose image is most like the query's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chef.common.digest import content_digest
from chef.common.keys import flat_keywords
from chef.embedding.encoders import Features, image_encoder
from chef.errors import SampleError
from chef.image import Image
from chef.instruction.retriever.base import Selection
from chef.instruction.retriever.nearest import Nearest, Search
from chef.types import Compat, Sample


class TopkImg(Nearest[Image]):
    """Compares the samples' images; of several, the mean of their vectors.

    Args:
        selection: how many examples; the seed of an approximate index.
        model_ckpt: ``embedded``; or ``model/pretrained`` of open_clip; or a vision model of
            transformers, by hub name (ChEF takes ``google/vit-base-patch16-224-in21k``); or a
            local folder of either.
        features: of a model of transformers: ``cls``, the first token, as ChEF does; or
            ``pooled``, what the model makes of the image (SigLIP has no first token).
        search: how the pool is embedded and searched.
        compat: ``upstream`` compares inner products of vectors of any length, as ChEF does, and
            passes over nothing but the query itself.
    """

    compared = "image"

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        model_ckpt: str = "embedded",
        features: Features = "cls",
        search: Search = Search(),
        compat: Compat = "corrected",
    ) -> None:
        encoder = image_encoder(
            model_ckpt,
            features=features,
            batch_size=search.batch_size,
            device=search.device,
            unit=compat == "corrected",
        )
        super().__init__(encoder, selection=selection, index=search.index, compat=compat)

    def items(self, sample: Sample) -> Sequence[Image]:
        if self.compat == "upstream" and len(sample.images) > 1:
            raise SampleError(
                "ChEF's topk_img cannot compare samples of several images",
                where=f"sample '{sample.id}'",
                mend="write incontext_cfg.compat: corrected",
            )
        return sample.images

    def load(self, item: Image) -> None:
        item.load()

    def name(self, item: Image) -> str:
        """By what is stored where that tells enough; decoding a large pool takes long."""
        source = item.source
        if isinstance(source, bytes):
            return f"bytes {content_digest(source)}"
        if isinstance(source, (str, Path)) and not str(source).startswith(("http", "data:")):
            path = Path(source)
            if path.is_file():
                state = path.stat()
                return f"file {path.resolve()} {state.st_size} {state.st_mtime_ns}"
        return f"pixels {item.digest}"  # of a URL too: what is there may change
