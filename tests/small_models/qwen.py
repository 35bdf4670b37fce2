"""The Qwen-VL family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from small_models.parts import CHATML_TEMPLATE, TEXT, save, tokenizer


def qwen2_vl(folder: Path) -> None:
    import transformers as hf

    words = qwen_tokenizer()
    config = hf.Qwen2VLConfig(
        vision_config={"depth": 2, "embed_dim": 32, "hidden_size": 32, "num_heads": 4},
        text_config=text(words, mrope_section=[1, 1, 2]),
        **qwen_ids(words),
    )
    processor = processor_of(hf.Qwen2VLProcessor, words, hf.Qwen2VLVideoProcessor())
    save(hf.Qwen2VLForConditionalGeneration, config, processor, folder)


def qwen2_5_vl(folder: Path) -> None:
    import transformers as hf

    words = qwen_tokenizer()
    config = hf.Qwen2_5_VLConfig(
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_heads": 4,
            "out_hidden_size": 32,
            "fullatt_block_indexes": [1],
            "window_size": 56,
        },
        text_config=text(words, mrope_section=[1, 1, 2]),
        **qwen_ids(words),
    )
    processor = processor_of(hf.Qwen2_5_VLProcessor, words, hf.Qwen2VLVideoProcessor())
    save(hf.Qwen2_5_VLForConditionalGeneration, config, processor, folder)


def qwen3_vl(folder: Path) -> None:
    import transformers as hf

    words = qwen_tokenizer()
    config = hf.Qwen3VLConfig(
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_heads": 4,
            "out_hidden_size": 32,
            "patch_size": 14,
            "num_position_embeddings": 16,
            "deepstack_visual_indexes": [0],
        },
        text_config={
            **text(words, mrope_section=[2, 1, 1], mrope_interleaved=True),
            "head_dim": 8,
        },
        **qwen_ids(words),
    )
    processor = processor_of(hf.Qwen3VLProcessor, words, hf.Qwen3VLVideoProcessor())
    save(hf.Qwen3VLForConditionalGeneration, config, processor, folder)


def text(words: Any, **rope: Any) -> dict[str, Any]:
    """The configuration of the language model."""
    positions = {"rope_type": "default", "rope_theta": 10000.0, **rope}
    return {**TEXT, "vocab_size": len(words), "rope_parameters": positions}


def processor_of(kind: Any, words: Any, videos: Any) -> Any:
    import transformers as hf

    images = hf.Qwen2VLImageProcessor(size={"shortest_edge": 28 * 28, "longest_edge": 56 * 56})
    image = "<|vision_start|><|image_pad|><|vision_end|>"
    template = CHATML_TEMPLATE.replace("IMAGE", image)
    return kind(images, words, videos, chat_template=template)


def qwen_tokenizer() -> Any:
    vision = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
    return tokenizer([*vision, "<|im_start|>", "<|im_end|>"], eos="<|im_end|>")


def qwen_ids(words: Any) -> dict[str, int]:
    return {
        "image_token_id": words.convert_tokens_to_ids("<|image_pad|>"),
        "video_token_id": words.convert_tokens_to_ids("<|video_pad|>"),
        "vision_start_token_id": words.convert_tokens_to_ids("<|vision_start|>"),
        "vision_end_token_id": words.convert_tokens_to_ids("<|vision_end|>"),
    }
