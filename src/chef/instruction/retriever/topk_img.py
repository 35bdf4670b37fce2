"""Examples whose image is most similar to the image of the query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chef.common.digest import content_digest
from chef.common.keys import flat_keywords
from chef.embedding.encoders import Features, image_encoder
from chef.image import Image
from chef.instruction.retriever.base import Selection
from chef.instruction.retriever.nearest import Nearest, Search
from chef.types import Sample


class TopkImg(Nearest[Image]):
    """Compares the images of samples; for several images, the mean of their vectors.

    Args:
        selection: how many examples; the seed of an approximate index.
        model_ckpt: ``embedded``; or ``model/pretrained`` of open_clip; or a vision model of
            transformers, by hub name (ChEF takes ``google/vit-base-patch16-224-in21k``); or a
            local folder of either.
        features: of a model of transformers: ``cls``, the first token, as ChEF does; or
            ``pooled``, what the model makes of the image (SigLIP has no first token).
        search: how the pool is embedded and searched.
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
    ) -> None:
        encoder = image_encoder(
            model_ckpt,
            features=features,
            batch_size=search.batch_size,
            device=search.device,
            unit=self.unit_vectors,
        )
        super().__init__(encoder, selection=selection, index=search.index)

    def items(self, sample: Sample) -> Sequence[Image]:
        return sample.images

    def load(self, item: Image) -> None:
        item.view()

    def name(self, item: Image) -> str:
        """From the stored bytes or the file's state, because decoding a large pool is slow."""
        source = item.source
        if isinstance(source, bytes):
            return f"bytes {content_digest(source)}"
        if isinstance(source, (str, Path)) and not str(source).startswith(("http", "data:")):
            path = Path(source)
            if path.is_file():
                state = path.stat()
                return f"file {path.resolve()} {state.st_size} {state.st_mtime_ns}"
        return f"pixels {item.digest}"  # for a URL too, because its content may change
