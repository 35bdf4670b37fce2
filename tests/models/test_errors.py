"""What goes wrong says what to do about it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chef.errors import ConfigError, RunError, SampleError
from chef.image import Image
from chef.models import MODELS
from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Generate, Score, Text, Turn

Load = Callable[[str], HuggingFaceModel]


def ask(*parts: Any, role: Any = "user") -> tuple[Turn, ...]:
    return (Turn(role, tuple(Text(p) if isinstance(p, str) else p for p in parts)),)


def test_missing_folder(tmp_path: Path) -> None:
    """Refused when it is named, not after torch was loaded."""
    with pytest.raises(ConfigError, match="folder not found") as caught:
        HuggingFaceModel(str(tmp_path / "nowhere"))
    assert str(tmp_path / "nowhere") in str(caught.value)


def test_no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(RunError, match="no local folder, and the hub does not") as caught:
        HuggingFaceModel("nobody/no-such-model").load()
    assert "hf auth login" in str(caught.value)


def test_no_such_device(checkpoint: Callable[[str], Path]) -> None:
    for device in ("cuda:97", "toaster"):
        with pytest.raises(ConfigError, match=r"not available|is no device"):
            HuggingFaceModel(str(checkpoint("llava")), device=device).load()


def test_no_chat_template(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "untold"
    shutil.copytree(checkpoint("llava"), folder)
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(ConfigError, match="no chat template") as caught:
        HuggingFaceModel(str(folder), device="cpu").load()
    assert "'chat_template'" in str(caught.value)
    given = tmp_path / "mine.jinja"
    given.write_text("{% for m in messages %}{{ m['content'][0]['text'] }}{% endfor %}")
    model = HuggingFaceModel(str(folder), device="cpu", chat_template=str(given))
    assert len(model.generate([Generate(ask("Hello"))])) == 1
    with pytest.raises(ConfigError, match="cannot be read"):
        HuggingFaceModel(str(folder), chat_template="no/such/file.jinja")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.jinja", b"\n", "the file holds no chat template"),
        (
            "none.json",
            b'{"chat_template": [{"name": "default"}]}',
            "the file holds no chat template",
        ),
        ("other.json", b"{}", "cannot be read (KeyError: 'chat_template')"),
        ("bytes.jinja", b"\xff\xfe", "cannot be read (UnicodeDecodeError"),
        (
            "open.jinja",
            b"\n{% for m in messages %}",
            "line 2 of the chat template is no Jinja: Unexp",
        ),
        ("filter.jinja", b"{{ messages | nofilter }}", "is no Jinja: No filter named 'nofilter'"),
    ],
)
def test_a_file_that_is_no_template(
    checkpoint: Callable[[str], Path], tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        HuggingFaceModel(
            str(checkpoint("llava")), device="cpu", chat_template=str(tmp_path / name)
        ).load()
    assert message in caught.value.what


def test_a_template_in_json_is_read_as_one(
    checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    template = "{% for m in messages %}{{ m['role'] }}\n{% endfor %}"
    (tmp_path / "chat_template.json").write_text(json.dumps({"chat_template": template}))
    given = str(tmp_path / "chat_template.json")
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu", chat_template=given)
    assert model.source.chat_template == template


def test_not_an_image_text_model(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(checkpoint("llava"))
    config = LlamaConfig(
        hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2
    )
    LlamaForCausalLM(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ConfigError, match="not a model that continues"):
        HuggingFaceModel(str(tmp_path), device="cpu").load()


def test_broken_folder(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be loaded"):
        HuggingFaceModel(str(tmp_path), device="cpu").load()
    folder = tmp_path / "cut"
    shutil.copytree(checkpoint("llava"), folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(RunError, match="its weights cannot be read"):
        HuggingFaceModel(str(folder), device="cpu").load()


def test_processor_options(checkpoint: Callable[[str], Path], images: list[Image]) -> None:
    folder = str(checkpoint("qwen2_5_vl"))
    with pytest.raises(ConfigError, match="no option 'min_pixel'") as caught:
        HuggingFaceModel(folder, device="cpu", processor_options={"min_pixel": 4}).load()
    assert "did you mean 'min_pixels'?" in str(caught.value)
    small = HuggingFaceModel(folder, device="cpu")
    large = HuggingFaceModel(
        folder, device="cpu", processor_options={"min_pixels": 112 * 112, "max_pixels": 224 * 224}
    )
    request = Score(ask(images[3], "?"), ("a", "b"))
    assert large.cost(request) > small.cost(request)
    assert large.score([request]) != small.score([request])
    assert large.fingerprint() != small.fingerprint()


def test_processor_options_win_over_those_of_the_processor(
    checkpoint: Callable[[str], Path], load: Load, images: list[Image]
) -> None:
    """InternVL's processor asks for crops at every call, whatever its image processor says."""
    folder = str(checkpoint("internvl"))
    whole = HuggingFaceModel(folder, device="cpu", processor_options={"crop_to_patches": False})
    request = Score(ask(images[1], "?"), ("a", "b"))
    assert whole.cost(request) < load("internvl").cost(request)
    assert whole.score([request]) != load("internvl").score([request])


def test_encoder_decoder(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "two-towers"
    shutil.copytree(checkpoint("llava"), folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "is_encoder_decoder": True}))
    with pytest.raises(ConfigError, match="encoder-decoder"):
        HuggingFaceModel(str(folder), device="cpu").load()


