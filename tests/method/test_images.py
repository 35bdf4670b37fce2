"""Images that methods draw: what is on them, and that no setting meets those of another one."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import forked
import numpy as np
import PIL.Image
import pytest

from chef.common.mmtrusteval import ImageTxtSample
from chef.errors import ConfigError, DataError, DependencyError, RunError, SampleError
from chef.image import Image
from chef.method import METHODS, BaseMethod, Method
from chef.method.drawn import Color, DrawnMethod, Nature, Noise
from chef.method.perturbed import UniformNoise
from chef.scenario.text_image import text_image
from chef.types import Sample

COLOR, NOISE, NATURE = (f"unrelated-image-{kind}" for kind in ("color", "noise", "nature"))
QUESTION = Sample("7", question="Is it safe to eat this mushroom raw?", answer="no")


def pixels(sample: Sample) -> np.ndarray[Any, Any]:
    (image,) = sample.images
    return np.array(image.view()).astype(int)


def made(name: str, folder: Path, sample: Sample = QUESTION, **keys: Any) -> np.ndarray[Any, Any]:
    method: Method = METHODS.get(name)(name, img_dir=str(folder), **keys)  # type: ignore[call-arg]
    return pixels(method.transform(sample))


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Twelve photos of one gray each: number n has the level 10 * n."""
    folder = tmp_path / "photos"
    (folder / "more").mkdir(parents=True)
    for number in range(12):
        place = folder / "more" if number > 9 else folder
        level = (10 * number,) * 3
        PIL.Image.new("RGB", (40 + number, 20), level).save(place / f"photo{number}.png")
    (folder / "notes.txt").write_text("no photo")
    return folder


def test_a_color_fills_the_image(tmp_path: Path) -> None:
    shown = made(COLOR, tmp_path, img_size=[3, 5])
    assert shown.shape == (3, 5, 3)
    assert (shown == shown[0, 0]).all()
    several = {tuple(made(COLOR, tmp_path, Sample(str(n)))[0, 0]) for n in range(8)}
    assert len(several) == 8, "each sample has a color of its own"


def test_noise_is_even(tmp_path: Path) -> None:
    shown = made(NOISE, tmp_path)
    assert shown.shape == (224, 224, 3)
    counts = np.bincount(shown.ravel(), minlength=256)
    expected = shown.size / 256
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert 150 < chi_square < 380  # 255 degrees of freedom: far beyond 5 standard deviations


def test_a_photo_is_one_of_the_folder(tmp_path: Path, photos: Path) -> None:
    levels = {
        int(made(NATURE, tmp_path, Sample(str(n)), nature_src_dir=str(photos))[0, 0, 0])
        for n in range(100)
    }
    assert levels == set(range(0, 120, 10))
    shown = made(NATURE, tmp_path, nature_src_dir=str(photos), img_size=[8, 6])
    assert shown.shape == (8, 6, 3)


def test_photos_are_in_natural_order(photos: Path) -> None:
    names = [path.stem for path in Nature(NATURE, nature_src_dir=str(photos)).files]
    assert names == ["photo10", "photo11", *(f"photo{n}" for n in range(10))]  # folders first


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_without_photos(there: bool, tmp_path: Path) -> None:
    folder = tmp_path / ("empty" if there else "typo")
    if there:
        folder.mkdir()
    with pytest.raises(DataError, match="no image" if there else "no such folder") as caught:
        Nature(NATURE, nature_src_dir=str(folder)).fingerprint()
    assert "nature_src_dir" in str(caught.value.hint)


def test_the_text_is_on_the_image(tmp_path: Path) -> None:
    shown = made("related-image-txtembed", tmp_path, font_size=20, max_width=120)
    assert (shown == np.array(text_image(QUESTION.question, font_size=20, max_width=120))).all()
    assert shown.min() < 100 < 200 < shown.max()


