"""Batched text generation whose replies do not depend on the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from weakref import WeakSet

from chef.models.huggingface.generation.loop import (
    StopRule,
    UnrepeatableError,
    choice,
    decode,
    trimmed,
)
from chef.models.huggingface.likelihood.shared_prefix.forward import Prefill, inputs_of
from chef.models.huggingface.likelihood.shared_prefix.tree import SHORTEST_TRUNK
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import Rendered, by_images, encode, to_device
from chef.types import Generate, Generated

#: The settings that are kept of a checkpoint's generation config: the special tokens, and tokens
#: that may not be generated. Sampling, penalties and lengths are decided by the request.
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
#: Prompts without images that have so many characters in common are worth a pass over them.
SAME_WORDS = 4 * SHORTEST_TRUNK
#: The models that compute the whole prompt for each reply, as their state can be neither repeated
#: nor filled in.
_UNREPEATABLE: WeakSet[Any] = WeakSet()


#: Computes once what the prompts of requests share; see `AutoScorer.prefill`.
Sharing: TypeAlias = Callable[[Sequence[Generate], Sequence[Rendered]], list[Prefill] | None]


def generate(
    runtime: Runtime, rows: Sequence[Rendered], requests: Sequence[Generate], sharing: Sharing
) -> list[Generated]:
    """One reply for each prompt; the requests differ in conversation, prefix and seed alone."""
    replies: dict[int, Generated] = {}
    for group in by_images(rows):
        batch = _generate_batch(
            runtime, [rows[i] for i in group], [requests[i] for i in group], sharing
        )
        replies.update(zip(group, batch, strict=True))
    return [replies[i] for i in range(len(rows))]


def _generate_batch(
    runtime: Runtime, rows: list[Rendered], requests: list[Generate], sharing: Sharing
) -> list[Generated]:
    rule = StopRule(runtime.tokenizer, end_tokens(runtime), requests[0].stop)
    limit = requests[0].max_new_tokens

    def decoded(firsts: list[int], prompts: list[int]) -> list[list[int]]:
        texts, asked = [rows[row] for row in firsts], [requests[row] for row in firsts]
        prefills = None
        if runtime.model not in _UNREPEATABLE and _begin_alike(texts, asked):
            prefills = sharing(asked, texts)
        if prefills is None:
            inputs = encode(runtime, texts)
        else:
            inputs = inputs_of(prefills, runtime.tokenizer.pad_token_id or 0)
        return decode(
            runtime,
            to_device(runtime, inputs),
            choice(requests),
            rule,
            limit,
            prompts=prompts,
            prefills=prefills,
        )

    each = list(range(len(rows)))
    firsts, prompts = (each, each) if runtime.model in _UNREPEATABLE else _prompts(rows, requests)
    try:
        new = decoded(firsts, prompts)
    except UnrepeatableError:
        _UNREPEATABLE.add(runtime.model)
        new = decoded(each, each)
    return [_reply(rule, *each) for each in zip(new, requests, strict=True)]


def _prompts(rows: list[Rendered], requests: list[Generate]) -> tuple[list[int], list[int]]:
    """The first row of each prompt, and of each row the number of its prompt among these."""
    numbers: dict[tuple[str | None, ...], int] = {}
    firsts: list[int] = []
    prompts: list[int] = []
    for place, (row, request) in enumerate(zip(rows, requests, strict=True)):
        number = numbers.setdefault((row.text, row.suffix, *_digests(request)), len(firsts))
        if number == len(firsts):
            firsts.append(place)
        prompts.append(number)
    return firsts, prompts


def _begin_alike(rows: list[Rendered], requests: list[Generate]) -> bool:
    """Whether some prompts begin with one image or the same words; never with `Quirk.prefix_lm`."""
    if rows[0].suffix is not None:
        return False
    pairs = zip(rows, requests, strict=True)
    starts = {_digests(request)[:1] or row.text[:SAME_WORDS] for row, request in pairs}
    return len(starts) < len(rows)


def _digests(request: Generate) -> tuple[str, ...]:
    return tuple(image.digest for turn in request.conversation for image in turn.images)


def _reply(rule: StopRule, tokens: list[int], request: Generate) -> Generated:
    """The reply of one row; the token that ends it is not part of the text."""
    count = len(tokens) - (tokens[-1] in rule.ends)
    text = rule.tokenizer.decode(
        tokens[:count], skip_special_tokens=True, clean_up_tokenization_spaces=False
    )
    return Generated(
        trimmed(text, request), "stop" if rule.ended(tokens) else "length", tokens=count
    )


def end_tokens(runtime: Runtime) -> set[int]:
    """The tokens that end a reply."""
    ends = runtime.model.generation_config.eos_token_id
    return set(ends if isinstance(ends, list) else [] if ends is None else [ends])


def settle_generation_config(model: Any, tokenizer: Any) -> None:
    """Keep the special tokens alone: a checkpoint's sampling and penalties are not the recipe's."""
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
