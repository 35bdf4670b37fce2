"""A stand-in for the package vllm: its names that chef uses, computed by the embedded model.

It keeps a cache of prompts as vLLM does: whole blocks of tokens that a prompt has in common with
earlier ones are not computed again, and have no log-probabilities.
"""

from __future__ import annotations

import importlib.machinery
import math
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chef.models.huggingface.loading import Runtime, load
from chef.models.tiny import Tiny

BLOCK = 16
#: The longest prompt and reply together, in tokens.
CONTEXT = 600


@dataclass
class EngineArgs:
    model: str = ""
    max_model_len: int | None = None
    gpu_memory_utilization: float = 0.9


class SamplingParams:
    __struct_fields__ = ("max_tokens", "skip_reading_prefix_cache")

    def __init__(self, **settings: Any) -> None:
        self.settings = settings


class VLLMValidationError(Exception):
    """What vLLM raises of a prompt that it does not take; no ValueError there either."""


@dataclass
class LogProb:
    logprob: float


@dataclass
class Completion:
    text: str
    token_ids: list[int]
    finish_reason: str
    stop_reason: str | int | None = None


@dataclass
class Output:
    prompt_token_ids: list[int]
    prompt_logprobs: list[dict[int, LogProb] | None] | None
    num_cached_tokens: int
    outputs: list[Completion] = field(default_factory=list)


class LLM:
    """As ``vllm.LLM``; ``asked`` and ``options`` are what it was given."""

    def __init__(self, model: str, **options: Any) -> None:
        self.options, self.asked = {"model": model, **options}, list[tuple[Any, Any]]()
        self.runtime: Runtime = load(Tiny(device="cpu").source)
        self.seen: set[tuple[Any, ...]] = set()
        self.llm_engine = types.SimpleNamespace(
            engine_core=types.SimpleNamespace(shutdown=lambda: None)
        )

    def generate(
        self, prompts: Sequence[Any], parameters: Sequence[SamplingParams], use_tqdm: bool
    ) -> list[Output]:
        assert not use_tqdm
        self.asked += zip(prompts, parameters, strict=True)
        return [
            self._answer(prompt, each.settings)
            for prompt, each in zip(prompts, parameters, strict=True)
        ]

    def _answer(self, prompt: Any, settings: dict[str, Any]) -> Output:
        import torch

        images = prompt.get("multi_modal_data", {}).get("image")
        tokenizer = self.runtime.tokenizer
        inputs = self.runtime.processor(
            text=tokenizer.decode(prompt["prompt_token_ids"]), images=images, return_tensors="pt"
        )
        ids = inputs["input_ids"][0].tolist()
        if len(ids) + 1 > CONTEXT:
            raise VLLMValidationError(f"the prompt has {len(ids)} tokens")
        with torch.inference_mode():
            logits = self.runtime.model(**inputs).logits[0].float()
        logprobs = torch.log_softmax(logits, dim=-1)[range(len(ids) - 1), ids[1:]].tolist()
        cached = self._cached(ids, [image.tobytes() for image in images or ()], settings)
        known = [value if place >= cached else math.nan for place, value in enumerate(logprobs)]
        entries = [None, *({i: LogProb(x)} for i, x in zip(ids[1:], known, strict=True))]
        return Output(
            ids, entries, cached, [self._reply(inputs, settings, int(logits[-1].argmax()))]
        )

    def _cached(self, ids: list[int], images: list[bytes], settings: dict[str, Any]) -> int:
        """How many tokens stand in the cache, which takes the blocks of this prompt too."""
        keys = [(*ids[:end], *images) for end in range(BLOCK, len(ids), BLOCK)]
        known = [key in self.seen for key in keys]
        self.seen.update(keys)
        if settings.get("skip_reading_prefix_cache", True):
            return 0
        return BLOCK * (known.index(False) if False in known else len(known))

    def _reply(self, inputs: Any, settings: dict[str, Any], first: int) -> Completion:
        """The text after a prompt, of which the first token has been computed with the prompt."""
        tokenizer, length = self.runtime.tokenizer, inputs["input_ids"].shape[1]
        most = settings["max_tokens"]
        new = [first]
        if most > 1:
            whole = self.runtime.model.generate(**inputs, max_new_tokens=most, do_sample=False)
            new = whole[0, length:].tolist()
        for count in range(1, len(new) + 1):
            text = tokenizer.decode(new[:count], skip_special_tokens=True)
            for word in settings.get("stop") or ():
                if word in text:
                    return Completion(text[: text.index(word)], new[:count], "stop", word)
            if new[count - 1] == tokenizer.eos_token_id:
                return Completion(text, new[:count], "stop")
        return Completion(tokenizer.decode(new, skip_special_tokens=True), new, "length")


def package() -> types.ModuleType:
    """The module ``vllm``."""
    module = types.ModuleType("vllm")
    module.__spec__ = importlib.machinery.ModuleSpec("vllm", None)
    vars(module).update(LLM=LLM, EngineArgs=EngineArgs, SamplingParams=SamplingParams)
    return module
