"""Retrieval by likeness: the nearest is the nearest, whatever is asked together."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from fakes import Hashing
from instruction.encoders import encoder_of, mean_color, picture, sample, save_clip
from instruction.test_retrievers import Pictures

from chef.config import load_recipe
from chef.embedding import cache as embedding_cache
from chef.embedding.neighbours import IndexKind, Neighbours, embed
from chef.errors import ConfigError, SampleError
from chef.evaluator import Evaluator, RunOptions
from chef.image import Image
from chef.instruction.retriever import ExamplePool
from chef.instruction.retriever.nearest import Nearest, TopkImg, TopkText
from chef.run.folder import RunFolder
from chef.session.runners import LocalRunner
from chef.types import Sample


def by_color(samples: Sequence[Sample], ice_num: int = 2, **options: object) -> TopkImg:
    retriever = TopkImg(ice_num=ice_num)
    retriever.encoder = encoder_of(mean_color, **options)
    retriever.prepare(ExamplePool(Pictures(samples)))
    return retriever


def by_words(samples: Sequence[Sample], ice_num: int = 2) -> TopkText:
    def count(text: str) -> list[float]:
        return [1 + text.count(word) for word in ("red", "green", "star", "?")]

    retriever = TopkText(ice_num=ice_num)
    retriever.encoder = encoder_of(count)
    retriever.prepare(ExamplePool(Pictures(samples)))
    return retriever


def names(retriever: Nearest, query: Sample) -> list[str]:
    return [example.id for example in retriever.retrieve(query)]


COLORS = [
    sample("red", picture(255, 0, 0)),
    sample("orange", picture(255, 140, 0)),
    sample("green", picture(0, 200, 0)),
    sample("blue", picture(0, 0, 255)),
    sample("violet", picture(140, 0, 255)),
]


def test_the_nearest_image_comes_first() -> None:
    retriever = by_color(COLORS)
    assert names(retriever, sample("q", picture(230, 20, 0))) == ["red", "orange"]
    assert names(retriever, sample("q", picture(20, 20, 240))) == ["blue", "violet"]
    assert names(by_color(COLORS, 4), sample("q", picture(255, 90, 0))) == [
        "orange", "red", "violet", "green",
    ]  # fmt: skip


def test_brightness_of_a_vector_does_not_count() -> None:
    # By inner product alone the bright grey would win for every query.
    pool = [sample("bright grey", picture(255, 255, 255)), sample("dark red", picture(60, 0, 0))]
    pool.append(sample("other", picture(0, 0, 200)))
    assert names(by_color(pool, 1), sample("q", picture(250, 10, 10))) == ["dark red"]


def test_of_several_images_the_mean_counts() -> None:
    pool = [*COLORS, sample("red and blue", picture(255, 0, 0), picture(0, 0, 255))]
    query = sample("q", picture(128, 0, 128))
    assert names(by_color(pool, 1), query) == ["red and blue"]


@pytest.mark.parametrize("kind", ["topk_img", "topk_text"])
def test_the_query_in_any_disguise_is_never_an_example(kind: str, tmp_path: Path) -> None:
    stored = tmp_path / "stored.bmp"
    stored.write_bytes(picture(255, 0, 0, form="BMP"))
    red = picture(255, 0, 0)
    pool = [
        sample("q", red, question="red star?"),
        sample("same file", red, question="red star?"),
        sample("re-encoded", picture(255, 0, 0, form="TIFF"), question="red star?"),
        sample("stored", stored, question="red star?"),
        sample("beside another", picture(9, 9, 9), red, question="red star?"),
        sample("rotated", picture(254, 0, 0), question="red star?", group="7"),
        sample("allowed", picture(250, 60, 0), question="star red?", group="8"),
        sample("far", picture(0, 0, 255), question="green green"),
    ]
    retriever = (by_color if kind == "topk_img" else by_words)(pool, 2)
    query = sample("q", red, question="red star?", group="7")
    assert names(retriever, query) == ["allowed", "far"]
    retriever.ice_num = 3
    with pytest.raises(SampleError, match="only 2 samples of the pool may serve"):
        retriever.retrieve(query)


def test_more_leaks_than_spare_neighbours() -> None:
    leaks = [sample(f"l{n}", picture(255, n % 7, n // 7), group="7") for n in range(49)]
    pool = [*leaks, sample("far", picture(0, 255, 0)), sample("farther", picture(0, 0, 255))]
    random.Random(0).shuffle(pool)
    found = names(by_color(pool), sample("q", picture(255, 10, 0), group="7"))
    assert found == ["far", "farther"]


def test_ties_are_broken_by_position() -> None:
    pool = [sample(f"s{n}", picture(n, 0, 0), question="red star?") for n in range(60)]
    assert names(by_words(pool, 5), sample("q", question="red star?")) == [
        "s0", "s1", "s2", "s3", "s4",
    ]  # fmt: skip
    doubled = [sample(f"s{n}", question=f"red star? {n // 2}") for n in range(60)]
    assert names(by_words(doubled, 4), sample("q", question="x")) == names(
        by_words(doubled, 4), sample("q", question="y")
    )


def colorful(number: int, seed: int) -> list[Sample]:
    rng = random.Random(seed)
    return [
        sample(f"{seed}-{n}", picture(*(rng.randrange(256) for _ in range(3))))
        for n in range(number)
    ]


def test_choices_do_not_depend_on_what_is_asked_together() -> None:
    pool, queries = colorful(200, 1), colorful(60, 2)
    scenario = Pictures(queries)
    alone = by_color(pool, 3)
    expected = [names(alone, query) for query in queries]
    together = by_color(pool, 3)
    together.prefetch(scenario, range(60))
    assert [names(together, query) for query in queries] == expected
    some = by_color(pool, 3, batch_size=7)
    some.prefetch(scenario, [40, 3, 17])
    backwards = [names(some, query) for query in reversed(queries)]
    assert backwards[::-1] == expected


def test_announced_queries_are_encoded_once() -> None:
    retriever = by_color(COLORS, batch_size=1)
    asked = retriever.encoder.asked
    assert len(asked) == 5
    queries = [sample("q", picture(9, 9, 0)), sample("twin", picture(9, 9, 0)), COLORS[2]]
    retriever.prefetch(Pictures(queries), range(3))
    assert len(asked) == 6  # the twins share a vector; the third is in the pool
    for query in queries:
        retriever.retrieve(query)
    assert len(asked) == 6


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ConfigError, match="no sample of the pool has any image"):
        by_color([sample("a"), sample("b"), sample("c")])
    with pytest.raises(ConfigError, match="no sample of the pool has any question"):
        by_words([sample("a", question=" "), sample("b", question=""), sample("c", question="")])
    with pytest.raises(SampleError, match="sample 'q': has no image"):
        names(by_color(COLORS), sample("q"))
    with pytest.raises(SampleError, match="sample 'q': has no question"):
        names(by_words(COLORS), sample("q", question=""))
    with pytest.raises(ConfigError, match="batch_size is 0"):
        TopkImg(batch_size=0)
    with pytest.raises(ConfigError, match="5 examples are wanted, and the pool has 5"):
        by_color(COLORS, 5)


def test_damaged_images_serve_nobody_and_stop_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(picture(1, 2, 3)[:40])
    pool = [sample("broken", broken), sample("gone", tmp_path / "gone.png"), *COLORS]
    retriever = by_color(pool, 5)
    queries = [sample("q", picture(9, 9, 0)), sample("bad", broken)]
    retriever.prefetch(Pictures(queries), range(2))
    assert set(names(retriever, queries[0])) == {item.id for item in COLORS}
    with pytest.raises(SampleError, match=r"broken\.png"):
        retriever.retrieve(queries[1])
    assert not list(embedding_cache.cache_folder().glob("embeddings/*.part"))


RECIPE = """\
scenario_cfg: {dataset_name: Shapes, task: yesno, size: 12}
eval_cfg:
  instruction_cfg:
    incontext_cfg:
      retriever_type: topk_text
      sentence_transformers_model_name: CLIP
      tokenizer_name: gpt2-xl
      ice_num: 2
      batch_size: 8
      random_seed: 1
  inferencer_cfg: {inferencer_type: PPL}
