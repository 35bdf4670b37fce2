"""What holds of every corruption: severities, sizes, kinds of files, seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from method.corrupting import KINDS, SAME_SIZE, made, names, scene

from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.method import METHODS
from chef.method.corruptions import digital, noise, weather
from chef.method.corruptions.base import Corruption
from chef.method.sequences import ImageSequence
from chef.types import Sample

#: Sides of images that are easily forgotten, height and width.
EDGES = [(1, 1), (500, 1), (1, 500), (2, 3), (3, 2), (17, 5)]


# All of them.


#: Severities whose tables do not rise in this distance: saturation goes down and then up; glass
#: moves pixels less before it moves them twice; frost trades the image for its texture; spatter
#: turns from water to mud; the elastic transform trades the affine map for the field.
UNORDERED = {
    digital.Saturate, noise.GlassBlur, weather.Frost, weather.Spatter, digital.ElasticTransform,
}  # fmt: skip


@pytest.mark.parametrize("kind", SAME_SIZE, ids=lambda kind: kind.title)
def test_severity_orders_the_distance(kind: type[Corruption]) -> None:
    pixels = scene()
    far = [
        np.mean([((made(kind, pixels, severity, seed) - pixels) ** 2).mean() for seed in range(6)])
        for severity in range(1, 6)
    ]
    assert min(far) > 0
    if kind not in UNORDERED:
        assert far == sorted(far)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)
@pytest.mark.parametrize("size", EDGES, ids=str)
def test_edge_sizes(kind: type[Corruption], size: tuple[int, int]) -> None:
    for severity in range(1, 6):
        for level in (0, 255, None):
            pixels = scene(*size) if level is None else np.full((*size, 3), level, np.uint8)
            pixels.flags.writeable = False
            shown = kind.corrupted(pixels, kind.levels[severity - 1], np.random.default_rng(1))
            assert shown.dtype == np.uint8
            assert shown.shape[2] == 3
            assert min(shown.shape) >= 1
            if kind in SAME_SIZE:
                assert shown.shape == pixels.shape


def test_a_photo_of_six_megapixels() -> None:
    """Two of the fast ones; `benchmarks/suite.py --large` has them all."""
    pixels = np.zeros((2000, 3000, 3), np.uint8)
    pixels[::2] = 255
    for kind in (digital.Pixelate, weather.Frost):
        assert made_of(kind, pixels).shape == pixels.shape
    assert made_of(digital.ResizeX, pixels).shape in {(2000, 2700, 3), (2000, 3300, 3)}


def made_of(kind: type[Corruption], pixels: Any) -> Any:
    return kind.corrupted(pixels, kind.levels[0], np.random.default_rng(0))


def stored(mode: str, folder: Path) -> Image:
    """The scene in a file of a mode."""
    picture = PIL.Image.fromarray(scene(24, 32))
    path = folder / f"{mode.replace(';', '')}.png"
    if mode == "animated":
        frames = [picture, picture.rotate(180)]
        frames[0].save(path := path.with_suffix(".gif"), save_all=True, append_images=frames[1:])
    elif mode == "I;16":
        PIL.Image.fromarray(scene(24, 32)[..., 0].astype(np.uint16) * 257).save(path)
    else:
        picture.convert(mode).save(path)
    return Image(path)


@pytest.mark.parametrize("mode", ["RGBA", "L", "P", "I;16", "animated", "1", "LA"])
@pytest.mark.parametrize("name", ["gaussian-noise", "snow", "rotate", "chef-image-corruptions"])
def test_every_kind_of_file(mode: str, name: str, tmp_path: Path) -> None:
    sample = Sample("7", images=(stored(mode, tmp_path),))
    (image,) = METHODS.get(name)(name).transform(sample).images
    assert image.view().mode == "RGB"
    assert image.digest != sample.images[0].digest


@pytest.mark.parametrize("name", [*(names()[kind] for kind in KINDS), "chef-image-corruptions"])
def test_nothing_but_keys_and_sample_decides(name: str) -> None:
    """Neither the order of samples nor what was made before; other seeds make other images."""
    image = Image(PIL.Image.fromarray(scene()))
    samples = [Sample(str(number), images=(image, image)) for number in range(4)]

    def digests(order: list[int], **keys: Any) -> dict[tuple[int, int], str]:
        method = METHODS.get(name)(name, **keys)
        return {
            (number, place): method.transform(samples[number]).images[place].digest
            for number in order
            for place in (0, 1)
        }

    first = digests([0, 1, 2, 3])
    assert first == digests([3, 1, 0, 2])
    kind = METHODS.get(name)
    is_random = "nothing is drawn" not in (kind.__doc__ or "")
    assert (len(set(first.values())) > 1) == is_random
    assert (first != digests([0, 1, 2, 3], seed=1)) == is_random


def test_the_sequence_is_one_of_each_group_and_all_of_geometry() -> None:
    method = ImageSequence("chef-image-corruptions")
    image = Image(PIL.Image.fromarray(scene(40, 50)))
    seen = [set() for _ in ImageSequence.groups]  # type: ignore[var-annotated]
    severities = []
    for number in range(150):
        sample = Sample(str(number), images=(image,))
        steps = method.steps(sample)
        assert len(steps) == 8
        for place, step in enumerate(steps):
            assert step.kind in ImageSequence.groups[place]
            seen[place].add(step.kind)
            severities.append(step.severity)
        if number == 0:
            wanted = np.asarray(image.view())
            rng = method.stream(sample, 0)
            wanted = method.run(wanted, rng)[0]
            shown = np.asarray(method.transform(sample).images[0].view())
            np.testing.assert_array_equal(shown, wanted)
    assert [len(kinds) for kinds in seen] == [len(group) for group in ImageSequence.groups]
    counts = np.bincount(severities, minlength=6)[1:]
    assert (abs(counts - 240) < 70).all(), "five standard deviations"
    assert {"corruption_type", "severity"} == set(steps[0].to_json())


def test_one_that_fails_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no such thing")

    for kind in ImageSequence.groups[0][1:]:
        monkeypatch.setattr(kind, "corrupted", staticmethod(fails))
    method = ImageSequence("chef-image-corruptions")
    image = Image(PIL.Image.fromarray(scene(20, 20)))
    for number in range(8):
        steps = method.steps(Sample(str(number), images=(image,)))
        assert steps[0].kind is noise.GaussianNoise
        assert len(steps) == 8


@pytest.mark.parametrize("severity", [0, 6, -1])
def test_there_is_no_such_severity(severity: int) -> None:
    with pytest.raises(ConfigError, match=f"severity is {severity}") as caught:
        METHODS.get("fog")("fog", severity=severity)  # type: ignore[call-arg]
    assert caught.value.where == "method_cfg.fog.severity"


def test_a_sample_without_images_is_its_own_error() -> None:
    with pytest.raises(SampleError, match="has none"):
        METHODS.get("fog")("fog").transform(Sample("1", question="?"))
