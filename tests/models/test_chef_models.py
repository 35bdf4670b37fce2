"""A model file of ChEF is answered with what to use instead."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from chef.config import load_model
from chef.errors import ConfigError
from chef.models.chef_models import chef_models, find_chef_model

#: ChEF's 21 model files -> the model_name in each, and what the hint must name.
FILES = {
    "instructblip_vicuna": ("InstructBLIP", "Salesforce/instructblip-vicuna-7b"),
    "kosmos2": ("Kosmos2", "microsoft/kosmos-2-patch14-224"),
    "lamm": ("LAMM", "no file in configs/models takes its place"),
    "lamm_3d": ("LAMM", "reads no point clouds"),
    "lamm15": ("LAMM_SFT", "no file in configs/models takes its place"),
    "llamaadapterv2": ("LLaMA-Adapter-v2", "a class of your own"),
    "llava15": ("LLaVA1.5", "use configs/models/llava15.yaml"),
    "llavarlhf": ("LLaVARLHF", "zhiqings/LLaVA-RLHF-7b-v1.5-224"),
    "minigpt4": ("MiniGPT-4", "no file in configs/models takes its place"),
    "mplug": ("mPLUG-Owl", "MAGAer13/mplug-owl-llama-7b"),
    "otter": ("Otter", "luodian/OTTER-Image-MPT7B"),
    "qwen_vl": ("QwenVL", "use configs/models/qwen2_5_vl.yaml"),
    "internlm_xcomposer": ("InternLMXComposer", "internlm/internlm-xcomposer2-vl-7b"),
    "rlhfv": ("RLHFV", "openbmb/RLHF-V"),
    "octavius_2d": ("Octavius_2d", "no file in configs/models takes its place"),
    "octavius_3d": ("Octavius_3d", "reads no point clouds"),
    "octavius_2d+3d": ("Octavius", "reads no point clouds"),
    "shikra": ("Shikra", "shikras/shikra-7b-delta-v1"),
    "gpt": ("GPT", "models behind a server"),
    "gemini": ("Gemini", "models behind a server"),
    "test": ("Test", "use configs/models/tiny.yaml"),
}
#: Models of the first generation, and other spellings.
OTHERS = {
    "LLaVA": "its successor",
    "InstructBLIP-FlanT5": "Salesforce/instructblip-flan-t5-xl",
    "Kosmos-2": "microsoft/kosmos-2-patch14-224",
    "LAMM-1.5": "github.com/OpenGVLab/LAMM",
    "LLaVA-1.5": "use configs/models/llava15.yaml",
    "InternLM-XComposer2": "internlm/internlm-xcomposer2-vl-7b",
}


def hint(name: str) -> str:
    with pytest.raises(ConfigError, match="is a model of ChEF") as caught:
        load_model({"model_name": name, "model_path": "x", "vis_processor_path": "y"})
    return str(caught.value)


@pytest.mark.parametrize(("file", "name", "words"), [(key, *FILES[key]) for key in FILES])
def test_every_model_file_of_chef(file: str, name: str, words: str) -> None:
    assert words in hint(name)
    assert find_chef_model(file) is find_chef_model(name)


#: Keys of ChEF's model files beside ``model_name``.
KEYS = {
    "lamm": "llm_ckpt_path: x\nencoder_ckpt_path: y\ntask_type: noraml\nencoder_pretrain: clip\n"
    "vision_type: image\nlora_target_modules: [q_proj, v_proj]\nmax_tgt_len: 1024\nstage: 2\n",
    "kosmos2": "model_path: ../model_zoo/kosmos2\nif_grounding: False\n",
    "octavius_2d+3d": "octavius_modality: [image, pcl]\nnum_experts: 6\ngate_mode: top2_gate\n",
    "gpt": "api_key: sk-not-a-key\ngpt_name: gpt-4-vision-preview\n",
    "gemini": "api_key: not-a-key\ngpt_name: x\nsafety_block_none: True\n",
    "minigpt4": "model_path: x\ncfg_path: configs/minigpt4_eval.yaml\n",
    "llamaadapterv2": "model_path: x\nmax_seq_len: 1024\nmax_batch_size: 20\n",
}


@pytest.mark.parametrize("file", FILES)
def test_a_whole_file_of_chef(file: str, tmp_path: Path) -> None:
    """Its other keys are no errors of their own, and the hint names a file and the checkpoint."""
    path = tmp_path / f"{file}.yaml"
    path.write_text(f"model_name: {FILES[file][0]}\n{KEYS.get(file, '')}")
    with pytest.raises(ConfigError) as caught:
        load_model(path)
    said = str(caught.value)
    assert f"{file}.yaml:1: model_name: '{FILES[file][0]}' is a model of ChEF" in said
    (named,) = {part.strip(",:;") for part in said.split() if part.startswith("configs/models/")}
    assert (ROOT / named).is_file()
    model = find_chef_model(FILES[file][0])
    assert model
    assert model.checkpoint is None or model.checkpoint in said
    assert "not-a-key" not in said


@pytest.mark.parametrize("file", sorted({*FILES} - {"llava15"}))
def test_a_file_that_chef_had(file: str) -> None:
    model = find_chef_model(file)
    assert model
    with pytest.raises(ConfigError, match=r"no such file; '.*' is a model of ChEF") as caught:
        load_model(f"configs/models/{file}.yaml")
    assert caught.value.hint == model.hint


def test_there_are_21_files() -> None:
    assert len(FILES) == 21


@pytest.mark.parametrize("name", OTHERS)
def test_other_names(name: str) -> None:
    assert OTHERS[name] in hint(name)


def test_the_error_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("# ChEF's\nmodel_name: MiniGPT-4\ncfg_path: x\n")
    with pytest.raises(ConfigError, match=r"'MiniGPT-4' is a model of ChEF") as caught:
        load_model(path)
    assert "m.yaml:2" in str(caught.value)


def test_other_unknown_names_get_the_nearest_one() -> None:
    with pytest.raises(ConfigError, match=r"unknown model 'HugingFace'(.|\n)*HuggingFace"):
        load_model({"model_name": "HugingFace"})


def test_a_plugin_may_have_the_name(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from chef.models import Model\n"
        "class Otter(Model):\n    def generate_one(self, conversation, **_):\n        return ''\n"
    )
    path = tmp_path / "m.yaml"
    path.write_text("plugins: [own.py]\nmodel_name: Otter\n")
    assert load_model(path).model.kind.__name__ == "Otter"


def test_the_table_is_sound() -> None:
    names = [name.casefold() for model in chef_models() for name in {*model.names}]
    for model in chef_models():
        assert model is find_chef_model(model.names[0])
        if model.use:
            file = yaml.safe_load((ROOT / "configs" / "models" / model.use).read_text())
            if model.transformers:
                assert file["model_path"] == model.checkpoint
    assert len({*names}) >= 22
