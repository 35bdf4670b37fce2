"""Create LLaVA checkpoints with random weights: realistic shapes and cost, meaningless output."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

Size = Literal["30m", "7b"]

#: 336 x 336 pixels in patches of 14: the 576 image tokens of LLaVA-1.5.
IMAGE_SIZE, PATCH = 336, 14


#: Configuration of the vision encoder and of the language model.
SIZES: dict[Size, tuple[dict[str, int], dict[str, int]]] = {
    "30m": (
        {
            "hidden_size": 256,
            "num_hidden_layers": 4,
            "num_attention_heads": 4,
            "intermediate_size": 1024,
        },
        {
            "hidden_size": 512,
            "num_hidden_layers": 8,
            "num_attention_heads": 8,
            "num_key_value_heads": 8,
            "intermediate_size": 1376,
        },
    ),
    # LLaVA-1.5-7B: CLIP ViT-L/14 at 336 pixels and Vicuna
    "7b": (
        {
            "hidden_size": 1024,
            "num_hidden_layers": 24,
            "num_attention_heads": 16,
            "intermediate_size": 4096,
        },
        {
            "hidden_size": 4096,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 32,
            "intermediate_size": 11008,
            "vocab_size": 32064,
        },
    ),
}


def save_random_llava(
    folder: Path, tokenizer_folder: Path, size: Size = "30m", device: str = "cpu", shrink: int = 1
) -> int:
    """Write a checkpoint in float32 or (7b) bfloat16, and return its number of parameters.

    Args:
        folder: output folder.
        tokenizer_folder: checkpoint that provides the tokenizer and the chat template.
        size: about 30 million parameters, or LLaVA-1.5-7B.
        device: device on which the weights are created.
        shrink: divisor of widths and depths, for tests on a small machine.
    """
    import torch
    from transformers import (
        AutoProcessor,
        CLIPImageProcessor,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    known = AutoProcessor.from_pretrained(tokenizer_folder)
    tokenizer = known.tokenizer
    tower, decoder = (_shrunk(shape, shrink) for shape in SIZES[size])
    vision = CLIPVisionConfig(**tower, image_size=IMAGE_SIZE, patch_size=PATCH)
    words: dict[str, Any] = {"vocab_size": len(tokenizer), **decoder}
    text = LlamaConfig(
        **words, max_position_embeddings=4096, tie_word_embeddings=False, bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    image_token = known.image_token
    config = LlavaConfig(
        vision_config=vision, text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids(image_token),
        vision_feature_select_strategy="default", vision_feature_layer=-2,
    )  # fmt: skip
    torch.manual_seed(0)
    with torch.device(device):
        model = LlavaForConditionalGeneration(config)
    if size == "7b":
        model = model.to(torch.bfloat16)
    model.save_pretrained(folder)
    side = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    LlavaProcessor(
        image_processor=CLIPImageProcessor(size={"shortest_edge": IMAGE_SIZE}, crop_size=side),
        tokenizer=tokenizer,
        patch_size=PATCH, vision_feature_select_strategy="default", image_token=image_token,
        chat_template=known.chat_template, num_additional_image_tokens=1,
    ).save_pretrained(folder)  # fmt: skip
    return sum(weight.numel() for weight in model.parameters())


def _shrunk(shape: dict[str, int], by: int) -> dict[str, int]:
    """Reduce the layers and matrices of a shape, but keep the number of heads."""
    kept = ("num_attention_heads", "num_key_value_heads", "vocab_size")
    return {key: value if key in kept else max(2, value // by) for key, value in shape.items()}
