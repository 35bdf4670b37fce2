"""The trainer's own measure: scores by hand, and the shipped checkpoint far above chance."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tiny.evaluate import FORMS, Checkpoint, accuracy, ask, labels_in, named_objects, renamed_digits

from chef.scenario.digits import Digits
from chef.scenario.shapes.scenario import Shapes

SHIPPED = Path(__file__).parents[2] / "src" / "chef" / "assets" / "tiny"


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    return Checkpoint(SHIPPED)


def test_a_score_is_the_mean_log_probability_of_the_options_tokens(checkpoint: Checkpoint) -> None:
    scenario = Shapes(task="color", split="pool", size=1)
    sample = scenario[0]
    asked = ask(scenario, sample, FORMS["color"])
    found = checkpoint.score(asked, ["red", "a purple star"], "The answer is ")
    for score, option in zip(found, (" red", " a purple star"), strict=True):
        text = checkpoint.text(asked.messages) + "The answer is" + option
        inputs = checkpoint.processor(images=asked.images, text=text, return_tensors="pt")
        number = len(checkpoint.processor.tokenizer.encode(option, add_special_tokens=False))
        with torch.inference_mode():
            logs = checkpoint.model(**inputs).logits[0, :-1].log_softmax(-1)
        ids = inputs["input_ids"][0, 1:]
        wanted = logs[torch.arange(len(ids)), ids][-number:].mean()
        assert score == pytest.approx(float(wanted), abs=1e-4)


def test_labels_are_found_in_order_with_repeats() -> None:
    text = "A red star, a blue cross and a red star; the Purple circle."
    assert labels_in(text) == ["red star", "blue cross", "red star", "purple circle"]
    assert labels_in("a reddish star, red stars") == []


@pytest.mark.parametrize(
    ("task", "least", "size"),
    [("mcq", 0.8, 20), ("yesno", 0.9, 20), ("counting", 0.85, 40), ("color", 0.9, 20)],
)
def test_the_shipped_model_sees(checkpoint: Checkpoint, task: str, least: float, size: int) -> None:
    # The pool split, and far below what is reached: this tells a broken checkpoint, no more.
    assert accuracy(checkpoint, task, Shapes(task=task, split="pool", size=size), size) > least


def test_the_shipped_model_reads_digits_and_names_objects(checkpoint: Checkpoint) -> None:
    assert accuracy(checkpoint, "digits", Digits(split="pool"), 20) > 0.9
    assert named_objects(checkpoint, "pool", 8)[1] > 0.8


def test_the_shipped_model_learns_names_from_examples(checkpoint: Checkpoint) -> None:
    # Guessing between the two names that the examples show is right half of the time.
    assert renamed_digits(checkpoint, "pool", 12) > 0.75


def test_the_shipped_model_is_small_and_loads_in_full_precision(checkpoint: Checkpoint) -> None:
    assert sum(weight.numel() for weight in checkpoint.model.parameters()) < 6e6
    assert (SHIPPED / "model.safetensors").stat().st_size < 14e6
    assert checkpoint.model.dtype == torch.float32
    assert checkpoint.model.config.text_config.max_position_embeddings >= 2048
