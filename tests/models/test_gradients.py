"""The gradient of a loss by the pixels of an image, against differences of the loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import PIL.Image
import pytest

from chef.config import load_model
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.models.huggingface.gradients import TOLERANCE, ImageGradients
from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Score, Text, Turn

OPTIONS = ("(A", "(B", "cat dog")


def photo(width: int, height: int) -> Image:
    """Smooth colors and a sharp edge: a resize overshoots there, and is cut off in 8 bits."""
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    colors = np.stack([across * 255 / width, down * 255 / height, 0 * down + 90], axis=-1)
    colors[10:30, 10:30] = 255
    return Image(PIL.Image.fromarray(colors.astype(np.uint8)))


def asked(*images: Image) -> tuple[Turn, ...]:
    return (Turn("user", (*images, Text("what is this ?"))),)


@pytest.fixture(scope="module")
def tiny() -> HuggingFaceModel:
    model = load_model("tiny", ["device=cpu"]).model.build()
    assert isinstance(model, HuggingFaceModel)
    return model


@pytest.mark.parametrize("place", [0, 1])
def test_the_loss_is_that_of_the_scorer(tiny: HuggingFaceModel, place: int) -> None:
    """Without a resize the tensor gives the same pixels, so the loss has the scorer's numbers."""
    conversation = asked(photo(72, 72), photo(72, 72))
    (scored,) = tiny.score([Score(conversation, OPTIONS)])
    means = np.array([item.mean for item in scored])
    loss = ImageGradients(tiny).loss(conversation, place, OPTIONS, 1)
    value, gradient = loss.at(np.array(conversation[0].images[place].view(), dtype=np.float32))
    assert value == pytest.approx(np.log(np.exp(means).sum()) - means[1], abs=2e-5)
    assert gradient.shape == (72, 72, 3)
    assert len(loss.prompts["input_ids"]) == 2, "options of one token share their prompt"
    alone = ImageGradients(tiny).loss(conversation, place, OPTIONS[2:], 0)
    assert alone.at(np.array(photo(72, 72).view(), np.float32))[0] == pytest.approx(
        -means[2], abs=2e-5
    )


def test_gradients_that_a_plugin_turned_off(tiny: HuggingFaceModel) -> None:
    import torch

    torch.set_grad_enabled(False)
    loss = ImageGradients(tiny).loss(asked(photo(72, 72)), 0, OPTIONS, 0)
    assert np.abs(loss.at(np.array(photo(72, 72).view(), np.float32))[1]).max() > 0


@pytest.mark.parametrize("family", ["tiny", "llava", "qwen2_5_vl"])
def test_the_gradient_is_the_slope(
    family: str, tiny: HuggingFaceModel, load: Callable[[str], HuggingFaceModel]
) -> None:
    """Along a random direction the loss changes as the gradient says, resize or not."""
    model = tiny if family == "tiny" else load(family)
    image = photo(72, 72) if family == "tiny" else photo(90, 60)
    loss = ImageGradients(model).loss(asked(image), 0, OPTIONS, 0)
    pixels = np.array(image.view(), dtype=np.float32)
    direction = np.sign(loss.at(pixels)[1])
    direction *= np.random.default_rng(0).integers(0, 2, pixels.shape)  # half of the pixels
    slope = float((loss.at(pixels)[1] * direction).sum())
    step = 0.25
    ahead, behind = (loss.at(pixels + sign * step * direction)[0] for sign in (1, -1))
    assert slope > 0
    assert (ahead - behind) / (2 * step) == pytest.approx(slope, rel=0.05)


@pytest.mark.parametrize(
    "family",
    ["llava", "qwen2_vl", "idefics3", "gemma3", "paligemma", "llava_onevision", "internvl"],
)
def test_processors_make_the_same_of_a_tensor(
    family: str, load: Callable[[str], HuggingFaceModel]
) -> None:
    """Where they resize, the mean difference is within a quarter of what is allowed."""
    images = (photo(90, 60), photo(90, 60))
    loss = ImageGradients(load(family)).loss(asked(*images), 1, OPTIONS, 0)
    made, expected = loss._pixel_values(loss.images[1]), loss.prompts["pixel_values"]
    assert made.shape == expected.shape
    assert float((made - expected).abs().mean()) < TOLERANCE / 4


def through_numpy(images: list[list[object]], **options: object) -> dict[str, object]:
    return {"pixel_values": images[0][0].numpy()}  # type: ignore[attr-defined]


def brighter(images: list[list[object]], **options: object) -> dict[str, object]:
    return {"pixel_values": images[0][0][None] / 255 + 3}  # type: ignore[index]


@pytest.mark.parametrize("processor", [through_numpy, brighter])
def test_a_processor_without_a_gradient_is_refused(
    processor: Callable[..., object], tiny: HuggingFaceModel
) -> None:
    gradients = ImageGradients(tiny)
    loss = gradients.loss(asked(photo(72, 72)), 0, OPTIONS, 0)
    other = SimpleNamespace(image_processor=processor)
    loss = replace(loss, runtime=SimpleNamespace(processor=other, image_options={}))
    with pytest.raises(SampleError, match="no gradient through function") as caught:
        loss.check()
    assert "torch" in str(caught.value.hint)


def test_a_model_elsewhere_has_no_gradients(model_file: Path) -> None:
    with pytest.raises(ConfigError, match="gives no gradients"):
        ImageGradients(load_model(model_file).model.build())