def test_empty_option(load: Load, images: list[Image]) -> None:
    with pytest.raises(SampleError, match="option is empty"):
        load("llava").score([Score(ask(images[0], "?"), ("yes", ""))])


def test_option_that_the_template_trims(load: Load, images: list[Image]) -> None:
    with pytest.raises(SampleError, match="changes the option ' yes'"):
        load("gemma3").score([Score(ask(images[0], "?"), (" yes",))])
    assert load("gemma3").score([Score(ask(images[0], "?"), (" yes",), "It is")])
    assert load("llava").score([Score(ask(images[0], "?"), (" yes", "yes "))])


def test_image_mark_in_the_question(load: Load, images: list[Image]) -> None:
    with pytest.raises(SampleError, match="occurs 2 time"):
        load("llava").score([Score(ask(images[0], "What is <image>?"), ("yes",))])


def test_image_in_a_turn_without_a_place_for_it(
    checkpoint: Callable[[str], Path], images: list[Image]
) -> None:
    template = "{% for m in messages %}{{ m['content'][-1]['text'] }}{% endfor %}"
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu", chat_template=template)
    with pytest.raises(SampleError, match="occurs 0 time"):
        model.generate([Generate(ask(images[0], "What is it?"))])


def test_template_that_refuses(checkpoint: Callable[[str], Path]) -> None:
    template = "{{ raise_exception('roles must alternate') }}"
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu", chat_template=template)
    with pytest.raises(SampleError, match="roles must alternate"):
        model.generate([Generate(ask("What?"))])


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("{{ m['content'] }}", "Be brief.|"),  # wants a plain string
        ("{{ m['content'][0]['text'] }}", "Be brief.|"),  # wants parts
        ("", None),  # drops it
    ],
)
def test_system_message(
    checkpoint: Callable[[str], Path], system: str, expected: str | None
) -> None:
    template = (
        "{% for m in messages %}{% if m['role'] == 'system' %}"
        + system
        + "|{% else %}{{ m['content'][0]['text'] }}{% endif %}{% endfor %}"
    )
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu", chat_template=template)
    asked = (*ask("Be brief.", role="system"), *ask("What?"))
    if expected is None:
        with pytest.raises(SampleError, match="no place for a system message"):
            model.generate([Generate(asked)])
    else:
        _, renderer, _ = model._ready()
        assert renderer.prompt(asked).text == expected + "What?"


def test_paligemma_needs_an_image(load: Load) -> None:
    with pytest.raises(SampleError, match="needs an image"):
        load("paligemma").generate([Generate(ask("caption en"))])


def test_longer_than_the_context(load: Load) -> None:
    with pytest.raises(SampleError, match="context is 2048"):
        load("llava").score([Score(ask("x y " * 3000), ("yes",))])


def test_bad_image_costs_an_estimate_and_then_itself(load: Load, tmp_path: Path) -> None:
    model = load("llava")
    request = Generate(ask(Image(tmp_path / "missing.png"), "What?"))
    assert model.cost(request) > 0
    with pytest.raises(SampleError, match="image file not found"):
        model.generate([request])


def test_nan_is_handed_on(checkpoint: Callable[[str], Path], images: list[Image]) -> None:
    """The inferencer makes it an error; a model must not make it a number."""
    import math

    import torch

    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu")
    with torch.no_grad():
        model.load().model.lm_head.weight.fill_(float("nan"))
    ((scored,),) = model.score([Score(ask(images[0], "?"), ("yes",))])
    assert math.isnan(scored.logprob_sum)
    model.close()
    ((scored,),) = model.score([Score(ask(images[0], "?"), ("yes",))])
    assert math.isfinite(scored.logprob_sum)


def test_fingerprint_names_the_weights(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    original = HuggingFaceModel(str(checkpoint("llava")), device="cpu")
    folder = tmp_path / "elsewhere"
    shutil.copytree(checkpoint("llava"), folder)
    copy = HuggingFaceModel(str(folder), device="cpu", name="copy")
    assert copy.fingerprint() == original.fingerprint()
    half = HuggingFaceModel(str(folder), device="cpu", dtype="bfloat16")
    assert half.fingerprint() != original.fingerprint()
    weights = folder / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    assert copy.fingerprint() != original.fingerprint()


def test_bfloat16_runs(checkpoint: Callable[[str], Path], images: list[Image]) -> None:
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu", dtype="bfloat16")
    ((scored,),) = model.score([Score(ask(images[0], "?"), ("yes",))])
    assert scored.logprob_sum < 0
    assert len(model.generate([Generate(ask(images[0], "?"))])) == 1


def test_tiny_without_its_checkpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("chef.models.tiny.FOLDER", tmp_path)
    with pytest.raises(ConfigError, match="embedded checkpoint is missing"):
        MODELS.get("tiny")()


def test_names_default_to_the_path(checkpoint: Callable[[str], Path]) -> None:
    assert HuggingFaceModel("llava-hf/llava-1.5-7b-hf").name == "llava-1.5-7b-hf"
    assert HuggingFaceModel(str(checkpoint("llava"))).name == "small-llava"
    assert HuggingFaceModel("a/b", name="mine").name == "mine"


def test_configuration_is_read_without_torch() -> None:
    """The configuration checker reads constructors, and must answer at once."""
    import subprocess
    import sys

    code = (
        "import sys, chef.models.huggingface.model, chef.models.tiny;"
        "print(json.dumps([m for m in ('torch', 'transformers', 'PIL') if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import json;" + code], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []
