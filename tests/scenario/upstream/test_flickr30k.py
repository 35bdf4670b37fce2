"""Flickr30k's options, drawn step by step from ChEF's random stream."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from chef.metric import METRICS
from chef.scenario.flickr30k import Captions
from chef.scenario.upstream.chef import Flickr30k
from chef.types import Prediction, Status

SENTENCES = [["a", "b", "same"], ["c", "d", "same"], ["e", "f", "same"]]


def scenario(root: Path, **keys: object) -> Flickr30k:
    (root / "meta_file").mkdir()
    records = [{"image": f"{n}.jpg", "sentences": own} for n, own in enumerate(SENTENCES)]
    (root / "meta_file" / "Caption_flickr30k.json").write_text(json.dumps(records))
    return Flickr30k(base_data_path=str(root), ppl_cfg={"random_seed": 9, **keys})


def test_the_pool_is_shuffled_then_the_own_captions_whose_first_is_right(tmp_path: Path) -> None:
    data = scenario(tmp_path, negative_opt_num=4)
    # Of the three equal captions only the first of the file is removed, whosever it is.
    pools = (
        ["c", "d", "same", "e", "f", "same"],
        ["a", "b", "same", "e", "f", "same"],
        ["a", "b", "c", "d", "same", "same"],
    )
    rng, expected = random.Random(0), []
    for own, pool in zip(SENTENCES, pools, strict=True):
        rng.shuffle(pool)
        mine = list(own)
        rng.shuffle(mine)
        expected.append((*pool[:4], mine[0]))
    assert [data[image].options for image in range(3)] == expected


def test_repeated_captions_stay_among_the_similar_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def nearest(_: Captions, captions: list[int], number: int) -> list[Iterator[int]]:
        asked.append((captions, number))
        return [iter([0, 1, 2, 5, 8, 3, 4, 6, 7])]

    monkeypatch.setattr(Captions, "_nearest", nearest)
    sample = scenario(tmp_path, strategy="top_similarity", negative_opt_num=3)[0]
    right = [0, 1, 2]
    random.Random(0).shuffle(right)
    # Rows 0 to 2 are the image's own; rows 5 and 8 have the same words as row 2.
    assert sample.options == ("same", "same", "c", SENTENCES[0][right[0]])
    assert asked == [([right[0]], 20)]
    assert sample.fields["gt_choice"] == [0, 1, 3]


def test_any_caption_of_the_image_counts_as_right(tmp_path: Path) -> None:
    sample = scenario(tmp_path, negative_opt_num=6)[0]
    places = [place for place, option in enumerate(sample.options) if option == "same"]
    assert len(places) >= 2
    record = sample.to_record()
    metric = METRICS.get("Caption", upstream=True)(strategy="acc")
    for choice, option in enumerate(sample.options):
        scores = {"choice": choice}
        answer = Prediction("0", Status.OK, option, scores, sample=record)
        report = metric.evaluate([answer])
        assert report.metrics["ACC"].value == (100.0 if option in SENTENCES[0] else 0.0)
