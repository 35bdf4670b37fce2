"""Small random networks that classify texts, as checkpoints in folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = ("sure", "sorry", "cannot", "here", "is", "how", "no", "yes", "bomb", "cake", "a", "the")
#: The longest text that the classifier reads, in tokens.
LIMIT = 24


def tiny_tokenizer(words: tuple[str, ...], limit: int) -> Any:
    """A tokenizer with a token for each word, and one for all others."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(("[PAD]", "[UNK]", *words))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=limit
    )


def tiny_classifier(folder: Path, labels: int = 6, seed: int = 0) -> Path:
    """A random BERT with labels ``LABEL_0``, ``LABEL_1``, ..., which differ from text to text."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer(WORDS, LIMIT)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=LIMIT, num_labels=labels,
        initializer_range=0.8,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_first_word(folder: Path, seed: int = 0) -> Path:
    """A random Llama whose next word is now and then ``Yes``."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer(("Yes", "No", "the", "cake", "bomb", "behavior", "text"), 400)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=400, initializer_range=0.8,
        pad_token_id=0, bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
