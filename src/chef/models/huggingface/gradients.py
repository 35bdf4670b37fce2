"""The gradient of a model's loss by the pixels of an image, through its own image processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chef.errors import ConfigError, SampleError
from chef.frozen import Frozen
from chef.models.base import Model
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.huggingface.rendering import encode_scored, forward_options, to_device
from chef.types import Conversation

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

#: By how much, on average over its normalised values, what the image processor makes of an image
#: may differ from what it makes of the same image as a tensor: a resize rounds to 8 bits there.
TOLERANCE = 0.02


class ImageGradients:
    """Gradients for one model of transformers, whose weights no longer take any; else a
    ConfigError.

    The image processor is given a tensor of floats, which transformers resizes, crops and
    normalises by differentiable operations; everything else is encoded as for a score.
    """

    def __init__(self, model: Model) -> None:
        if not isinstance(model, HuggingFaceModel):
            raise no_gradients(model.name)
        self.runtime = model.load()
        self.renderer = model.renderer
        for parameter in self.runtime.model.parameters():
            parameter.requires_grad_(False)

    def loss(
        self, conversation: Conversation, place: int, candidates: Sequence[str], wanted: int
    ) -> ImageLoss:
        """Minus the log-probability of a candidate, as a function of the image at ``place``, from
        0.

        With several candidates it is the share of ``wanted`` among them, by mean log-probabilities
        over tokens; of one alone that mean. A SampleError if the image processor has no gradient.
        """
        import numpy as np
        import torch

        rows = [self.renderer.reply(conversation, "", text) for text in candidates]
        encoded, spans = encode_scored(self.runtime, rows)
        inputs = to_device(self.runtime, encoded)
        prompts, row_of = _distinct(inputs)
        images = [torch.tensor(np.array(each)).permute(2, 0, 1).float() for each in rows[0].images]
        loss = ImageLoss(
            self.runtime, prompts, inputs["input_ids"], row_of, spans, images, place, wanted
        )
        loss.check()
        return loss


def no_gradients(name: str, where: str | None = None) -> ConfigError:
    """The error for a model whose weights are not in this process."""
    return ConfigError(
        f"the model {name} gives no gradients",
        where=where,
        hint="name the model file of a Hugging Face model; what fools it can be shown to any model",
    )


class ImageLoss(Frozen):
    """A loss as a function of one image; everything else is encoded.

    Attributes:
        prompts: inputs, [prompts, length - 1]: the different ones among the candidates without
            their last token, which predicts nothing; ``row_of``: which of them each candidate has.
        ids: the tokens of the candidates with their prompts, [candidates, length].
        spans: the positions of the tokens of each candidate.
        images: all images of the prompt, [3, height, width], 0 to 255; the one at ``place`` varies.
    """

    runtime: Runtime
    prompts: dict[str, Any]
    ids: torch.Tensor
    row_of: Sequence[int]
    spans: Sequence[Sequence[int]]
    images: Sequence[torch.Tensor]
    place: int
    wanted: int

    def at(self, pixels: NDArray[np.float32]) -> tuple[float, NDArray[np.float32]]:
        """The loss in nats and its gradient, by pixels ``(height, width, 3)``, 0 to 255."""
        import torch

        image = torch.tensor(pixels).permute(2, 0, 1).float().requires_grad_()
        with torch.enable_grad():
            loss = self._loss(self._pixel_values(image))
            (gradient,) = torch.autograd.grad(loss, image)
        found: NDArray[np.float32] = gradient.permute(1, 2, 0).numpy()
        return float(loss.detach()), found

    def check(self) -> None:
        """Check that the image processor makes the same of an image and of its tensor."""
        import torch

        image, expected = self.images[self.place], self.prompts["pixel_values"]
        try:
            with torch.enable_grad():  # a model of a plugin may have turned them off for all
                pixel_values = self._pixel_values(image.clone().requires_grad_())
        except (RuntimeError, TypeError, ValueError, AttributeError) as error:
            raise self._no_gradient(f"{type(error).__name__}: {error}".splitlines()[0]) from error
        if not pixel_values.requires_grad:
            raise self._no_gradient("what it makes of a tensor has no gradient")
        if pixel_values.shape != expected.shape:
            raise self._no_gradient(f"shape {[*pixel_values.shape]} instead of {[*expected.shape]}")
        if (difference := float((pixel_values.detach() - expected).abs().mean())) > TOLERANCE:
            raise self._no_gradient(f"pixels that differ by {difference:.2g} on average")

    def _no_gradient(self, why: str) -> SampleError:
        kind = type(self.runtime.processor.image_processor).__name__
        return SampleError(
            f"there is no gradient through {kind}, which does not make the same of an image and "
            f"of its tensor ({why})",
            hint="attack a model whose image processor computes with torch",
        )

    def _pixel_values(self, image: torch.Tensor) -> torch.Tensor:
        """What the image processor makes of all images, for every prompt."""
        import torch

        given = [image if i == self.place else each for i, each in enumerate(self.images)]
        options = dict(self.runtime.image_options)
        processor, like = self.runtime.processor.image_processor, self.prompts["pixel_values"]
        made = processor(images=[given], return_tensors="pt", **options)["pixel_values"]
        count = len(self.prompts["input_ids"])
        return torch.cat([made.to(like.device, like.dtype)] * count)

    def _loss(self, pixel_values: torch.Tensor) -> torch.Tensor:
        import torch

        inputs = {**self.prompts, "pixel_values": pixel_values}
        options = forward_options(self.runtime, inputs["attention_mask"])
        logits = self.runtime.model(**inputs, **options).logits
        means = []
        for row, ids, span in zip(self.row_of, self.ids, self.spans, strict=True):
            predicting = logits[row, span[0] - 1 : span[-1]].float()
            logprobs = torch.log_softmax(predicting, dim=-1)
            means.append(logprobs.gather(1, ids[span[0] : span[-1] + 1].unsqueeze(1)).mean())
        scores = torch.stack(means)
        if len(means) > 1:
            scores = torch.log_softmax(scores, dim=0)
        return -scores[self.wanted]


def _distinct(inputs: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
    """The different rows without their last position, and which each is; images are the same."""
    ids = inputs["input_ids"]
    first: dict[tuple[int, ...], int] = {}
    for number, row in enumerate(ids[:, :-1].tolist()):
        first.setdefault(tuple(row), number)
    kept = {}
    for key, value in inputs.items():
        if getattr(value, "shape", None) == ids.shape:
            kept[key] = value[list(first.values()), :-1]
        elif hasattr(value, "shape"):
            kept[key] = value[: len(value) // len(ids) * len(first)]
        else:
            kept[key] = value
    places = {row: place for place, row in enumerate(first)}
    return kept, [places[tuple(row)] for row in ids[:, :-1].tolist()]
