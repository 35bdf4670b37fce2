"""Flickr30k: captions of other images as wrong options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chef.errors import ConfigError, SampleError
from chef.scenario.flickr30k import Captions, Flickr30k
from chef.scenario.lamm import Flickr30kLamm
from chef.scenario.upstream.chef import Flickr30k as UpstreamFlickr30k
from chef.scenario.upstream.chef import first_removed

COLORS = ("red", "blue", "green", "orange", "purple", "yellow")
SHAPES = ("star", "circle", "cross", "square")
#: The captions of an image are about one thing; the next image is about another shape.
RECORDS = [
    {
        "image": f"{color}{shape}.jpg",
        "sentences": [
            f"The image shows a {color} {shape}.",
            f"There is a {color} {shape}.",
            f"A picture of a {color} {shape}.",
            f"A drawing with a {color} {shape}.",
            "A picture.",
        ],
        "query": "What is this?",
    }
    for color in COLORS
    for shape in SHAPES
]


def scenario(
    root: Path, records: list[dict] = RECORDS, kind: type[Flickr30k] = Flickr30k, **keys: object
) -> Flickr30k:
    file = root / "meta_file" / "Caption_flickr30k.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(records))
    return kind(base_data_path=str(root), **keys)


def test_without_options(tmp_path: Path) -> None:
    sample = scenario(tmp_path)[2]
    assert (sample.options, sample.question) == ((), "")
    assert sample.answer == RECORDS[2]["sentences"]
    asked = Flickr30kLamm(base_data_path=str(tmp_path))
    assert asked[2].question == "What is this?"
    assert asked[2].answer == sample.answer
    assert asked.system_message


@pytest.mark.parametrize("strategy", ["random", "top_similarity"])
def test_the_right_caption_is_the_last(strategy: str, tmp_path: Path) -> None:
    keys = {"strategy": strategy, "model_path": "embedded", "negative_opt_num": 4}
    data = scenario(tmp_path, ppl_cfg=keys)
    for index in range(len(data)):
        sample = data[index]
        own = RECORDS[index]["sentences"]
        assert len(set(sample.options)) == len(sample.options) == 5
        assert sample.fields["gt_choice"] == 4
        assert sample.options[4] in own
        # "A picture." is a caption of every image: never a wrong one
        assert not set(sample.options[:4]) & set(own)


def test_only_options_are_guessed(tmp_path: Path) -> None:
    found = [
        scenario(tmp_path, ppl_cfg=keys).random_accuracy
        for keys in (None, {}, {"negative_opt_num": 9}, {"strategy": "top_p"})
    ]
    assert found == [None, 0.25, 0.1, 0.5]


def test_alike_captions_are_chosen(tmp_path: Path) -> None:
    data = scenario(tmp_path, ppl_cfg={"strategy": "top_similarity", "model_path": "embedded"})
    shares = []
    for index in range(len(data)):
        sample = data[index]
        if sample.options[-1] != "A picture.":
            color, shape = sample.images[0].name, sample.options[-1].split()[-1]
            shares.append(sum(shape in o or o.split()[-2] in color for o in sample.options[:3]) / 3)
    assert sum(shares) / len(shares) > 0.9


def test_top_p_has_five_of_each(tmp_path: Path) -> None:
    data = scenario(tmp_path, ppl_cfg={"strategy": "top_p", "model_path": "embedded"})
    sample = data[3]
    assert list(sample.options[:5]) == sample.answer
    assert sample.fields["gt_choice"] == [0, 1, 2, 3, 4]
    assert len(sample.options) == 10
    assert len(set(sample.options)) == 10


def test_options_depend_on_seed_and_sample_alone(tmp_path: Path) -> None:
    first, again = (scenario(tmp_path, ppl_cfg={"random_seed": 1}) for _ in range(2))
    assert first[7].options == again[7].options
    assert first[7].options != scenario(tmp_path, ppl_cfg={})[7].options


def test_chef_s_own_stream_ignores_the_seed(tmp_path: Path) -> None:
    first = scenario(tmp_path, kind=UpstreamFlickr30k, ppl_cfg={"random_seed": 1})
    again = scenario(tmp_path, kind=UpstreamFlickr30k, ppl_cfg={})
    assert first[20].options == again[20].options
    assert first[0].options == again[0].options
    assert first[0].options[:3] != first[1].options[:3]
    keys = {"strategy": "top_similarity", "model_path": "embedded"}
    alike = scenario(tmp_path, kind=UpstreamFlickr30k, ppl_cfg=keys)[0]
    assert alike.options[-1] in alike.answer


def test_few_captions_are_all_used(tmp_path: Path) -> None:
    data = scenario(tmp_path, RECORDS[:2], ppl_cfg={"negative_opt_num": 10})
    assert len(data[0].options) == 5  # four others that are not "A picture.", and the right one


@pytest.mark.parametrize("kind", [Flickr30k, UpstreamFlickr30k])
def test_a_record_without_captions_costs_itself_alone(
    kind: type[Flickr30k], tmp_path: Path
) -> None:
    bad = [{"image": "1.jpg", "query": ""}, {"image": "1.jpg", "sentences": "one"}]
    data = scenario(tmp_path, [*RECORDS[:4], *bad], kind, ppl_cfg={})
    assert len(data[0].options) == 4
    for index, words in ((4, "sentences"), (5, "not a list")):
        with pytest.raises(SampleError, match=words):
            _ = data[index]


def test_removed_are_first_matches() -> None:
    assert first_removed(["a", "b", "a", "c"], ["a", "c"]) == [1, 2]


def test_a_draw_takes_as_long_as_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pass over all captions for a sample: 31 000 images would take hours."""
    captions = Captions([[f"{image} {n}" for n in range(5)] for image in range(2000)], "embedded")
    drawn = []

    class Counting:
        def sample(self, population: range, number: int) -> list[int]:
            drawn.append(number)
            return list(population[:number])

    assert len(captions.others(7, 3, Counting())) == 3
    assert drawn == [32]


@pytest.mark.parametrize(
    "keys", [{"strategy": "nearest"}, {"negative_opt_num": 0}, {"heatmap_width": 2}]
)
def test_bad_keys(keys: dict, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="ppl_cfg"):
        scenario(tmp_path, ppl_cfg=keys)


def test_the_encoder_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    drawn = scenario(tmp_path, ppl_cfg={}).fingerprint()
    keys = {"strategy": "top_p", "model_path": "embedded"}
    assert scenario(tmp_path, ppl_cfg=keys).fingerprint().startswith(f"{drawn} ")
