"""Small random models, one for each architecture family, saved as the hub would hold them.

Weights are random and images tiny, but the files, the processors, the chat templates and the
loading path are the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

CORPUS = [
    "What is in the picture? (A) a red circle (B) a blue square (C) a green triangle",
    "USER: How many shapes are there? ASSISTANT: There are two. The answer is (B)",
    "User: yes or no? Assistant: yes. no. The photo of the digit 7 (seven) is (A) or (C).",
] * 4
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
}
VISION = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "patch_size": 14,
    "image_size": 28,
}


def tokenizer(
    specials: list[str],
    *,
    bos: str | None = None,
    eos: str = "</s>",
    named: dict[str, str] | None = None,
) -> Any:
    """A byte-level BPE tokenizer of some 400 tokens; `` (`` is one of its merges."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    fast = Tokenizer(models.BPE())
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    fast.decoder = decoders.ByteLevel()
    specials = list(dict.fromkeys(["<pad>", *([bos] if bos else []), eos, *specials]))
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=specials,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    fast.train_from_iterator(CORPUS, trainer)
    if bos:
        fast.post_processor = processors.TemplateProcessing(
            single=f"{bos} $A",
            pair=f"{bos} $A $B:1",
            special_tokens=[(bos, fast.token_to_id(bos))],
        )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=fast,
        bos_token=bos,
        eos_token=eos,
        pad_token="<pad>",
        extra_special_tokens=named or {},
    )
    wrapped.add_special_tokens({"additional_special_tokens": specials})
    return wrapped


LLAVA_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] != 'system' %}{{ message['role'].upper() + ': ' }}{% endif %}"
    "{% for part in message['content'] | selectattr('type', 'equalto', 'image') %}"
    "{{ '<image>\n' }}{% endfor %}"
    "{% for part in message['content'] | selectattr('type', 'equalto', 'text') %}"
    "{{ part['text'] + ' ' }}{% endfor %}"
    "{% endfor %}{% if add_generation_prompt %}{{ 'ASSISTANT:' }}{% endif %}"
)
CHATML_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}IMAGE{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
IDEFICS_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}"
    "{% if message['content'][0]['type'] == 'image' %}:{% else %}: {% endif %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'text' %}{{ part['text'] }}{% else %}<image>{% endif %}"
    "{% endfor %}<end_of_utterance>\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)
GEMMA_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "<start_of_turn>{{ 'model' if message['role'] == 'assistant' else message['role'] }}\n"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<start_of_image>{% else %}{{ part['text'] | trim }}{% endif %}"
    "{% endfor %}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)


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


def qwen2_vl(folder: Path) -> None:
    import transformers as hf

    words = qwen_tokenizer()
    config = hf.Qwen2VLConfig(
        vision_config={"depth": 2, "embed_dim": 32, "hidden_size": 32, "num_heads": 4},
        text_config={
            **TEXT,
            "vocab_size": len(words),
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000.0,
                "mrope_section": [1, 1, 2],
            },
        },
        **qwen_ids(words),
    )
    processor = hf.Qwen2VLProcessor(
        hf.Qwen2VLImageProcessor(size={"shortest_edge": 28 * 28, "longest_edge": 56 * 56}),
        words,
        hf.Qwen2VLVideoProcessor(),
        chat_template=CHATML_TEMPLATE.replace(
            "IMAGE", "<|vision_start|><|image_pad|><|vision_end|>"
        ),
    )
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
        text_config={
            **TEXT,
            "vocab_size": len(words),
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000.0,
                "mrope_section": [1, 1, 2],
            },
        },
        **qwen_ids(words),
    )
    processor = hf.Qwen2_5_VLProcessor(
        hf.Qwen2VLImageProcessor(size={"shortest_edge": 28 * 28, "longest_edge": 56 * 56}),
        words,
        hf.Qwen2VLVideoProcessor(),
        chat_template=CHATML_TEMPLATE.replace(
            "IMAGE", "<|vision_start|><|image_pad|><|vision_end|>"
        ),
    )
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
            **TEXT,
            "head_dim": 8,
            "vocab_size": len(words),
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10000.0,
                "mrope_section": [2, 1, 1],
                "mrope_interleaved": True,
            },
        },
        **qwen_ids(words),
    )
    processor = hf.Qwen3VLProcessor(
        hf.Qwen2VLImageProcessor(size={"shortest_edge": 28 * 28, "longest_edge": 56 * 56}),
        words,
        hf.Qwen3VLVideoProcessor(),
        chat_template=CHATML_TEMPLATE.replace(
            "IMAGE", "<|vision_start|><|image_pad|><|vision_end|>"
        ),
    )
    save(hf.Qwen3VLForConditionalGeneration, config, processor, folder)


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


