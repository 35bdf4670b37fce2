"""The model files that ship with chef are valid, and name checkpoints as the hub does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chef.config import load_model

FOLDER = Path(__file__).parents[2] / "configs" / "models"
FILES = sorted(FOLDER.glob("*.yaml"))


def test_the_promised_models_have_files() -> None:
    names = "tiny llava15 llava_onevision qwen2_5_vl qwen3_vl internvl3 smolvlm idefics3 gemma3"
    servers = {"openai", "vllm", "sglang"}
    assert {*names.split(), "paligemma2", *servers} <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    spec = load_model(path)
    options = spec.model.options
    assert options["name"] == path.stem
    if spec.model.name in {"HuggingFace", "VLLM"}:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", options["model_path"])
        assert not options.get("trust_remote_code")
    if spec.model.name == "OpenAI":
        assert re.fullmatch(r"https?://[\w.:-]+/v1", options["base_url"])
        is_served_here = path.stem == "tiny_served"
        assert ("chef-eval[serving]" in path.read_text()) is is_served_here
