"""Whole checkpoints of every family load; broken ones are refused with one message."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attack.broken_checkpoints import broken
from small_models import BUILDERS, CROSS_ATTENTION

from chef.cli import main
from chef.errors import ChefError, RunError
from chef.models.huggingface.model import HuggingFaceModel
from chef.models.tiny import FOLDER

WAYS = sorted(broken(Path("marker")))


def refusal(folder: Path) -> str:
    """The text of the error by which a folder is refused."""
    with pytest.raises(ChefError) as caught:
        HuggingFaceModel(str(folder), device="cpu").load()
    return str(caught.value)


@pytest.mark.parametrize("family", sorted(BUILDERS | CROSS_ATTENTION))
def test_a_whole_checkpoint_is_not_refused(family: str, checkpoint: Callable[[str], Path]) -> None:
    for dtype in ("float32", "bfloat16"):
        model = HuggingFaceModel(str(checkpoint(family)), device="cpu", dtype=dtype)
        model.load()
        assert not [notice for notice in model.notices if "not used" in notice]


def test_the_embedded_model_is_loaded_by_the_same_rules(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(FOLDER, copy)
    HuggingFaceModel(str(copy), device="cpu").load()
    broken(tmp_path / "marker")["no vision tower"](copy)
    assert "missing weights: " in refusal(copy)
    assert "vision_tower" in refusal(copy)


def test_there_are_at_least_fifty() -> None:
    assert len(WAYS) >= 50


@pytest.mark.parametrize("way", WAYS)
def test_a_broken_checkpoint_is_refused(
    way: str, checkpoint: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, marker = tmp_path / "broken", tmp_path / "marker"
    shutil.copytree(checkpoint("llava"), folder)
    HuggingFaceModel(str(folder))  # whole as yet
    broken(marker)[way](folder)
    message = refusal(folder)
    assert not marker.exists(), "code of the checkpoint was run"
    assert str(folder) in message
    assert message.count("\n  -> ") == 1
    assert len(message) < 900
    assert "Traceback" not in message
    assert "LOAD REPORT" not in capsys.readouterr().err


@pytest.mark.parametrize("way", ["no vision tower", "a missing shard", "an archive with code"])
def test_the_command_ends_with_one_message(
    way: str, checkpoint: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, marker = tmp_path / "broken", tmp_path / "marker"
    shutil.copytree(checkpoint("llava"), folder)
    broken(marker)[way](folder)
    (tmp_path / "model.yaml").write_text(f"model_name: HuggingFace\nmodel_path: {folder}\n")
    arguments = ["--model_cfg", str(tmp_path / "model.yaml"), "--recipe_cfg", "Shapes/ppl"]
    assert main(["eval", *arguments, "--limit", "4", "--save_dir", str(tmp_path / "out")]) == 3
    said = capsys.readouterr().err
    assert said.count("error: ") == 1
    assert "Traceback" not in said
    assert not marker.exists()


def test_the_message_counts_and_names_the_keys(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(checkpoint("llava"), folder)
    ways = broken(tmp_path / "marker")
    ways["a norm is missing"](folder)
    ways["a row too many"](folder)
    message = refusal(folder)
    assert "missing weights: 2 (model.language_model.layers.0.input_layernorm.weight, " in message
    another = "weights of another shape than config.json says: 1 (model.multi_modal_projector"
    assert another in message


def test_keys_that_are_not_used_are_a_notice(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "more"
    shutil.copytree(checkpoint("llava"), folder)
    tensors = load_file(folder / "model.safetensors")
    extra = {"value_head.weight": tensors[min(tensors)].clone()}
    save_file({**tensors, **extra}, folder / "model.safetensors", {"format": "pt"})
    model = HuggingFaceModel(str(folder), device="cpu")
    model.load()
    expected = "weights of the checkpoint that are not used: 1 (value_head.weight)"
    assert expected in model.notices


def _vit(folder: Path) -> None:
    from transformers import ViTConfig, ViTImageProcessor, ViTModel

    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = ViTConfig(**sizes, intermediate_size=32, image_size=24, patch_size=12)
    ViTModel(config).save_pretrained(folder)
    ViTImageProcessor(size={"height": 24, "width": 24}).save_pretrained(folder)


def _edit(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]], name: str) -> None:
    from safetensors.torch import load_file, save_file

    tensors = {key: value.clone() for key, value in load_file(folder / name).items()}
    save_file(change(tensors), folder / name, {"format": "pt"})


def _without(part: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def drop(tensors: dict[str, Any]) -> dict[str, Any]:
        left = {key: value for key, value in tensors.items() if part not in key}
        assert len(left) < len(tensors)
        return left

    return drop


def test_a_vision_encoder_with_missing_weights_is_refused(tmp_path: Path) -> None:
    from chef.embedding.encoders.base import load_vision_encoder

    folder = tmp_path / "vit"
    _vit(folder)
    load_vision_encoder(str(folder), "cls", "cpu")
    _edit(folder, _without("pooler."), "model.safetensors")
    load_vision_encoder(str(folder), "cls", "cpu")  # which does not use the pooler
    with pytest.raises(RunError, match=r"missing weights: 2 \(pooler\.dense\.bias"):
        load_vision_encoder(str(folder), "pooled", "cpu")
    _edit(folder, _without("layer.1."), "model.safetensors")
    with pytest.raises(RunError, match="missing weights: "):
        load_vision_encoder(str(folder), "cls", "cpu")


def test_a_clip_with_missing_weights_is_refused(tmp_path: Path) -> None:
    from chef.embedding.encoders import image_encoder
    from chef.embedding.encoders.base import EMBEDDED

    folder = tmp_path / "clip"
    shutil.copytree(EMBEDDED, folder)
    image_encoder(str(folder), device="cpu").backend()
    (name,) = (file.name for file in folder.glob("*.safetensors"))
    _edit(folder, _without("resblocks.0."), name)
    with pytest.raises(RunError, match="cannot be loaded"):
        image_encoder(str(folder), device="cpu", batch_size=2).backend()


def test_a_sentence_encoder_with_missing_weights_is_refused(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from small_models.parts import tokenizer
    from transformers import BertConfig, BertModel

    from chef.embedding.encoders.base import load_sentence_transformer

    words, inner, folder = tokenizer(["[CLS]"]), tmp_path / "bert", tmp_path / "sentence"
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    BertModel(BertConfig(**sizes, intermediate_size=32, vocab_size=len(words))).save_pretrained(
        inner
    )
    words.save_pretrained(inner)
    SentenceTransformer(str(inner), device="cpu").save(str(folder))
    load_sentence_transformer(str(folder), "cpu")
    _edit(folder, _without("pooler."), "model.safetensors")
    load_sentence_transformer(str(folder), "cpu")
    _edit(folder, _without("layer.1."), "model.safetensors")
    with pytest.raises(RunError, match="missing weights: 16 "):
        load_sentence_transformer(str(folder), "cpu")
