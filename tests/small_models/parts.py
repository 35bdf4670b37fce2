"""What the small models share: sizes, a tokenizer, chat templates, and how they are saved."""

from __future__ import annotations

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
