"""The decoding loop against that of transformers, and rows that leave the batch."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from chef.models.huggingface.generation import loop
from chef.models.huggingface.generation.loop import decode, likeliest
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.huggingface.rendering import by_images, encode, to_device
from chef.types import Conversation

LIMIT = 12


class Ragged:
    """Ends rows early, at a place that depends on their tokens alone."""

    def ended(self, tokens: Sequence[int]) -> bool:
        return zlib.crc32(repr(tokens).encode()) % 8 == 0


class Never:
    def ended(self, tokens: Sequence[int]) -> bool:
        return False


@pytest.fixture
def inputs(model: HuggingFaceModel, conversations: list[Conversation]) -> dict[str, Any]:
    """A dozen rows with images, padded to one length."""
    runtime, renderer, _ = model._ready()
    prefixes = ("", "The answer is", "There")
    rows = [renderer.prompt(item, prefix) for item in conversations for prefix in prefixes]
    return to_device(runtime, encode(runtime, [rows[i] for i in by_images(rows)[0]]))


def ours(runtime: Runtime, inputs: dict[str, Any], rule: Any) -> list[list[int]]:
    return decode(runtime, inputs, likeliest, rule, LIMIT)


def theirs(runtime: Runtime, inputs: dict[str, Any]) -> list[list[int]]:
    """What ``generate`` of transformers writes, whatever it means."""
    with torch.inference_mode():
        found = runtime.model.generate(
            **inputs, max_new_tokens=LIMIT, do_sample=False, eos_token_id=10**6
        )
    return [row[inputs["input_ids"].shape[1] :] for row in found.tolist()]


def cut(rows: list[list[int]], rule: Any) -> list[list[int]]:
    """Each row up to and with the token that ends it."""
    counts = [next((n for n in range(1, LIMIT) if rule.ended(row[:n])), LIMIT) for row in rows]
    return [row[:n] for row, n in zip(rows, counts, strict=True)]


@contextmanager
def batches(model: Any) -> Iterator[list[int]]:
    """The number of rows of every forward pass."""
    seen: list[int] = []
    hook = model.register_forward_pre_hook(
        lambda _, __, given: seen.append(len(given["input_ids"])), with_kwargs=True
    )
    yield seen
    hook.remove()


def test_the_same_tokens_as_transformers(model: HuggingFaceModel, inputs: dict[str, Any]) -> None:
    assert ours(model.load(), inputs, Never()) == theirs(model.load(), inputs)


def test_rows_end_on_their_own_and_leave(model: HuggingFaceModel, inputs: dict[str, Any]) -> None:
    expected = cut(theirs(model.load(), inputs), Ragged())
    with batches(model.load().model) as sizes:
        assert ours(model.load(), inputs, Ragged()) == expected
    lengths = [len(row) for row in expected]
    assert len(set(lengths)) > 2
    assert sizes == [sum(n > step for n in lengths) for step in range(max(lengths))]


def test_rows_stay_where_a_model_keeps_what_is_not_known(
    load: Callable[[str], HuggingFaceModel],
    images: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Then the tokens are the same, and cost more."""
    from chef.types import Text, Turn

    runtime, renderer, _ = load("llava")._ready()
    rows = [renderer.prompt((Turn("user", (image, Text("What?"))),)) for image in images]
    inputs = to_device(runtime, encode(runtime, rows))
    expected = ours(runtime, inputs, Ragged())
    monkeypatch.setattr(loop, "BY_ROW", {"attention_mask": 2})
    with batches(runtime.model) as sizes:
        assert ours(runtime, inputs, Ragged()) == expected
    assert set(sizes) == {len(rows)}
    assert len({len(row) for row in expected}) > 1


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_logits_that_are_not_finite_are_an_error_of_their_row(
    load: Callable[[str], HuggingFaceModel], wrong: float, temperature: float
) -> None:
    """The engine asks the other rows again, and their replies are what they would have been."""
    from chef.engine.executor import BatchExecutor
    from chef.engine.executor_base import Limits, PendingRequest
    from chef.types import Generate, Text, Turn

    model = load("llava")
    asked = [
        Generate((Turn("user", (Text(f"{number}?"),)),), 4, temperature=temperature, seed=number)
        for number in range(4)
    ]
    expected = [reply.text for reply in model.generate(asked)]
    marked = model.load().tokenizer("2", add_special_tokens=False)["input_ids"][-1]

    def spoil(_: Any, given: Any, named: Any, output: Any) -> Any:
        if named["input_ids"].shape[1] > 1:  # the first step, which shows the prompt
            rows = (named["input_ids"] == marked).any(dim=1)
            at = slice(None) if wrong < 0 else slice(5, 6)  # one infinite logit below is no error
            output.logits[rows, :, at] = wrong
        return output

    hook = model.load().model.register_forward_hook(spoil, with_kwargs=True)
    try:
        items = [PendingRequest(n, request, (), 1, 1) for n, request in enumerate(asked)]
        found = dict(BatchExecutor(model, Limits(None, 8192)).ask(items))
    finally:
        hook.remove()
    replies = [found[item] for item in items]
    assert type(replies[2]).__name__ == "ReplyError"
    assert "not finite" in str(replies[2])
    assert [getattr(reply, "text", None) for reply in replies] == [*expected[:2], None, expected[3]]
