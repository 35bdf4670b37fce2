"""An image that a text-to-image model makes of the question."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from chef.common.device import pick_device
from chef.common.seeding import sample_rng
from chef.errors import ConfigError, DependencyError, RunError
from chef.method.drawn import DrawnMethod
from chef.models.huggingface.fingerprint import folder_fingerprint
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

DEFAULT_MODEL = "stabilityai/stable-diffusion-xl-base-1.0"


class GeneratedImage(DrawnMethod):
    """The image that a pipeline of diffusers makes, with the text of the sample as prompt.

    Args:
        model_path: the folder of a pipeline, or its name on the hub.
        revision: branch, tag or commit on the hub.
        steps: denoising steps; default: the pipeline's own number.
        dtype: type of the weights; ``auto`` is float16 on a GPU and float32 elsewhere.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ...
        img_dir, img_size, lazy_mode, seed: as for `DrawnMethod`. An image is made in the pipeline's
            own size and then resized.

    Raises:
        DependencyError: diffusers is not installed.
        ConfigError: there is no such folder, or a number is out of range.
    """

    paths: ClassVar[Sequence[str]] = ("model_path",)

    def __init__(
        self,
        method_id: str,
        *,
        model_path: str = DEFAULT_MODEL,
        revision: str | None = None,
        steps: int | None = None,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
        device: str = "auto",
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            method_id, img_dir=img_dir, img_size=img_size, lazy_mode=lazy_mode, seed=seed
        )
        where = f"method_cfg.{method_id}"
        if find_spec("diffusers") is None:
            raise DependencyError(
                f"{method_id} makes images with diffusers, which is not installed",
                where=where,
                hint="pip install 'chef-eval[diffusion]'",
            )
        if steps is not None and steps < 1:
            raise ConfigError(f"steps is {steps}", where=f"{where}.steps", hint="give 1 or more")
        path = Path(model_path).expanduser()
        self.source = str(path) if path.is_dir() else model_path
        if not path.is_dir() and (path.is_absolute() or model_path.count("/") != 1):
            raise ConfigError(
                f"there is no folder {model_path}",
                where=f"{where}.model_path",
                hint="give the folder of a pipeline, or its name on the hub: owner/name",
            )
        self.revision, self.steps = revision, steps
        self.dtype, self.device = dtype, device
        self._lock = threading.Lock()

    def fingerprint(self) -> str:
        return self._weights

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self._weights, self.steps, self.dtype, self.seed, sample.id, sample.question]

    def draw(self, sample: Sample) -> Pixels:
        import torch

        number = sample_rng(self.seed, self.method_id, sample.id).getrandbits(63)
        options = {} if self.steps is None else {"num_inference_steps": self.steps}
        # On the CPU, so that every device begins with the same noise.
        generator = torch.Generator("cpu").manual_seed(number)
        with self._lock:  # samples are made in several threads
            images = self._pipeline(prompt=sample.question, generator=generator, **options).images
        made: Pixels = images[0]
        return made.convert("RGB")

    @cached_property
    def _weights(self) -> str:
        folder = Path(self.source)
        if folder.is_dir():
            return folder_fingerprint(folder)
        return f"{self.source}@{self.revision or 'main'}"

    @cached_property
    def _pipeline(self) -> Any:
        import torch
        from diffusers import DiffusionPipeline

        device = pick_device(self.device)
        on_gpu = "float16" if device.type == "cuda" else "float32"
        dtype = getattr(torch, on_gpu if self.dtype == "auto" else self.dtype)
        try:
            loaded = DiffusionPipeline.from_pretrained(
                self.source, revision=self.revision, torch_dtype=dtype, use_safetensors=True
            )
        except Exception as error:  # from_pretrained raises anything from OSError to KeyError
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise RunError(
                f"the pipeline cannot be loaded ({type(error).__name__}: {reason})",
                where=self.source,
                hint="give method_cfg.related-image-generated.model_path, the folder of a pipeline "
                "with safetensors files, or its name on the hub",
            ) from error
        pipeline = loaded.to(device)
        pipeline.set_progress_bar_config(disable=True)
        return pipeline
