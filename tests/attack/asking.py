"""Data sets that tests damage, and what becomes of their samples when a model is asked them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fakes import Hashing

from chef.config.recipe import Recipe
from chef.evaluator import Evaluator
from chef.types import Prediction, Status

#: No data set may take longer, in seconds of the processor.
SECONDS = 30.0
#: The errors that a sample of a data set may end with.
KNOWN = {"SampleError", "ImageError", "DataError"}


class List(NamedTuple):
    """A data set that is a list: its recipe, its list below the data root, and where it is."""

    recipe: str
    root: str
    file: str
    within: str | None = None
    lines: bool = False


LAMM = "LAMM/2D_Benchmark"
META = {
    "CIFAR10/ppl": "Classification_CIFAR10",
    "FSC147/ppl": "Counting_FSC147",
    "Flickr30k/random_ppl": "Caption_flickr30k",
    "ScienceQA/ppl": "VQA_ScienceQA",
    "VOC2012/multiturn_ppl": "Detection_VOC2012",
    "VOC2012/singleturn_direct": "Detection_VOC2012",
    "LAMM/AI2D": "VQA_AI2D",
    "LAMM/CIFAR10": "Classification_CIFAR10",
    "LAMM/CelebA_hair": "Facial_Classification_CelebA(Hair)",
    "LAMM/CelebA_smile": "Facial_Classification_CelebA(Smile)",
    "LAMM/FSC147": "Counting_FSC147",
    "LAMM/Flickr30k": "Caption_flickr30k",
    "LAMM/SVT": "OCR_SVT",
    "LAMM/ScienceQA": "VQA_ScienceQA",
    "LAMM/UCMerced": "Fine-grained_Classification_UCMerced",
    "LAMM/VOC2012": "Detection_VOC2012",
    "LAMM/locating_LSP": "Locating_LSP",
    "LAMM/locating_VOC2012": "Locating_VOC2012",
}
DATA = (
    *(List(recipe, LAMM, f"meta_file/{name}.json") for recipe, name in META.items()),
    List("SEEDBench/default", "SEED-Bench", "SEED-Bench.json", "questions"),
    List("POPE/random", "coco_pope", "coco_pope_random.json", lines=True),
    List("Winoground/default", "Winoground", "examples.jsonl", lines=True),
    List("Winoground_Cap/default", "Winoground", "examples.jsonl", lines=True),
    List("Ch3Ef/Helpful_ppl", "Ch3Ef", "meta_file/Helpful.json", "items"),
    List(
        "Omnibenchmark/default",
        "ChEF/OmniBenchmark_Bamboo",
        "meta_file/Classification_Omnibenchmark.json",
    ),
    List(
        "Omnibenchmark/singleturn_ppl",
        "ChEF/OmniBenchmark_Bamboo",
        "meta_file/Classification_Omnibenchmark.json",
    ),
)


class Asked(NamedTuple):
    """What became of a data set."""

    predictions: dict[str, Prediction]
    order: Sequence[str]
    entries: list[dict[str, Any]]

    def faults(self, good: int) -> list[str]:
        """What is wrong: good samples without an answer, unknown errors, metrics that failed."""
        found = [
            f"good sample {name}: {self.predictions[name].error}"
            for name in self.order[:good]
            if self.predictions[name].status is Status.ERROR
        ]
        errors = [item.error or {} for item in self.predictions.values() if item.error]
        found += [f"{e['type']}: {e['message'][:200]}" for e in errors if e["type"] not in KNOWN]
        found += [
            f"metric: {entry['error']['message'][:200]}"
            for entry in self.entries
            if entry.get("error", {}).get("stage") == "metric"
        ]
        return found


def ask(recipe: Recipe) -> Asked:
    """All samples of a recipe, asked and scored, without a run folder."""
    evaluator = Evaluator(recipe)
    engine = evaluator.engine(Hashing())
    begin = time.process_time()
    found = {item.sample_id: item for item in engine.run(evaluator.jobs(evaluator.ids))}
    for item in found.values():
        json.dumps(item.to_record(), default=str).encode()  # as the journal would have it
    report = evaluator.metric.evaluate(found.values())
    assert time.process_time() - begin < SECONDS
    assert set(found) == set(evaluator.ids)
    return Asked(found, evaluator.ids, list(report.samples))


def records_of(file: Path, data: List) -> list[dict[str, Any]]:
    text = file.read_text()
    if data.lines:
        return [json.loads(line) for line in text.splitlines()]
    found = json.loads(text)
    return found[data.within] if data.within else found
