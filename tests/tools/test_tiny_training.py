"""The trainer: what it reads, what it teaches, and that packing changes nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny.repeating
import tiny.subjects
import torch
from tiny.attention import (
    GUIDED,
    attention_mask,
    guidance,
    plain_attention,
    train_with_plain_attention,
)
from tiny.basic_tasks import about_one_picture
from tiny.curriculum import TASKS, TreeSampler
from tiny.data_parallel import DataParallel, Log
from tiny.example_tasks import examples_in_one_turn
from tiny.model import Sizes, build_model, save_model
from tiny.packing import pack
from tiny.subjects import DigitSource, corpus
from tiny.tokenizer import END, chat_tokenizer, train_tokenizer
from tiny.train import (
    EXAMPLES,
    TALK,
    Stage,
    StageTrainer,
    batch_loss,
)
from tiny.trees import ROW, Tree
from tiny.vision_encoder import WordTokens, patch_labels, pixels, train_vision_encoder

from chef.scenario import digits
from chef.scenario.shapes.drawing import SIZE, draw_scene

SMALL = Sizes(vision=(32, 1, 2, 64), text=(32, 2, 2, 64))
STAGE = Stage("talk", 16, ((0, 0),), rate=5e-3, decay=4, warmup=2, rows=1)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("words") / "tokenizer.json"
    train_tokenizer(corpus(DigitSource(), random.Random(0), 500), path)
    return chat_tokenizer(path)


def model(tokenizer: Any, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    return build_model(tokenizer, SMALL)


def make_sampler(tokenizer: Any, seed: int = 0, level: int = max(TASKS)) -> TreeSampler:
    rng = random.Random(seed)
    return TreeSampler(tokenizer.backend_tokenizer, DigitSource(), rng, level=level)


def alone(tree: Tree, branch: int) -> list[int]:
    """The token numbers, in the tree, of the conversation with one of its branches."""
    return [i for i, other in enumerate(tree.branches) if other in (0, branch)]


def test_only_the_train_splits_are_read(tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def spy(rng: random.Random, split: Any) -> Any:
        drawn.append(split)
        return draw_scene(rng, split)

    for reader in (tiny.subjects, tiny.repeating):
        monkeypatch.setattr(reader, "draw_scene", spy)
    for level in TASKS:
        pack(make_sampler(tokenizer, level=level), 4)
    assert set(drawn) == {"train"}
    assert {digits.split_of(scan) for scan, _ in DigitSource().scans} == {"train"}


@pytest.mark.parametrize("level", range(1 + max(TASKS)))
def test_what_is_learnt_are_answers_and_their_end(tokenizer: Any, level: int) -> None:
    end = tokenizer.convert_tokens_to_ids(END)
    sampler = make_sampler(tokenizer, level=level)
    for _ in range(60):
        tree = sampler.sample()
        assert len(tree) <= ROW
        assert any(tree.weights)
        for branch in range(max(tree.branches) + 1):
            mine = [i for i, other in enumerate(tree.branches) if other == branch]
            learnt = [i for i in mine if tree.weights[i]]
            assert all(tree.ids[i] < len(tokenizer) for i in mine)
            if branch:
                assert learnt
            ends = end in tree.ids[-2:]  # tasks that only repeat have no end
            if learnt and (ends or branch):
                assert tree.ids[learnt[-1]] == end
        text = tokenizer.decode([i for i, w in zip(tree.ids, tree.weights, strict=True) if w])
        assert "<|user|>" not in text
        assert "<image>" not in text


def test_positions_go_on_from_the_trunk(tokenizer: Any) -> None:
    tree = about_one_picture(make_sampler(tokenizer).builder)
    assert max(tree.branches) >= 2
    for branch in range(1, max(tree.branches) + 1):
        own = alone(tree, branch)
        assert [tree.positions[i] for i in own] == list(range(len(own)))


def test_a_branch_is_scored_as_its_conversation_alone(
    tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = model(tokenizer).eval()
    sampler = make_sampler(tokenizer, 3)
    trees = [about_one_picture(sampler.builder), examples_in_one_turn(sampler.builder)]
    supply = iter(trees)
    monkeypatch.setattr(sampler, "sample", lambda: next(supply, trees[0]))
    batch = pack(sampler, 2)
    with torch.inference_mode():
        packed = subject(
            input_ids=torch.from_numpy(batch.ids),
            pixel_values=pixels(batch.images),
            attention_mask=attention_mask(batch).float(),
            position_ids=torch.from_numpy(batch.positions),
        ).logits
        tree, seen = trees[0], pixels(batch.images)[: len(trees[0].images)]
        for branch in range(1, max(tree.branches) + 1):
            own = alone(tree, branch)
            ids = torch.tensor([[tree.ids[i] for i in own]])
            plain = subject(input_ids=ids, pixel_values=seen).logits[0]
            torch.testing.assert_close(packed[0, own], plain, rtol=1e-4, atol=1e-4)


def test_attention_by_the_book_is_attention() -> None:
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 2, 4, 9, 8)
    mask = torch.zeros(2, 1, 9, 9).masked_fill(torch.ones(9, 9).triu(1).bool(), -1e4)
    found, _ = plain_attention(torch.nn.Identity(), query, key, value, mask, 8**-0.5)
    wanted = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask)
    torch.testing.assert_close(found, wanted.transpose(1, 2))


def test_guidance_measures_how_far_heads_look_from_the_token_before(tokenizer: Any) -> None:
    subject = model(tokenizer)
    train_with_plain_attention(subject)
    batch = pack(make_sampler(tokenizer), 1)
    attention = subject.model.language_model.layers[GUIDED[0]].self_attn
    with torch.no_grad():
        attention.q_proj.weight.zero_()  # then all tokens in sight are looked at alike
    batch_loss(subject, batch)
    sights = attention_mask(batch)[0, 0].eq(0).sum(-1).double()
    follows = np.diff(batch.positions[0]) == 1
    assert guidance(batch).item() == pytest.approx(
        float(sights[1:][follows].log().mean()), rel=0.02
    )


def test_guided_heads_learn_to_look_at_the_token_before(tokenizer: Any, tmp_path: Path) -> None:
    def looks(weight: float) -> float:
        subject = model(tokenizer)
        train_with_plain_attention(subject)
        stage = replace(STAGE, name=f"guided {weight}", guidance=weight, steps=30)
        trainer = StageTrainer(subject, tokenizer, stage, DataParallel(0, 1, tmp_path), tmp_path)
        trainer.run(30, Log(silent=True))
        batch = pack(make_sampler(tokenizer), 1)
        batch_loss(subject, batch)
        return guidance(batch).item()

    assert looks(3.0) < looks(0.0) - 0.5


def test_patch_labels_tell_what_stands_where() -> None:
    scene = draw_scene(random.Random(5), "train")
    colors, shapes = patch_labels(scene)
    side = int(len(colors) ** 0.5)
    for thing in scene.things:
        patch = int(thing.y / SIZE * side) * side + int(thing.x / SIZE * side)
        assert colors[patch] > 0
        assert shapes[patch] > 0
    assert sum(color > 0 for color in colors) == 4 * len(scene.things)


def test_training_lowers_the_loss_and_resumes_where_it_was(tokenizer: Any, tmp_path: Path) -> None:
    def folder(name: str) -> Path:
        (tmp_path / name).mkdir(exist_ok=True)
        return tmp_path / name

    def trainer(name: str) -> StageTrainer:
        subject = model(tokenizer)
        train_with_plain_attention(subject)
        parallel, log = DataParallel(0, 1, tmp_path), Log(silent=True)
        train_vision_encoder(
            subject, WordTokens(tokenizer), steps=2, seed=0, parallel=parallel, log=log
        )
        return StageTrainer(subject, tokenizer, STAGE, DataParallel(0, 1, tmp_path), folder(name))

    straight, broken = trainer("a"), trainer("b")
    batch = pack(make_sampler(tokenizer), 1)
    before = batch_loss(straight.model, batch).item()
    straight.run(16, Log(silent=True))
    assert batch_loss(straight.model, batch).item() < before
    broken.run(9, Log(silent=True))
    broken.save()
    resumed = StageTrainer(
        model(tokenizer, 1), tokenizer, STAGE, DataParallel(0, 1, tmp_path), folder("b")
    )
    train_with_plain_attention(resumed.model)
    assert resumed.step == 9
    resumed.run(16, Log(silent=True))
    for name, weight in straight.model.state_dict().items():
        torch.testing.assert_close(resumed.model.state_dict()[name], weight, msg=name)


def test_a_saved_model_is_loaded_as_any_other(tokenizer: Any, tmp_path: Path) -> None:
    from transformers import AutoModelForImageTextToText, AutoProcessor

    made = model(tokenizer).eval()
    save_model(made, tokenizer, tmp_path / "tiny")
    loaded = AutoModelForImageTextToText.from_pretrained(tmp_path / "tiny").eval()
    processor = AutoProcessor.from_pretrained(tmp_path / "tiny")
    assert loaded.dtype == torch.float32
    scan, _ = DigitSource().scans[0]
    inputs = processor(images=[digits.render(scan)], text="<image>What?", return_tensors="pt")
    with torch.inference_mode():
        found, wanted = loaded(**inputs).logits, made(**inputs).logits
    torch.testing.assert_close(found, wanted, rtol=1e-2, atol=1e-2)
    ours = pixels(np.asarray(digits.render(scan))[None])
    torch.testing.assert_close(inputs["pixel_values"], ours, rtol=0, atol=1e-5)


def test_tasks_are_learnt_from_their_own_words(tokenizer: Any) -> None:
    words = WordTokens(tokenizer)
    assert len(words.colors) == 2
    assert tokenizer.decode(words.colors[1][:2]) == " red orange"
    assert all(len(ids) == 5 for ids in words.shapes)
    assert tokenizer.decode(words.digits[0]) == "0123456789"


def test_the_rate_rises_stays_and_falls() -> None:
    stage = replace(STAGE, steps=100, decay=20, warmup=10)
    factors = [stage.factor(step) for step in range(101)]
    assert factors[0] == pytest.approx(0.1)
    assert set(factors[9:81]) == {1.0}
    assert factors[90] == pytest.approx(0.5)
    assert factors[100] == 0


def test_levels_follow_each_other_to_the_last() -> None:
    for stage, last in ((TALK, 6), (EXAMPLES, max(TASKS))):
        levels = [stage.level(step) for step in range(stage.steps)]
        assert levels == sorted(levels)
        assert levels[-1] == last
    assert TALK.level(1499) == 0
    assert TALK.level(1500) == 1
