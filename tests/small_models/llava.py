"""The LLaVA family."""

from __future__ import annotations

from pathlib import Path

from small_models.parts import CHATML_TEMPLATE, LLAVA_TEMPLATE, TEXT, VISION, save, tokenizer


def llava(folder: Path) -> None:
    import transformers as hf

    words = tokenizer(["<image>"], bos="<s>")
    config = hf.LlavaConfig(
        vision_config=hf.CLIPVisionConfig(**VISION, projection_dim=32),
        text_config=hf.LlamaConfig(**TEXT, vocab_size=len(words)),
        image_token_index=words.convert_tokens_to_ids("<image>"),
        image_seq_length=4,
        vision_feature_layer=-2,
        vision_feature_select_strategy="default",
    )
    processor = hf.LlavaProcessor(
        hf.LlavaImageProcessor(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28}),
        words,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=LLAVA_TEMPLATE,
    )
    save(hf.LlavaForConditionalGeneration, config, processor, folder)


def llava_onevision(folder: Path) -> None:
    import transformers as hf

    words = tokenizer(["<image>", "<video>", "<|im_start|>", "<|im_end|>"], eos="<|im_end|>")
    points = [[28, 28], [28, 56], [56, 28]]
    config = hf.LlavaOnevisionConfig(
        vision_config=hf.SiglipVisionConfig(**VISION, vision_use_head=False),
        text_config=hf.Qwen2Config(**TEXT, vocab_size=len(words)),
        image_token_index=words.convert_tokens_to_ids("<image>"),
        video_token_index=words.convert_tokens_to_ids("<video>"),
        image_grid_pinpoints=points,
    )
    processor = hf.LlavaOnevisionProcessor(
        hf.LlavaOnevisionImageProcessor(
            size={"height": 28, "width": 28}, image_grid_pinpoints=points
        ),
        words,
        hf.LlavaOnevisionVideoProcessor(size={"height": 28, "width": 28}),
        num_image_tokens=4,
        vision_feature_select_strategy="full",
        chat_template=CHATML_TEMPLATE.replace("IMAGE", "<image>\n"),
    )
    save(hf.LlavaOnevisionForConditionalGeneration, config, processor, folder)


def internvl(folder: Path) -> None:
    import transformers as hf

    named = {
        "start_image_token": "<img>",
        "end_image_token": "</img>",
        "context_image_token": "<IMG_CONTEXT>",
        "video_token": "<video>",
    }
    words = tokenizer(
        [*named.values(), "<|im_start|>", "<|im_end|>"], eos="<|im_end|>", named=named
    )
    config = hf.InternVLConfig(
        vision_config={**VISION, "image_size": [28, 28], "patch_size": [14, 14]},
        text_config={**TEXT, "model_type": "qwen2", "vocab_size": len(words)},
        image_token_id=words.convert_tokens_to_ids("<IMG_CONTEXT>"),
        image_seq_length=1,
    )
    processor = hf.InternVLProcessor(
        hf.GotOcr2ImageProcessor(
            size={"height": 28, "width": 28}, crop_to_patches=True, min_patches=1, max_patches=2
        ),
        words,
        hf.InternVLVideoProcessor(size={"height": 28, "width": 28}),
        image_seq_length=1,
        chat_template=CHATML_TEMPLATE.replace("IMAGE", "<IMG_CONTEXT>\n"),
    )
    save(hf.InternVLForConditionalGeneration, config, processor, folder)
