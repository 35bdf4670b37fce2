"""The small model that comes with chef and needs no network."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from chef.errors import ConfigError
from chef.models.huggingface.likelihood.auto import LikelihoodMode
from chef.models.huggingface.model import HuggingFaceModel

FOLDER = Path(__file__).parents[1] / "assets" / "tiny"


class Tiny(HuggingFaceModel):
    """A LLaVA of a few million parameters, trained on drawn shapes and handwritten digits.

    Args:
        name: the folder of its results.
    """

    def __init__(
        self,
        *,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
        device: str = "auto",
        scoring: LikelihoodMode = "auto",
        name: str = "tiny",
    ) -> None:
        if not (FOLDER / "config.json").is_file():
            raise ConfigError(
                "the embedded checkpoint is missing",
                where=str(FOLDER),
                hint="reinstall chef, or train it: python tools/train_tiny.py",
            )
        super().__init__(str(FOLDER), dtype=dtype, device=device, scoring=scoring, name=name)
