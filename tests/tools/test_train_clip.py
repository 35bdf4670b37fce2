"""The training of the embedded encoder: repeatable, and of a form that open_clip reads."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tiny_clip.data import draw_batch, spellings
from tiny_clip.model import build, save, train_tokenizer
from tiny_clip.training import Trainer, contrast, same

from chef.embedding.encoders import image_encoder, text_encoder
from chef.scenario.digits import Digits


def trained(steps: int, folder: Path) -> list[float]:
    torch.manual_seed(0)
    tokenizer = train_tokenizer(0)
    model = build(len(tokenizer))
    trainer = Trainer(model, tokenizer, steps=steps, rate=2e-3)
    losses = [trainer.step(draw_batch(0, step, 6, 3)) for step in range(steps)]
    assert save(model, tokenizer, folder) < 4 * 2**20
    return losses


def test_the_same_seed_makes_the_same_encoder(tmp_path: Path) -> None:
    one, two = trained(2, tmp_path / "one"), trained(2, tmp_path / "two")
    assert one == pytest.approx(two, rel=1e-3)
    for path in (tmp_path / "one").iterdir():
        if path.suffix == ".json":
            assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    pictures = [Digits()[index].images[0] for index in range(3)]
    encoded = image_encoder(str(tmp_path / "one"), device="cpu").encode(pictures)
    assert encoded.shape == (3, 128)
    texts = ["How many red stars are there?", "A handwritten 7."]
    assert text_encoder(str(tmp_path / "one"), device="cpu").encode(texts).shape == (2, 128)


def test_batches_follow_from_seed_and_step() -> None:
    one, two, other = (draw_batch(0, step, 4, 2) for step in (3, 3, 4))
    assert (one.pictures == two.pictures).all()
    assert one.captions == two.captions
    assert one.captions != other.captions
    assert len(one.captions) == len(one.meanings) == len(one.pictures) == 6


def test_all_wordings_of_a_question() -> None:
    assert spellings("How many stars can you see?")[:2] == [
        "How many stars are there?",
        "How many stars are in the image?",
    ]
    asked = "Question: Which of these objects can you see?\nOptions: (A) red star"
    assert spellings(asked)[0] == "Question: Which object is in the image?\nOptions: (A) red star"
    assert spellings("What now?") == ["What now?"]


def test_equal_captions_are_no_negatives() -> None:
    positive = same(["a", "b", "a"])
    assert positive.tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    right = torch.where(positive.bool(), 9.0, -9.0)
    assert float(contrast(right, positive)) == pytest.approx(2 / 3 * 0.6931, abs=1e-3)
    assert float(contrast(-right, positive)) > 5
