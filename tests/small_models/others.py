"""Families with one model each."""

from __future__ import annotations

from pathlib import Path

from small_models.parts import CHATML_TEMPLATE, IDEFICS_TEMPLATE, TEXT, VISION, save, tokenizer


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
