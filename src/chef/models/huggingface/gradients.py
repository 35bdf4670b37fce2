"""The gradient of a model's loss by the pixels of an image, through its own image processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chef.errors import ConfigError, SampleError
from chef.models.base import Model
from chef.models.huggingface.encoding import encode_scored, forward_options, to_device
from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Conversation

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

#: By how much the pixels that the processor makes of an image may differ from those that it makes
#: of the same image as a tensor, in units of its normalised values: rounding to 8 bits in a resize.
TOLERANCE = 0.05


class ImageGradients:
    """Gradients for one loaded model.

    The image processor is given the image as a tensor of floats, whose resizing, cropping and
    normalising transformers computes with differentiable operations; everything else is encoded as
    for a score.

    Args:
        model: the model; it is loaded.
    """

    def __init__(self, model: HuggingFaceModel) -> None:
        self.runtime = model.load()
        self.renderer = model.renderer
        for parameter in self.runtime.model.parameters():
            parameter.requires_grad_(False)
        self._is_checked = False

    @classmethod
    def of(cls, model: Model) -> ImageGradients:
        """The gradients of a model.

        Raises:
            ConfigError: it is not a model of transformers in this process.
        """
        if not isinstance(model, HuggingFaceModel):
            raise ConfigError(
                f"the model {model.name} gives no gradients",
                where="method_cfg",
                hint="name the model file of a Hugging Face model as model_cfg; images that fool "
                "it can then be shown to any model",
            )
        return cls(model)

    def of_loss(
        self,
        pixels: NDArray[np.float32],
        conversation: Conversation,
        place: int,
        candidates: Sequence[str],
        wanted: int,
    ) -> NDArray[np.float32]:
        """The gradient by the pixels of minus the log-probability of a candidate.

        Args:
            pixels: the image, ``(height, width, 3)``, 0 to 255.
            conversation: what is asked; its image number ``place`` is replaced.
            place: the number of the image, from 0.
            candidates: the texts. With several, the probability of one is its share among them, of
                its mean log-probability over tokens; with one, that of the text, over tokens.
            wanted: which of them.

        Returns:
            ``(height, width, 3)``.
        """
        import torch

        image = torch.from_numpy(pixels).permute(2, 0, 1).contiguous().requires_grad_()
        means = [self._mean_logprob(image, conversation, place, text) for text in candidates]
        logprobs = torch.stack(means)
        if len(means) > 1:
            logprobs = torch.log_softmax(logprobs, dim=0)
        (gradient,) = torch.autograd.grad(-logprobs[wanted], image)
        found: NDArray[np.float32] = gradient.permute(1, 2, 0).float().cpu().numpy()
        return found

    def _mean_logprob(
        self, image: torch.Tensor, conversation: Conversation, place: int, candidate: str
    ) -> torch.Tensor:
        import torch

        row = self.renderer.reply(conversation, "", candidate)
        encoded, (span,) = encode_scored(self.runtime, [row])
        inputs = to_device(self.runtime, encoded)
        inputs["pixel_values"] = self._pixel_values(image, row.images, place, inputs)
        options = forward_options(self.runtime, inputs["attention_mask"])
        logits = self.runtime.model(**inputs, **options).logits[0].float()
        ids = inputs["input_ids"][0]
        logprobs = torch.log_softmax(logits[[at - 1 for at in span]], dim=-1)
        return logprobs.gather(1, ids[span].unsqueeze(1)).mean()

    def _pixel_values(
        self, image: torch.Tensor, images: Sequence[Any], place: int, inputs: dict[str, Any]
    ) -> torch.Tensor:
        """What the image processor makes of all images, with a gradient by one of them.

        Raises:
            SampleError: it does not make the same of an image and of its tensor.
        """
        import numpy as np
        import torch

        given: list[Any] = [
            torch.from_numpy(np.array(each)).permute(2, 0, 1).float() for each in images
        ]
        expected = inputs["pixel_values"]
        if not self._is_checked:
            self._check(self._processed(given, expected), expected)
            self._is_checked = True
        given[place] = image
        return self._processed(given, expected)

    def _processed(self, images: list[Any], like: torch.Tensor) -> torch.Tensor:
        options = dict(self.runtime.image_options or {})
        processor = self.runtime.processor.image_processor
        made = processor(images=images, return_tensors="pt", **options)["pixel_values"]
        return made.to(like.device, like.dtype)  # type: ignore[no-any-return]

    def _check(self, made: torch.Tensor, expected: torch.Tensor) -> None:
        if made.shape != expected.shape or float((made - expected).abs().max()) > TOLERANCE:
            raise SampleError(
                f"{type(self.runtime.processor.image_processor).__name__} makes other pixels of a "
                "tensor than of an image, so there is no gradient by the image",
                hint="attack another model",
            )
