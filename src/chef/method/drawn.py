"""Images that a method makes: drawn when they are first needed, and kept as files.

Of a question they show its text, or nothing that has to do with it: one color, noise, or a photo of
nature.
"""

from __future__ import annotations

import random
import re
import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from chef.common.device import pick_device
from chef.common.digest import content_digest, file_digest
from chef.common.seeding import sample_rng
from chef.common.writing import write_image
from chef.embedding.cache import cache_folder
from chef.errors import (
    ConfigError,
    DataError,
    DependencyError,
    RunError,
    SampleError,
    first_line,
)
from chef.guard.files import user_path
from chef.image import Image
from chef.method.base import Method
from chef.models.huggingface.fingerprint import folder_fingerprint
from chef.scenario.text_image import FONT_SIZE, MAX_WIDTH, text_image
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


def image_folder(img_dir: str | None) -> Path:
    """The folder of the images of a method: ``methods`` in ``$CHEF_CACHE`` by default."""
    return user_path(img_dir) if img_dir else cache_folder() / "methods"


def image_file(folder: Path, parts: Sequence[object]) -> Path:
    """The file of an image, named by a digest of everything that decides it."""
    return folder / f"{content_digest(*map(repr, parts))}.png"


def kept_image(path: Path, make: Callable[[], Pixels], *, lazy: bool) -> Pixels:
    """The image of a file, which is made first where it is not there, or not to be trusted."""
    if not (lazy and path.is_file()):
        hint = "set img_dir of the method, or CHEF_CACHE, to a folder that can be written"
        write_image(path, make(), hint)
    return Image(path).load()


class DrawnMethod(Method):
    """A method that makes one image for each sample; implement `draw` and `decided_by`.

    The image takes the place of the sample's own. It is a PNG file, named by a digest of everything
    that decides it, so that no setting meets the images of another one.

    Args:
        img_dir: the folder of its images; default: ``methods`` in ``$CHEF_CACHE``.
        img_size: height and width of the images, in pixels.
        lazy_mode: whether an image that is in the folder is taken as it is; otherwise it is drawn
            again by every process.
        seed: of everything that is drawn at random; each sample has a stream of its own.

    Raises:
        ConfigError: a size is less than 1.
    """

    #: Changes when the same keys give other images.
    version: ClassVar[int] = 1

    def __init__(
        self,
        method_id: str,
        *,
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(method_id)
        if img_size is not None and (len(img_size) != 2 or min(img_size) < 1):
            raise ConfigError(
                f"img_size is {img_size}",
                where=f"method_cfg.{method_id}.img_size",
                hint="give height and width in pixels: [224, 224]",
            )
        self.folder = image_folder(img_dir)
        self.size = None if img_size is None else (img_size[1], img_size[0])
        self.lazy_mode, self.seed = lazy_mode, seed

    @abstractmethod
    def draw(self, sample: Sample) -> Pixels:
        """The image for a sample, RGB; it is resized to ``img_size`` where that is given."""

    @abstractmethod
    def decided_by(self, sample: Sample) -> list[Any]:
        """What decides the image besides method, size and version, as plain data."""

    def transform(self, sample: Sample) -> Sample:
        if len(sample.images) > 1:
            raise SampleError(
                f"{self.method_id} makes one image, and the sample has {len(sample.images)}",
                where=f"sample '{sample.id}'",
                hint="use the method on questions with one image, or with none",
            )
        return replace(sample, images=(self._image(sample),))

    def _image(self, sample: Sample) -> Image:
        parts = [self.method_id, self.version, self.size, *self.decided_by(sample)]
        path = image_file(self.folder, parts)
        where = {"path": str(path), "method": self.method_id}
        make = partial(self._resized, sample)
        load = partial(kept_image, path, make, lazy=self.lazy_mode)
        return Image(load, name=str(path), where=where)

    def _resized(self, sample: Sample) -> Pixels:
        image = self.draw(sample)
        return image if self.size is None else image.resize(self.size)


class TextAsImage(DrawnMethod):
    """The text of the sample, black on white, wrapped at words.

    Args:
        font_size: in pixels.
        max_width: of a line, in pixels; the image is at least as wide.
        font: a file of TrueType or OpenType; default: Pillow's own font.
    """

    paths: ClassVar[Sequence[str]] = ("font",)

    def __init__(
        self,
        method_id: str,
        *,
        font_size: int = FONT_SIZE,
        max_width: int = MAX_WIDTH,
        font: str | None = None,
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            method_id, img_dir=img_dir, img_size=img_size, lazy_mode=lazy_mode, seed=seed
        )
        self.font_size, self.max_width = font_size, max_width
        self.font = user_path(font) if font else None

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self.font_size, self.max_width, self._font_digest(), sample.question]

    def draw(self, sample: Sample) -> Pixels:
        return text_image(
            sample.question, font_size=self.font_size, max_width=self.max_width, font=self.font
        )

    def fingerprint(self) -> str:
        return self._font_digest()

    def _font_digest(self) -> str:
        return "" if self.font is None else file_digest(self.font)


