"""Which tokens are a candidate's, with the tokenizers of the families in use."""

from __future__ import annotations

from typing import Any

import pytest

from chef.models.huggingface.rendering import Rendered, scored_span

CORPUS = [
    "ASSISTANT: (A) yes (B) no. The answer is (A). " * 3,
    "two (2) circles are red; größer",
] * 5
CANDIDATES = [
    "(A)",
    "yes",
    "A",
    "two circles",
    " (B)",
    "größer",
    "é",
    "漢字",
    "7",
    ")",
    "  x",
    "a b ",
]
PROMPTS = ["ASSISTANT: ", "ASSISTANT:", "USER: q\nASSISTANT: The answer is (", "x"]


def trained(kind: str) -> Any:
    from tokenizers import (
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
        trainers,
    )

    fast = Tokenizer(models.BPE(byte_fallback=kind in {"metaspace", "llama"}, unk_token=None))
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    if kind in {"bytes", "bytes-trimmed"}:  # Qwen; Llama 3, whose offsets leave out spaces
        fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        fast.post_processor = processors.ByteLevel(trim_offsets=kind == "bytes-trimmed")
        fast.decoder = decoders.ByteLevel()
    elif kind == "metaspace":  # Llama 2 in its newer form
        fast.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
        alphabet = [*"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ().:;\n▁27"]
    else:  # Llama 2 as published
        fast.normalizer = normalizers.Sequence(
            [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
        )
        alphabet = [*"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ().:;\n▁27"]
    specials = ["<s>", *(f"<0x{i:02X}>" for i in range(256))]
    trainer = trainers.BpeTrainer(
        vocab_size=700, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
    )
    fast.train_from_iterator(CORPUS, trainer)
    return fast


@pytest.mark.parametrize("kind", ["bytes", "bytes-trimmed", "metaspace", "llama"])
@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_span_is_what_the_candidate_changes(kind: str, prompt: str) -> None:
    """Its tokens are a tail of the sequence; all before it are the prompt's, to the character."""
    fast = trained(kind)
    for candidate in CANDIDATES:
        encoding = fast.encode(prompt + candidate)
        offsets = [list(pair) for pair in encoding.offsets]
        # Padding on the left and an end token on the right, as a processor may leave them.
        padded = [[0, 0], [0, 0], *offsets, [0, 0]]
        taken = [False, False, *[True] * len(offsets), True]
        span = scored_span(Rendered(prompt + candidate, (), scored=len(candidate)), padded, taken)
        assert span[-1] == len(offsets) + 1
        first = span[0] - 2
        assert all(end <= len(prompt) for _, end in offsets[:first])
        assert all(end > len(prompt) for _, end in offsets[first:])
        # The tokens before are also those of the prompt alone, as far as the two agree.
        alone = fast.encode(prompt).ids
        assert encoding.ids[:first] == alone[:first]


def test_a_merge_across_the_seam_counts() -> None:
    fast = trained("bytes")
    encoding = fast.encode("ASSISTANT: (A)")
    assert "Ġ(" in encoding.tokens, "the corpus should have taught the merge"
    offsets = [list(pair) for pair in encoding.offsets]
    span = scored_span(Rendered("ASSISTANT: (A)", (), scored=3), offsets, [True] * len(offsets))
    assert encoding.tokens[span[0]] == "Ġ("
