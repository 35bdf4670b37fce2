"""Measure a checkpoint in the simplest way: one full forward pass for each option.

This is deliberately independent of chef's evaluator, so that each can be checked with the other.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chef.instruction.pools import load_pool
from chef.scenario.base import Scenario
from chef.scenario.digits import Digits
from chef.scenario.shapes.drawing import COLORS, SHAPES, Split
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image as Pixels

Message = dict[str, Any]
Task = Literal["mcq", "yesno", "counting", "color", "shape", "caption"]


@dataclass(frozen=True, slots=True)
class Form:
    """The numbers of the prompt and of the answer template that a task uses in its pool."""

    prompt: int = 0
    template: int = 0


FORMS: Mapping[str, Form] = {
    "mcq": Form(0, 0),
    "yesno": Form(0, 0),
    "counting": Form(0, 0),
    "color": Form(0, 0),
    "shape": Form(0, 0),
    "caption": Form(0, 1),
    "digits": Form(2, 1),
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation as a chat template takes it, and its pictures in order."""

    messages: list[Message]
    images: list[Pixels]


class Checkpoint:
    """A loaded checkpoint folder."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModelForImageTextToText, AutoProcessor

        self.processor = AutoProcessor.from_pretrained(folder)
        self.model = AutoModelForImageTextToText.from_pretrained(folder).eval()

    def text(self, messages: Sequence[Message]) -> str:
        """The prompt in the checkpoint's chat template."""
        rendered: str = self.processor.apply_chat_template(messages, add_generation_prompt=True)
        return rendered

    def score(self, asked: Prompt, options: Sequence[str], prefix: str) -> list[float]:
        """The mean log-probability of the tokens of each option after the prefix."""
        import torch

        start = self.text(asked.messages) + prefix
        # A space at the end of the prefix is part of the option's first token.
        given = self._inputs([start.rstrip(" ")], asked.images)["input_ids"].shape[1]
        inputs = self._inputs([start + option for option in options], asked.images)
        ids, sizes = inputs["input_ids"], inputs["attention_mask"].sum(1) - given
        with torch.inference_mode():
            # Padding is on the right, so no scored token attends to it.
            logits = self.model(input_ids=ids, pixel_values=inputs["pixel_values"]).logits
        logs = logits[:, given - 1 : -1].log_softmax(-1).gather(-1, ids[:, given:, None])[..., 0]
        return [float(row[:size].mean()) for row, size in zip(logs, sizes.tolist(), strict=True)]

    def generate(self, asked: Prompt, limit: int = 64) -> str:
        """The greedy reply, at most ``limit`` tokens."""
        inputs = self._inputs([self.text(asked.messages)], asked.images)
        out = self.model.generate(**inputs, max_new_tokens=limit, do_sample=False)
        new = out[0, inputs["input_ids"].shape[1] :]
        decoded: str = self.processor.tokenizer.decode(new, skip_special_tokens=True)
        return decoded

    def _inputs(self, texts: list[str], images: list[Pixels]) -> Mapping[str, torch.Tensor]:
        inputs: Mapping[str, torch.Tensor] = self.processor(
            images=images * len(texts) or None,
            text=texts,
            padding=True,
            padding_side="right",
            return_tensors="pt",
        )
        return inputs


def ask(scenario: Scenario, sample: Sample, form: Form) -> Prompt:
    """The prompt for a sample."""
    prompt = load_pool(scenario.wording).prompts[form.prompt].format(question=sample.question)
    content = [{"type": "image"}, {"type": "text", "text": prompt}]
    return Prompt([{"role": "user", "content": content}], [i.load() for i in sample.images])


def scenarios(split: Split, size: int) -> Iterator[tuple[str, Scenario]]:
    """The tasks to measure, by name."""
    yield "digits", Digits(split=split)
    tasks: tuple[Task, ...] = ("mcq", "yesno", "counting", "color", "shape", "caption")
    for task in tasks:
        yield task, Shapes(task=task, split=split, size=size)


def accuracy(checkpoint: Checkpoint, name: str, scenario: Scenario, size: int) -> float:
    """The share of samples whose most likely option is the true one."""
    form = FORMS[name]
    prefix = load_pool(scenario.wording).templates[form.template].removesuffix("{option}")
    number = min(size, len(scenario))
    right = 0
    for index in range(number):
        sample = scenario[index]
        scores = checkpoint.score(ask(scenario, sample, form), sample.options, prefix)
        right += scores.index(max(scores)) == sample.fields["gt_choice"]
    return right / number


def renamed_digits(checkpoint: Checkpoint, split: Split, size: int) -> float:
    """Accuracy on digits that are named by letters, which two in-context examples show.

    One example has the same digit and one another digit, in random order. Guessing one of their two
    letters scores a half.
    """
    rng, scenario = random.Random(0), Digits(split=split, labels="letters")
    pool, form = Digits(split="train", labels="letters"), FORMS["digits"]
    prefix = load_pool(scenario.wording).templates[form.template].removesuffix("{option}")
    number = min(size, len(scenario))
    right = 0
    for index in range(number):
        sample = scenario[index]
        examples = [_example(pool, rng, sample, like=like) for like in (True, False)]
        rng.shuffle(examples)
        turns, images = [], []
        for example in examples:
            shown = ask(scenario, example, form)
            images += shown.images
            answer = {"role": "assistant", "content": f"{prefix}{example.answer}"}
            turns += [*shown.messages, answer]
        asked = ask(scenario, sample, form)
        asked = Prompt([*turns, *asked.messages], [*images, *asked.images])
        scores = checkpoint.score(asked, sample.options, prefix)
        right += scores.index(max(scores)) == sample.fields["gt_choice"]
    return right / number


def _example(pool: Digits, rng: random.Random, sample: Sample, *, like: bool) -> Sample:
    while True:
        found = pool[rng.randrange(len(pool))]
        if (found.answer == sample.answer) == like and found.id != sample.id:
            return found


def named_objects(checkpoint: Checkpoint, split: Split, size: int) -> tuple[float, float]:
    """The share of generated captions that name exactly the objects, and their mean recall."""
    scenario = Shapes(task="caption", split=split, size=size)
    exact, recall = 0, 0.0
    for index in range(size):
        sample = scenario[index]
        found = Counter(labels_in(checkpoint.generate(ask(scenario, sample, FORMS["caption"]))))
        wanted = Counter(sample.fields["objects"])
        exact += found == wanted
        recall += (found & wanted).total() / wanted.total()
    return exact / size, recall / size


def labels_in(text: str) -> list[str]:
    """The ``colour shape`` pairs named in a text, in order."""
    return re.findall(rf"\b(?:{'|'.join(COLORS)}) (?:{'|'.join(SHAPES)})\b", text.lower())


def report(folder: Path, split: Split, size: int) -> dict[str, float]:
    """The accuracy of every task on a split, on at most ``size`` samples each."""
    checkpoint = Checkpoint(folder)
    found = {
        name: accuracy(checkpoint, name, scene, size) for name, scene in scenarios(split, size)
    }
    found["renamed_digits"] = renamed_digits(checkpoint, split, size)
    found["caption_exact"], found["caption_recall"] = named_objects(
        checkpoint, split, min(size, 100)
    )
    return {name: round(value, 4) for name, value in found.items()}
