"""Prompts that begin alike are computed once, and the texts are those of one by one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from small_models import BUILDERS, CROSS_ATTENTION

from chef.engine.engine import Engine, Job
from chef.image import Image
from chef.inferencer.direct import Direct
from chef.instruction import Instruction
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.huggingface.rendering import encode
from chef.types import Conversation, Generate, Generated, Sample, Text, Turn

QUESTIONS = [
    "What is it?",
    "How many shapes are there, and which of them is red?",
    "What is in the picture? (A) a red circle (B) a blue square (C) a green triangle",
    "Yes or no?",
    "Is the photo of the digit 7 (seven)?",
    "What",
]
#: These do not share: tokens of a prompt see later ones, or images are no tokens.
EACH_ALONE = {"paligemma", "mllama"}


def said(role: str, *parts: str | Image) -> Turn:
    return Turn(role, tuple(Text(part) if isinstance(part, str) else part for part in parts))  # type: ignore[arg-type]


def asked(images: list[Image], samples: int = 1, temperature: float = 0.0) -> list[Generate]:
    """Six questions about one image, three about another, and others that share less or nothing."""
    one, two, three, four = images
    example = (said("user", three, "Which shape is it?"), said("assistant", "a square"))
    conversations: list[Conversation] = [
        *((said("user", one, question),) for question in QUESTIONS),
        *((said("user", two, question),) for question in QUESTIONS[:3]),
        (said("user", four, "What is it?"),),
        (said("user", one, two, "Which of the two is red?"),),
        (said("user", one, three, "Which of the two is red?"),),
        *((*example, said("user", image, "What is it?")) for image in (one, two)),
    ]
    return [
        Generate(
            conversation,
            answer_prefix="The" if number % 3 == 0 else "",
            max_new_tokens=8,
            stop=("e", "("),
            temperature=temperature,
            seed=100 * seed + number,  # one seed draws alike where all tokens are about as probable
        )
        for seed in range(samples)
        for number, conversation in enumerate(conversations)
    ]


def shared_tokens(model: HuggingFaceModel) -> int:
    """The prompt tokens that were computed so far in trees of prompts or options."""
    shared = model._ready()[2].shared
    return 0 if shared is None else shared.counts.nodes


def prompt_tokens(model: HuggingFaceModel, requests: list[Generate]) -> int:
    """The tokens of all prompts together, each by itself."""
    rows = [model.renderer.prompt(each.conversation, each.answer_prefix) for each in requests]
    return sum(encode(model.load(), [row])["input_ids"].numel() for row in rows)


def one_by_one(model: HuggingFaceModel, requests: list[Generate]) -> list[Generated]:
    return [reply for request in requests for reply in model.generate([request])]


@pytest.mark.parametrize(
    ("family", "temperature"),
    [
        *((family, 0.0) for family in sorted(BUILDERS | CROSS_ATTENTION)),
        *((family, 1.0) for family in sorted(BUILDERS | CROSS_ATTENTION)),
    ],
)
def test_the_replies_are_those_of_one_by_one(
    load: Callable[[str], HuggingFaceModel], images: list[Image], family: str, temperature: float
) -> None:
    model, requests = load(family), asked(images, temperature=temperature)
    alone = one_by_one(model, requests)
    assert len({reply.text for reply in alone}) > (5 if temperature else 1)
    assert model.generate(requests) == alone  # in "auto", this compares the scorers too
    before = shared_tokens(model)
    assert model.generate(requests) == alone
    tokens = shared_tokens(model) - before
    assert (0 < tokens < 0.8 * prompt_tokens(model, requests)) is (family not in EACH_ALONE)
    order = list(range(len(requests)))
    for size in (2, 7):
        random.Random(size).shuffle(order)
        for begin in range(0, len(order), size):
            batch = order[begin : begin + size]
            assert model.generate([requests[i] for i in batch]) == [alone[i] for i in batch]


@pytest.mark.parametrize("family", ["llava", "qwen2_5_vl", "gemma3"])
def test_samples_of_several_questions_about_one_image(
    load: Callable[[str], HuggingFaceModel], images: list[Image], family: str
) -> None:
    model, requests = load(family), asked(images, samples=3, temperature=1.0)
    assert model.generate(requests) == one_by_one(model, requests)


def test_words_that_prompts_begin_with_are_computed_once(
    load: Callable[[str], HuggingFaceModel],
) -> None:
    model, rules = load("llava"), "There are red circles, and there are blue squares. " * 40
    requests = [Generate((said("user", rules + each),), max_new_tokens=6) for each in QUESTIONS]
    alone = one_by_one(model, requests)
    assert model.generate(requests) == alone
    before = shared_tokens(model)
    assert model.generate(requests) == alone
    assert 0 < shared_tokens(model) - before < 0.2 * prompt_tokens(model, requests)


def test_a_run_asks_the_questions_about_one_image_together(
    load: Callable[[str], HuggingFaceModel], images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where samples about other images come between them."""
    model = load("llava")
    samples = [
        Sample(f"{question}{number}", (image,), question)
        for question in QUESTIONS
        for number, image in enumerate(images)
    ]
    jobs = [Job(sample.id, lambda sample=sample: sample) for sample in samples]

    def answers(batch_size: int | None) -> dict[str, str]:
        engine = Engine(model, Direct(Instruction("VQA"), max_new_tokens=4), batch_size)
        return {item.sample_id: item.answer for item in engine.run(jobs)}

    alone, before = answers(1), shared_tokens(model)
    calls: list[int] = []
    generate = model.generate
    monkeypatch.setattr(
        model, "generate", lambda requests: calls.append(len(requests)) or generate(requests)
    )
    assert answers(6) == alone
    assert calls == [6] * 4
    assert shared_tokens(model) > before
