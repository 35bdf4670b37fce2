"""No retriever shows a query its own answer, and none lets other queries sway its choice."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fakes import Hashing
from instruction.test_retrievers import Pictures, ready

from chef.config import load_recipe
from chef.engine.engine import Engine, Job
from chef.evaluator import Evaluator, RunOptions
from chef.image import Image
from chef.instruction import RETRIEVERS
from chef.instruction.retriever import Retriever, base
from chef.run.folder import RunFolder
from chef.scenario import Scenario
from chef.scenario.shapes.scenario import Shapes
from chef.session.runners import LocalRunner
from chef.types import Sample, Status

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

KINDS = tuple(RETRIEVERS)
#: The same pixels, stored in another way.
FORMS: dict[str, Callable[[Pixels], bytes]] = {
    "png": lambda pixels: stored(pixels, "PNG"),
    "bmp": lambda pixels: stored(pixels, "BMP"),
    "tiff": lambda pixels: stored(pixels, "TIFF", compression="tiff_lzw"),
    "webp": lambda pixels: stored(pixels, "WEBP", lossless=True),
    "palette": lambda pixels: stored(pixels.quantize(256, dither=0), "PNG"),
    "opaque": lambda pixels: stored(pixels.convert("RGBA"), "PNG"),
    "turned": lambda pixels: stored(pixels.rotate(90, expand=True), "PNG", exif=turned()),
}


def stored(pixels: Pixels, form: str, **options: object) -> bytes:
    stream = io.BytesIO()
    pixels.save(stream, form, **options)
    return stream.getvalue()


def turned() -> object:
    """The mark of a camera that was held on its side: turn by 90 degrees to see it upright."""
    from PIL.Image import Exif

    exif = Exif()
    exif[0x0112] = 6
    return exif


def few_colors(scene: Pixels) -> Pixels:
    """The picture with so few colours that a palette holds it exactly."""
    return scene.quantize(64, dither=0).convert("RGB")


def samples(folder: Path) -> Iterator[Sample]:
    """Five questions in every disguise: another file, beside another image, rotated."""
    drawn = Shapes(task="mcq", split="pool", size=10)
    for number in range(5):
        source, group = drawn[number], {"circular_group": str(number)}
        pixels, other = (few_colors(drawn[n].images[0].load()) for n in (number, number + 5))
        for form, write in FORMS.items():
            shown = Image(write(pixels))
            yield Sample(f"{number} {form}", (shown,), source.question, answer=form)
        (folder / f"{number}.bmp").write_bytes(stored(pixels, "BMP"))
        shown = Image(folder / f"{number}.bmp")
        yield Sample(f"{number} file", (shown,), source.question, answer="file")
        both = (Image(stored(other, "PNG")), Image(stored(pixels, "PNG")))
        yield Sample(f"{number} beside", both, source.question, answer="beside")
        for turn in range(4):
            # The pixels differ by one, as those of a picture compressed again would.
            changed = pixels.copy()
            changed.putpixel((0, 0), (turn, 0, 0))
            shown = Image(stored(changed, "PNG"))
            asked = f"{source.question} {'ABCD'[turn]}"
            yield Sample(f"{number} rotated {turn}", (shown,), asked, answer="A", fields=group)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    everything = list(samples(tmp_path_factory.mktemp("leaks")))
    random.Random(0).shuffle(everything)
    return Pictures(everything)


@pytest.fixture(scope="module")
def prepared(crowd: Scenario) -> Callable[[str, int], Retriever]:
    """A retriever by kind and seed, which looks at the examples once for all tests."""
    return cache(lambda kind, seed: ready(kind, crowd, ice_num=5, random_seed=seed))


def queries(crowd: Scenario) -> Iterator[Sample]:
    for index in range(len(crowd)):
        if crowd.sample_id(index).split(" ")[1] in ("png", "turned", "rotated", "beside"):
            yield crowd[index]


def same_question(name: str, other: str) -> bool:
    """Whether one gives the other away: ids begin with the number of what is asked."""
    number, kind, *_ = name.split(" ")
    other_number, other_kind, *_ = other.split(" ")
    rotations = (kind == "rotated") + (other_kind == "rotated")
    return number == other_number and rotations != 1


@pytest.mark.parametrize("kind", KINDS)
def test_no_retriever_shows_the_query_in_any_disguise(
    kind: str, crowd: Scenario, prepared: Callable[[str, int], Retriever]
) -> None:
    for seed in range(1 if kind.startswith("topk") else 10):
        retriever = prepared(kind, seed)
        for query in queries(crowd):
            for example in retriever.retrieve(query):
                assert not same_question(query.id, example.id), (query.id, example.id)


@pytest.mark.parametrize("kind", KINDS)
def test_without_the_guard_they_would(
    kind: str,
    crowd: Scenario,
    prepared: Callable[[str, int], Retriever],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Else the test above could pass because nothing ever leaks.
    monkeypatch.setattr(base, "leaks", lambda example, query: False)
    retriever = prepared(kind, 0)
    shown = [
        (query.id, found.id) for query in queries(crowd) for found in retriever.retrieve(query)
    ]
    leaks = sum(same_question(*pair) for pair in shown)
    assert leaks > (len(shown) // 2 if kind.startswith("topk") else 0)


RECIPE = """\
scenario_cfg: {{dataset_name: Shapes, task: yesno, size: 24}}
eval_cfg:
  instruction_cfg:
    incontext_cfg: {{retriever_type: {kind}, ice_num: 2, random_seed: 1}}
  inferencer_cfg: {{inferencer_type: PPL}}
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("small_pool")
def test_a_runs_examples_depend_on_neither_batch_nor_order(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.format(kind=kind))
    recipe = load_recipe(path)

    def run(batch_size: int, sample_len: int | None = None) -> dict[str, list[str]]:
        evaluator = Evaluator(recipe, RunOptions(sample_len=sample_len, batch_size=batch_size))
        with RunFolder(tmp_path / f"{batch_size} {sample_len}", {}) as folder:
            evaluator.evaluate(model := Hashing(), folder, LocalRunner(model))
            return {name: item.trace["ices"] for name, item in folder.finished.items()}

    def shuffled(batch_size: int, seed: int) -> dict[str, list[str]]:
        evaluator = Evaluator(recipe)  # its queries are not announced
        scenario = evaluator.scenario
        jobs = [Job(scenario.sample_id(n), lambda n=n: scenario[n]) for n in range(len(scenario))]
        random.Random(seed).shuffle(jobs)
        done = list(Engine(Hashing(), evaluator.inferencer, batch_size).run(jobs))
        assert all(item.status is Status.OK for item in done)
        return {item.sample_id: item.trace["ices"] for item in done}

    expected = run(1)
    assert len(expected) == 24
    assert run(7) == expected == shuffled(5, 1) == shuffled(1, 2)
    some = run(3, 6)
    assert len(some) == 6
    assert some.items() <= expected.items()
