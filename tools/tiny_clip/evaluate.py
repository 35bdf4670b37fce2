"""Measure the encoder by what nearest neighbours have in common, on splits it has not seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from chef.instruction.retriever import RETRIEVERS, ExamplePool
from chef.scenario import Scenario
from chef.scenario.digits import Digits
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample


def report(folder: Path, size: int) -> dict[str, float]:
    """Means over ``size`` queries, each for the nearest example and for a random one.

    ``digit``: the image shows the same digit. ``scene``: overlap of the objects in the two images
    (intersection over union). ``kind``: the question is of the same kind.
    """
    found: dict[str, float] = {}
    half = Shapes(split="pool", task="caption", size=1000)
    cases: tuple[tuple[str, str, Scenario, Callable[[Sample, Sample], float]], ...] = (
        ("digit", "topk_img", Digits(split="pool"), _same_answer),
        ("scene", "topk_img", half, _overlap),
        ("kind", "topk_text", Shapes(split="pool", task="mcq", size=1000), _same_kind),
    )
    for name, kind, pool, agree in cases:
        key = "model_ckpt" if kind == "topk_img" else "sentence_transformers_model_name"
        for label, options in ((kind, {key: str(folder)}), ("random", {})):
            retriever = RETRIEVERS.get(label)(ice_num=1, **options)
            retriever.prepare(ExamplePool(pool))
            chosen = range(min(size, len(pool)))
            retriever.prefetch(pool, chosen)
            pairs = [(pool[index], retriever.retrieve(pool[index])[0]) for index in chosen]
            found[f"{name} {label}"] = round(sum(agree(*pair) for pair in pairs) / len(pairs), 3)
    return found


def _same_answer(query: Sample, example: Sample) -> float:
    return float(query.answer == example.answer)


def _same_kind(query: Sample, example: Sample) -> float:
    return float(query.fields["category"] == example.fields["category"])


def _overlap(query: Sample, example: Sample) -> float:
    asked, shown = list(query.fields["objects"]), list(example.fields["objects"])
    common = sum(min(asked.count(thing), shown.count(thing)) for thing in set(asked))
    return common / (len(asked) + len(shown) - common)
