"""The architecture of the embedded model: a LLaVA of a small SigLIP and a small Llama."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chef.scenario.shapes.drawing import SIZE
from tiny.tokenizer import IMAGE, chat_tokenizer

if TYPE_CHECKING:
    from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

PATCH = 12
#: How many tokens of the language model one image becomes.
IMAGE_TOKENS = (SIZE // PATCH) ** 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """Width, depth, heads and MLP width of the vision encoder and of the language model."""

    vision: tuple[int, int, int, int] = (128, 4, 4, 512)
    text: tuple[int, int, int, int] = (192, 6, 6, 512)


def build_model(
    tokenizer: PreTrainedTokenizerFast, sizes: Sizes | None = None
) -> LlavaForConditionalGeneration:
    """An untrained model; the caller seeds torch."""
    from transformers import (
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        SiglipVisionConfig,
    )

    sizes = sizes or Sizes()
    width, layers, heads, inner = sizes.vision
    vision = SiglipVisionConfig(
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=inner,
        image_size=SIZE,
        patch_size=PATCH,
        vision_use_head=False,
    )
    width, layers, heads, inner = sizes.text
    text = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        intermediate_size=inner,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    config = LlavaConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids(IMAGE),
        image_seq_length=IMAGE_TOKENS,
        vision_feature_select_strategy="full",
        vision_feature_layer=-1,
        tie_word_embeddings=True,
    )
    model = LlavaForConditionalGeneration(config)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.generation_config.bos_token_id = None
    return model


def save_model(
    model: LlavaForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, folder: Path
) -> None:
    """Write the folder that ``from_pretrained`` reads: weights in half precision, processor.

    The files are written to another folder and then moved, so that a reader sees whole files only.
    """
    import torch
    from transformers import CLIPImageProcessor, LlavaProcessor

    side = {"height": SIZE, "width": SIZE}
    # Pictures of any shape are scaled as a whole: cropping would hide objects.
    images = CLIPImageProcessor(
        size=side,
        crop_size=side,
        do_center_crop=False,
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
    )
    processor = LlavaProcessor(
        image_processor=images,
        tokenizer=tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="full",
        chat_template=tokenizer.chat_template,
        num_additional_image_tokens=0,
    )
    fresh = folder.with_name(f".{folder.name}.new")
    # The configuration still says float32, so the weights load as float32. The output layer is tied
    # to the embeddings and is not stored.
    weights = {
        name: weight.to(torch.float16)
        for name, weight in model.state_dict().items()
        if name != "lm_head.weight"
    }
    model.save_pretrained(fresh, state_dict=weights)
    processor.save_pretrained(fresh)
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(fresh.iterdir()):
        path.chmod(0o644)  # save_pretrained makes the weights readable by their owner only
        path.replace(folder / path.name)
    fresh.rmdir()


def load_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    return chat_tokenizer(folder / "tokenizer.json")


def load_model(folder: Path) -> LlavaForConditionalGeneration:
    """A checkpoint to continue from, in full precision."""
    import torch
    from transformers import LlavaForConditionalGeneration

    return LlavaForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
