"""Through a real server, the embedded model gives the answers that it gives in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT
from serving.runs import SHAPES, lines, said, served

import chef
from chef.config import load_model, load_recipe


@pytest.mark.usefixtures("small_pool")
@pytest.mark.parametrize(
    ("recipe", "samples", "images"),
    [
        ("direct", 24, 1),
        ("detection_conversation", 5, 1),  # the second turn holds the model's own first answer
        ("caption_icl_topk_img_direct", 8, 3),  # two examples with their images, then the question
    ],
)
def test_sample_by_sample(
    recipe: str, samples: int, images: int, served_tiny: str, tmp_path: Path
) -> None:
    file = SHAPES / f"{recipe}.yaml"
    models = {"here": ROOT / "configs" / "models" / "tiny.yaml", "there": served(served_tiny)}
    runs = {
        name: chef.evaluate(
            load_model(model), load_recipe(file), limit=samples, save_dir=tmp_path / name
        )
        for name, model in models.items()
    }
    here, there = (lines(run.folder) for run in runs.values())
    assert len(here) == samples
    different = {name: (said(here[name]), said(there[name])) for name in here
                 if said(here[name]) != said(there[name])}  # fmt: skip
    assert different == {}
    assert here.keys() == there.keys()
    assert {line["trace"]["query"].count("<image>") for line in here.values()} == {images}
    assert len({str(line["answer"]) for line in here.values()}) > 3
    for name, metric in runs["here"].metrics.items():
        assert runs["there"].metrics[name] == metric
