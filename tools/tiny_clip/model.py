"""The encoder: a small open_clip model, and a tokenizer trained on its captions and questions."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from chef.scenario.shapes.drawing import SIZE
from tiny_clip.data import corpus

#: The most tokens of a text; longer ones are cut.
CONTEXT = 48
VOCABULARY = 700
MEAN = STD = (0.5, 0.5, 0.5)
PAD, UNKNOWN, START, END = "<pad>", "<unk>", "<start>", "<end>"


def config(vocabulary: int) -> dict[str, Any]:
    """The content of open_clip_config.json."""
    return {
        "model_cfg": {
            "embed_dim": 128,
                        "vision_cfg": {
                # A cell of the scenes is two patches wide.
                "image_size": SIZE, "patch_size": 12,
                "layers": 5, "width": 128, "head_width": 32,
            },
            "text_cfg": {
                "hf_tokenizer_name": "local", "context_length": CONTEXT, "vocab_size": vocabulary,
                "layers": 3, "width": 128, "heads": 4,
            },
        },
        "preprocess_cfg": {
            "mean": MEAN, "std": STD, "interpolation": "bicubic", "resize_mode": "squash",
        },
    }  # fmt: skip


def build(vocabulary: int) -> Any:
    """The network with random weights; the caller seeds torch."""
    import open_clip

    return open_clip.CLIP(**config(vocabulary)["model_cfg"])


def train_tokenizer(seed: int) -> Any:
    """A tokenizer trained on the training text.

    ``END`` has the highest id, as the text encoder reads its vector at the highest id.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[PAD, UNKNOWN, START],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus(random.Random(seed), 5000), trainer)
    tokenizer.add_special_tokens([END])
    start, end = tokenizer.token_to_id(START), tokenizer.token_to_id(END)
    assert end == tokenizer.get_vocab_size() - 1
    tokenizer.post_processor = TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=[(START, start), (END, end)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, unk_token=UNKNOWN, bos_token=START,
        eos_token=END, model_max_length=CONTEXT,
    )  # fmt: skip


def save(model: Any, tokenizer: Any, folder: Path) -> int:
    """Write a folder that open_clip loads as ``local-dir:``; returns the size of its weights."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    text = json.dumps(config(len(tokenizer)), indent=2)
    (folder / "open_clip_config.json").write_text(text + "\n")
    half = {name: weight.to(torch.float16) for name, weight in model.state_dict().items()}
    path = folder / "open_clip_model.safetensors"
    save_file({name: weight.contiguous() for name, weight in half.items()}, path)
    path.chmod(0o644)
    return path.stat().st_size