def idefics3(folder: Path) -> None:
    import transformers as hf

    grid = [f"<row_{row}_col_{column}>" for row in (1, 2) for column in (1, 2)]
    special = ["<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>"]
    words = tokenizer(
        [*special, *grid, "<|im_start|>"], bos="<|im_start|>", eos="<end_of_utterance>"
    )
    words.add_bos_token = False
    config = hf.Idefics3Config(
        vision_config=VISION,
        text_config=hf.LlamaConfig(**TEXT, vocab_size=len(words), pad_token_id=words.pad_token_id),
        image_token_id=words.convert_tokens_to_ids("<image>"),
        scale_factor=2,
    )
    processor = hf.Idefics3Processor(
        hf.Idefics3ImageProcessor(
            size={"longest_edge": 56}, max_image_size={"longest_edge": 28}, do_image_splitting=True
        ),
        words,
        image_seq_len=1,
        chat_template=IDEFICS_TEMPLATE,
    )
    save(hf.Idefics3ForConditionalGeneration, config, processor, folder)


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


def mllama(folder: Path) -> None:
    """Images are reached by layers of cross-attention and take up one token each."""
    import transformers as hf

    words = tokenizer(["<|image|>", "<|im_start|>", "<|im_end|>"], bos="<s>", eos="<|im_end|>")
    config = hf.MllamaConfig(
        vision_config=hf.MllamaVisionConfig(
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=2,
            num_global_layers=1,
            num_attention_heads=4,
            attention_heads=4,
            image_size=28,
            patch_size=14,
            max_num_tiles=2,
            intermediate_layers_indices=[0],
            vision_output_dim=64,
            supported_aspect_ratios=[[1, 1], [1, 2], [2, 1]],
        ),
        text_config=hf.MllamaTextConfig(
            **TEXT,
            vocab_size=len(words),
            cross_attention_layers=[1],
            pad_token_id=words.pad_token_id,
            bos_token_id=words.bos_token_id,
            eos_token_id=words.eos_token_id,
        ),
        image_token_index=words.convert_tokens_to_ids("<|image|>"),
    )
    processor = hf.MllamaProcessor(
        hf.MllamaImageProcessor(size={"height": 28, "width": 28}, max_image_tiles=2),
        words,
        chat_template="{{ bos_token }}" + CHATML_TEMPLATE.replace("IMAGE", "<|image|>"),
    )
    save(hf.MllamaForConditionalGeneration, config, processor, folder)


def save(kind: Any, config: Any, processor: Any, folder: Path) -> None:
    """Draw the weights and save everything that a hub repository of the family holds."""
    import torch

    torch.manual_seed(0)
    model = kind(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if not weight.any() and weight.ndim > 1:  # Gemma 3 would see no image
                weight.normal_(std=0.1)
            elif not weight.any() and name.endswith("_gate"):  # nor would Mllama
                weight.fill_(0.5)
            elif weight.ndim > 1:  # the default spread makes every next token alike
                weight.mul_(8.0 if "lm_head" in name or "embed_tokens" in name else 3.0)
    model.generation_config.eos_token_id = processor.tokenizer.eos_token_id
    model.generation_config.pad_token_id = processor.tokenizer.pad_token_id
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


BUILDERS: dict[str, Callable[[Path], None]] = {
    "llava": llava,
    "qwen2_vl": qwen2_vl,
    "qwen2_5_vl": qwen2_5_vl,
    "idefics3": idefics3,
    "gemma3": gemma3,
    "paligemma": paligemma,
    "llava_onevision": llava_onevision,
    "qwen3_vl": qwen3_vl,
    "internvl": internvl,
}
