"""Scores and texts against a second, slower implementation, written from the definition.

One row at a time, no padding, prompts typed by hand, all logits kept; the candidate's tokens are
those after the longest common token prefix of the sequences with and without it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chef.image import Image
from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Generate, Score, Text, Turn

# What each family's template makes of: an image, "How many?", and a reply that begins.
QWEN = "<|im_start|>user\n{}How many?<|im_end|>\n<|im_start|>assistant\n"
PROMPTS = {
    "llava": "USER: <image>\nHow many? ASSISTANT: ",
    "qwen2_5_vl": QWEN.format("<|vision_start|><|image_pad|><|vision_end|>"),
    "qwen3_vl": QWEN.format("<|vision_start|><|image_pad|><|vision_end|>"),
    "llava_onevision": QWEN.format("<image>\n"),
    "internvl": QWEN.format("<IMG_CONTEXT>\n"),
    "idefics3": "<|im_start|>User:<image>How many?<end_of_utterance>\nAssistant: ",
    "gemma3": "<bos><start_of_turn>user\n<start_of_image>How many?<end_of_turn>\n"
    "<start_of_turn>model\n",
}
CANDIDATES = ("(A) a red circle", "two", "7", " (B)", "(é) größer")


def of(path: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForImageTextToText, AutoProcessor

    return AutoModelForImageTextToText.from_pretrained(path), AutoProcessor.from_pretrained(path)


def encode(processor: Any, text: str, image: Image, **more: Any) -> dict[str, Any]:
    bos = processor.tokenizer.bos_token
    special = {"add_special_tokens": False} if bos and text.startswith(bos) else {}
    images = [[image.load()]]
    return dict(processor(text=[text], images=images, return_tensors="pt", **special, **more))


def summed(model: Any, inputs: dict[str, Any], first: int, last: int) -> float:
    """Sum over t in [first, last) of log p(token t | tokens before t)."""
    import torch

    inputs.pop("labels", None)
    with torch.no_grad():
        logits = model(**inputs).logits[0].double()
    ids = inputs["input_ids"][0]
    total = 0.0
    for t in range(first, last):
        total += float(logits[t - 1, ids[t]] - torch.logsumexp(logits[t - 1], dim=0))
    return total


@pytest.mark.parametrize("family", sorted(PROMPTS))
@pytest.mark.parametrize("prefix", ["", "The answer is ", "The answer is ("])
def test_scores_match_the_definition(
    family: str,
    prefix: str,
    checkpoint: Callable[[str], Path],
    load: Callable[[str], HuggingFaceModel],
    images: list[Image],
) -> None:
    candidates = CANDIDATES if prefix else tuple(c for c in CANDIDATES if c[0] != " ")
    conversation = (Turn("user", (images[1], Text("How many?"))),)
    (reply,) = load(family).score([Score(conversation, candidates, prefix)])
    model, processor = of(checkpoint(family))
    for candidate, scored in zip(candidates, reply, strict=True):
        prompt = PROMPTS[family] + prefix
        short = encode(processor, prompt, images[1])["input_ids"][0].tolist()
        inputs = encode(processor, prompt + candidate, images[1])
        ids = inputs["input_ids"][0].tolist()
        same = next(
            (i for i, (a, b) in enumerate(zip(short, ids, strict=False)) if a != b), len(short)
        )
        assert scored.tokens == len(ids) - same
        assert scored.logprob_sum == pytest.approx(summed(model, inputs, same, len(ids)), abs=1e-4)


def test_paligemma_scores_the_suffix(
    checkpoint: Callable[[str], Path],
    load: Callable[[str], HuggingFaceModel],
    images: list[Image],
) -> None:
    """The reply is no part of the prompt, which is read in both directions; EOS is not scored."""
    conversation = (Turn("user", (images[1], Text("answer en How many?"))),)
    (reply,) = load("paligemma").score([Score(conversation, ("two", "(B)"), "It is ")])
    model, processor = of(checkpoint("paligemma"))
    for candidate, scored in zip(("two", "(B)"), reply, strict=True):
        inputs = encode(
            processor, "<image>answer en How many?", images[1], suffix=["It is " + candidate]
        )
        start = inputs["token_type_ids"][0].tolist().index(1)
        last = inputs["input_ids"].shape[1] - 1
        read = [
            processor.tokenizer.decode(inputs["input_ids"][0, start : i + 1])
            for i in range(start, last)
        ]
        assert read[-1] == "It is " + candidate
        first = start + next(i for i, text in enumerate(read) if len(text) > len("It is "))
        assert scored.tokens == last - first
        assert scored.logprob_sum == pytest.approx(summed(model, inputs, first, last), abs=1e-4)


@pytest.mark.parametrize("family", sorted(PROMPTS))
@pytest.mark.parametrize("prefix", ["", "The answer is"])
def test_greedy_text_matches_the_definition(
    family: str,
    prefix: str,
    checkpoint: Callable[[str], Path],
    load: Callable[[str], HuggingFaceModel],
    images: list[Image],
) -> None:
    """Each token is the arg-max of a forward pass over everything before it, without a cache."""
    import torch

    conversation = (Turn("user", (images[1], Text("How many?"))),)
    (reply,) = load(family).generate(
        [Generate(conversation, max_new_tokens=4, answer_prefix=prefix)]
    )
    model, processor = of(checkpoint(family))
    prompt = PROMPTS[family] + prefix if prefix else PROMPTS[family].rstrip(" ")
    inputs = encode(processor, prompt, images[1])
    start = inputs["input_ids"].shape[1]
    for _ in range(4):
        with torch.no_grad():
            best = model(**inputs).logits[0, -1].argmax().view(1, 1)
        if best.item() in processor.tokenizer.all_special_ids:
            break  # the end, or an image mark, which a cached pass takes for an image's no more
        for key, new in (("input_ids", best), ("attention_mask", best * 0 + 1)):
            inputs[key] = torch.cat([inputs[key], new], dim=1)
        for key in ("mm_token_type_ids", "token_type_ids"):
            if key in inputs:
                inputs[key] = torch.cat([inputs[key], best * 0], dim=1)
    tokens = inputs["input_ids"][0, start:]
    text = processor.tokenizer.decode(tokens, skip_special_tokens=True)
    text = text.rstrip() if prefix else text.strip()
    assert reply.text.startswith(text)
    if len(tokens) == 4:
        assert (reply.text, reply.tokens, reply.finish_reason) == (text, 4, "length")
