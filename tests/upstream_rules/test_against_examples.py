"""In-context examples against the transcription (sections 6.6, 12 and 15)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from chef.instruction import RETRIEVERS, Instruction
from chef.instruction.retriever import Retriever
from chef.instruction.retriever.upstream import EvaluatedSet
from chef.instruction.retriever.upstream.kinds import ChefNearest, TopkText
from chef.instruction.upstream import ChefFormat
from chef.scenario.base import Scenario
from chef.types import Sample
from upstream_rules import transcription
from upstream_rules.random_answers import answer

SIZES = (1, 2, 7, 40, 128)


class Asked(Scenario):
    """Questions of random words."""

    name, wording, metric = "Asked", "VQA", "VQA"

    def __init__(self, size: int) -> None:
        rng = random.Random(size)
        self.samples = [
            Sample(f"{place}", (), question=answer(rng, ()) + "?", answer=answer(rng, ()))
            for place in range(size)
        ]

    def __len__(self) -> int:
        return len(self.samples)

    def sample_id(self, index: int) -> str:
        return self.samples[index].id

    def __getitem__(self, index: int) -> Sample:
        return self.samples[index]


def ready(kind: str, scenario: Scenario, batch: int, **options: object) -> Retriever:
    """A retriever by ChEF's rules, over all samples."""
    retriever: Retriever = RETRIEVERS.get(kind, upstream=True)(**options)
    retriever.prepare(EvaluatedSet(scenario, range(len(scenario)), batch))
    return retriever


def shown(retriever: Retriever, scenario: Scenario) -> list[list[int]]:
    """The positions of the examples of each sample."""
    samples = [scenario[index] for index in range(len(scenario))]
    return [[int(one.id) for one in retriever.retrieve(sample)] for sample in samples]


def sliced(lists: list[list[int]], size: int, batch: int) -> list[list[int]]:
    """What each sample gets when it is asked in batches, the last one perhaps short."""
    starts = range(0, size, batch)
    parts = [
        transcription.examples_of_batch(lists, number, min(batch, size - start))
        for number, start in enumerate(starts)
    ]
    return [examples for part in parts for examples in part]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("batch", [1, 3, 8])
@pytest.mark.parametrize("seed", [0, 1, 42])
def test_random_and_fixed_examples(size: int, batch: int, seed: int) -> None:
    scenario = Asked(size)
    for count in {0, 1, min(3, size), size}:
        options = {"ice_num": count, "random_seed": seed}
        drawn = transcription.random_examples(size, count, size, seed)
        found = shown(ready("random", scenario, batch, **options), scenario)
        assert found == sliced(drawn, size, batch)
        fixed = transcription.fixed_examples(size, count, size, seed)
        assert shown(ready("fixed", scenario, batch, **options), scenario) == fixed


@pytest.mark.parametrize("size", SIZES)
def test_assigned_examples(size: int) -> None:
    rng, scenario = random.Random(size), Asked(size)
    for _ in range(20):
        ids = rng.choices(range(size), k=rng.randrange(1, 6))
        expected = transcription.fixed_examples(size, len(ids), size, 0, ids)
        options = {"ice_num": len(ids), "ice_assigned_ids": ids}
        assert shown(ready("fixed", scenario, 4, **options), scenario) == expected


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 3])
def test_nearest_examples(size: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = Asked(size)
    rng = random.Random(size)
    ranked = {str(place): rng.sample(range(size), size) for place in range(size)}

    def preference(_: ChefNearest, query: Sample) -> Iterator[int]:
        return iter(ranked[query.id])

    monkeypatch.setattr(ChefNearest, "preference", preference)
    retriever = TopkText(ice_num=count)
    retriever.pool = EvaluatedSet(scenario, range(size), 1)
    # A neighbour that is missing is -1, the last one.
    expected = [
        transcription.nearest_examples([*ranked[str(place)], *[-1] * (count + 1)], place, count)
        for place in range(size)
    ]
    assert shown(retriever, scenario) == [
        [index % size for index in positions] for positions in expected
    ]


@pytest.mark.parametrize("template", ["{option}", "The answer is {option}", "It is '{option}"])
def test_examples_are_written_before_the_question(template: str) -> None:
    scenario = Asked(40)
    retriever = ready("random", scenario, 1, ice_num=3, random_seed=5)
    handler = Instruction(
        "VQA",
        "",
        retriever,
        ChefFormat(),
        defined_prompt="{question} So?",
        defined_template=template,
    )
    for sample in scenario.samples:
        pairs = [(one.question, str(one.answer)) for one in retriever.retrieve(sample)]
        (turn,) = handler.query(sample).conversation
        query = f"{sample.question} So?"
        assert turn.text == transcription.rendered_examples(pairs, query, template)