"""


def test_a_run_records_its_examples_whatever_the_batches(tmp_path: Path) -> None:
    path = tmp_path / "topk.yaml"
    path.write_text(RECIPE.replace("CLIP", str(save_clip(tmp_path / "clip"))))
    recipe = load_recipe(path)
    assert recipe.notices == (
        "tokenizer_name: gpt2-xl -> not used, questions are encoded as they are",
    )
    chosen = []
    for number, (length, batch_size) in enumerate(((None, 1), (None, 5), (4, 3))):
        evaluator = Evaluator(recipe, RunOptions(sample_len=length, batch_size=batch_size))
        with RunFolder(tmp_path / str(number), {"run": number}) as folder:
            evaluator.evaluate(model := Hashing(), folder, LocalRunner(model))
            answers = folder.finished.values()
            record = folder.read_json("environment.json")["retriever"]
        chosen.append({answer.sample_id: answer.trace["ices"] for answer in answers})
        assert record["recall"] == 1.0
        assert record["encoder"] == str(tmp_path / "clip")
    everything, batched, some = chosen
    assert batched == everything
    assert len(some) == 4
    assert some.items() <= everything.items()
    assert all(name.startswith("yesno-pool-") for names in everything.values() for name in names)


# -- the cache --------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "embeddings"


def test_a_pool_is_embedded_once(cache: Path) -> None:
    query = sample("q", picture(230, 20, 0))
    expected = names(by_color(COLORS), query)
    (kept,) = cache.iterdir()
    again = by_color(COLORS)
    assert not again.encoder.asked
    assert names(again, query) == expected
    assert by_color(COLORS[::-1]).encoder.asked  # another order is another pool
    assert by_color(COLORS, weight=1.0).encoder.asked  # other weights are another encoder
    assert by_color(COLORS, batch_size=2).encoder.asked
    assert len(list(cache.iterdir())) == 4
    assert kept.exists()


def test_a_changed_file_is_another_pool(cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "image.bmp"
    path.write_bytes(picture(255, 0, 0, form="BMP"))
    pool = [sample("file", path), *COLORS[2:]]
    by_color(pool)
    path.write_bytes(picture(255, 0, 0, form="BMP", size=5))
    assert by_color([sample("file", path), *COLORS[2:]]).encoder.asked


@pytest.mark.parametrize("damage", ["cut", "zeros", "other", "shape", "pickle"])
def test_a_damaged_cache_is_made_anew(damage: str, cache: Path, caplog) -> None:
    expected = names(by_color(COLORS), COLORS[0])
    (path,) = cache.iterdir()
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[:-9])
    elif damage == "zeros":
        path.write_bytes(bytes(len(content)))
    elif damage == "other":
        path.write_bytes(content[:-4] + b"\xff\x00\x00\x42")
    elif damage == "shape":
        np.save(path, np.eye(3, dtype=np.float32))
    else:
        np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with caplog.at_level(logging.WARNING):
        again = by_color(COLORS)
    assert again.encoder.asked
    assert "embedded again" in caplog.text
    assert names(again, COLORS[0]) == expected
    assert path.read_bytes() == content


def test_a_cache_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch, caplog
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "file"))
    assert names(by_color(COLORS), sample("q", picture(230, 20, 0))) == ["red", "orange"]
    assert "not kept" in caplog.text


# -- the search -------------------------------------------------------------------------------


def unit(number: int, width: int = 16, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((number, width)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_the_exact_order_is_exact() -> None:
    table, queries = unit(500), unit(5, seed=1)
    index = Neighbours(table)
    for query, row in zip(queries, index.candidates(queries, 40), strict=True):
        found = list(index.order(query, row))
        scores = table.astype(np.float64) @ query.astype(np.float64)
        assert sorted(found) == list(range(500))
        assert np.all(np.diff(scores[found]) <= 1e-12)


def test_equal_vectors_come_in_order_however_many() -> None:
    table = np.repeat(unit(3), 50, axis=0)
    index = Neighbours(table)
    query = table[70]
    found = list(index.order(query, index.candidates(query[None], 10)[0]))
    assert found[:50] == list(range(50, 100))
    # FAISS may name any of them.
    assert list(index.order(query, np.array([70, 81, 55])))[:50] == list(range(50, 100))


@pytest.mark.parametrize("kind", ["ivf", "hnsw"])
def test_an_approximate_index_knows_its_recall(kind: IndexKind) -> None:
    table, queries = unit(3000), unit(50, seed=1)
    index = Neighbours(table, kind)
    assert index.recall is None
    recall = index.measure_recall(queries, 5)
    assert index.recall == recall
    truth = [set(np.argsort(-(table @ query))[:5]) for query in queries]
    found = index.candidates(queries, 5).tolist()
    hits = sum(len(set(a) & b) for a, b in zip(found, truth, strict=True))
    assert recall == pytest.approx(hits / 250)
    assert recall > 0.5
    again = Neighbours(table, kind)
    assert (again.candidates(queries, 5) == index.candidates(queries, 5)).all()
    everything = list(index.order(queries[0], index.candidates(queries[:1], 5)[0]))
    assert sorted(everything) == list(range(3000))


def test_the_mean_of_opposites() -> None:
    encoder = encoder_of(lambda item: item)
    found = embed(encoder, lambda n: [[1.0, 0.0], [-1.0, 0.0]] if n else [], [0, 1], "")
    assert found.tolist() == [[0, 0], [1, 0]]


def test_an_image_is_named_by_what_is_stored(tmp_path: Path) -> None:
    name = TopkImg().name
    path = tmp_path / "a.png"
    path.write_bytes(picture(1, 2, 3))
    assert name(Image(path)) == name(Image(str(path)))
    assert name(Image(picture(1, 2, 3))) == name(Image(picture(1, 2, 3)))
    assert name(Image(picture(1, 2, 3))) != name(Image(picture(1, 2, 4)))
    drawn = Image(lambda: Image(picture(1, 2, 3)).load())
    assert name(drawn) == f"pixels {Image(path).digest}"