#: The size of images whose method names none, width and height in pixels.
USUAL_SIZE = (224, 224)
_ENDINGS = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"}


class _Seeded(DrawnMethod):
    """An image that is drawn at random, for each sample with a random stream of its own."""

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self.seed, sample.id]

    def rng(self, sample: Sample) -> random.Random:
        """The random stream of a sample."""
        return sample_rng(self.seed, self.method_id, sample.id)


class Color(_Seeded):
    """An image of one color, whose channels are drawn evenly from 0 to 255."""

    def draw(self, sample: Sample) -> Pixels:
        from PIL import Image as Pillow

        rng = self.rng(sample)
        red, green, blue = (rng.randint(0, 255) for _ in range(3))
        return Pillow.new("RGB", self.size or USUAL_SIZE, (red, green, blue))


class Noise(_Seeded):
    """An image whose every pixel and channel is drawn evenly from 0 to 255."""

    def draw(self, sample: Sample) -> Pixels:
        from PIL import Image as Pillow

        size = self.size or USUAL_SIZE
        return Pillow.frombytes("RGB", size, self.rng(sample).randbytes(3 * size[0] * size[1]))


class Nature(_Seeded):
    """One of the images of a folder, drawn evenly.

    Args:
        nature_src_dir: the folder; default: ``data/unrelated_nature_images``.

    Raises:
        DataError: (when it is first needed) there is no image in the folder.
    """

    paths: ClassVar[Sequence[str]] = ("nature_src_dir",)

    def __init__(
        self,
        method_id: str,
        *,
        nature_src_dir: str = "data/unrelated_nature_images",
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            method_id, img_dir=img_dir, img_size=img_size, lazy_mode=lazy_mode, seed=seed
        )
        self._source = user_path(nature_src_dir)

    @cached_property
    def files(self) -> list[Path]:
        """The images of the folder, in natural order."""
        found = [path for path in self._source.rglob("*") if path.suffix.lower() in _ENDINGS]
        if not found:
            raise DataError(
                "there is no image" if self._source.is_dir() else "there is no such folder",
                where=str(self._source),
                hint=f"give method_cfg.{self.method_id}.nature_src_dir, a folder with photos",
            )
        return sorted(found, key=lambda path: [*map(_part, re.split(r"(\d+)", str(path)))])

    def decided_by(self, sample: Sample) -> list[Any]:
        return [file_digest(self._file(sample))]

    def draw(self, sample: Sample) -> Pixels:
        return Image(self._file(sample)).load()

    def fingerprint(self) -> str:
        return "".join(map(file_digest, self.files))

    def _file(self, sample: Sample) -> Path:
        return self.rng(sample).choice(self.files)


def _part(text: str) -> tuple[int, str]:
    return (int(text), "") if text.isdecimal() else (-1, text)


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
        path = user_path(model_path)
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
            reason = first_line(error)
            raise RunError(
                f"the pipeline cannot be loaded ({type(error).__name__}: {reason})",
                where=self.source,
                hint="give method_cfg.related-image-generated.model_path, the folder of a pipeline "
                "with safetensors files, or its name on the hub",
            ) from error
        pipeline = loaded.to(device)
        pipeline.set_progress_bar_config(disable=True)
        return pipeline