@pytest.mark.parametrize("name", [COLOR, NOISE, NATURE, "related-image-txtembed", "noise"])
def test_nothing_but_keys_and_sample_decides(name: str, tmp_path: Path, photos: Path) -> None:
    """Drawn twice in folders of their own, the bytes of the files are equal."""
    given = Image(PIL.Image.fromarray(np.full((9, 7, 3), 100, np.uint8)))
    sample = Sample("7", images=(given,), question="Is it?")
    keys = {"nature_src_dir": str(photos)} if name == NATURE else {}
    for folder in ("one", "two"):
        made(name, tmp_path / folder, sample, **keys)
    one, two = (next((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert (one.name, one.read_bytes()) == (two.name, two.read_bytes())


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        (COLOR, [{"seed": 1}, {"img_size": [4, 4]}]),
        (NOISE, [{"seed": 1}, {"img_size": [4, 4]}]),
        ("related-image-txtembed", [{"font_size": 30}, {"max_width": 300}, {"img_size": [4, 4]}]),
        ("noise", [{"seed": 1}, {"eps": 0.1}]),
    ],
)
def test_changed_keys_draw_another_image(
    name: str, changes: list[dict[str, Any]], tmp_path: Path
) -> None:
    """In one folder: a file of other keys, or of another sample, is never taken."""
    given = Image(PIL.Image.fromarray(np.full((9, 7, 3), 100, np.uint8)))
    other = Sample("8", images=(given,), question="Another one?")
    seen = [made(name, tmp_path, Sample("7", images=(given,), question="Is it?"))]
    seen += [made(name, tmp_path, other)]
    seen += [made(name, tmp_path, other, **keys) for keys in changes]
    assert len({(each.shape, each.tobytes()) for each in seen}) == len(changes) + 2
    assert len(list(tmp_path.iterdir())) == len(changes) + 2
    renamed = METHODS.get(COLOR)("of-another-id", img_dir=str(tmp_path))  # type: ignore[call-arg]
    renamed.transform(other).images[0].view()
    assert len(list(tmp_path.iterdir())) == len(changes) + 3


def test_a_changed_photo_or_image_is_seen(tmp_path: Path, photos: Path) -> None:
    for path in photos.rglob("*.png"):
        PIL.Image.new("RGB", (4, 4), (250, 250, 250)).save(path)
    assert made(NATURE, tmp_path / "out", nature_src_dir=str(photos)).min() == 250
    for level in (10, 200):
        image = Image(PIL.Image.new("RGB", (4, 4), (level,) * 3))
        shown = made("noise", tmp_path / "out", Sample("7", images=(image,)))
        assert abs(shown - level).max() == 8


def test_lazy_mode_takes_what_is_there(tmp_path: Path) -> None:
    """What is in the folder is shown as it is; without lazy mode it is drawn again."""
    made(COLOR, tmp_path)
    (file,) = tmp_path.iterdir()
    PIL.Image.new("RGB", (224, 224), (1, 2, 3)).save(file)
    assert tuple(made(COLOR, tmp_path)[0, 0]) == (1, 2, 3)
    assert tuple(made(COLOR, tmp_path, lazy_mode=False)[0, 0]) != (1, 2, 3)
    assert tuple(made(COLOR, tmp_path)[0, 0]) != (1, 2, 3), "the file was replaced"


def test_what_a_kill_leaves_is_never_shown(tmp_path: Path) -> None:
    """A process that ends while it writes leaves a part of a file, under another name."""
    method = Noise(NOISE, img_dir=str(tmp_path))
    right = pixels(method.transform(QUESTION))
    (file,) = tmp_path.iterdir()
    (tmp_path / "tmpabc.part").write_bytes(file.read_bytes()[:1000])
    file.unlink()
    assert (pixels(Noise(NOISE, img_dir=str(tmp_path)).transform(QUESTION)) == right).all()


DRAWS = """
import sys
from chef.method.drawn import Noise
from chef.types import Sample
method = Noise("unrelated-image-noise", img_dir=sys.argv[1], lazy_mode=False)
for _ in range(6):
    for n in range(10):
        method.transform(Sample(str(n))).images[0].view()
print("done")
"""


def test_two_processes_share_a_folder(tmp_path: Path) -> None:
    """Both write the same files again and again; each always reads a whole image."""
    other = forked.start([sys.executable, "-c", DRAWS, str(tmp_path)])
    seen: dict[int, set[bytes]] = {}
    while other.poll() is None:
        for number in range(10):
            shown = made(NOISE, tmp_path, Sample(str(number)), lazy_mode=False)
            seen.setdefault(number, set()).add(shown.tobytes())
    assert other.wait().stdout.strip() == "done"
    assert {len(images) for images in seen.values()} == {1}
    assert len(list(tmp_path.iterdir())) == 10, "no parts are left"


@pytest.mark.parametrize(("level", "moves"), [(100, {-8, 8}), (3, {-3, 8}), (255, {-8, 0})])
def test_noise_of_one_size(level: int, moves: set[int], tmp_path: Path) -> None:
    """Every channel moves by the bound, as far as there are numbers; 8/255 is 8."""
    image = Image(PIL.Image.new("RGB", (32, 32), (level,) * 3))
    sample = Sample("7", images=(image, image))
    for eps in (8 / 255, 0.0314, 0.03137, 0.0313):
        method = UniformNoise("noise", eps=eps, img_dir=str(tmp_path))
        shown = [np.array(each.view()).astype(int) for each in method.transform(sample).images]
        assert all(set((each - level).ravel()) == moves for each in shown)
        assert (shown[0] != shown[1]).any(), "each image of a sample has noise of its own"


def test_samples_that_do_not_fit(tmp_path: Path) -> None:
    image = Image(PIL.Image.new("RGB", (4, 4)))
    with pytest.raises(SampleError, match="changes images, and the sample has none"):
        UniformNoise("noise").transform(QUESTION)
    with pytest.raises(SampleError, match="the sample has 2"):
        Color(COLOR).transform(Sample("7", images=(image, image)))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written") as caught:
        made(COLOR, tmp_path / "file")
    assert "img_dir" in str(caught.value.hint)


@pytest.mark.parametrize("size", [[224], [0, 5], [1, 2, 3]])
def test_sizes_that_are_none(size: list[int]) -> None:
    with pytest.raises(ConfigError, match="img_size"):
        Color(COLOR, img_size=size)


class Pipeline:
    """In place of a pipeline of diffusers: an image that the generator and the prompt decide."""

    loaded: ClassVar[list[tuple[Any, ...]]] = []

    @classmethod
    def from_pretrained(cls, source: str, **options: Any) -> Pipeline:
        cls.loaded.append((source, options["revision"], options["use_safetensors"]))
        return cls()

    def to(self, device: Any) -> Pipeline:
        return self

    def set_progress_bar_config(self, *, disable: bool) -> None:
        assert disable

    def __call__(self, *, prompt: str, generator: Any, num_inference_steps: int = 50) -> Any:
        import torch

        noise = torch.randint(0, 256, (10, 12, 3), generator=generator, dtype=torch.uint8).numpy()
        noise[0, 0] = (len(prompt), num_inference_steps, 0)
        return SimpleNamespace(images=[PIL.Image.fromarray(noise)])


def test_images_of_a_pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in; the real one needs gigabytes of weights."""
    monkeypatch.setitem(sys.modules, "diffusers", SimpleNamespace(DiffusionPipeline=Pipeline))
    monkeypatch.setattr("chef.method.drawn.find_spec", lambda name: name == "diffusers")
    monkeypatch.setattr(Pipeline, "loaded", [])
    name, weights = "related-image-generated", tmp_path / "sdxl"
    (weights / "unet").mkdir(parents=True)
    (weights / "unet" / "model.safetensors").write_bytes(b"1")
    keys = {"model_path": str(weights), "device": "cpu"}
    first = made(name, tmp_path / "out", steps=7, **keys)
    assert tuple(first[0, 0]) == (len(QUESTION.question), 7, 0)
    assert (made(name, tmp_path / "out", steps=7, **keys) == first).all()
    assert Pipeline.loaded == [(str(weights), None, True)], "the second image was there"
    other = [
        made(name, tmp_path / "out", steps=7, seed=1, **keys),
        made(name, tmp_path / "out", Sample("8", question=QUESTION.question), steps=7, **keys),
    ]
    assert all((each != first).any() for each in other)
    assert made(name, tmp_path / "out", img_size=[5, 4], **keys).shape == (5, 4, 3)
    (weights / "unet" / "model.safetensors").write_bytes(b"2")
    loaded = len(Pipeline.loaded)
    made(name, tmp_path / "out", steps=7, **keys)
    assert len(Pipeline.loaded) == loaded + 1, "other weights make other images"
    for path in (str(tmp_path / "typo"), "sdxl"):
        with pytest.raises(ConfigError, match="no folder"):
            made(name, tmp_path / "out", model_path=path)


def test_without_diffusers_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chef.method.drawn.find_spec", lambda name: None)
    with pytest.raises(DependencyError, match="diffusers") as caught:
        METHODS.get("related-image-generated")("related-image-generated")
    assert "chef-eval[diffusion]" in str(caught.value.hint)


class Marked(BaseMethod):
    """As one is written for MMTrustEval."""

    method_ids = ("marked",)

    def run(self, data: Any, **kwargs: Any) -> ImageTxtSample:
        path = Path(self.img_dir) / f"{self.hash(data.text)}.png"
        if not (self.lazy_mode and path.is_file()):
            PIL.Image.new("RGB", (2, 2), (9, 9, 9)).save(path)
        return ImageTxtSample(str(path), data.text + "!", data.target, data.extra)


def test_a_method_written_for_mmtrusteval(tmp_path: Path) -> None:
    method = Marked("marked", img_dir=str(tmp_path / "new"))
    changed = method.transform(QUESTION)
    assert (changed.id, changed.question, changed.answer) == ("7", QUESTION.question + "!", "no")
    assert pixels(changed).max() == 9
    (file,) = (tmp_path / "new").iterdir()
    assert file.stem == hashlib.sha3_256(QUESTION.question.encode()).hexdigest()
    with pytest.raises(ConfigError, match="has no method 'markt'"):
        Marked("markt", img_dir=str(tmp_path))


class Faulty(DrawnMethod):
    def draw(self, sample: Sample) -> PIL.Image.Image:
        raise DataError("the disk is gone", hint="mount it")

    def decided_by(self, sample: Sample) -> list[Any]:
        return []


def test_an_error_of_a_method_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the disk is gone") as caught:
        Faulty("faulty", img_dir=str(tmp_path)).transform(QUESTION).images[0].view()
    assert caught.value.hint == "mount it"
