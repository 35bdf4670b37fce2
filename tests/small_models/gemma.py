"""Google's families."""

from __future__ import annotations

from pathlib import Path

from small_models.parts import GEMMA_TEMPLATE, TEXT, VISION, save, tokenizer


def gemma3(folder: Path) -> None:
    import transformers as hf

    named = {
        "boi_token": "<start_of_image>",
        "eoi_token": "<end_of_image>",
        "image_token": "<image_soft_token>",
    }
    turns = ["<start_of_turn>", "<end_of_turn>"]
    words = tokenizer([*named.values(), *turns], bos="<bos>", eos="<end_of_turn>", named=named)
    config = hf.Gemma3Config(
        vision_config={**VISION, "vision_use_head": False},
        text_config={
            **TEXT,
            "head_dim": 8,
            "vocab_size": len(words),
            "sliding_window": 8,
            "layer_types": ["sliding_attention", "full_attention"],
        },
        mm_tokens_per_image=4,
        boi_token_index=words.convert_tokens_to_ids("<start_of_image>"),
        eoi_token_index=words.convert_tokens_to_ids("<end_of_image>"),
        image_token_index=words.convert_tokens_to_ids("<image_soft_token>"),
    )
    processor = hf.Gemma3Processor(
        hf.Gemma3ImageProcessor(size={"height": 28, "width": 28}),
        words,
        image_seq_length=4,
        chat_template=GEMMA_TEMPLATE,
    )
    save(hf.Gemma3ForConditionalGeneration, config, processor, folder)


def paligemma(folder: Path) -> None:
    import transformers as hf

    words = tokenizer(["<image>"], bos="<bos>", eos="<eos>", named={"image_token": "<image>"})
    images = hf.SiglipImageProcessor(size={"height": 28, "width": 28})
    images.image_seq_length = 4
    processor = hf.PaliGemmaProcessor(images, words)
    config = hf.PaliGemmaConfig(
        vision_config={
            **VISION,
            "model_type": "siglip_vision_model",
            "projection_dim": 32,
            "vision_use_head": False,
        },
        text_config={
            **TEXT,
            "model_type": "gemma2",
            "head_dim": 8,
            "vocab_size": len(words),
            "sliding_window": 8,
        },
        image_token_index=words.convert_tokens_to_ids("<image>"),
        projection_dim=32,
    )
    save(hf.PaliGemmaForConditionalGeneration, config, processor, folder)
