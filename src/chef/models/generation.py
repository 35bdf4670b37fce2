"""Batched text generation whose replies do not depend on the batch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chef.models.encoding import by_images, encode, to_device
from chef.models.hooks import cut_at_stop
from chef.models.loading import Runtime
from chef.models.rendering import Rendered
from chef.types import Generate, Generated

if TYPE_CHECKING:
    import torch

#: What is kept of a checkpoint's generation settings: which tokens mean what, and which are
#: never to be written. Its sampling, penalties and lengths are the request's to decide.
KEPT = (
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "decoder_start_token_id",
    "bad_words_ids",
    "suppress_tokens",
    "begin_suppress_tokens",
    "forced_bos_token_id",
)


def generate(
    runtime: Runtime, rows: Sequence[Rendered], requests: Sequence[Generate]
) -> list[Generated]:
    """One reply a row.

    Args:
        runtime: the loaded model.
        rows: the rendered prompts.
        requests: in the same order, alike but for conversation, prefix and seed.
    """
    replies: dict[int, Generated] = {}
    for group in by_images(rows):
        batch = _generate_batch(runtime, [rows[i] for i in group], [requests[i] for i in group])
        replies.update(zip(group, batch, strict=True))
    return [replies[i] for i in range(len(rows))]


def _generate_batch(
    runtime: Runtime, rows: list[Rendered], requests: list[Generate]
) -> list[Generated]:
    import torch

    inputs = to_device(runtime, encode(runtime, rows))
    asked, prompt = requests[0], inputs["input_ids"].shape[1]
    stopping = StopOnText(runtime.tokenizer, asked.stop, prompt)
    sampling = [] if asked.temperature == 0 else [SeededSampling(requests)]
    with torch.inference_mode():
        sequences = runtime.model.generate(
            **inputs,
            max_new_tokens=asked.max_new_tokens,
            do_sample=False,  # sampling is ours, see SeededSampling
            logits_processor=sampling,
            stopping_criteria=[stopping] if asked.stop else [],
        )
    new = sequences[:, prompt:].tolist()
    ends = end_tokens(runtime)
    return [
        _reply(runtime.tokenizer, tokens, ends, stopping.ended.get(row), request)
        for row, (tokens, request) in enumerate(zip(new, requests, strict=True))
    ]


def _reply(
    tokenizer: Any, tokens: list[int], ends: set[int], stopped: int | None, request: Generate
) -> Generated:
    """The text of one row; the end token and the padding after it are no part of it."""
    length = next((i for i, token in enumerate(tokens) if token in ends), None)
    finished = length is not None or stopped is not None
    count = min(x for x in (length, stopped, len(tokens)) if x is not None)
    text = tokenizer.decode(
        tokens[:count], skip_special_tokens=True, clean_up_tokenization_spaces=False
    )
    text = cut_at_stop(text, request.stop).rstrip()
    if not request.answer_prefix:
        text = text.lstrip()  # what separates the reply from its header; a prefix has none
    return Generated(text, "stop" if finished else "length", tokens=count)


def end_tokens(runtime: Runtime) -> set[int]:
    """The tokens that end a reply."""
    ends = runtime.model.generation_config.eos_token_id
    return set(ends if isinstance(ends, list) else [] if ends is None else [ends])


def settle_generation_config(model: Any, tokenizer: Any) -> None:
    """Leave a model's own generation settings nothing to decide but the meaning of tokens.

    Checkpoints ship sampling and penalties (a repetition penalty of 1.05, say) that would
    silently change what a recipe asks for.
    """
    from transformers import GenerationConfig

    old = model.generation_config
    kept = {key: getattr(old, key, None) for key in KEPT}
    ends = kept["eos_token_id"]
    ends = set(ends if isinstance(ends, list) else [] if ends is None else [ends])
    if tokenizer.eos_token_id is not None:
        ends.add(tokenizer.eos_token_id)
    kept["eos_token_id"] = sorted(ends) or None
    if kept["pad_token_id"] is None:
        kept["pad_token_id"] = tokenizer.pad_token_id
    model.generation_config = GenerationConfig(**kept)


class SeededSampling:
    """Draws each row's next token from that row's own random stream.

    Called by ``generate`` as a logits processor. It leaves the drawn token the only possible
    one, so greedy decoding takes it, and a row's text depends on its seed alone, never on the
    rows beside it.
    """

    def __init__(self, requests: Sequence[Generate]) -> None:
        self.streams = [random.Random(request.seed) for request in requests]
        self.temperature = requests[0].temperature
        self.top_p = requests[0].top_p

    def __call__(
        self,
        input_ids: torch.Tensor,  # noqa: ARG002 (the protocol of generate)
        scores: torch.Tensor,
    ) -> torch.Tensor:
        """``scores``: the next-token logits, [rows, vocabulary]."""
        import torch

        draws = torch.tensor(
            [[stream.random()] for stream in self.streams], dtype=torch.float64
        ).to(scores.device)
        probs = torch.softmax(scores.float() / self.temperature, dim=-1)
        sorted_probs, order = probs.sort(dim=-1, descending=True, stable=True)
        mass = sorted_probs.double().cumsum(dim=-1)
        # The nucleus: tokens until the mass before them reaches top_p; the first always.
        inside = (mass - sorted_probs) < self.top_p
        inside[:, 0] = True
        kept = torch.where(inside, sorted_probs.double(), 0.0).cumsum(dim=-1)
        place = (kept <= draws * kept[:, -1:]).sum(dim=-1, keepdim=True)
        chosen = order.gather(1, place.clamp(max=order.shape[1] - 1))
        return torch.full_like(scores, float("-inf")).scatter(1, chosen, 0.0)


class StopOnText:
    """Ends a row once its new text holds a stop string; called by ``generate``.

    Attributes:
        ended: for each row that was ended, how many new tokens it had.
    """

    def __init__(self, tokenizer: Any, stop: Sequence[str], prompt: int) -> None:
        self.tokenizer = tokenizer
        self.stop = [word for word in stop if word]
        self.prompt = prompt
        # A character is at most four byte tokens, so this many tokens cover any stop string.
        self.window = 4 * max((len(word) for word in self.stop), default=0) + 4
        self.ended: dict[int, int] = {}

    def __call__(
        self,
        input_ids: torch.Tensor,
        scores: object,  # noqa: ARG002 (the protocol of generate)
        **_: object,
    ) -> torch.Tensor:
        """``input_ids``: prompt and new tokens, [rows, length]; returns which rows are done."""
        import torch

        new = input_ids.shape[1] - self.prompt
        recent = input_ids[:, self.prompt :][:, -self.window :].tolist()
        for row, tokens in enumerate(recent):
            if row not in self.ended:
                text = self.tokenizer.decode(tokens, skip_special_tokens=True)
                if any(word in text for word in self.stop):
                    self.ended[row] = new
        done = [row in self.ended for row in range(len(recent))]
        return torch.tensor(done, device=input_ids.device)
