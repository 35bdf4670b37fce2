"""Stop strings, limits, sampling, and what a checkpoint's own settings may not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_models import BUILDERS

from chef.image import Image
from chef.models.huggingface.generation import generate as generation
from chef.models.huggingface.generation import loop
from chef.models.huggingface.generation.loop import SeededSampling, StopRule
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.huggingface.rendering import encode
from chef.types import Generate, Text, Turn


@pytest.fixture
def llava(load: Callable[[str], HuggingFaceModel]) -> HuggingFaceModel:
    return load("llava")


@pytest.fixture
def question(images: list[Image]) -> tuple[Turn, ...]:
    return (Turn("user", (images[0], Text("What is it?"))),)


def test_a_limit_is_told_from_an_end(llava: HuggingFaceModel, question: Any) -> None:
    (reply,) = llava.generate([Generate(question, max_new_tokens=5)])
    assert (reply.finish_reason, reply.tokens) == ("length", 5)


def test_a_stop_string_cuts_the_text_and_ends_the_row(
    llava: HuggingFaceModel, question: Any, images: list[Image]
) -> None:
    other = (Turn("user", (images[1], Text("How many shapes are there?"))),)
    whole = llava.generate([Generate(c, max_new_tokens=12) for c in (question, other)])
    text = whole[0].text
    middle = len(text) // 2
    stop = text[middle : middle + 2]
    assert stop.isprintable()
    replies = llava.generate(
        [Generate(c, max_new_tokens=12, stop=("never", stop)) for c in (question, other)]
    )
    assert replies[0].text == text[: text.index(stop)].rstrip()
    assert replies[0].finish_reason == "stop"
    assert replies[0].tokens < whole[0].tokens
    if stop not in whole[1].text:
        assert replies[1] == whole[1]


def test_an_end_token_and_padding_are_not_text(
    llava: HuggingFaceModel, images: list[Image]
) -> None:
    """Rows that end early are padded by generate; tokens count neither padding nor the end."""
    runtime, renderer, _ = llava._ready()
    asked = [
        Generate((Turn("user", (image, Text("What is it?"))),), max_new_tokens=12)
        for image in images
    ]
    before = llava.generate(asked)
    inputs = encode(runtime, [renderer.prompt(asked[0].conversation)])
    tokens = runtime.model.generate(**inputs, max_new_tokens=12)[0, -12:].tolist()
    config = runtime.model.generation_config
    ends = config.eos_token_id
    try:
        config.eos_token_id = [*ends, tokens[5]]  # as if this one ended a reply
        after = llava.generate(asked)
    finally:
        config.eos_token_id = ends
    assert (after[0].finish_reason, after[0].tokens) == ("stop", tokens.index(tokens[5]))
    for short, long in zip(after, before, strict=True):
        assert long.text.startswith(short.text)
        assert (short.tokens < 12) == (short.finish_reason == "stop")


def test_generation_settings_of_a_checkpoint_do_not_decide(
    checkpoint: Callable[[str], Path], llava: HuggingFaceModel, question: Any, tmp_path: Path
) -> None:
    import json
    import shutil

    folder = tmp_path / "loud"
    shutil.copytree(checkpoint("llava"), folder)
    path = folder / "generation_config.json"
    settings = json.loads(path.read_text())
    loud = {"do_sample": True, "temperature": 5.0, "top_k": 3, "repetition_penalty": 4.0}
    path.write_text(json.dumps({**settings, **loud, "no_repeat_ngram_size": 1, "num_beams": 2}))
    model = HuggingFaceModel(str(folder), device="cpu")
    request = Generate(question, max_new_tokens=16)
    assert model.generate([request]) == llava.generate([request])
    assert model.fingerprint() != llava.fingerprint()


def test_sampling_follows_the_distribution() -> None:
    """Frequencies over seeds match the probabilities; top_p keeps the smallest nucleus."""
    import torch

    probs = torch.tensor([0.1, 0.5, 0.15, 0.25])
    rows = 4000
    logits = probs.log().repeat(rows, 1)

    def drawn(temperature: float, top_p: float) -> Counter[int]:
        asked = [Generate((), temperature=temperature, top_p=top_p, seed=s) for s in range(rows)]
        return Counter(SeededSampling(asked)(logits, range(rows)).tolist())

    counts = drawn(1.0, 1.0)
    for token, share in enumerate(probs.tolist()):
        assert counts[token] / rows == pytest.approx(share, abs=0.03)
    cool = (probs**2 / (probs**2).sum()).tolist()  # temperature 1/2 squares the probabilities
    counts = drawn(0.5, 1.0)
    for token, share in enumerate(cool):
        assert counts[token] / rows == pytest.approx(share, abs=0.03)
    counts = drawn(1.0, 0.7)
    assert set(counts) == {1, 3}
    assert counts[1] / rows == pytest.approx(0.5 / 0.75, abs=0.03)
    assert set(drawn(1.0, 0.01)) == {1}


def test_a_stop_string_may_span_tokens() -> None:
    class Letters:
        def decode(self, tokens: list[int], skip_special_tokens: bool) -> str:
            return "".join(map(chr, tokens))

    rule = StopRule(Letters(), {0}, ("END",))
    ended = [text for text in ("E", "xxxEN", "xxxEND", "\0", "END" + 50 * "x") if _ends(rule, text)]
    assert ended == ["xxxEND", "\0"]


def _ends(rule: StopRule, text: str) -> bool:
    return rule.ended([ord(letter) for letter in text])


def asked_often(images: list[Image]) -> list[Generate]:
    """Five replies to each of two questions, in turns, which end at different times."""
    questions = [
        (Turn("user", (images[number], Text(text))),)
        for number, text in enumerate(["What is it?", "How many shapes are there?"])
    ]
    return [
        Generate(conversation, max_new_tokens=12, stop=("a", "e"), temperature=1.0, seed=seed)
        for seed in range(5)
        for conversation in questions
    ]


@pytest.mark.parametrize("family", sorted(BUILDERS))
def test_replies_to_one_prompt_are_those_of_one_by_one(
    load: Callable[[str], HuggingFaceModel], images: list[Image], family: str
) -> None:
    model, asked = load(family), asked_often(images)
    alone = [model.generate([request])[0] for request in asked]
    assert len({reply.text for reply in alone[::2]}) > 1  # they are sampled
    assert model.generate(asked) == alone


def test_a_prompt_is_computed_once_for_all_replies_to_it(
    llava: HuggingFaceModel, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []

    def counted(runtime: Any, rows: Any) -> Any:
        encoded.append(len(rows))
        return encode(runtime, rows)

    monkeypatch.setattr(generation, "encode", counted)
    before = llava.generate(asked_often(images))
    assert encoded == [2]
    # A model whose state cannot be repeated computes each, and is not tried again.
    monkeypatch.setattr(loop, "_can_select", lambda state: False)
    monkeypatch.setattr(generation, "_UNREPEATABLE", set())
    assert llava.generate(asked_often(images)) == before
    assert llava.generate(asked_often(images)) == before
    assert encoded == [2, 2, 10, 10]
