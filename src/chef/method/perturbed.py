"""Images that are changed a little, each pixel by at most a bound: by noise, or to fool a model."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from chef.errors import ConfigError, SampleError
from chef.method.corruptions.base import EachImage
from chef.method.drawn import image_file, image_folder, kept_image
from chef.models import Model
from chef.types import Sample, Text, Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Pixels

    from chef.models.huggingface.gradients import ImageGradients


class PerturbedMethod(EachImage):
    """A method that changes the images of a sample; implement `perturb` and `decided_by`.

    Args:
        eps: the most that a channel of a pixel changes, as a share of its range: 0.0314 is 8/255.
            At least 1/255, at most 1; images have whole numbers, so it is rounded down to n/255.
        img_dir: the folder of its images; default: ``methods`` in ``$CHEF_CACHE``.
        lazy_mode: whether an image that is in the folder is taken as it is.
        seed: of everything that is drawn at random; each sample has a stream of its own.

    Raises:
        ConfigError: ``eps`` is out of range.

    Attributes:
        levels: the most that a channel changes, of 255.
    """

    #: Changes when the same keys give other images.
    version: ClassVar[int] = 1

    def __init__(
        self,
        method_id: str,
        *,
        eps: float = 8 / 255,
        img_dir: str | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(method_id, seed=seed)
        # 0.0313 is meant to be 8/255 as well, and floating-point 8/255 may be less than itself.
        self.levels = int(eps * 255 + 0.05) if 0 < eps <= 1 else 0
        if not self.levels:
            raise ConfigError(
                f"eps is {eps}",
                where=f"method_cfg.{method_id}.eps",
                hint="give a share of the range of a channel from 1/255 = 0.0039 to 1, such as "
                "0.0314 for 8/255",
            )
        self.lazy_mode = lazy_mode
        self.folder = image_folder(img_dir)

    @abstractmethod
    def perturb(self, pixels: NDArray[np.uint8], sample: Sample, place: int) -> NDArray[np.uint8]:
        """The changed image, ``(height, width, 3)``, 0 to 255; ``place`` is its number."""

    @abstractmethod
    def decided_by(self, sample: Sample) -> list[Any]:
        """What decides the image besides the method, the bound, the image and its place."""

    def made(self, sample: Sample, place: int) -> Pixels:
        """The changed image of a file, which is made first where it is not there."""
        import numpy as np
        from PIL import Image as Pillow

        given = sample.images[place]
        parts = [self.method_id, self.version, self.levels, given.digest, place]
        parts += self.decided_by(sample)
        return kept_image(
            image_file(self.folder, parts),
            lambda: Pillow.fromarray(self.perturb(np.asarray(given.view()), sample, place)),
            lazy=self.lazy_mode,
        )


class UniformNoise(PerturbedMethod):
    """Noise of one size: each channel of each pixel moves by ``eps`` up or down, evenly drawn.

    It is the yardstick of an adversarial perturbation of the same size, which moves most pixels by
    the whole of ``eps``, too.
    """

    def perturb(self, pixels: NDArray[np.uint8], sample: Sample, place: int) -> NDArray[np.uint8]:
        import numpy as np

        signs = self.stream(sample, place).integers(0, 2, pixels.shape) * 2 - 1
        moved = pixels + signs * self.levels
        changed: NDArray[np.uint8] = np.clip(moved, 0, 255).astype(np.uint8)
        return changed

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self.seed, sample.id]


class ProjectedGradient(PerturbedMethod):
    """Projected gradient descent (Madry et al. 2018) on a model whose weights are known.

    From a random start within the bound, each step moves every channel of every pixel by
    ``step_size`` along the sign of the gradient, and back into the bound. The gradient goes through
    the image processor of the model. The images are whole numbers from 0 to 255 within the bound,
    in files without loss.

    The right option becomes less likely among the options; without options, the right answer. The
    attacked model is asked the question of the sample and nothing else: the wording of the recipe
    is not known here, and the images fool a model under other wordings, too.

    Args:
        model: the model that is attacked, loaded when the first image is needed. A recipe gives its
            file as ``model_cfg``: the name of a shipped one, a path (beside the recipe first), or
            the content of one as a mapping.
        steps: how many steps are taken; at least 1.
        step_size: of a step, as a share of the range; default: 2.5 * eps / steps.

    Raises:
        ConfigError: a number is out of range; or (when the first image is needed) the model has no
            gradients that can be had.
    """

    needs_model: ClassVar[bool] = True
    #: Whether the attack has a target.
    targeted: ClassVar[bool] = False

    def __init__(
        self,
        method_id: str,
        model: Callable[[], Model],
        *,
        eps: float = 8 / 255,
        steps: int = 20,
        step_size: float | None = None,
        img_dir: str | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(method_id, eps=eps, img_dir=img_dir, lazy_mode=lazy_mode, seed=seed)
        if steps < 1 or (step_size is not None and step_size <= 0):
            raise ConfigError(
                f"steps is {steps} and step_size {step_size}",
                where=f"method_cfg.{method_id}",
                hint="give at least one step, of more than 0",
            )
        self.steps = steps
        self.step_size = 2.5 * self.levels / 255 / steps if step_size is None else step_size
        self._model, self._lock = model, threading.Lock()

    @cached_property
    def _gradients(self) -> ImageGradients:
        from chef.models.huggingface.gradients import ImageGradients

        return ImageGradients(self._model())

    def fingerprint(self) -> str:
        return self._model().fingerprint()

    def decided_by(self, sample: Sample) -> list[Any]:
        asked = [sample.id, sample.question, [image.digest for image in sample.images]]
        wanted = [*self._candidates(sample), self.steps, self.step_size, self.seed]
        return [self._fingerprint, *asked, *wanted]

    @cached_property
    def _fingerprint(self) -> str:
        return self.fingerprint()

    def perturb(self, pixels: NDArray[np.uint8], sample: Sample, place: int) -> NDArray[np.uint8]:
        import numpy as np

        start = self.stream(sample, place).uniform(-1, 1, pixels.shape)
        clean = pixels.astype(np.float32)
        low, high = np.maximum(clean - self.levels, 0), np.minimum(clean + self.levels, 255)
        moved = np.clip(clean + start * self.levels, low, high).astype(np.float32)
        step = self.step_size * 255 * (-1 if self.targeted else 1)
        candidates, wanted = self._candidates(sample)
        conversation = (Turn("user", (*sample.images, Text(sample.question))),)
        with self._lock:  # one attack at a time: samples are made in several threads
            loss = self._gradients.loss(conversation, place, candidates, wanted)
            for _ in range(self.steps):
                moved = np.clip(moved + step * np.sign(loss.at(moved)[1]), low, high)
        rounded: NDArray[np.uint8] = np.rint(moved).astype(np.uint8)  # the bounds are whole numbers
        return rounded

    def _candidates(self, sample: Sample) -> tuple[tuple[str, ...], int]:
        """The texts whose likelihoods decide, and which of them the loss is about."""
        if sample.options:
            correct = sample.fields.get("gt_choice")
            if not isinstance(correct, int):
                correct = next(
                    (i for i, option in enumerate(sample.options) if option == sample.answer), None
                )
            if isinstance(correct, int):
                return sample.options, correct
        answer = sample.answer
        if isinstance(answer, list):
            answer = answer[0] if answer else None
        if not isinstance(answer, str) or not answer:
            raise SampleError(
                f"{self.method_id} needs the words of the right answer, and it is {answer!r}",
                where=f"sample '{sample.id}'",
                hint="use adversarial-target-generated with target_text, what shall be answered",
            )
        return (answer,), 0


class TargetedGradient(ProjectedGradient):
    """Projected gradient descent towards an answer: ``target_text`` becomes likelier.

    Args:
        target_text: what the attacked model shall answer. Where it is an option of the sample, it
            becomes likelier among them.
    """

    targeted: ClassVar[bool] = True

    def __init__(
        self,
        method_id: str,
        model: Callable[[], Model],
        *,
        target_text: str,
        eps: float = 8 / 255,
        steps: int = 20,
        step_size: float | None = None,
        img_dir: str | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            method_id, model, eps=eps, steps=steps, step_size=step_size, img_dir=img_dir,
            lazy_mode=lazy_mode, seed=seed,
        )  # fmt: skip
        self.target_text = target_text

    def _candidates(self, sample: Sample) -> tuple[tuple[str, ...], int]:
        if self.target_text in sample.options:
            return sample.options, sample.options.index(self.target_text)
        return (self.target_text,), 0
