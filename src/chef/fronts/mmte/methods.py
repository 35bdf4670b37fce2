"""Chef's methods as MMTrustEval's: classes with `run`, for code that changes samples itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.common.digest import content_digest
from chef.common.mmtrusteval import ImageTxtSample, TrustSample, to_sample
from chef.method import METHODS, BaseMethod
from chef.models.hooks.vlmevalkit.image_files import image_path


class DrawnImage(BaseMethod):
    """One of chef's methods that make an image for each sample, drawn by the text alone."""

    def __init__(
        self,
        method_id: str,
        img_dir: str,
        img_size: Sequence[int] | None = None,
        lazy_mode: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(method_id, img_dir, lazy_mode)
        kind: Any = METHODS.get(method_id)
        size = None if img_size is None else list(img_size)
        self._method = kind(
            method_id, img_dir=img_dir, img_size=size, lazy_mode=lazy_mode, **kwargs
        )

    def run(self, data: TrustSample, **kwargs: Any) -> ImageTxtSample:
        del kwargs
        asked = to_sample(content_digest(data.text), data)
        path = image_path(self._method.transform(asked).images[0])
        return ImageTxtSample(path, data.text, data.target, data.extra)


class UnrelatedColorImage(DrawnImage):
    """A picture of one colour."""

    method_ids = ("unrelated-image-color",)


class UnrelatedNoiseImage(DrawnImage):
    """A picture of noise."""

    method_ids = ("unrelated-image-noise",)


class UnrelatedNatureImage(DrawnImage):
    """A picture of a folder (``nature_src_dir``)."""

    method_ids = ("unrelated-image-nature",)


class RelatedGeneratedImage(DrawnImage):
    """A picture that a network draws of the text."""

    method_ids = ("related-image-generated",)


class RelatedTextEmbedImage(DrawnImage):
    """The text as a picture."""

    method_ids = ("related-image-txtembed",)
