"""Batches grow into available memory, and never again to a size that failed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace

import pytest
from fakes import Hashing, Numbers

from chef.engine.engine import Engine, Job
from chef.engine.executor import GROWTH, BatchExecutor
from chef.engine.executor_base import Limits, PendingRequest
from chef.inferencer import INFERENCERS
from chef.instruction import Instruction
from chef.models.huggingface.model import SHARE, headroom
from chef.types import Generate, Prediction, Request, Text, Turn


class Roomy(Hashing):
    """A model whose batches take one unit of memory a row, and that may misjudge its memory."""

    token_budget = 100

    def __init__(self, *, memory: float, **options: int) -> None:
        super().__init__(**options)
        self.memory = memory

    def cost(self, request: Request) -> int:
        return 10

    def memory_headroom(self) -> float:
        return max(1.0, self.memory / max(map(len, self.calls)))


def run(model: Hashing, batch_size: int | None = None) -> tuple[list[int], list[Prediction]]:
    inferencer = INFERENCERS.get("Direct")(Instruction("VQA"))
    scenario = Numbers(size=1000)
    jobs = [Job(f"n{index}", partial(scenario.__getitem__, index)) for index in range(1000)]
    predictions = list(Engine(model, inferencer, batch_size, 2000).run(jobs))
    return [len(call) for call in model.calls], sorted(predictions, key=lambda p: p.sample_id)


def test_batches_double_while_memory_suffices() -> None:
    sizes, predictions = run(Roomy(memory=45))
    assert sizes[:4] == [10, 20, 40, 40]
    assert predictions == run(Hashing())[1]
    assert run(Roomy(memory=45))[0] == sizes


def test_growth_has_an_end() -> None:
    assert max(run(Roomy(memory=1e9))[0]) == 10 * GROWTH


def test_batches_keep_their_size_without_headroom_or_with_a_fixed_size() -> None:
    assert max(run(Roomy(memory=19))[0]) == 10
    assert max(run(Roomy(memory=1e9), batch_size=8)[0]) == 8
    assert Hashing().memory_headroom() == 1


def test_a_batch_that_grew_too_large_is_split_and_growth_ends() -> None:
    model = Roomy(memory=1e9, rows_that_fit=50)
    sizes, predictions = run(model)
    assert sizes[:6] == [10, 20, 40, 80, 40, 40]
    assert set(sizes[6:-1]) == {40}
    assert predictions == run(Hashing())[1]


def test_a_small_batch_proves_nothing() -> None:
    model = Roomy(memory=1e9)
    caller = BatchExecutor(model, Limits(None, 100))
    asked = [
        PendingRequest(n, Generate((Turn("user", (Text(str(n)),)),)), (), 10, 1) for n in range(10)
    ]
    replies(caller, asked[:4])
    assert caller.limits.tokens == 100
    replies(caller, asked[:5])
    assert caller.limits.tokens == 200


def replies(caller: BatchExecutor, batch: Sequence[PendingRequest]) -> None:
    assert len(list(caller.ask(batch))) == len(batch)


def test_headroom_by_measured_memory() -> None:
    gib = 2**30
    cuda = SimpleNamespace(
        mem_get_info=lambda _: (50 * gib, 80 * gib),
        memory_reserved=lambda _: 30 * gib,
        memory_allocated=lambda _: 14 * gib,
        max_memory_allocated=lambda _: 24 * gib,
    )
    gpu = SimpleNamespace(type="cuda")
    assert headroom(gpu, cuda) == pytest.approx((SHARE * 80 - 14) / 10)
    cuda.mem_get_info = lambda _: (0, 80 * gib)  # another process has the rest
    assert headroom(gpu, cuda) == pytest.approx((SHARE * 30 - 14) / 10)
    cuda.max_memory_allocated = lambda _: 14 * gib  # no batch yet
    assert headroom(gpu, cuda) == 1
    assert headroom(SimpleNamespace(type="cpu")) == 1
